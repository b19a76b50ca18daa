import { expect, it } from 'vitest';
import { logText } from '../../../src/cli/output/log-text.ts';

const time = '2026-01-05T10:00:00.000Z';
const textOf = (entry: object) => logText(`${JSON.stringify({ level: 'info', time, ...entry })}\n`);

it('logText writes a request on one line, without unknown fields', () => {
  const request = { event: 'request', requestId: 'req_1', method: 'GET', status: 404, ms: 1.5, user: null };
  expect(textOf({ ...request, route: '/v1/orgs' })).toBe(
    `${time} INFO  GET /v1/orgs 404 requestId=req_1 ms=1.5\n`,
  );
  expect(textOf({ ...request, route: null })).toContain('GET (no route) 404');
});

it('logText writes a fault with its stack and cause', () => {
  expect(
    textOf({ event: 'fault', message: 'gone', stack: 'Error: gone\n  at x', cause: 'Error: full' }),
  ).toBe(`${time} INFO  fault gone\nError: gone\n  at x\ncaused by: Error: full\n`);
});

it('logText escapes control characters', () => {
  const evil = 'a\u001b[2Jb\u202e\nc';
  expect(textOf({ event: 'fault', message: evil, stack: evil, address: evil })).not.toMatch(/[\u001b\u202e]/);
  expect(textOf({ event: 'fault', message: evil })).toBe(`${time} INFO  fault a\\u001b[2Jb\\u202e\\nc\n`);
});
