import { setImmediate } from 'node:timers/promises';
import type { ConnectionOptions } from './connection.ts';
import {
  exchange,
  type HttpAnswer,
  type HttpRequest,
  type HttpStream,
  type TransportLimits,
} from './exchange.ts';
import type { Connections } from './first-requests.ts';
import type { Failure } from './retry.ts';

export const defaultLimits: TransportLimits = {
  connect: 5000,
  headers: 30_000,
  idle: 10_000,
  streamIdle: 60_000,
  bytes: 64 * 2 ** 20,
  rate: 1024,
  grace: 10_000,
  first: 100,
};

/** Sends individual requests to one origin over persistent connections. */
interface Transport {
  send(request: HttpRequest): Promise<HttpAnswer | Failure>;
  /** Sends a request whose answer may have any size. Errors and redirects are read completely. */
  stream(request: HttpRequest): Promise<HttpStream | HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** Creates a transport. The client is loaded with the first request. */
export function createTransport(
  origin: string,
  now: () => number,
  limits: TransportLimits,
  connection: ConnectionOptions = {},
): Transport {
  const { from, ...reached } = connection;
  const options = {
    ...reached,
    connections: 16,
    connectTimeout: limits.connect,
    headersTimeout: limits.headers,
    bodyTimeout: limits.idle,
  };
  let first: Promise<Connections> | undefined;
  let others: Promise<Connections> | undefined;
  let sent = 0;
  const open = (): Promise<Connections> =>
    reached.proxy === undefined && sent++ < limits.first
      ? (first ??= import('./first-requests.ts').then((loaded) =>
          loaded.createFirstRequests(origin, options),
        ))
      : (others ??= import('./dispatcher.ts').then((loaded) => loaded.createDispatcher(origin, options)));
  const context = { origin, now, limits, connection: { proxy: reached.proxy, from } };
  return {
    async send(request) {
      const pool = await open();
      request.signal.throwIfAborted();
      const outcome = (await exchange(pool, request, context)) as HttpAnswer | Failure;
      // undici frees the connection one turn after the answer. An immediate call would open a second connection.
      await setImmediate();
      return outcome;
    },
    async stream(request) {
      const pool = await open();
      request.signal.throwIfAborted();
      return exchange(pool, request, { ...context, isStreamed: true });
    },
    async close() {
      for (const opened of [first, others]) await (await opened)?.destroy();
    },
  };
}
