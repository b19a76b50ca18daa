import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteApi } from '../../src/client/remote-api.ts';
import { readAnswer } from '../../src/client/read-answer.ts';
import { isOperation, type Operation } from '../../src/contract/operation.ts';
import * as requestFiles from '../../src/resources/content/change-request-files/contract.ts';
import * as spaceFiles from '../../src/resources/content/space-files/contract.ts';
import { nouns } from '../../src/resources/index.ts';
import { openDesk, type Desk } from '../resources/content-support.ts';
import { serve, type Serving } from './serving.ts';
import { contentDisposition } from '../../src/server/answer.ts';

const script = '<script>fetch("/v1/user")</script>';
let serving: Serving;
let desk: Desk;

beforeEach(async () => {
  serving = await serve();
  desk = await openDesk(serving.world);
});
afterEach(() => serving.server.close(0));

/** Uploads a file to the space and returns its ID. */
async function upload(
  name: string,
  contentType: string,
  bytes: Buffer = Buffer.from(script),
): Promise<string> {
  const { insertedFiles } = await desk.publish({
    operation: 'insert_files',
    files: [{ name, contentType, base64: bytes.toString('base64') }],
  });
  return insertedFiles![0]!.id;
}

const download = (fileId: string, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) =>
  serving.server.inject({
    method,
    url: `/v1/spaces/${desk.spaceId}/content/files/${fileId}/download`,
    headers: { ...serving.bearer('read'), ...headers },
  });

