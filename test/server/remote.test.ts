import { afterEach, expect, it } from 'vitest';
import { remoteApi } from '../../src/client/remote-api.ts';
import type { Api } from '../../src/contract/api.ts';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
} from '../../src/resources/collections/contract.ts';
import { serve, type Serving } from './serving.ts';

let serving: Serving;
const apis: Api[] = [];
afterEach(async () => {
  for (const api of apis.splice(0)) await api.close();
  await serving.server.close(0);
});

async function remote(token: string | undefined, url: string): Promise<Api> {
  let keys = 0;
  const api = remoteApi({ server: url, token, version: '1.2.3', newKey: () => `key_${++keys}`, retries: 0 });
  apis.push(api);
  return api;
}

it('a client of a server gets the same results and Problems as the embedded core', async () => {
  serving = await serve();
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  const [near, far] = [serving.world.as('admin'), await remote(serving.world.token('admin'), url)];
  const params = { organizationId: 'org_acme' };
  const made = await far.call(createCollection, { params, body: { title: 'Büro & Co' } });
  const [id] = [{ collectionId: made.id }];
  expect(await far.call(getCollection, { params: id })).toEqual(
    await near.call(getCollection, { params: id }),
  );
  expect(await far.call(listCollections, { params, query: { nested: false, limit: 1, title: 'ü' } })).toEqual(
    await near.call(listCollections, { params, query: { nested: false, limit: 1, title: 'ü' } }),
  );
  expect(await far.call(deleteCollection, { params: id })).toBeUndefined();
  const problemOf = (api: Api) =>
    api
      .call(getCollection, { params: { collectionId: 'a/b?c' } })
      .then(undefined, ({ reason, message, status, exitCode }) => ({ reason, message, status, exitCode }));
  expect(await problemOf(far)).toEqual(await problemOf(near));
  const stranger = await remote(undefined, url);
  await expect(stranger.call(listCollections, { params })).rejects.toMatchObject({
    reason: 'unauthenticated',
    exitCode: 4,
  });
});
