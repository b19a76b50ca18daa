import { describe, expect, it } from 'vitest';
import { file, operation } from '../../src/contract/operation.ts';
import { client, farServer, json, problemOf, refusal, thing, token } from './far-server.ts';

const getFile = operation({
  id: 'things.download',
  route: 'GET /orgs/:organizationId/things/:thingId/download',
  access: 'org.read',
  summary: 'Download a thing',
  returns: file(),
});
const named = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="x"; filename*=UTF-8\'\'%C3%BC%20x.json',
};

describe('a downloaded file', () => {
  it('is requested with any type, and returned with its name, type and unchanged bytes', async () => {
    const far = await farServer((response) => void response.writeHead(200, named).end('{"not":'));
    const answer = await client(far.url).api.call(getFile, thing);
    expect({ ...answer, bytes: Buffer.from(answer.bytes).toString() }).toEqual({
      name: 'ü x.json',
      contentType: 'application/json',
      bytes: '{"not":',
    });
    expect(far.seen[0]!.headers).toMatchObject({ accept: '*/*', authorization: `Bearer ${token}` });
  });

  it.each([
    ['a web page without a file name', { 'content-type': 'text/html' }],
    ['a name without a type', { 'content-disposition': named['content-disposition'] }],
    ['a name that is not UTF-8', { ...named, 'content-disposition': "attachment; filename*=UTF-8''%FF" }],
    ['an empty file name', { ...named, 'content-disposition': "attachment; filename*=UTF-8''" }],
    ['a name only in the old form', { ...named, 'content-disposition': 'attachment; filename="x"' }],
  ])('is refused: %s', async (_, headers) => {
    const far = await farServer((response) => void response.writeHead(200, headers).end('<h1>Log in</h1>'));
    expect(await problemOf(client(far.url).api.call(getFile, thing))).toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('not a response from the docsctl API'),
    });
  });

  it('is refused if it is an empty 204', async () => {
    const far = await farServer((response) => void response.writeHead(204).end());
    expect(await problemOf(client(far.url).api.call(getFile, thing))).toMatchObject({
      reason: 'unreachable',
    });
  });

  it('can fail with the Problem of the server', async () => {
    const far = await farServer(refusal(404, 'not-found'));
    expect(await problemOf(client(far.url).api.call(getFile, thing))).toMatchObject({
      reason: 'not-found',
      message: 'No: not-found',
    });
  });

  it('is requested again after a temporary failure', async () => {
    const far = await farServer(
      refusal(503, 'unreachable'),
      (response) => void response.writeHead(200, named).end('x'),
    );
    expect((await client(far.url).api.call(getFile, thing)).name).toBe('ü x.json');
    expect(far.seen).toHaveLength(2);
  });

  it('is read only up to the limit of bytes', async () => {
    const far = await farServer((response) => void response.writeHead(200, named).end('x'.repeat(101)));
    expect(
      await problemOf(client(far.url, { limits: { bytes: 100 } }).api.call(getFile, thing)),
    ).toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('more than 100 bytes'),
    });
  });

  it('is not read from JSON that looks like a file', async () => {
    const far = await farServer(json(200, { name: 'x', contentType: 'text/plain', bytes: 'eA==' }));
    expect(await problemOf(client(far.url).api.call(getFile, thing))).toMatchObject({
      reason: 'unreachable',
    });
  });
});
