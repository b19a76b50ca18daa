import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createOutgoing, readAllowList, type OutgoingOptions } from '../../src/client/outgoing.ts';
import type { Outgoing } from '../../src/core/outgoing.ts';
import { Problem } from '../../src/errors/problem.ts';

export interface Sink {
  readonly port: number;
  readonly url: string;
  /** Every request that came. */
  readonly seen: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
  /** Connections that were made, and those that are open. */
  readonly connections: () => { readonly made: number; readonly open: number };
}

/** A server on loopback, where no request may come unless the test lets it. */
export async function sink(
  answer: (response: ServerResponse, request: IncomingMessage) => void = (response) =>
    void response.end('reached'),
): Promise<Sink> {
  const seen: Sink['seen'] = [];
  const sockets = new Set<Socket>();
  let made = 0;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method!, url: request.url!, headers: request.headers, body });
    answer(response, request);
  };
  const server = createServer((request, response) => void take(request, response));
  server.on('connection', (socket) => {
    made++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, seen, connections: () => ({ made, open: sockets.size }) };
}

/** A way out that knows only these names; each further look-up of one gives its next answer. */
export function out(
  names: Record<string, readonly (readonly string[])[]>,
  allow = '',
  options: Partial<OutgoingOptions> = {},
): { send: Outgoing; asked: string[] } {
  const asked: string[] = [];
  const send = createOutgoing({
    allow: readAllowList(allow),
    lookup: async (host) => {
      const turns = names[host];
      const turn = asked.filter((name) => name === host).length;
      asked.push(host);
      if (turns === undefined)
        throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
      return turns[Math.min(turn, turns.length - 1)]!.map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      }));
    },
    ...options,
  });
  return { send, asked };
}

/** The Problem that a request ends with. */
export async function problemOf(request: Promise<unknown>): Promise<Problem> {
  const outcome = await request.then(
    (value) => new Error(`answered: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw outcome;
}