describe('a download', () => {
  it.each([
    ['page.html', 'text/html', 'text/html; charset=utf-8'],
    ['logo.svg', 'image/svg+xml', 'image/svg+xml'],
    ['feed.xml', 'application/xhtml+xml', 'application/xhtml+xml'],
    ['paper.pdf', 'application/pdf', 'application/pdf'],
  ])('of %s cannot run as a page of the server', async (name, contentType, sent) => {
    const answer = await download(await upload(name, contentType));
    expect([answer.statusCode, answer.body]).toEqual([200, script]);
    expect(answer.headers).toMatchObject({
      'content-type': sent,
      'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'content-length': String(script.length),
      'request-id': expect.any(String),
    });
  });

  it('of a bitmap image is shown inline, with the same restrictions', async () => {
    const answer = await download(await upload('shot.png', 'image/PNG; q=1'));
    expect(answer.headers).toMatchObject({
      'content-type': 'image/PNG; q=1',
      'content-disposition': 'inline; filename="shot.png"; filename*=UTF-8\'\'shot.png',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it('responds to HEAD like to GET, without the bytes', async () => {
    const id = await upload('page.html', 'text/html');
    const [got, head] = [await download(id), await download(id, 'HEAD')];
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const { 'request-id': _, date: __, ...headers } = got.headers;
    expect(head.headers).toMatchObject(headers);
  });

  it('can be of a part of the file, and is not sent to a client that has the file', async () => {
    const id = await upload('page.html', 'text/html');
    const { etag = '' } = (await download(id)).headers;
    const part = await download(id, 'GET', { range: 'bytes=1-6', 'if-range': etag });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([
      206,
      'script',
      `bytes 1-6/${script.length}`,
    ]);
    const known = await download(id, 'GET', { range: 'bytes=1-6', 'if-none-match': etag });
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag]);
  });

  it('can be empty', async () => {
    const answer = await download(await upload('empty', 'text/plain', Buffer.alloc(0)));
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '0']);
  });

  it.each([
    ['text/html; charset=utf-7', 'text/html; charset=utf-7'],
    ['text/plain;x="a b"', 'text/plain;x="a b"; charset=utf-8'],
    ['text/plain; x=ü', 'application/octet-stream'],
    ['text/plain; \u0001', 'application/octet-stream'],
    ['image/png;,text/html', 'application/octet-stream'],
  ])('has a content type that is valid in a header: %s', async (declared, sent) => {
    expect((await download(await upload('a', declared))).headers['content-type']).toBe(sent);
  });

  it('declares a text as UTF-8 only if it is valid UTF-8', async () => {
    expect(
      (await download(await upload('latin.txt', 'text/plain', Buffer.from([0xe9, 0x20])))).headers[
        'content-type'
      ],
    ).toBe('text/plain');
  });

  it.each([
    ['a"b\\c.txt', `attachment; filename="c.txt"; filename*=UTF-8''a%22b%5Cc.txt`],
    [
      'a\r\nSet-Cookie: x=1',
      `attachment; filename="a__Set-Cookie_ x_1"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x%3D1`,
    ],
    ['../../etc/passwd', `attachment; filename="passwd"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`],
    ["it's (1)*.txt", `attachment; filename="it's (1)_.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    [
      'Übersicht 😀.txt',
      `attachment; filename="_bersicht _.txt"; filename*=UTF-8''%C3%9Cbersicht%20%F0%9F%98%80.txt`,
    ],
    [
      `${'é'.repeat(127)}x`,
      `attachment; filename="${'_'.repeat(127)}x"; filename*=UTF-8''${'%C3%A9'.repeat(127)}x`,
    ],
  ])('has a safe file name: %j', async (name, disposition) => {
    const answer = await download(await upload(name, 'text/plain'));
    expect(answer.headers['content-disposition']).toBe(disposition);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  it('reports errors as JSON', async () => {
    const absent = await download('file_absent');
    expect([absent.statusCode, absent.json().error.reason]).toEqual([404, 'not-found']);
    const stranger = await serving.server.inject({
      url: `/v1/spaces/${desk.spaceId}/content/files/${await upload('a', 'text/html')}/download`,
    });
    expect([stranger.statusCode, stranger.json().error.reason, stranger.headers['content-type']]).toEqual([
      401,
      'unauthenticated',
      'application/json; charset=utf-8',
    ]);
  });
});

it('a client downloads the same file as the embedded core, of a space and of a change request', async () => {
  const { url } = await serving.server.listen({ host: '127.0.0.1', port: 0 });
  const near = serving.world.as('read');
  const far = remoteApi({
    server: url,
    token: serving.world.token('read'),
    version: '1.2.3',
    newKey: () => 'key',
    retries: 0,
  });
  const every = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const { number } = await desk.createRequest();
  for (const [name, contentType] of [
    ['a"b\r\n/Ü 😀.txt', 'text/plain'],
    ['x', 'text/html; charset=latin1'],
    ['y.json', 'application/json'],
    ['z', 'no/type;ü'],
  ] as const) {
    const fileId = await upload(name, contentType, every);
    const params = { spaceId: desk.spaceId, fileId };
    const given = await far.call(spaceFiles.downloadFile, { params });
    expect(given).toEqual(await near.call(spaceFiles.downloadFile, { params }));
    expect([given.name, Buffer.compare(given.bytes, every)]).toEqual([name, 0]);
    const { insertedFiles } = await desk.edit(number, [
      { operation: 'insert_files', files: [{ name, contentType, base64: every.toString('base64') }] },
    ]);
    const inRequest = { ...desk.at(number), fileId: insertedFiles![0]!.id };
    expect(await far.call(requestFiles.downloadFile, { params: inRequest })).toEqual(given);
  }
  await far.close();
});

it('contentDisposition writes any name so that the client reads the same one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('image/png', 'text/html'),
      (name, contentType) => {
        const disposition = contentDisposition(name, contentType);
        expect(disposition).toMatch(
          /^(inline|attachment); filename="[ !#$&'()+,.\w-]*"; filename\*=UTF-8''[\w.~!%-]*$/,
        );
        const answer = {
          status: 200,
          headers: { 'content-type': contentType, 'content-disposition': disposition },
          bytes: Buffer.alloc(0),
        };
        const read = readAnswer(spaceFiles.downloadFile, answer, {
          origin: 'http://a',
          now: 0,
          mask: (text) => text,
        });
        expect(read).toEqual({ value: { name: name.toWellFormed(), contentType, bytes: answer.bytes } });
      },
    ),
  );
});

it('downloads have GET operations only, so that nothing is stored for repeated writes', async () => {
  const operations: Operation[] = (await Promise.all(nouns.map((noun) => noun.contract()))).flatMap(
    (contract) => Object.values(contract).filter(isOperation),
  );
  const files = operations.filter(({ returns }) => returns.file === true);
  expect(files.map(({ id }) => id)).toContain('spaces.files.download');
  for (const { id, method, access } of files)
    expect([id, method, access.endsWith('.any')]).toEqual([id, 'GET', id === 'openapi.published']);
});
