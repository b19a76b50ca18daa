import { describe, expect, it } from 'vitest';
import { readAnswer, readRawAnswer } from '../../src/client/read-answer.ts';
import type { HttpAnswer } from '../../src/client/exchange.ts';
import { listOf, noContent, ok, operation } from '../../src/contract/operation.ts';
import { closed, Type } from '../../src/contract/schema.ts';

const origin = 'https://docs.example.com';
const context = { origin, now: 0, mask: (text: string) => text.replaceAll('secret', '***') };
const json = { 'content-type': 'application/json' };
const answerOf = (status: number, body: string, headers: HttpAnswer['headers'] = json): HttpAnswer => ({
  status,
  headers,
  bytes: Buffer.from(body),
});
const common = { summary: 'Try', access: 'org.member', cli: { columns: [] } } as const;
const Thing = closed({ id: Type.String() });
const get = operation({ ...common, id: 'things.get', route: 'GET /things', returns: ok(Thing) });
const list = operation({ ...common, id: 'things.list', route: 'GET /things', returns: listOf(Thing) });
const remove = operation({
  ...common,
  id: 'things.delete',
  route: 'DELETE /things',
  returns: noContent(),
  cli: {},
});

describe('the status of a response', () => {
  it.each([
    [200, 'a value'],
    [299, 'a value'],
    [300, 'a redirect'],
    [399, 'a redirect'],
    [400, 'invalid-input'],
    [499, 'invalid-input'],
    [500, 'unreachable'],
  ])('%i is read as %s, also for a raw request', (status, expected) => {
    const answer = answerOf(status, '{"id":"a"}');
    for (const read of [readAnswer(get, answer, context), readRawAnswer(answer, context)]) {
      if ('value' in read) expect(expected).toBe('a value');
      else if (read.problem.message.includes('redirect')) expect(expected).toBe('a redirect');
      else expect(read.problem.reason).toBe(expected);
    }
  });

  it.each([
    [429, true],
    [501, false],
    [502, true],
    [504, true],
    [505, false],
    [409, false],
    [400, false],
  ])('%i can be retried: %s', (status, mayHelp) => {
    const read = readAnswer(get, answerOf(status, ''), context);
    expect('retryBase' in read ? read.retryBase : undefined).toBe(mayHelp ? 1000 : undefined);
  });

  it('502 cannot be retried if a script failed', () => {
    const answer = answerOf(502, JSON.stringify({ error: { message: 'No.', reason: 'script-failed' } }));
    expect(readAnswer(get, answer, context)).not.toHaveProperty('retryBase');
  });

  it('409 can be retried if it is a conflict with Retry-After', () => {
    const body = (reason: string) => JSON.stringify({ error: { message: 'No.', reason } });
    const read = (reason: string, headers: HttpAnswer['headers']) =>
      readAnswer(get, answerOf(409, body(reason), headers), context);
    expect(read('conflict', { ...json, 'retry-after': '2' })).toMatchObject({
      retryBase: 1000,
      requestedWait: 2000,
    });
    expect(read('conflict', json)).not.toHaveProperty('retryBase');
    expect(read('guard-refused', { ...json, 'retry-after': '2' })).not.toHaveProperty('retryBase');
  });
});

describe('the value of a response', () => {
  it('is its JSON, with any JSON content type', () => {
    for (const type of ['application/json', 'application/problem+json; charset=utf-8', 'APPLICATION/JSON'])
      expect(readAnswer(get, answerOf(200, '{"id":"a"}', { 'content-type': type }), context)).toEqual({
        value: { id: 'a' },
      });
    expect(readAnswer(get, answerOf(200, '{"id":"a"}', {}), context)).toEqual({ value: { id: 'a' } });
  });

  it.each<[string, string, HttpAnswer['headers']]>([
    ['a web page', '<html>', { 'content-type': 'text/html' }],
    ['a content type that only begins like JSON', '{}', { 'content-type': 'application/jsonp' }],
    ['broken JSON', '{', json],
    ['JSON with too many levels', `${'['.repeat(2000)}${']'.repeat(2000)}`, json],
  ])('is refused: %s', (_name, body, headers) => {
    const read = readAnswer(get, answerOf(200, body, headers), context);
    expect(read).toMatchObject({
      problem: {
        reason: 'unreachable',
        message: expect.stringContaining('not a response from the docsctl API'),
      },
    });
  });

  it.each(['[]', 'null', '{}', '{"status":"ok"}'])(
    'is refused without the fields of the resource: %s',
    (body) => {
      expect(readAnswer(get, answerOf(200, body), context)).toMatchObject({
        problem: {
          reason: 'unreachable',
          message: `The answer of ${origin} to GET /things (things.get) does not have the expected form.`,
        },
      });
    },
  );

  it('is refused as a list without items', () => {
    expect(readAnswer(list, answerOf(200, '{"items":[]}'), context)).toEqual({ value: { items: [] } });
    for (const body of ['{}', '{"items":{}}', '{"items":[{}]}', '{"items":[null]}', '[]', ''])
      expect(readAnswer(list, answerOf(200, body), context), body).toHaveProperty('problem');
  });

  it('is undefined for 204 and 205, and for an empty body', () => {
    for (const status of [204, 205])
      expect(readAnswer(remove, answerOf(status, '<html>'), context)).toEqual({ value: undefined });
    expect(readAnswer(remove, answerOf(200, ''), context)).toEqual({ value: undefined });
  });

  it('of a raw request is its bytes, with the name of a file if it has one', () => {
    const headers = { ...json, 'content-disposition': "attachment; filename*=UTF-8''a%20b.json" };
    expect(readRawAnswer(answerOf(206, '{}', headers), context)).toEqual({
      value: { status: 206, contentType: 'application/json', fileName: 'a b.json', bytes: Buffer.from('{}') },
    });
    for (const name of ["filename*=UTF-8''%zz", 'filename=a.json', "filename*=UTF-8''a b"])
      expect(
        readRawAnswer(answerOf(200, '{}', { ...json, 'content-disposition': name }), context),
      ).toMatchObject({ value: { fileName: undefined } });
  });
});

