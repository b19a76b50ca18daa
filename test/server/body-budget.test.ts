import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { BodyBudget } from '../../src/server/body-budget.ts';
import { serve, talkTo } from './serving.ts';

const MiB = 1024 * 1024;

/** Reserves a place for a body of 16 MiB, and returns the function that releases it. */
function take(
  budget: BodyBudget,
  client: string,
  headers: IncomingHttpHeaders = { 'content-length': String(16 * MiB) },
) {
  const raw = new EventEmitter();
  budget.take({ method: 'POST', headers }, { raw: raw as never }, { client, limit: 16 * MiB });
  return () => void raw.emit('close');
}

const tooMany = { reason: 'rate-limited', retryAfter: 2 };
const problemOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

it('BodyBudget lets one client send 64 MiB of large bodies at the same time', () => {
  const budget = new BodyBudget();
  const [give] = [0, 1, 2, 3].map(() => take(budget, 'one'));
  expect(problemOf(() => take(budget, 'one'))).toMatchObject(tooMany);
  take(budget, 'two');
  give?.();
  take(budget, 'one', { 'transfer-encoding': 'chunked' });
  expect(problemOf(() => take(budget, 'one'))).toMatchObject(tooMany);
});

it('BodyBudget reserves no place for a client that disconnected while its token was checked', () => {
  const budget = new BodyBudget();
  const raw = Object.assign(new EventEmitter(), { destroyed: true });
  const headers = { 'content-length': String(16 * MiB) };
  for (let request = 0; request < 100; request++)
    budget.take({ method: 'POST', headers }, { raw: raw as never }, { client: 'one', limit: 16 * MiB });
  take(budget, 'one');
});

it('BodyBudget lets all clients together send 256 MiB', () => {
  const budget = new BodyBudget();
  for (let client = 0; client < 16; client++) take(budget, `client ${client}`);
  expect(problemOf(() => take(budget, 'another', { 'content-length': '65537' }))).toMatchObject(tooMany);
});

it.each([
  ['a small body', 'POST', { 'content-length': '65536' }, false],
  ['a large body', 'POST', { 'content-length': '65537' }, true],
  ['a body of unknown length', 'PATCH', { 'transfer-encoding': 'chunked' }, true],
  ['a body that is too large for its route', 'POST', { 'content-length': String(16 * MiB + 1) }, false],
  ['no body', 'POST', {}, false],
  ['a request without a body', 'GET', { 'transfer-encoding': 'chunked' }, false],
])('BodyBudget decides whether %s needs a place', (_, method, headers, expected) => {
  expect(new BodyBudget().needsPlace({ method, headers }, 16 * MiB)).toBe(expected);
});

it.each([
  ['/v1/spaces/spc_1/change-requests/1/content', 15 * MiB],
  ['/v1/orgs/org_acme/collections', 70_000],
])('a server refuses a wrong token for %s before it reads a large body', async (path, length) => {
  const { server } = await serve();
  onTestFinished(() => server.close(0));
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const talk = await talkTo(url);
  talk.send(`${head}{`);
  expect((await talk.answer())?.status).toBe(401);
  talk.socket.destroy();
});

it('a server refuses more large bodies of one caller than the budget allows', async () => {
  const { server, world } = await serve();
  onTestFinished(() => server.close(0));
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const head = `POST /v1/spaces/spc_1/change-requests/1/content HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${world.token('admin')}\r\nContent-Type: application/json\r\nContent-Length: ${16 * MiB}\r\n\r\n`;
  const talks = await Promise.all(Array.from({ length: 5 }, () => talkTo(url)));
  for (const talk of talks) talk.send(`${head}{`);
  const answer = await Promise.race(talks.map((talk) => talk.answer()));
  expect([answer?.status, answer?.headers['retry-after']]).toEqual([429, '2']);
  for (const { socket } of talks) socket.destroy();
});
