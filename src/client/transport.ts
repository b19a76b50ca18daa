import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { sizeText } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { ConnectionOptions } from './connection.ts';
import { describeConnectionFailure, type Connection } from './connection-failure.ts';
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
  /** Time between two parts of a streamed body. */
  readonly streamIdle: number;
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
  streamIdle: 60_000,
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

/** A successful answer whose body is read while it arrives. It ends with a Problem if it is not complete. */
export interface HttpStream {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** Sends single requests to one origin over kept connections. */
interface Transport {
  send(request: HttpRequest): Promise<HttpAnswer | Failure>;
  /** Sends a request whose answer may be of any size. Errors and redirects are read as a whole. */
  stream(request: HttpRequest): Promise<HttpStream | HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** Makes a transport. What sends requests is loaded with the first one. */
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
      // undici frees the connection one turn after the answer. An immediate call would open a second one.
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

interface ExchangeContext {
  readonly origin: string;
  readonly now: () => number;
  readonly limits: TransportLimits;
  readonly connection: Connection;
  /** Whether the body of a successful answer is read while it arrives (default false). */
  readonly isStreamed?: boolean;
}

function exchange(
  pool: Connections,
  request: HttpRequest,
  { origin, now, limits, connection, isStreamed = false }: ExchangeContext,
): Promise<HttpStream | HttpAnswer | Failure> {
  const { promise, resolve, reject } = createDeferred<HttpStream | HttpAnswer | Failure>();
  const { method, path, headers, body = null, timeoutFactor = 1, signal } = request;
  const chunks: Buffer[] = [];
  let controller: Controller | undefined;
  let size = 0;
  let began = 0;
  let status = 0;
  let answered: Headers = {};
  let stream: Readable | undefined;
  const stop = (outcome: HttpAnswer | Failure) => {
    resolve(outcome);
    controller?.abort(new Error('The rest of the answer is not wanted.'));
  };
  const refuse = (message: string) =>
    stop({ problem: new Problem('unreachable', message, { hint: 'Check the address of the server.' }) });
  const tooLarge = () =>
    stop({
      problem: new Problem(
        'unreachable',
        `${origin} sent an answer of more than ${sizeText(limits.bytes)}.`,
        {
          hint: 'Request less at once, for example with --limit.',
        },
      ),
    });
  const onAbort = () => {
    reject(signal.reason);
    stream?.destroy(signal.reason as Error);
    controller?.abort(new Error('The request was given up.'));
  };
  const startStream = () => {
    stream = new Readable({
      read: () => controller?.resume(),
      destroy: (error, done) => {
        signal.removeEventListener('abort', onAbort);
        controller?.abort(new Error('The rest of the answer is not wanted.'));
        done(error);
      },
    });
    // Whoever reads it gets the error, also if it comes before they begin.
    stream.on('error', () => {});
    resolve({ status, headers: answered, body: stream });
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
      ...(isStreamed ? { bodyTimeout: limits.streamIdle } : {}),
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
        else if (isStreamed && status < 300) startStream();
        else if (Number(firstHeader(fields, 'content-length') ?? 0) > limits.bytes) tooLarge();
      },
      onResponseData(_, chunk) {
        if (stream !== undefined) {
          if (!stream.push(chunk)) controller?.pause();
          return;
        }
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
      onResponseEnd() {
        if (stream === undefined) resolve({ status, headers: answered, bytes: Buffer.concat(chunks, size) });
        else stream.push(null);
      },
      onResponseError(_, error) {
        const failure = describeConnectionFailure(origin, error, connection);
        if (stream !== undefined) stream.destroy(failure?.problem ?? error);
        else if (failure === undefined) reject(error);
        else resolve(failure);
      },
    },
  );
  return promise.finally(() => {
    if (stream === undefined) signal.removeEventListener('abort', onAbort);
  });
}

function createDeferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}
