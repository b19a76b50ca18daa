import { setTimeout } from 'node:timers/promises';
import type { Api, CallOptions } from '../contract/api.ts';
import type { InputOf, Operation, OutputOf } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { readAnswer } from './read-answer.ts';
import { startDeadline } from './deadline.ts';
import { isLoopback, readServer, requestPath } from './request.ts';
import { createQuota, maxWait, pauseBefore, type Failure } from './retry.ts';
import { createTransport, defaultLimits, type HttpRequest, type TransportLimits } from './transport.ts';

export interface RemoteOptions {
  /** The base URL, with or without `/v1` at its end. */
  readonly server: string;
  readonly token?: string | undefined;
  /** The version of docsctl, for the log of the server. */
  readonly version: string;
  /** Makes the idempotency key of a write. */
  readonly newKey: () => string;
  /** Milliseconds for one call with all its attempts (default 60,000). */
  readonly timeout?: number | undefined;
  /** The number of attempts after the first (default 3). */
  readonly retries?: number | undefined;
  readonly random?: (() => number) | undefined;
  readonly now?: (() => number) | undefined;
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Receives the reason of a wait of more than two seconds. */
  readonly onNote?: ((message: string) => void) | undefined;
  /** Allows sending the token to another machine without TLS. */
  readonly allowInsecure?: boolean | undefined;
  readonly limits?: Partial<TransportLimits> | undefined;
}

/** The number of retries before successful calls earn new ones. */
const maxSpentRetries = 10;

const fileTimeoutFactor = 4;

/** Makes the Api of a remote server. Each call is one HTTP exchange, with retries that are safe and do not overload the server. */
export function remoteApi(options: RemoteOptions): Api {
  const {
    token,
    newKey,
    timeout = 60_000,
    retries = 3,
    random = Math.random,
    now = Date.now,
    onNote = () => {},
  } = options;
  const wait = options.wait ?? ((milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }));
  const { origin, prefix } = readServer(options.server);
  const headers = commonHeaders(options, origin);
  const transport = createTransport(origin, now, { ...defaultLimits, ...options.limits });
  const quota = createQuota(maxSpentRetries);
  const mask = (text: string) => (token === undefined || token === '' ? text : text.replaceAll(token, '***'));

  async function attempts(operation: Operation, request: HttpRequest, ends: number): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      const sent = await transport.send(request);
      const outcome = 'problem' in sent ? sent : readAnswer(operation, sent, { origin, now: now(), mask });
      if ('value' in outcome) {
        quota.refill();
        return outcome.value;
      }
      const { problem, retryBase, requestedWait } = outcome;
      if (retryBase === undefined) throw problem;
      const pause = requestedWait ?? pauseBefore(attempt, retryBase, random);
      const tooLong = pause > Math.min(maxWait, ends - now());
      if (tooLong || attempt > retries || !quota.take()) throw finalProblem(outcome, attempt, tooLong);
      if (pause > 2000) onNote(`Waiting ${seconds(pause)} s before trying again: ${problem.message}`);
      await wait(pause, request.signal).catch((error) => {
        request.signal.throwIfAborted();
        throw error;
      });
    }
  }

  return {
    place: `${origin}${prefix.slice(0, -'/v1'.length)}`,
    async call<O extends Operation>(
      operation: O,
      input: InputOf<O>,
      { signal, idempotencyKey }: CallOptions = {},
    ): Promise<OutputOf<O>> {
      const { method, body } = operation;
      const path = prefix + requestPath(operation, input);
      const content = body === undefined || input.body === undefined ? undefined : JSON.stringify(input.body);
      const key = method === 'GET' ? undefined : checkSendable('idempotency key', idempotencyKey ?? newKey());
      const sent = {
        ...headers,
        ...(operation.returns.file === true ? { accept: '*/*' } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const timeoutFactor = operation.returns.file === true ? fileTimeoutFactor : 1;
      const deadline = startDeadline(timeout * timeoutFactor, signal, origin);
      try {
        return (await attempts(
          operation,
          { method, path, headers: sent, body: content, timeoutFactor, signal: deadline.signal },
          now() + timeout * timeoutFactor,
        )) as OutputOf<O>;
      } finally {
        deadline.clear();
      }
    },
    close: () => transport.close(),
  };
}

function commonHeaders(
  { token = '', version, allowInsecure = false }: RemoteOptions,
  origin: string,
): Record<string, string> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `docsctl/${version}`,
  };
  if (token === '') return headers;
  if (origin.startsWith('http:') && !isLoopback(origin) && !allowInsecure) {
    throw new Problem('usage', `The token would go to ${origin} in clear text.`, {
      hint: 'Use an https address.',
    });
  }
  return { ...headers, authorization: `Bearer ${checkSendable('token', token)}` };
}

function checkSendable(what: string, text: string): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(text)) return text;
  throw new Problem('usage', `The ${what} has a character that cannot be sent, or is too long.`, {
    hint: 'Look for spaces, line ends and quotation marks in it.',
  });
}

function finalProblem({ problem, requestedWait }: Failure, attempt: number, tooLong: boolean): Problem {
  const { reason, hint, violations, requestId, cause } = problem;
  const retryAfter = requestedWait === undefined ? undefined : Math.ceil(requestedWait / 1000);
  const tried = attempt === 1 ? '' : ` Tried ${attempt} times.`;
  const said =
    tooLong && requestedWait !== undefined
      ? ` The server asks to wait ${seconds(requestedWait)} s, longer than this call may take.`
      : '';
  return new Problem(reason, `${problem.message}${said}${tried}`, {
    hint,
    violations,
    requestId,
    retryAfter,
    cause,
  });
}

function seconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}