describe('a redirect', () => {
  it.each([
    ['https://other.example.com/x', 'https://other.example.com'],
    ['//other.example.com', 'https://other.example.com'],
  ])('to %s is reported with its target', (location, target) => {
    expect(readAnswer(get, answerOf(302, '', { location }), context)).toMatchObject({
      problem: {
        message: `${origin} redirects to ${target}, which docsctl does not follow.`,
        hint: expect.stringContaining(`--server ${target}`),
      },
    });
  });

  it.each(['/login', `${origin}/x`, 'data:text/html,x', 'http://[', ''])('to %j is reported', (location) => {
    expect(readAnswer(get, answerOf(302, '', { location }), context)).toMatchObject({
      problem: { message: expect.stringContaining('answered with HTTP status 302 and a redirect') },
    });
  });
});

describe('an error response', () => {
  it('of the API is returned without secrets, and shortened', () => {
    const body = JSON.stringify({
      error: {
        message: `secret ${'m'.repeat(1990)}`,
        reason: 'conflict',
        hint: 'Do secret.',
        violations: Array.from({ length: 101 }, () => ({ path: '/secret', message: 'secret' })),
      },
    });
    const read = readAnswer(get, answerOf(409, body, { ...json, 'request-id': 'r'.repeat(121) }), context);
    if ('value' in read) throw new Error('It is a failure.');
    const { reason, message, hint, violations, requestId } = read.problem;
    expect([reason, hint]).toEqual(['conflict', 'Do ***.']);
    expect(message).toMatch(/^\*\*\* m+$/);
    expect(message).toHaveLength(1000);
    expect(violations).toHaveLength(100);
    expect(violations[0]).toEqual({ path: '/***', message: '***' });
    expect(requestId).toHaveLength(120);
  });

  it('of another server is reported as not from the API', () => {
    for (const body of ['', '<html>', '{}', '{"error":"no"}', '{"error":{}}'])
      expect(readAnswer(get, answerOf(500, body), context), body).toMatchObject({
        problem: {
          reason: 'unreachable',
          message: `${origin} answered with HTTP status 500, which is not a response from the docsctl API.`,
          hint: 'Check the address of the server.',
        },
      });
    expect(readAnswer(get, answerOf(500, '{"error":{"message":"Bug."}}'), context)).toMatchObject({
      problem: { reason: 'unexpected', message: 'Bug.', hint: undefined },
    });
  });

  it('404 for a path before the API suggests to leave the path out', () => {
    const error = {
      message: 'No such path.',
      reason: 'not-found',
      violations: [{ path: '/path', message: 'x' }],
    };
    const body = JSON.stringify({ error });
    expect(readAnswer(get, answerOf(404, body), { ...context, path: '/foo' })).toMatchObject({
      problem: {
        reason: 'unreachable',
        message: `${origin}/foo is not the address of a docsctl API.`,
        hint: 'Leave out the path /foo, unless a proxy adds it.',
      },
    });
    expect(readAnswer(get, answerOf(404, body), context)).toMatchObject({ problem: { reason: 'not-found' } });
    const missing = '{"error":{"message":"There is nothing at this path.","reason":"not-found"}}';
    expect(readAnswer(get, answerOf(404, missing), { ...context, path: '/foo' })).toMatchObject({
      problem: { reason: 'not-found', message: 'There is nothing at this path.' },
    });
  });

  it('429 has a hint unless the server sends one', () => {
    const hintOf = (error: object) => {
      const read = readAnswer(get, answerOf(429, JSON.stringify({ error })), context);
      return 'problem' in read ? read.problem.hint : undefined;
    };
    expect(hintOf({ message: 'No.' })).toBe('Wait a minute, then try again.');
    expect(hintOf({})).toBe('Wait a minute, then try again.');
    expect(hintOf({ message: 'No.', hint: 'Wait longer.' })).toBe('Wait longer.');
  });
});
