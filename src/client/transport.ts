import { setImmediate } from 'node:timers/promises';
import { Problem } from '../errors/problem.ts';
import type { ConnectionOptions } from './connection.ts';
import { describeConnectionFailure } from './connection-failure.ts';
import type { Connections, Controller } from './first-requests.ts';
import { firstHeader, type Failure, type Headers } from './retry.ts';

/** Limits of one exchange; times are in milliseconds. */
export interface TransportLimits {
  /** Times for connecting, for the headers of an answer, and between two parts of its body. */
  readonly connect: number;
  readonly headers: number;
  readonly idle: number;
  /** The maximum size of a body. */
  readonly bytes: number;
  /** The minimum rate of a body in bytes per second, after `grace` milliseconds. */
  readonly rate: number;
  readonly grace: number;
  /** The requests that the client of Node sends. Those after them are worth the time in which undici is loaded. */
  readonly first: number;
}

export const defaultLimits: TransportLimits = {
  connect: 5000,
  headers: 30_000,
  idle: 10_000,
  bytes: 64 * 2 ** 20,
  rate: 1024,
  grace: 10_000,
  first: 100,
};

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** Multiplies the time for the headers of the answer (default 1). */
  readonly timeoutFactor?: number;
  /** Ends the exchange. Its reason is thrown. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Sends single requests to one origin over kept connections. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** Makes a transport. What sends requests is loaded with the first one. */
export function createTransport(
  origin: string,
  now: () => number,
  limits: TransportLimits,
  connection: ConnectionOptions = {},
): Transport {
  const options = {
    ...connection,
    connections: 16,
    connectTimeout: limits.connect,
    headersTimeout: limits.headers,
    bodyTimeout: limits.idle,
  };
  let first: Promise<Connections> | undefined;
  let others: Promise<Connections> | undefined;
  let sent = 0;
  const open = (): Promise<Connections> =>
    connection.proxy === undefined && sent++ < limits.first
      ? (first ??= import('./first-requests.ts').then((loaded) =>
          loaded.createFirstRequests(origin, options),
        ))
      : (others ??= import('./dispatcher.ts').then((loaded) => loaded.createDispatcher(origin, options)));
  return {
    async send(request) {
      const pool = await open();
      request.signal.throwIfAborted();
      const outcome = await exchange(pool, origin, request, now, limits, connection.proxy);
      // undici frees the connection one turn after the answer. An immediate call would open a second one.
      await setImmediate();
      return outcome;
    },
    async close() {
      for (const opened of [first, others]) await (await opened)?.destroy();
    },
  };
}

function exchange(
  pool: Connections,
  origin: string,
  request: HttpRequest,
  now: () => number,
  limits: TransportLimits,
  proxy: string | undefined,
): Promise<HttpAnswer | Failure> {
  const { promise, resolve, reject } = createDeferred<HttpAnswer | Failure>();
  const { method, path, headers, body = null, timeoutFactor = 1, signal } = request;
  const chunks: Buffer[] = [];
  let controller: Controller | undefined;
  let size = 0;
  let began = 0;
  let status = 0;
  let answered: Headers = {};
  const stop = (outcome: HttpAnswer | Failure) => {
    resolve(outcome);
    controller?.abort(new Error('The rest of the answer is not wanted.'));
  };
  const refuse = (message: string) =>
    stop({ problem: new Problem('unreachable', message, { hint: 'Check the address of the server.' }) });
  const tooLarge = () =>
    stop({
      problem: new Problem('unreachable', `${origin} sent an answer of more than ${limits.bytes} bytes.`, {
        hint: 'Request less at once, for example with --limit.',
      }),
    });
  const onAbort = () => {
    reject(signal.reason);
    controller?.abort(new Error('The request was given up.'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  pool.dispatch(
    {
      origin,
      method,
      path,
      headers,
      body,
      headersTimeout: limits.headers * timeoutFactor,
    },
    {
      onRequestStart(given) {
        controller = given;
        if (signal.aborted) onAbort();
      },
      onResponseStart(_, code, fields) {
        if (code < 200) return;
        [status, answered, began] = [code, fields, now()];
        const encoding = firstHeader(fields, 'content-encoding') ?? 'identity';
        if (status >= 300 && status < 400) stop({ status, headers: answered, bytes: Buffer.alloc(0) });
        else if (encoding.toLowerCase() !== 'identity')
          refuse(
            `${origin} sent an answer encoded as "${encoding.slice(0, 40)}", which docsctl did not accept.`,
          );
        else if (Number(firstHeader(fields, 'content-length') ?? 0) > limits.bytes) tooLarge();
      },
      onResponseData(_, chunk) {
        size += chunk.length;
        chunks.push(chunk);
        const elapsed = now() - began;
        if (size > limits.bytes) tooLarge();
        else if (elapsed > limits.grace && size < (elapsed / 1000) * limits.rate) {
          stop({
            problem: new Problem(
              'timed-out',
              `${origin} sends its answer too slowly, ${size} bytes in ${Math.round(elapsed / 1000)} s.`,
              { hint: 'Try again later.' },
            ),
          });
        }
      },
      onResponseEnd: () => resolve({ status, headers: answered, bytes: Buffer.concat(chunks, size) }),
      onResponseError(_, error) {
        const failure = describeConnectionFailure(origin, error, proxy);
        if (failure === undefined) reject(error);
        else resolve(failure);
      },
    },
  );
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function createDeferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}
