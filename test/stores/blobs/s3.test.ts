import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOutgoing, readAllowList } from '../../../src/client/outgoing.ts';
import type { BlobStorage } from '../../../src/core/blob-storage.ts';
import { isExternal, readExternal, type ExternalRow } from '../../../src/stores/blobs/external-row.ts';
import { parseBlobsUrl, type S3Location } from '../../../src/stores/blobs/parse-blobs-url.ts';
import { openS3Blobs, type S3Credentials } from '../../../src/stores/blobs/s3.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { hashOfFile } from '../../../src/content/hashing.ts';
import { blobConformance } from './conformance.ts';
import { account, startS3Server } from './s3-server.ts';

let server: Awaited<ReturnType<typeof startS3Server>>;
let waits: number[];
beforeEach(async () => {
  waits = [];
  server = await startS3Server();
});
afterEach(() => server.close());

/** Connects to the test server for any host name. */
const outgoing = createOutgoing({
  allow: readAllowList(undefined),
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
});
const locate = (url: string): S3Location => parseBlobsUrl(url, { cwd: '/' }) as S3Location;
function open(
  { place = 's3://docs/a/b', endpoint = server.endpoint, style = 'path' } = {},
  credentials: S3Credentials = account,
): BlobStorage {
  return openS3Blobs(locate(`${place}?endpoint=${endpoint}&region=eu-test-1&style=${style}`), {
    credentials,
    outgoing,
    clock: Date.now,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
}
const key = `abcd${'0'.repeat(60)}.1`;
const problemOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

blobConformance('in a bucket, below a prefix', () => open());
blobConformance('in a bucket with a host of its own', () =>
  open({ place: 's3://docs', endpoint: `http://localhost:${server.port}`, style: 'host' }),
);
blobConformance('in a bucket with an odd prefix', () => open({ place: "s3://docs/it's_(odd)*!" }));

describe('requests to an object store', () => {
  it('contain the bucket in the path or in the host', async () => {
    await open().put(key, Buffer.from('x'));
    await open({ style: 'host', endpoint: `http://localhost:${server.port}` }).put(key, Buffer.from('x'));
    expect(server.requests).toEqual([`PUT /docs/a/b/${key}`, `PUT /a/b/${key}`]);
    expect(server.hosts[1]).toBe(`docs.localhost:${server.port}`);
  });

  it('sign a session token, and fail with one clear message if the key is wrong', async () => {
    await open({}, { ...account, sessionToken: 'session' }).put(key, Buffer.from('x'));
    for (const [credentials, code] of [
      [{ ...account, secretAccessKey: 'canary' }, 'SignatureDoesNotMatch'],
      [{ ...account, accessKeyId: 'canary' }, 'InvalidAccessKeyId'],
    ] as const) {
      const problem = await problemOf(open({}, credentials).get(key));
      expect(problem).toMatchObject({
        reason: 'store-failed',
        retryAfter: undefined,
        message: expect.stringContaining(`refused GET with 403 ${code}.`),
        hint: expect.stringContaining('AWS_ACCESS_KEY_ID'),
      });
      expect(String(problem)).not.toContain('canary');
    }
    expect(waits).toEqual([]);
  });

  it.each([503, 429, 'close', 'cut'] as const)('are repeated after %s', async (fault) => {
    await open().put(key, Buffer.from('bytes'));
    server.faults.push(fault, fault);
    expect(String(await open().get(key))).toBe('bytes');
    expect(waits).toEqual([200, 1000]);
  });

  it.each([503, 'close', 'cut'] as const)(
    'fail with a time to retry after repeated failures of the kind %s',
    async (fault) => {
      const storage = open();
      await storage.put(key, Buffer.from('bytes'));
      server.faults.push(fault, fault, fault, fault);
      expect(await problemOf(storage.get(key))).toMatchObject({
        reason: 'store-failed',
        exitCode: 69,
        retryAfter: 5,
        message: expect.stringContaining(`The blob storage ${storage.url} `),
      });
      expect(waits).toEqual([200, 1000, 3000]);
      expect(String(await storage.get(key))).toBe('bytes');
    },
  );

  it('are not repeated if the object store does not answer', async () => {
    const timeouts: (number | undefined)[] = [];
    const storage = openS3Blobs(locate('s3://docs?endpoint=https://s3.example.com'), {
      credentials: account,
      outgoing: async ({ timeout }) => {
        timeouts.push(timeout);
        throw new Problem('timed-out', 'https://s3.example.com did not answer completely within 30 s.');
      },
      clock: Date.now,
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    for (const attempt of [storage.get(key), storage.put(key, Buffer.from('x'))])
      expect(await problemOf(attempt)).toMatchObject({
        reason: 'store-failed',
        retryAfter: 5,
        message: expect.stringContaining('failed: https://s3.example.com did not answer'),
      });
    expect(timeouts).toEqual([30_000, 60_000]);
    expect(waits).toEqual([]);
  });

  it('fail if no server is reachable', async () => {
    const storage = open({ endpoint: 'http://localhost:1' });
    for (const attempt of [
      () => storage.get(key),
      () => storage.has(key),
      () => storage.put(key, Buffer.from('x')),
      () => storage.remove(key),
    ])
      expect(await problemOf(attempt())).toMatchObject({ reason: 'store-failed', retryAfter: 5 });
  });

  it('distinguish a missing bucket from a missing object', async () => {
    expect(await open().get(key)).toBeUndefined();
    const other = open({ place: 's3://other' });
    for (const attempt of [() => other.get(key), () => other.put(key, Buffer.from('x'))])
      expect(await problemOf(attempt())).toMatchObject({
        reason: 'store-failed',
        message: expect.stringContaining('404 NoSuchBucket'),
        hint: expect.stringContaining('Create the bucket'),
      });
    server.faults.push(403);
    expect(await problemOf(open().remove(key))).toMatchObject({
      message: expect.stringContaining('refused DELETE'),
    });
  });

  it('can access only objects below the prefix', async () => {
    await open({ place: 's3://docs/other' }).put(key, Buffer.from('x'));
    await open({ place: 's3://docs' }).put(key, Buffer.from('x'));
    expect(await open().get(key)).toBeUndefined();
  });

  it('detect bytes that were altered in transit', async () => {
    const bytes = Buffer.from('bytes');
    const row: ExternalRow = { id: hashOfFile(bytes), encoding: 'base64', object: key, size: 5 };
    expect(isExternal(row)).toBe(true);
    await open().put(key, bytes);
    expect(Buffer.from((await readExternal(open(), row)).data, 'base64')).toEqual(bytes);
    server.faults.push('wrong-bytes');
    expect(await problemOf(readExternal(open(), row))).toMatchObject({
      message: expect.stringContaining('A file of the store was altered'),
    });
  });
});
