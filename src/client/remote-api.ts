import { setTimeout } from 'node:timers/promises';
import type { Api, CallOptions } from '../contract/api.ts';
import { correlationHeader } from '../contract/correlation.ts';
import type { Exchange, RawRequest } from '../contract/exchange.ts';
import { once } from '../contract/once.ts';
import type { InputOf, Operation, OutputOf } from '../contract/operation.ts';
import type { Reason } from '../errors/catalog.ts';
import { Problem } from '../errors/problem.ts';
import type { ConnectionOptions } from './connection.ts';
import { readAnswer, readRawAnswer, readStream, type AnswerContext } from './read-answer.ts';
import { startDeadline } from './deadline.ts';
import type { HttpAnswer, HttpRequest, HttpStream, TransportLimits } from './exchange.ts';
import { isLoopback, readServer, requestPath } from './request.ts';
import { createQuota, firstHeader, maxWait, pauseBefore, type Failure, type Headers } from './retry.ts';
import { createTransport, defaultLimits } from './transport.ts';

export interface RemoteOptions {
  /** The base URL, with or without `/v1` at its end. */
  readonly server: string;
  readonly token?: string | undefined;
  /** The setting that contains the token, for errors. */
  readonly tokenFrom?: string | undefined;
  /** The version of docsctl, for the log of the server. */
  readonly version: string;
  readonly newKey: () => string;
  /** Creates the ID that joins the audit events of all changes (default: each change has its own). */
  readonly newCorrelation?: (() => string) | undefined;
  /** Milliseconds for one call with all its attempts (default 60,000, plus the waits that `maxWait` allows). */
  readonly timeout?: number | undefined;
  /** The number of attempts after the first (default 3). */
  readonly retries?: number | undefined;
  /** Maximum wait before a retry, in milliseconds (default 20,000). */
  readonly maxWait?: number | undefined;
  readonly connection?: ConnectionOptions | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly random?: (() => number) | undefined;
  readonly now?: (() => number) | undefined;
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Receives the reason for a wait of more than two seconds. */
  readonly onNote?: ((message: string) => void) | undefined;
  /** Allows sending the token to another machine without TLS. */
  readonly allowInsecure?: boolean | undefined;
  readonly limits?: Partial<TransportLimits> | undefined;
}

/** Maximum number of retries until successful calls allow new ones. */
const maxSpentRetries = 10;

const fileTimeoutFactor = 4;

/**
 * Creates the Api of a remote server. Each call is one HTTP exchange, with retries that are safe and do not overload the server.
 */
