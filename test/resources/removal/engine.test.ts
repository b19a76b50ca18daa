import { afterEach, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/contract/api.ts';
import { claimed } from '../../../src/core/claim-job.ts';
import { requestRemoval } from '../../../src/core/removal.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import type { ScrubResult } from '../../../src/core/store.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { startWorkers } from '../../../src/core/workers.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
afterEach(() => world.core.store.close());

/** Runs the job on a server whose store returns this result, and returns its end and the size limit that it passed. */
async function removeWith(
  result: ScrubResult | Problem,
  used?: World,
): Promise<{
  event: WorkEvent;
  maxSize: number | undefined;
  serving: string | undefined;
}> {
  world = used ?? (await createWorld());
  const { core } = world;
  await core.store.write((tx) => requestRemoval(tx, '2026-01-05T09:00:00.000Z', '2026-01-05T09:00:00.000Z'));
  let maxSize: number | undefined;
  let serving: string | undefined;
  const { store } = core;
  const scrub = async (size: number, _: AbortSignal, how?: string): Promise<ScrubResult> => {
    [maxSize, serving] = [size, how];
    if (result instanceof Problem) throw result;
    return result;
  };
  const served = {
    ...core,
    store: {
      url: store.url,
      read: (work) => store.read(work),
      write: (work) => store.write(work),
      close: () => store.close(),
      scrub,
    } satisfies typeof store,
  };
  const event = await new Promise<WorkEvent>((resolve, reject) => {
    const workers = startWorkers(served, {
      count: 1,
      onEnd: (_, one) => void workers.stop(1000).then(() => resolve(one)),
      onError: reject,
    });
  });
  return { event, maxSize, serving };
}

it('reports that the server did not rewrite a large store, with the command that does it', async () => {
  const { event, maxSize, serving } = await removeWith('large');
  expect(event).toMatchObject({ kind: 'removal', end: 'done' });
  expect(event.trouble).toContain('`docsctl jobs run --kind removal`');
  expect(maxSize).toBe(1024 * 1024 * 1024);
  expect(serving).toBe('give-way');
});

it('reports nothing when everything is done, and tries again when the store is busy', async () => {
  const { event } = await removeWith('done');
  expect(event).toEqual({ kind: 'removal', subject: 'store', end: 'done' });
  await world.core.store.close();
  expect((await removeWith('busy')).event).toMatchObject({ end: 'again' });
});

it('reports why the blob storage did not remove objects, and keeps trying after any number of failures', async () => {
  const away = new Problem('store-failed', 'The blob storage answered with 503 SlowDown.', { retryAfter: 5 });
  const { event } = await removeWith(away);
  const trouble = 'Not everything was removed. The blob storage answered with 503 SlowDown.';
  expect(event).toEqual({ kind: 'removal', subject: 'store', end: 'again', trouble });
  const used = world;
  for (let at = 0; at < 10; at++) {
    used.pass(600_000);
    expect((await removeWith(away, used)).event).toMatchObject({ end: 'again', trouble });
  }
});

it('goes ahead after the store was busy for half an hour, then waits that long again', async () => {
  const minute = 60_000;
  const first = await removeWith('busy');
  expect([first.serving, first.event.trouble]).toEqual(['give-way', undefined]);
  const used = world;
  const runs: string[] = [];
  for (let at = 0; at < 70; at++) {
    used.pass(minute);
    const { event, serving = '' } = await removeWith('busy', used);
    runs.push(serving);
    expect(event).toMatchObject({ end: 'again' });
    expect(event.trouble === undefined).toBe(serving === 'give-way');
    if (event.trouble !== undefined) expect(event.trouble).toContain('wait for more than 10 s');
  }
  const ahead = runs.flatMap((one, at) => (one === 'go-ahead' ? [at] : []));
  expect(ahead).toHaveLength(2);
  expect(ahead[0]).toBeGreaterThan(20);
  expect(ahead[1]! - ahead[0]!).toBeGreaterThan(20);
  for (let at = 0; at < 28; at++) {
    used.pass(minute);
    await removeWith('busy', used);
  }
  used.pass(minute);
  expect((await removeWith('done', used)).event).toMatchObject({ end: 'done' });
  used.pass(minute);
  expect((await removeWith('busy', used)).serving).toBe('give-way');
});

it('waits a minute while a translation runs, because its texts belong to no page yet', async () => {
  const used = await createWorld();
  const { store, clock } = used.core;
  const id = 'translation.trl_1';
  await store.write((tx) =>
    tx.insert(jobs, {
      ...claimed('translation', clock()),
      id,
      kind: 'translation',
      organization: 'org_acme',
      subject: 'trl_1',
      queue: 'open',
      owner: 'run_1',
      attempts: 0,
      again: false,
      createdAt: '2026-01-05T09:00:00.000Z',
    }),
  );
  expect(await removeWith('done', used)).toMatchObject({ event: { end: 'again' }, maxSize: undefined });
  const waiting = await store.read((view) => view.get(jobs, 'removal.store'));
  // Each read of the clock advances it a little.
  expect(Math.round((Date.parse(waiting!.dueAt) - clock()) / 10_000)).toBe(6);
  await store.write((tx) => tx.remove(jobs, id));
  expect(await removeWith('done', used)).toMatchObject({ event: { end: 'done' }, maxSize: 1024 ** 3 });
});
