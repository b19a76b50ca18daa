import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import {
  addThing,
  clientsWith,
  farServer,
  getThing,
  json,
  listThings,
  problemOf,
  refusal,
  removeThing,
  senders,
  thing,
  token,
} from './far-server.ts';

describe.each(senders)('with %s', (_, first) => {
  const client = clientsWith(first);

  describe('a call', () => {
    it('sends one request with the token, and returns the value of the response', async () => {
      const far = await farServer(json(200, { id: 't_1' }));
      const { api } = client(far.url);
      expect(await api.call(getThing, thing)).toEqual({ id: 't_1' });
      expect(far.seen).toHaveLength(1);
      const { method, url, headers } = far.seen[0]!;
      expect([method, url]).toEqual(['GET', '/v1/orgs/org_1/things/t_1']);
      expect(headers).toMatchObject({
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'docsctl/1.2.3',
      });
      expect(headers).not.toHaveProperty('idempotency-key');
      expect(headers).not.toHaveProperty('content-type');
    });

    it('encodes parameters, repeats lists in the query and writes booleans', async () => {
      const far = await farServer(json(200, { items: [] }));
      const { api } = client(`${far.url}/docs/v1/`);
      await api.call(listThings, {
        params: { organizationId: 'a/b ü' },
        query: { tag: ['x&y', 'z'], deep: false, limit: 5 },
      });
      expect(far.seen[0]!.url).toBe('/docs/v1/orgs/a%2Fb%20%C3%BC/things?tag=x%26y&tag=z&deep=false&limit=5');
      expect(api.place).toBe(`${far.url}/docs`);
    });

    it('has an idempotency key if its path is given, except for reads', async () => {
      const far = await farServer(json(200, {}));
      const { api } = client(far.url);
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
        await api.send!({ method, path: '/orgs', body: undefined, signal: new AbortController().signal });
      expect(far.seen.map(({ method, headers }) => [method, headers['idempotency-key']])).toEqual([
        ['GET', undefined],
        ['HEAD', undefined],
        ['POST', 'key-1'],
        ['DELETE', 'key-2'],
      ]);
    });

    it('sends a body as JSON with an idempotency key, which the caller can set', async () => {
      const far = await farServer(json(201, { id: 't_2' }));
      const { api } = client(far.url);
      const input = { params: { organizationId: 'org_1' }, body: { title: 'Ünïcode' } };
      await api.call(addThing, input);
      await api.call(addThing, input, { idempotencyKey: 'mine' });
      expect(
        far.seen.map(({ body, headers }) => [body, headers['content-type'], headers['idempotency-key']]),
      ).toEqual([
        ['{"title":"Ünïcode"}', 'application/json', 'key-1'],
        ['{"title":"Ünïcode"}', 'application/json', 'mine'],
      ]);
    });

    it('returns undefined for 204, and keeps its connection', async () => {
      const ports = new Set<number | undefined>();
      const far = await farServer((response, request) => {
        ports.add(request.socket.remotePort);
        response.writeHead(204).end();
      });
      const { api } = client(far.url);
      expect(await api.call(removeThing, thing)).toBeUndefined();
      await api.call(removeThing, thing);
      expect(ports.size).toBe(1);
      expect(far.seen[0]!.headers['idempotency-key']).toBe('key-1');
    });

    it('sends no authorization without a token', async () => {
      const far = await farServer(json(200, { id: 't_1' }));
      await client(far.url, { token: undefined }).api.call(getThing, thing);
      expect(far.seen[0]!.headers).not.toHaveProperty('authorization');
    });
  });

  describe('an error of the server', () => {
    it.each([
      [400, 'invalid-input', 8],
      [403, 'forbidden', 11],
      [404, 'not-found', 5],
      [409, 'conflict', 6],
      [412, 'precondition-failed', 6],
      [500, 'unexpected', 1],
    ])('with %i becomes the same Problem, without a retry', async (status, reason, exit) => {
      const far = await farServer(refusal(status, reason, { 'x-request-id': 'req_7' }));
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason, exitCode: exit, message: `No: ${reason}`, requestId: 'req_7' });
      expect(far.seen).toHaveLength(1);
    });

    it('is described by its status if it is not from the API', async () => {
      const far = await farServer(
        (response) => void response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>nope</h1>'),
      );
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'forbidden', hint: 'Check the address of the server.' });
      expect(problem.message).toContain('answered with HTTP status 403');
    });

    it('404 of another program, such as the published sites, is not reported as a missing resource', async () => {
      const far = await farServer(
        (response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nope</h1>'),
      );
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem).toMatchObject({ reason: 'unreachable', exitCode: 69 });
      expect(problem.hint).toContain('published sites');
    });

    it.each([
      ['a page', 'text/html', '<h1>Internal Server Error</h1>'],
      ['nothing', 'application/json', ''],
      ['JSON of another program', 'application/json', '{"message":"Internal server error"}'],
      ['an error without a message', 'application/json', '{"error":{}}'],
    ])(
      '500 with %s, which is not from the API, is not reported as a bug of docsctl',
      async (_, type, body) => {
        const far = await farServer(
          (response) => void response.writeHead(500, { 'content-type': type }).end(body),
        );
        const problem = await problemOf(client(far.url).api.call(getThing, thing));
        expect(problem).toMatchObject({
          reason: 'unreachable',
          exitCode: 69,
          hint: 'Check the address of the server.',
          message: `${far.url} answered with HTTP status 500, which is not a response from the docsctl API.`,
        });
        expect(far.seen).toHaveLength(1);
      },
    );

    it('is not changed by a token so short that it may be a part of words', async () => {
      const error = { code: 400, message: 'The token has expired.', reason: 'invalid-input' };
      const far = await farServer(json(400, { error }));
      const problem = await problemOf(client(far.url, { token: 'x' }).api.call(getThing, thing));
      expect(problem.message).toBe('The token has expired.');
    });

    it('is shortened, and a token in it is masked', async () => {
      const violations = Array.from({ length: 500 }, (_, index) => ({
        path: `/${index}`,
        message: `${token} ${'m'.repeat(5000)}`,
      }));
      const far = await farServer(
        json(400, {
          error: {
            code: 400,
            message: `Bad ${token}${'x'.repeat(9000)}`,
            reason: 'invalid-input',
            hint: token + 'h'.repeat(9000),
            violations,
          },
        }),
      );
      const problem = await problemOf(client(far.url).api.call(getThing, thing));
      expect(problem.message).toHaveLength(1000);
      expect(problem.message).toMatch(/^Bad \*\*\*x/);
      expect(problem.hint).toHaveLength(1000);
      expect(problem.violations).toHaveLength(100);
      expect(problem.violations[0]!.message).toHaveLength(1000);
    });
  });

  describe('a request that cannot be sent', () => {
    it.each(['dcs_ab\r\nx-evil: 1', 'dcs ab', 'dcs_ü'])(
      'is refused because of the token %j, without showing it',
      async (bad) => {
        const problem = await problemOf((async () => client('http://127.0.0.1:1', { token: bad }))());
        expect(problem.reason).toBe('unauthenticated');
        expect(JSON.stringify(problem)).not.toContain('dcs');
      },
    );

    it('is refused if it would send a token to another machine without TLS, unless allowed', async () => {
      expect(await problemOf((async () => client('http://docs.example.com'))())).toMatchObject({
        reason: 'guard-refused',
      });
      expect(client('http://docs.example.com', { allowInsecure: true }).api.place).toBe(
        'http://docs.example.com',
      );
      expect(client('https://docs.example.com').api.place).toBe('https://docs.example.com');
      expect(client('http://docs.example.com', { token: undefined }).api.place).toBe(
        'http://docs.example.com',
      );
    });

    it('is refused because of an idempotency key with a line end', async () => {
      const call = client('http://127.0.0.1:1').api.call(removeThing, thing, { idempotencyKey: 'a\nb' });
      expect(await problemOf(call)).toMatchObject({ reason: 'invalid-input' });
    });
  });

  describe('a canceled call', () => {
    it('times out at its deadline', async () => {
      const far = await farServer(() => {});
      const problem = await problemOf(client(far.url, { timeout: 30 }).api.call(getThing, thing));
      expect(problem).toMatchObject({
        reason: 'timed-out',
        message: `${far.url} did not answer within 0.03 s.`,
      });
    });

    it('stops when the caller aborts it, before and during the request', async () => {
      const abort = new AbortController();
      const far = await farServer(() => abort.abort());
      const { api } = client(far.url);
      expect(await problemOf(api.call(getThing, thing, { signal: abort.signal }))).toMatchObject({
        reason: 'interrupted',
        exitCode: 130,
      });
      expect(await problemOf(api.call(getThing, thing, { signal: abort.signal }))).toMatchObject({
        reason: 'interrupted',
      });
      expect(far.seen).toHaveLength(1);
    });

    it('stops when the caller aborts it during a pause', async () => {
      const abort = new AbortController();
      const far = await farServer(refusal(503, 'unreachable', { 'retry-after': '5' }));
      const { api, notes } = client(far.url, { wait: undefined, onNote: () => abort.abort() });
      expect(await problemOf(api.call(getThing, thing, { signal: abort.signal }))).toMatchObject({
        reason: 'interrupted',
      });
      expect(notes).toEqual([]);
    });

    it('keeps the reason of the caller, and reports a time limit as a timeout', async () => {
      const { api } = client('http://127.0.0.1:1');
      const own = new Problem('guard-refused', 'Stop.');
      expect(await problemOf(api.call(getThing, thing, { signal: AbortSignal.abort(own) }))).toBe(own);
      const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
      expect(await problemOf(api.call(getThing, thing, { signal: late }))).toMatchObject({
        reason: 'timed-out',
      });
    });
  });
});