export function remoteApi(options: RemoteOptions): Api {
  const {
    token,
    newKey,
    retries = 3,
    timeout = options.maxWait === undefined ? 60_000 : 60_000 + retries * options.maxWait,
    onExchange,
    random = Math.random,
    now = Date.now,
    onNote = () => {},
  } = options;
  const wait = options.wait ?? ((milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }));
  const { origin, prefix } = readServer(options.server, options.connection?.from);
  const basePath = prefix.slice(0, -'/v1'.length);
  const headers = commonHeaders(options, origin);
  // Created with the first change, because random numbers take some milliseconds to load.
  const joined = once(() =>
    options.newCorrelation === undefined ? {} : { [correlationHeader]: options.newCorrelation() },
  );
  const transport = createTransport(origin, now, { ...defaultLimits, ...options.limits }, options.connection);
  const longestWait = options.maxWait ?? maxWait;
  const quota = createQuota(maxSpentRetries);
  let notedUntil = 0;
  const tokenFrom = token === undefined || token === '' ? undefined : (options.tokenFrom ?? 'the settings');
  // A shorter text is no token, and might be a part of words.
  const mask = (text: string) =>
    token === undefined || token.length < 8 ? text : text.replaceAll(token, '***');

  async function observed<A extends HttpAnswer | HttpStream>(
    request: HttpRequest,
    send: (request: HttpRequest) => Promise<A | Failure>,
  ): Promise<A | Failure> {
    if (onExchange === undefined) return send(request);
    const startedAt = now();
    const report = (outcome: A | Failure) =>
      onExchange(exchangeOf(origin, request, outcome, { startedAt, milliseconds: now() - startedAt }));
    try {
      const outcome = await send(request);
      report(outcome);
      return outcome;
    } catch (error) {
      if (error instanceof Problem) report({ problem: error });
      throw error;
    }
  }

  async function attempts<T, A extends HttpAnswer | HttpStream>(
    request: HttpRequest,
    ends: number,
    read: (answer: A, context: AnswerContext) => { readonly value: T } | Failure,
    send: (request: HttpRequest) => Promise<A | Failure>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const sent = await observed(request, send);
      const outcome =
        'problem' in sent ? sent : read(sent, { origin, path: basePath, now: now(), mask, tokenFrom });
      if ('value' in outcome) {
        quota.refill();
        return outcome.value;
      }
      const { problem, retryBase, requestedWait } = outcome;
      if (retryBase === undefined) throw problem;
      const pause = requestedWait ?? pauseBefore(attempt, retryBase, random, longestWait);
      const tooLong = pause > Math.min(longestWait, ends - now());
      if (tooLong || attempt > retries || !quota.take())
        throw finalProblem(outcome, { attempt, tooLong, longestWait });
      // Requests that are rejected at the same time share one note.
      if (pause > 2000 && now() >= notedUntil) {
        notedUntil = now() + pause;
        onNote(`Waiting ${Math.ceil(pause / 1000)} s before trying again: ${problem.message}`);
      }
      await wait(pause, request.signal).catch((error) => {
        request.signal.throwIfAborted();
        throw error;
      });
    }
  }

  /** Sends a request and reads the whole answer, within the timeout. */
  async function exchange<T>(
    request: Omit<HttpRequest, 'signal'> & { readonly timeoutFactor: number },
    signal: AbortSignal | undefined,
    read: (answer: HttpAnswer, context: AnswerContext) => { readonly value: T } | Failure,
  ): Promise<T> {
    const time = timeout * request.timeoutFactor;
    const deadline = startDeadline(time, signal, origin);
    try {
      return await attempts({ ...request, signal: deadline.signal }, now() + time, read, transport.send);
    } finally {
      deadline.clear();
    }
  }

  return {
    place: `${origin}${basePath}`,
    async call<O extends Operation>(
      operation: O,
      input: InputOf<O>,
      { signal, idempotencyKey, ifMatch }: CallOptions = {},
    ): Promise<OutputOf<O>> {
      const { method, body } = operation;
      const path = prefix + requestPath(operation, input);
      const content = body === undefined || input.body === undefined ? undefined : JSON.stringify(input.body);
      const key = method === 'GET' ? undefined : checkSendable('idempotency key', idempotencyKey ?? newKey());
      const sent = {
        ...headers,
        ...(operation.returns.file === true ? { accept: '*/*' } : {}),
        ...(key === undefined ? {} : { 'idempotency-key': key, ...joined() }),
        ...(ifMatch === undefined ? {} : { 'if-match': checkSendable('entity tag', ifMatch) }),
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const timeoutFactor = operation.returns.file === true ? fileTimeoutFactor : 1;
      const request = { method, path, headers: sent, body: content, timeoutFactor };
      return (await exchange(request, signal, (answer, context) =>
        readAnswer(operation, answer, context),
      )) as OutputOf<O>;
    },
    async send({ method, path, body, signal }: RawRequest) {
      const sent = {
        ...headers,
        accept: '*/*',
        ...(method === 'GET' || method === 'HEAD' ? {} : { 'idempotency-key': newKey(), ...joined() }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const request = { method, path: prefix + path, headers: sent, body, timeoutFactor: fileTimeoutFactor };
      return exchange(request, signal, readRawAnswer);
    },
    async stream({ method, path, body, signal }: RawRequest) {
      const sent = { ...headers, accept: '*/*', ...(method === 'GET' ? {} : joined()) };
      // The total time of a stream is unlimited unless the user sets a limit. The time between two parts is limited.
      const deadline = startDeadline(options.timeout ?? Number.POSITIVE_INFINITY, signal, origin);
      try {
        const request = { method, path: prefix + path, headers: sent, body, signal: deadline.signal };
        const answer = await attempts(request, now() + timeout, readStream, transport.stream);
        answer.body.once('close', deadline.clear);
        return answer;
      } catch (error) {
        deadline.clear();
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

function commonHeaders(
  { token = '', tokenFrom, version, allowInsecure = false }: RemoteOptions,
  origin: string,
): Record<string, string> {
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `docsctl/${version}`,
  };
  if (token === '') return headers;
  if (origin.startsWith('http:') && !isLoopback(origin) && !allowInsecure) {
    throw new Problem('guard-refused', `The token would be sent to ${origin} without encryption.`, {
      hint: 'Use an https address, or add --allow-http for a server in a private network.',
    });
  }
  return {
    ...headers,
    authorization: `Bearer ${checkSendable(`token${tokenFrom === undefined ? '' : ` from ${tokenFrom}`}`, token, 'unauthenticated')}`,
  };
}

function checkSendable(what: string, text: string, reason: Reason = 'invalid-input'): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(text)) return text;
  throw new Problem(reason, `The ${what} is too long, or contains a character that cannot be sent.`, {
    hint: 'Check it for spaces, line breaks and quotation marks.',
  });
}

function finalProblem(
  { problem, requestedWait }: Failure,
  {
    attempt,
    tooLong,
    longestWait,
  }: { readonly attempt: number; readonly tooLong: boolean; readonly longestWait: number },
): Problem {
  const { reason, hint, violations, requestId, cause } = problem;
  const retryAfter = requestedWait === undefined ? undefined : Math.ceil(requestedWait / 1000);
  const attemptsNote = attempt === 1 ? '' : ` Tried ${attempt} times.`;
  const isTooLong = tooLong && retryAfter !== undefined;
  const waitNote = isTooLong
    ? ` The server asks to wait ${retryAfter} s, which is longer than --retry-max-wait or --timeout allows.`
    : '';
  const message = problem.message.replace(/(?<![.!?])$/, '.');
  return new Problem(reason, `${message}${waitNote}${attemptsNote}`, {
    hint: isTooLong
      ? `Try again in ${retryAfter} s${retryAfter * 1000 > longestWait ? `, or wait for it with --retry-max-wait ${retryAfter}` : ''}.`
      : hint,
    violations,
    requestId,
    retryAfter,
    cause,
  });
}

function exchangeOf(
  origin: string,
  { method, path, headers, body }: HttpRequest,
  outcome: HttpAnswer | HttpStream | Failure,
  times: { readonly startedAt: number; readonly milliseconds: number },
): Exchange {
  const answer = 'problem' in outcome ? undefined : outcome;
  const received: Headers = answer?.headers ?? {};
  return {
    method,
    url: origin + path,
    requestHeaders: headers,
    requestBody: body,
    ...times,
    status: answer?.status ?? 0,
    responseHeaders: Object.fromEntries(
      Object.entries(received).map(([name, value = '']) => [
        name,
        typeof value === 'string' ? value : value.join(', '),
      ]),
    ),
    responseBody: answer !== undefined && 'bytes' in answer ? answer.bytes : new Uint8Array(),
    requestId: firstHeader(received, 'request-id') ?? firstHeader(received, 'x-request-id'),
    failure: 'problem' in outcome ? outcome.problem.message : undefined,
  };
}
