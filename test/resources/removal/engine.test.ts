import { afterEach, expect, it } from 'vitest';
import type { WorkEvent } from '../../../src/contract/api.ts';
import { requestRemoval } from '../../../src/core/removal.ts';
import type { ScrubResult } from '../../../src/core/store.ts';
import { startWorkers } from '../../../src/core/workers.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
afterEach(() => world.core.store.close());

/** The end of the job in a server whose store says how it was rewritten, and the size that it was allowed to have. */
async function removeWith(result: ScrubResult): Promise<{
  event: WorkEvent;
  maxSize: number | undefined;
  isServing: boolean | undefined;
}> {
  world = await createWorld();
  const { core } = world;
  await core.store.write((tx) => requestRemoval(tx, '2026-01-05T09:00:00.000Z', '2026-01-05T09:00:00.000Z'));
  let maxSize: number | undefined;
  let isServing: boolean | undefined;
  const { store } = core;
  const scrub = async (size: number, _: AbortSignal, served?: boolean): Promise<ScrubResult> => {
    [maxSize, isServing] = [size, served];
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
      onEvent: (one) => {
        if (one.end !== undefined) void workers.stop(1000).then(() => resolve(one));
      },
      onError: reject,
    });
  });
  return { event, maxSize, isServing };
}

it('says in a server that a large store was not rewritten, and with which command it is', async () => {
  const { event, maxSize, isServing } = await removeWith('large');
  expect(event).toMatchObject({ kind: 'removal', end: 'done' });
  expect(event.trouble).toContain('`docsctl jobs run --kind removal`');
  expect(maxSize).toBe(1024 * 1024 * 1024);
  expect(isServing).toBe(true);
});

it('says nothing when all is done, and tries again when the store is busy', async () => {
  const { event } = await removeWith('done');
  expect(event).toEqual({ kind: 'removal', subject: 'store', end: 'done' });
  await world.core.store.close();
  expect((await removeWith('busy')).event).toMatchObject({ end: 'again' });
});
