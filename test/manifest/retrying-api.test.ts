import { onTestFinished, expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import { remoteApi } from '../../src/client/remote-api.ts';
import { Problem } from '../../src/errors/problem.ts';
import { retryingApi } from '../../src/manifest/retrying-api.ts';
import { serve } from '../server/serving.ts';
import { Bench, createBench, linesOf } from './bench.ts';
import { folderOf } from './read/folder.ts';

const text = `
teams: { writers: { title: Writers, members: [edit@acme.test] } }
collections: { product: { title: Product } }
spaces: { guide: { title: Guide, parent: !ref collection.product, mergeRules: { allow_bypass: [edit@acme.test] } } }
sites: { docs: { title: Docs, published: true, sections: [{ path: guide, title: Guide, space: !ref space.guide, default: true }] } }
org: { settings: { defaultContent: { site: !ref site.docs } } }`;

async function farApi(
  limits: object = {},
): Promise<{ api: Api; url: string; world: Awaited<ReturnType<typeof serve>>['world'] }> {
  const serving = await serve({ limits });
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  let keys = 0;
  const { world } = serving;
  const api = remoteApi({
    server: url,
    token: world.token('admin'),
    version: '1.2.3',
    newKey: () => `key_${++keys}`,
    retries: 0,
    now: world.core.clock,
  });
  onTestFinished(async () => {
    await api.close();
    await serving.server.close(0);
  });
  return { api, url, world };
}

it('an apply over a server sends the same calls as an embedded one, with the same plans', async () => {
  const { api, url, world } = await farApi();
  const [far, near] = [new Bench(world, folderOf({}), api), await createBench()];
  far.write(text);
  near.write(text);
  const plan = await far.plan();
  expect(linesOf(plan)).toEqual(linesOf(await near.plan()));
  // One step at a time, because an update that is overtaken by another step is sent again.
  await far.bring(text, { concurrency: 1 });
  await near.bring(text, { concurrency: 1 });
  expect(far.changing.map(({ operation }) => operation.id).sort()).toEqual(
    near.changing.map(({ operation }) => operation.id).sort(),
  );
  expect(linesOf(await far.plan())).toEqual([]);
  expect(plan.place).toBe(url);
});

it('retryingApi waits for all calls together if the server limits requests, and then continues', async () => {
  const { api, world } = await farApi({ rateLimit: 4 });
  const waits: number[] = [];
  const patient = retryingApi(api, {
    clock: world.core.clock,
    wait: async (milliseconds) => world.pass(milliseconds),
    onWait: (seconds) => void waits.push(seconds),
  });
  const many = new Bench(world, folderOf({}), patient);
  await many.bring(
    `collections:\n${Array.from({ length: 90 }, (_, index) => `  c${index}: { title: Collection ${index} }`).join('\n')}`,
    { concurrency: 8 },
  );
  expect(waits.length).toBeGreaterThanOrEqual(4);
  expect(waits.length).toBeLessThan(90);
  expect(linesOf(await many.plan())).toEqual([]);
});

it('retryingApi gives up if the server asks for a very long wait', async () => {
  const refused = new Problem('rate-limited', 'Come back tomorrow.', { retryAfter: 86_400 });
  const api = retryingApi(
    { place: 'https://far.test', call: () => Promise.reject(refused), close: async () => {} },
    { clock: () => 0, wait: () => Promise.reject(new Error('it waits')), onWait: () => {} },
  );
  await expect(api.call({} as never, {})).rejects.toBe(refused);
});

it('retryingApi gives up if no call succeeds for five minutes, and starts over after a success', async () => {
  const refused = new Problem('rate-limited', 'Not so fast.', { retryAfter: 50 });
  let now = 0;
  let isTaken = (): boolean => false;
  const call = (): Promise<never> => (isTaken() ? Promise.resolve({} as never) : Promise.reject(refused));
  const wait = (milliseconds: number): Promise<void> => Promise.resolve(void (now += milliseconds));
  const api = retryingApi(
    { place: 'https://far.test', call, close: async () => {} },
    { clock: () => now, wait, onWait: () => {} },
  );
  const one = (): Promise<unknown> => api.call({} as never, {});
  const outcomes = await Promise.allSettled([one(), one(), one()]);
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: {
        reason: 'rate-limited',
        exitCode: 7,
        message: 'Not so fast. The server accepted no request for 300 seconds.',
      },
    });
  expect(now).toBe(300_000);
  isTaken = () => now > 300_000;
  await expect(one()).rejects.toMatchObject({ reason: 'rate-limited' });
  isTaken = () => true;
  await one();
  for (const until of [500_000, 700_000, 900_000]) {
    isTaken = () => now >= until;
    await one();
  }
  expect(now).toBe(900_000);
});
