import { onTestFinished, expect, it } from 'vitest';
import { remoteApi } from '../../src/client/remote.ts';
import { serve } from '../server/serving.ts';
import { Bench, createBench, linesOf } from './bench.ts';
import { folderOf } from './read/folder.ts';

const text = `
teams: { writers: { title: Writers, members: [edit@acme.test] } }
collections: { product: { title: Product } }
spaces: { guide: { title: Guide, parent: !ref collection.product, mergeRules: { allow_bypass: [edit@acme.test] } } }
sites: { docs: { title: Docs, published: true, sections: [{ path: guide, title: Guide, space: !ref space.guide, default: true }] } }
org: { settings: { defaultContent: { site: !ref site.docs } } }`;

it('does over a server what it does embedded, with the same plan before and after', async () => {
  const serving = await serve();
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  let keys = 0;
  const api = remoteApi({ server: url, token: serving.world.token('admin'), version: '1.2.3', newKey: () => `key_${++keys}`, retries: 0 });
  onTestFinished(async () => {
    await api.close();
    await serving.server.close(0);
  });
  const [far, near] = [new Bench(serving.world, folderOf({}), api), await createBench()];
  far.write(text);
  near.write(text);
  const plan = await far.plan();
  expect(linesOf(plan)).toEqual(linesOf(await near.plan()));
  await far.bring(text);
  await near.bring(text);
  expect(far.changing.map(({ operation }) => operation.id).sort()).toEqual(near.changing.map(({ operation }) => operation.id).sort());
  expect(linesOf(await far.plan())).toEqual([]);
  expect(plan.place).toBe(url);
});
