import { Readable } from 'node:stream';
import { sizeText } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { describeConnectionFailure, type Connection } from './connection-failure.ts';
import type { AnswerHandler, Connections, Controller } from './first-requests.ts';
import { firstHeader, type Failure, type Headers } from './retry.ts';

/** Limits of one exchange; times are in milliseconds. */
export interface TransportLimits {
  /** Time limits for connecting, for the headers of an answer, and between two parts of its body. */
  readonly connect: number;
  readonly headers: number;
  readonly idle: number;
  /** Maximum size of a body, in bytes. */
  readonly bytes: number;
  /** Time limit between two parts of a streamed body. */
  readonly streamIdle: number;
  /** The minimum rate of a body in bytes per second, after `grace` milliseconds. */
  readonly rate: number;
  readonly grace: number;
  /** Number of requests that the Node.js client sends. For more requests, loading undici is worth its time. */
  readonly first: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** Factor for the time limit of the answer's headers (default 1). */
  readonly timeoutFactor?: number;
  /** Aborts the exchange, which then throws the reason. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** A successful answer whose body is read while it arrives. Reading it throws a Problem if the body is incomplete. */
export interface HttpStream {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

interface ExchangeContext {
  readonly origin: string;
  readonly now: () => number;
  readonly limits: TransportLimits;
  readonly connection: Connection;
  /** Whether the body of a successful answer is read while it arrives (default false). */
  readonly isStreamed?: boolean;
}

type Outcome = HttpStream | HttpAnswer | Failure;

/** Sends a request and reads its answer until the end, or until the rest is not needed. */
export async function exchange(
  pool: Connections,
  request: HttpRequest,
  context: ExchangeContext,
): Promise<Outcome> {
  const { origin, limits, isStreamed = false } = context;
  const { method, path, headers, body = null, timeoutFactor = 1, signal } = request;
  const following = new Following(context, signal);
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
    following,
  );
  return following.outcome;
}

/** Reads one answer, and aborts it if it is too large, too slow or encoded. */
class Following implements AnswerHandler {
  readonly outcome: Promise<Outcome>;
  readonly #context: ExchangeContext;
  readonly #signal: AbortSignal;
  #resolve!: (outcome: Outcome) => void;
  #reject!: (reason: unknown) => void;
  #controller: Controller | undefined;
  /** The body of a streamed answer. */
  #stream: Readable | undefined;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #began = 0;
  #status = 0;
  #headers: Headers = {};

  constructor(context: ExchangeContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    const outcome = new Promise<Outcome>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.outcome = outcome.finally(() => {
      if (this.#stream === undefined) signal.removeEventListener('abort', this.#onAbort);
    });
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#onAbort();
  }

  onResponseStart(_: Controller, status: number, headers: Headers): void {
    if (status < 200) return;
    const { origin, now, limits, isStreamed = false } = this.#context;
    [this.#status, this.#headers, this.#began] = [status, headers, now()];
    const encoding = firstHeader(headers, 'content-encoding') ?? 'identity';
    if (status >= 300 && status < 400) this.#stop({ status, headers, bytes: Buffer.alloc(0) });
    else if (encoding.toLowerCase() !== 'identity')
      this.#refuse(
        new Problem(
          'unreachable',
          `${origin} sent an answer encoded as "${encoding.slice(0, 40)}", which docsctl did not accept.`,
          { hint: 'Check the address of the server.' },
        ),
      );
    else if (isStreamed && status < 300) this.#startStream();
    else if (Number(firstHeader(headers, 'content-length') ?? 0) > limits.bytes)
      this.#refuse(tooLarge(this.#context));
  }

  onResponseData(_: Controller, chunk: Buffer): void {
    if (this.#stream !== undefined) {
      if (!this.#stream.push(chunk)) this.#controller?.pause();
      return;
    }
    this.#chunks.push(chunk);
    const size = (this.#size += chunk.length);
    const { origin, now, limits } = this.#context;
    const elapsed = now() - this.#began;
    if (size > limits.bytes) this.#refuse(tooLarge(this.#context));
    else if (elapsed > limits.grace && size < (elapsed / 1000) * limits.rate)
      this.#refuse(
        new Problem(
          'timed-out',
          `${origin} sends its answer too slowly, ${size} bytes in ${Math.round(elapsed / 1000)} s.`,
          { hint: 'Try again later.' },
        ),
      );
  }

  onResponseEnd(): void {
    if (this.#stream !== undefined) this.#stream.push(null);
    else {
      const bytes = Buffer.concat(this.#chunks, this.#size);
      this.#resolve({ status: this.#status, headers: this.#headers, bytes });
    }
  }

  onResponseError(_: Controller, error: Error): void {
    const failure = describeConnectionFailure(this.#context.origin, error, this.#context.connection);
    if (this.#stream !== undefined) this.#stream.destroy(failure?.problem ?? error);
    else if (failure === undefined) this.#reject(error);
    else this.#resolve(failure);
  }

  #startStream(): void {
    this.#stream = new Readable({
      read: () => this.#controller?.resume(),
      destroy: (error, done) => {
        this.#signal.removeEventListener('abort', this.#onAbort);
        this.#abort();
        done(error);
      },
    });
    // The reader of the stream also gets an error that occurs before the reading starts.
    this.#stream.on('error', () => {});
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#stream });
  }

  #refuse(problem: Problem): void {
    this.#stop({ problem });
  }

  #stop(outcome: HttpAnswer | Failure): void {
    this.#resolve(outcome);
    this.#abort();
  }

  #abort(): void {
    this.#controller?.abort(new Error('The rest of the answer is not wanted.'));
  }

  readonly #onAbort = () => {
    const reason = this.#signal.reason as Error;
    this.#reject(reason);
    this.#stream?.destroy(reason);
    this.#controller?.abort(new Error('The request was given up.'));
  };
}

function tooLarge({ origin, limits }: ExchangeContext): Problem {
  return new Problem('unreachable', `${origin} sent an answer of more than ${sizeText(limits.bytes)}.`, {
    hint: 'Request less at once, for example with --limit.',
  });
}
