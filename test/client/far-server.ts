import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { created, listOf, noContent, ok, operation } from '../../src/contract/operation.ts';
import { closed, Type } from '../../src/contract/schema.ts';
import type { Api } from '../../src/contract/api.ts';
import { remoteApi, type RemoteOptions } from '../../src/client/remote-api.ts';
import { Problem } from '../../src/errors/problem.ts';

const Thing = closed({ id: Type.String(), title: Type.Optional(Type.String()) });

export const getThing = operation({
  id: 'things.get',
  route: 'GET /orgs/:organizationId/things/:thingId',
  access: 'org.read',
  summary: 'Get a thing',
  returns: ok(Thing),
});
export const listThings = operation({
  id: 'things.list',
  route: 'GET /orgs/:organizationId/things',
  access: 'org.read',
  summary: 'List things',
  query: { tag: Type.Optional(Type.Array(Type.String())), deep: Type.Optional(Type.Boolean()) },
  returns: listOf(Thing),
});
export const addThing = operation({
  id: 'things.create',
  route: 'POST /orgs/:organizationId/things',
  access: 'org.create',
  summary: 'Add a thing',
  body: closed({ title: Type.String() }),
  returns: created(Thing),
});
export const removeThing = operation({
  id: 'things.delete',
  route: 'DELETE /orgs/:organizationId/things/:thingId',
  access: 'org.admin',
  summary: 'Remove a thing',
  returns: noContent(),
});

export const thing = { params: { organizationId: 'org_1', thingId: 't_1' } };
export const token = 'dcs_0123456789canary';

export interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Far {
  readonly url: string;
  /** Every request, once its body is complete. */
  readonly seen: Seen[];
}

/** A server on a free port that answers the n-th request with the n-th function, the last one for all further. */
export async function farServer(
  ...answers: ((response: ServerResponse, request: IncomingMessage) => void)[]
): Promise<Far> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      answers[Math.min(seen.length, answers.length) - 1]!(response, request);
    });
  };
  const server = createServer(listener).on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
}

/** Answers with an error as the API makes it. */
export function refusal(status: number, reason: string, headers: Record<string, string> = {}) {
  return json(status, { error: { code: status, message: `No: ${reason}`, reason } }, headers);
}

export interface Client {
  readonly api: Api;
  /** Each pause before a retry, in milliseconds. */
  readonly pauses: number[];
  readonly notes: string[];
}

export const START = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A client whose pauses take no time but move its clock. */
export function client(server: string, options: Partial<RemoteOptions> = {}): Client {
  const pauses: number[] = [];
  const notes: string[] = [];
  let clock = START;
  let keys = 0;
  const api = remoteApi({
    server,
    token,
    version: '1.2.3',
    newKey: () => `key-${++keys}`,
    random: () => 0.5,
    now: () => clock,
    onNote: (message) => notes.push(message),
    wait: async (milliseconds, signal) => {
      signal.throwIfAborted();
      pauses.push(milliseconds);
      clock += milliseconds;
    },
    ...options,
  });
  onTestFinished(() => api.close());
  return { api, pauses, notes };
}

/** What sends requests: the client of Node, and undici after so many. */
export const senders = [
  ['the client of Node', 100],
  ['undici', 0],
] as const;

/** Makes clients that send only the first so many requests with the client of Node. */
export function clientsWith(first: number): typeof client {
  return (server, options = {}) => client(server, { ...options, limits: { ...options.limits, first } });
}

/** The Problem a call ends with, after a look that the token is nowhere in it. */
export async function problemOf(call: Promise<unknown>): Promise<Problem> {
  const error = await call.then(
    (value) => new Error(`no Problem but ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Problem)) throw error;
  const said = `${JSON.stringify(error.toJSON())} ${error.stack} ${String(error.cause)}`;
  if (said.includes(token)) throw new Error(`the token is in: ${said.replaceAll(token, 'TOKEN')}`);
  return error;
}
