import { beforeAll, describe, expect, it } from 'vitest';
import type { Core } from '../../src/core/embedded.ts';
import { Problem } from '../../src/errors/problem.ts';
import { json, serve, type Serving } from './serving.ts';

const collections = '/v1/orgs/org_acme/collections';
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('errors', () => {
  let serving: Serving;
  beforeAll(async () => {
    serving = await serve();
  });

  it.each([
    ['a list', 'PUT', collections, 'GET, HEAD, POST'],
    ['a resource', 'POST', '/v1/collections/x?a=b', 'DELETE, GET, HEAD, PATCH'],
    [
      'a script for pages, which HEAD does not run',
      'HEAD',
      '/v1/integrations/a/installations/b/sites/c/script.js',
      'GET',
    ],
    [
      'an endpoint that a script answers',
      'TRACE',
      '/v1/integrations/a/integration',
      'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    ],
  ] as const)('list the methods that a path allows: %s', async (_, method, url, allow) => {
    const { statusCode, headers } = await serving.server.inject({ method, url } as never);
    expect([statusCode, headers['allow']]).toEqual([405, allow]);
  });

  it('report an unknown path, and not a missing resource', async () => {
    const { body } = await serving.server.inject({ url: '/v1/nothing' });
    expect(JSON.parse(body).error.violations).toEqual([
      { path: '/path', message: 'There is nothing at this path.' },
    ]);
  });

  it.each([
    ['no such path', { url: '/v1/nothing' }, 404, 'not-found'],
    ['no such path below a known one', { url: `${collections}/x/y/z` }, 404, 'not-found'],
    ['an empty parameter', { url: '/v1/collections/' }, 400, 'invalid-input'],
    ['an additional slash', { url: `${collections}/` }, 404, 'not-found'],
    ['another method', { method: 'PUT', url: collections }, 405, 'method-not-allowed'],
    ['TRACE', { method: 'TRACE', url: collections }, 405, 'method-not-allowed'],
    ['OPTIONS', { method: 'OPTIONS', url: collections }, 405, 'method-not-allowed'],
    ['a bad escape in the path', { url: '/v1/collections/%zz' }, 400, 'invalid-input'],
    ['an escape that is not UTF-8', { url: '/v1/collections/%ff' }, 400, 'invalid-input'],
    ['an id of 8 KB', { url: `/v1/collections/${'x'.repeat(8000)}` }, 404, 'not-found'],
    ['an unknown parameter', { url: `${collections}?limits=5` }, 400, 'invalid-input'],
    ['the parameter __proto__', { url: `${collections}?__proto__=5` }, 400, 'invalid-input'],
    ['a parameter given twice', { url: `${collections}?limit=5&limit=6` }, 400, 'invalid-input'],
    ['an invalid number', { url: `${collections}?limit=0x10` }, 400, 'invalid-input'],
    ['a limit that is too high', { url: `${collections}?limit=1001` }, 400, 'invalid-input'],
    ['an invalid page', { url: `${collections}?page=abc` }, 400, 'invalid-input'],
    [
      'a body that is not JSON',
      { method: 'POST', url: collections, headers: json, payload: '{"title":' },
      400,
      'invalid-input',
    ],
    [
      'a body that is not UTF-8',
      { method: 'POST', url: collections, headers: json, payload: Buffer.from([0x22, 0xff, 0x22]) },
      400,
      'invalid-input',
    ],
    [
      'a body of the wrong kind',
      { method: 'POST', url: collections, headers: json, payload: '[]' },
      400,
      'invalid-input',
    ],
    ['an unknown field', { method: 'POST', url: collections, payload: { name: 'x' } }, 400, 'invalid-input'],
    [
      'a body that is nested too deeply',
      { method: 'POST', url: collections, headers: json, payload: deep(65) },
      400,
      'invalid-input',
    ],
    [
      'a body that is nested far too deeply',
      { method: 'POST', url: collections, headers: json, payload: deep(100_000) },
      400,
      'invalid-input',
    ],
    [
      'the key __proto__',
      { method: 'POST', url: collections, headers: json, payload: '{"\\u005f_proto__":{}}' },
      400,
      'invalid-input',
    ],
    [
      'a body of exactly 1 MiB, which is read',
      { method: 'POST', url: collections, headers: json, payload: `"${'x'.repeat(1024 * 1024 - 2)}"` },
      400,
      'invalid-input',
    ],
    [
      'a body that is too large',
      { method: 'POST', url: collections, headers: json, payload: `"${'x'.repeat(1024 * 1024 - 1)}"` },
      413,
      'too-large',
    ],
    [
      'text',
      { method: 'POST', url: collections, headers: { 'content-type': 'text/plain' }, payload: 'x' },
      415,
      'unsupported-media',
    ],
    [
      'a form',
      {
        method: 'POST',
        url: collections,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'a=b',
      },
      415,
      'unsupported-media',
    ],
    [
      'an invalid content type',
      { method: 'POST', url: collections, headers: { 'content-type': ';;' }, payload: '{}' },
      415,
      'unsupported-media',
    ],
    [
      'another character set',
      {
        method: 'POST',
        url: collections,
        headers: { 'content-type': 'application/json; charset=utf-16' },
        payload: '{}',
      },
      415,
      'unsupported-media',
    ],
    [
      'a compressed body',
      { method: 'POST', url: collections, headers: { ...json, 'content-encoding': 'gzip' }, payload: '{}' },
      415,
      'unsupported-media',
    ],
    [
      'a body on a request that takes none',
      { method: 'DELETE', url: '/v1/collections/x', payload: { a: 1 } },
      400,
      'invalid-input',
    ],
  ] as const)('%s', async (_name, request, status, reason) => {
    const { server, bearer } = serving;
    const answer = await server.inject({
      ...request,
      headers: { ...('headers' in request ? request.headers : {}), ...bearer() },
    } as never);
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'request-id': expect.stringMatching(/^req_\d+$/),
      'x-content-type-options': 'nosniff',
    });
    expect(answer.json()).toEqual({
      error: expect.objectContaining({
        code: status,
        reason,
        message: expect.any(String),
        requestId: answer.headers['request-id'],
      }),
    });
    expect(answer.body).not.toMatch(/FST_|at .*\.ts|node_modules|Unexpected token/);
  });

  it.each([
    undefined,
    'Basic YTpi',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'dctl_x',
    'Bearer dctl_0123456789012345678901234567890123456789',
  ])('ask for a token if the Authorization header is %j', async (authorization) => {
    const { server } = serving;
    const answer = await server.inject({
      url: collections,
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json().error).toMatchObject({ code: 401, reason: 'unauthenticated' });
  });

  it('ask for a token before the body is read', async () => {
    const { server } = serving;
    const answer = await server.inject({
      method: 'POST',
      url: collections,
      headers: json,
      payload: '{"title":',
    });
    expect(answer.statusCode).toBe(401);
  });

  it('list all mistakes in the input with their positions', async () => {
    const { server, bearer } = serving;
    const answer = await server.inject({
      method: 'POST',
      url: collections,
      headers: bearer(),
      payload: { title: 'x'.repeat(51), more: 1 },
    });
    expect(
      answer
        .json()
        .error.violations.map(({ path }: { path: string }) => path)
        .sort(),
    ).toEqual(['/body/more', '/body/title']);
  });

  const failing = (error: unknown) =>
    serve({ change: (core): Core => ({ ...core, handlerOf: async () => () => Promise.reject(error) }) });

  it('hide internal errors, which are logged with their stack', async () => {
    const { server, bearer, logged } = await failing(
      new TypeError('secret at /home/me', { cause: new Error('deeper') }),
    );
    const answer = await server.inject({ url: collections, headers: bearer() });
    expect(answer.json().error).toEqual({
      code: 500,
      reason: 'unexpected',
      message: 'The server failed because of an error in docsctl.',
      hint: expect.any(String),
      requestId: 'req_1',
    });
    const fault = logged.find((entry) => 'stack' in entry);
    expect(fault).toMatchObject({
      requestId: 'req_1',
      level: 'error',
      message: 'secret at /home/me',
      cause: expect.stringContaining('deeper'),
    });
  });

  it.each([null, undefined, 'text', 7, {}, { statusCode: 200 }, { statusCode: 418, message: 'x' }])(
    'hide any other thrown value: %j',
    async (thrown) => {
      const { server, bearer, logged } = await failing(thrown);
      const answer = await server.inject({ url: collections, headers: bearer() });
      expect(answer.statusCode).toBe(500);
      expect(answer.json().error).toMatchObject({ code: 500, reason: 'unexpected' });
      expect(logged.some((entry) => 'stack' in entry)).toBe(true);
    },
  );

  it('do not reveal the location of the store', async () => {
    const { server, bearer, logged } = await failing(
      new Problem('store-failed', 'The disk that holds the store is full: /var/docs.db.'),
    );
    const answer = await server.inject({ url: collections, headers: bearer() });
    expect(answer.json().error).toMatchObject({ code: 500, reason: 'store-failed' });
    expect(answer.body).not.toContain('/var');
    expect(logged.some((entry) => String(entry['stack']).includes('/var/docs.db'))).toBe(true);
  });

  it('say when to try again', async () => {
    const busy = await failing(new Problem('store-busy', 'Busy: /var/docs.db.', { retryAfter: 2.2 }));
    const answer = await busy.server.inject({ url: collections, headers: busy.bearer() });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '3']);
    expect(answer.body).not.toContain('/var');
    const full = await failing(new Problem('store-failed', 'Full: /var/docs.db.', { retryAfter: 5 }));
    const failed = await full.server.inject({ url: collections, headers: full.bearer() });
    expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, '5']);
    expect(failed.json().error).toMatchObject({ code: 503, reason: 'store-failed' });
    const away = await failing(new Problem('unreachable', 'Away.'));
    expect(
      (await away.server.inject({ url: collections, headers: away.bearer() })).headers['retry-after'],
    ).toBe('1');
  });

  it('report a response that takes too long', async () => {
    const { server, bearer } = await serve({
      limits: { answerTimeout: 1 },
      change: (core) => ({ ...core, handlerOf: async () => () => new Promise<never>(() => {}) }),
    });
    const hintOf = async (request: object): Promise<string> => {
      const answer = await server.inject({ url: collections, headers: bearer(), ...request });
      expect(answer.json().error).toMatchObject({ code: 504, reason: 'timed-out' });
      return answer.json().error.hint;
    };
    expect(await hintOf({})).toBe('Try again later. The server may be busy.');
    expect(await hintOf({ method: 'POST', payload: { title: 'New' } })).toContain(
      'before you repeat the request',
    );
  });
});
