import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher, Pool } from 'undici';
import { Problem } from '../errors/problem.ts';
import { connectionFailure } from './connection-failure.ts';
import { header, type Failure, type Headers } from './retry.ts';

export interface TransportLimits {
  /** Milliseconds for a connection, for the head of an answer, and of silence within its body. */
  readonly connect: number;
  readonly headers: number;
  readonly silence: number;
  /** Bytes of a body. */
  readonly bytes: number;
  /** Bytes a second that a body must keep, once `grace` milliseconds of it have passed. */
  readonly rate: number;
  readonly grace: number;
}

export const defaultLimits: TransportLimits = {
  connect: 5000,
  headers: 30_000,
  silence: 10_000,
  bytes: 64 * 2 ** 20,
  rate: 1024,
  grace: 10_000,
};

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** How many times as long as usual the head of the answer may take. */
  readonly patience?: number;
  /** Ends the exchange; its reason is thrown. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Sends single requests to one origin over connections it keeps. */
export interface Transport {
  send(request: HttpRequest): Promise<HttpAnswer | Failure>;
  close(): Promise<void>;
}

/** The transport on undici, which is loaded with the first request. */
export function createTransport(origin: string, now: () => number, limits: TransportLimits): Transport {
  let opened: Promise<Pool> | undefined;
  return {
    async send(request) {
      const pool = await (opened ??= open(origin, limits));
      request.signal.throwIfAborted();
      const outcome = await exchange(pool, origin, request, now, limits);
      // undici frees the connection a turn after the answer; a call that followed at once would open a second one.
      await setImmediate();
      return outcome;
    },
    async close() {
      await (await opened)?.destroy();
    },
  };
}

async function open(origin: string, limits: TransportLimits): Promise<Pool> {
  // The HTTP parser is WebAssembly. With V8's usual budget one request already makes the optimizing compiler start on
  // it, which the process then waits for at its end: half of a command's time. Later it is still welcome.
  setFlagsFromString('--wasm-tiering-budget=100000000');
  // @ts-expect-error undici types only its whole index, of which this file is a small part.
  const { default: Undici } = (await import('undici/lib/dispatcher/pool.js')) as { default: typeof Pool };
  return new Undici(origin, {
    connections: 16,
    connect: { timeout: limits.connect },
    headersTimeout: limits.headers,
    bodyTimeout: limits.silence,
  });
}

function exchange(
  pool: Pool,
  origin: string,
  request: HttpRequest,
  now: () => number,
  limits: TransportLimits,
): Promise<HttpAnswer | Failure> {
  const { promise, resolve, reject } = settleable<HttpAnswer | Failure>();
  const { method, path, headers, body = null, patience = 1, signal } = request;
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | undefined;
  let size = 0;
  let began = 0;
  let status = 0;
  let answered: Headers = {};
  const stop = (outcome: HttpAnswer | Failure) => {
    resolve(outcome);
    controller?.abort(new Error('The rest of the answer is not wanted.'));
  };
  const refuse = (message: string) =>
    stop({ problem: new Problem('unreachable', message, { hint: 'Check --server.' }) });
  const tooLarge = () =>
    stop({
      problem: new Problem('unreachable', `${origin} sent an answer of more than ${limits.bytes} bytes.`, {
        hint: 'Ask for less at once, as with --limit.',
      }),
    });
  const onAbort = () => {
    reject(signal.reason);
    controller?.abort(new Error('The request was given up.'));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  pool.dispatch(
    { method, path, headers, body, headersTimeout: limits.headers * patience },
    {
      onRequestStart(given) {
        controller = given;
        if (signal.aborted) onAbort();
      },
      onResponseStart(_, code, fields) {
        if (code < 200) return;
        [status, answered, began] = [code, fields, now()];
        const encoding = header(fields, 'content-encoding') ?? 'identity';
        if (status >= 300 && status < 400) stop({ status, headers: answered, bytes: Buffer.alloc(0) });
        else if (encoding.toLowerCase() !== 'identity')
          refuse(`${origin} sent an answer encoded as "${encoding.slice(0, 40)}", which was not asked for.`);
        else if (Number(header(fields, 'content-length') ?? 0) > limits.bytes) tooLarge();
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
        const failure = connectionFailure(origin, error);
        if (failure === undefined) reject(error);
        else resolve(failure);
      },
    },
  );
  return promise.finally(() => signal.removeEventListener('abort', onAbort));
}

function settleable<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((yes, no) => ([resolve, reject] = [yes, no]));
  return { promise, resolve, reject };
}
