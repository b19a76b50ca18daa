import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Core } from '../../src/core/embedded.ts';
import { Problem } from '../../src/errors/problem.ts';
import { withBlobs } from '../../src/stores/blobs/with-blobs.ts';
import { memoryBlobs } from '../stores/blobs/memory-blobs.ts';
import { serve } from './serving.ts';

it('a server responds 503 with Retry-After while the blob storage is unavailable, and stores nothing', async () => {
  let isAway = false;
  let names = 0;
  const { storage, objects } = memoryBlobs(() => {
    if (isAway) throw new Problem('store-failed', 'The blob storage s3://secret is away.', { retryAfter: 5 });
  });
  const change = (core: Core): Core => ({
    ...core,
    store: withBlobs(core.store, { storage, clock: core.clock, newName: () => String(++names) }),
  });
  const { server, bearer } = await serve({ change });
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const answer = await server.inject({
      method,
      url: `/v1${url}`,
      headers: bearer(),
      ...(payload === undefined ? {} : { payload }),
    });
    return { ...answer, status: answer.statusCode, retryAfter: answer.headers['retry-after'] };
  };
  const space = (await send('POST', '/orgs/org_acme/spaces', { title: 'Guide' })).json().id as string;
  const request = (await send('POST', `/spaces/${space}/change-requests`, { subject: 'File' })).json()
    .id as string;
  const at = `/spaces/${space}/change-requests/${request}/content`;
  const bytes = randomBytes(70_000);
  const file = { name: 'a.png', contentType: 'image/png', base64: bytes.toString('base64') };
  const changes = { changes: [{ operation: 'insert_files', files: [file] }] };
  isAway = true;
  const refused = await send('POST', at, changes);
  expect([refused.status, refused.retryAfter]).toEqual([503, '5']);
  expect(refused.body).not.toContain('s3://secret');
  isAway = false;
  expect((await send('GET', `${at}/files`)).json().items).toEqual([]);
  expect(objects.size).toBe(0);
  const stored = await send('POST', at, changes);
  expect(stored.status).toBeLessThan(300);
  expect(objects.size).toBe(1);
  const [found] = (await send('GET', `${at}/files`)).json().items as { id: string; size: number }[];
  expect(found).toMatchObject({ size: 70_000 });
});
