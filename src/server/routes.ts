import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../contract/values.ts';
import { correlationHeader, isCorrelationId } from '../contract/correlation.ts';
import { entityTag } from '../contract/entity-tag.ts';
import type { InputOf, Operation } from '../contract/operation.ts';
import type { CallSource } from '../core/audit/record-call.ts';
import type { Caller } from '../core/callers.ts';
import { admitCall, authenticate, callOperation, type Core, type ServedOptions } from '../core/embedded.ts';
import { HeavyCallError } from '../core/heavy-call-error.ts';
import type { FileAnswer } from '../contract/file.ts';
import { JsonPieces, sendBody, sendFile, sendTagged } from './answer.ts';
import { LargeBody } from './body.ts';
import type { BodyBudget } from './body-budget.ts';
import { addressOf, identifyClient } from './client-limit.ts';
import { requireCredential, credentialOf, idempotencyKeyOf } from './credential.ts';
import type { KeptResult, KeptResults } from './kept-results.ts';
import { bodyLimitsOf, maxBodyHere, maxCallTime } from './limits.ts';
import { readQuery } from './query.ts';
import { whenGranted } from './rate-limit.ts';
import type { Reason } from '../errors/catalog.ts';
import { Problem } from '../errors/problem.ts';
import { refusalOf } from './errors.ts';
import type { Threads } from './threads/threads.ts';
import { waitAtMost } from '../contract/wait-at-most.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until the caller is identified. */
    caller: Caller | undefined;
    /** The ID of the organization of the request; undefined until the caller is authorized in it. */
    organization: string | undefined;
    /** Whether the caller was identified, or is known to be anonymous. */
    isIdentified: boolean;
  }
}

/** The timeout of files, such as the PDF of a large space, relative to the timeout of other answers. */
export const fileTimeoutFactor = 6;

interface Backend {
  readonly core: Core;
  /** Threads for calls that take long (default: this thread runs all calls). */
  readonly threads: Threads | undefined;
  /** The timeout of answers in milliseconds. */
  readonly answerTimeout: number;
  readonly kept: KeptResults;
  readonly bodies: BodyBudget;
}

/** Adds the route of an operation. It reads the HTTP request, runs the operation in the core, and sends the answer. */
export function addRoute(app: FastifyInstance, backend: Backend, operation: Operation): void {
  const { core, threads, answerTimeout, bodies } = backend;
  const bodyLimits = bodyLimitsOf(operation);
  // Images of integrations and published specifications need no token, so they are excluded.
  const opensInBrowser = operation.returns.file === true && !/^(?:none|integration)\./.test(operation.access);
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isFile = operation.returns.file === true;
    if (!isFile && operation.method === 'GET') {
      return sendTagged(request, reply, await readResult(backend, operation, request));
    }
    if (!isFile) {
      const problemOf = operation.safe ? timeoutProblem : changeTimeoutProblem;
      const body = await withTimeout(run(backend, operation, request), answerTimeout, problemOf);
      return sendBody(request, reply, operation.returns.status, body);
    }
    const timeout = fileTimeoutFactor * answerTimeout;
    // The connection is silent while the file is made. An injected request has no socket with a timeout.
    (request.raw.socket as Partial<Socket>).setTimeout?.(timeout + answerTimeout);
    // Stops making the file when the client disconnects or gets a timeout.
    const stop = new AbortController();
    reply.raw.once('close', () => stop.abort());
    const file = await withTimeout(
      run(backend, operation, request, { signal: stop.signal }),
      timeout,
    ).finally(() => stop.abort());
    return sendFile(request, reply, file as FileAnswer);
  };
  app.route({
    method: operation.method,
    url: `/v1${operation.path}`,
    bodyLimit: bodyLimits.bytes,
    config: { nodes: bodyLimits.nodes, ...(threads === undefined ? {} : { maxBytesHere: maxBodyHere }) },
    onRequest: (request, reply, proceed) => {
      // A browser that opens the address of a file has a session of the pages, but no token.
      if (opensInBrowser && isNavigation(request)) {
        void sendBody(request, reply.header('location', downloadPath(core, request.url)), 303, undefined);
        return;
      }
      requireCredential(operation, request.headers.authorization);
      const limit = bodyLimits.bytes;
      if (!bodies.needsPlace(request, limit)) return proceed();
      // A large body is read only after its sender is known.
      authenticateFirst(core, operation, request, answerTimeout)
        .then(() => {
          bodies.take(request, reply, { client: request.caller?.user.id ?? identifyClient(request), limit });
        })
        .then(() => proceed(), proceed);
    },
    errorHandler: (error, request, reply) => {
      // Fastify would send other return values as the answer.
      if (request.isIdentified || !concernsInput(error))
        throw (error as unknown) instanceof Error ? error : new Error(String(error));
      // Fastify passes an error that is sent to the error handler of the application.
      const refuse = (reason: unknown): void => void reply.send(reason);
      authenticateFirst(core, operation, request, answerTimeout).then(() => refuse(error), refuse);
    },
    handler: (request, reply) => whenGranted(() => answer(request, reply)),
  });
}

/** Whether a person opens an address in a browser. Programs and scripts of pages do not send this header. */
function isNavigation({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && headers.authorization === undefined && headers['sec-fetch-mode'] === 'navigate';
}

/** Returns the path of the pages where a browser with a session gets the file of an operation. */
function downloadPath({ publicUrl }: Core, url: string): string {
  return `${new URL(publicUrl).pathname.replace(/\/+$/, '')}/o/~download${url.slice('/v1'.length)}`;
}

/**
 * Whether a request was refused because it is malformed, such as a body that is not JSON. Fastify finds some of these faults
 * before the operation runs.
 */
function concernsInput(error: unknown): boolean {
  return inputReasons.has(refusalOf(error).problem.reason);
}

const inputReasons: ReadonlySet<Reason> = new Set(['invalid-input', 'unsupported-media', 'too-large']);

/**
 * Identifies the caller of a request that is refused before its operation runs, so that a wrong token gets 401 even with a
 * malformed body.
 */
async function authenticateFirst(
  core: Core,
  operation: Operation,
  request: FastifyRequest,
  answerTimeout: number,
): Promise<void> {
  const { authorization } = request.headers;
  requireCredential(operation, authorization);
  await withTimeout(
    whenGranted(() => authenticate(core, credentialOf(authorization), operation, noteCaller(request))),
    answerTimeout,
  );
}

/** Returns a function that records the caller for the log, and counts the request for its token. */
export function noteCaller(request: FastifyRequest): (caller: Caller | undefined) => void {
  return (caller) => {
    request.isIdentified = true;
    request.caller = caller;
    request.onKnown?.();
  };
}

/** Returns a function that records the organization for the log, and counts the request for it. */
function noteOrganization(request: FastifyRequest): (id: string) => void {
  return (id) => {
    request.organization = id;
    request.onOrganization?.(id);
  };
}

/** Returns the answer to a read: the cached one, or a new one, which is cached if it depends only on the store. */
async function readResult(
  backend: Backend,
  operation: Operation,
  request: FastifyRequest,
): Promise<KeptResult | JsonPieces> {
  const { kept, answerTimeout } = backend;
  const key = kept.keyOf(request);
  const asked = key === undefined ? undefined : kept.stamp(key);
  let stamp = asked instanceof Promise ? await asked : asked;
  const known = key === undefined ? undefined : kept.find(key, stamp);
  if (known !== undefined) {
    noteCaller(request)(known.caller);
    if (known.organization !== undefined) noteOrganization(request)(known.organization);
    return known;
  }
  const onOutside = (): void => void (stamp = undefined);
  const body = await withTimeout(run(backend, operation, request, { onOutside }), answerTimeout);
  if (body instanceof JsonPieces) return body;
  const json = JSON.stringify(body);
  const { caller, organization } = request;
  const result = { json, etag: entityTag(json), caller, organization };
  if (key !== undefined && stamp !== undefined) kept.keep(key, stamp, result);
  return result;
}

/**
 * Runs the operation of a request in this thread, or in another one if it takes long. In the latter case, the answer is
 * JsonPieces or a file.
 */
async function run(
  { core, threads, answerTimeout }: Backend,
  operation: Operation,
  request: FastifyRequest,
  given: Pick<ServedOptions, 'signal' | 'onOutside'> = {},
): Promise<unknown> {
  const { headers } = request;
  const credential = credentialOf(headers.authorization);
  const params = request.params as Record<string, string>;
  const query = readQuery(operation.query, request.query as Record<string, string | string[]>);
  const { body } = request;
  const options = {
    ...given,
    onCaller: noteCaller(request),
    onOrganization: noteOrganization(request),
    from: () => sourceOf(request),
  };
  const key = operation.method === 'GET' ? undefined : idempotencyKeyOf(headers['idempotency-key']);
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const runApart = async (apart: Threads): Promise<unknown> => {
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    // If the client disconnects, a read is aborted, but a change continues.
    if (operation.method === 'GET') request.raw.socket.once('close', abort);
    const time = operation.returns.file === true ? fileTimeoutFactor * answerTimeout : answerTimeout;
    const timer = operation.method === 'GET' ? setTimeout(abort, time) : undefined;
    given.signal?.addEventListener('abort', abort, { once: true });
    // The client may have disconnected already.
    if (given.signal?.aborted === true || (operation.method === 'GET' && request.raw.socket.destroyed))
      abort();
    const unread = body instanceof LargeBody ? { ...body } : undefined;
    const call = {
      operation: operation.id,
      input: { params: { ...params }, query, body: unread === undefined ? body : undefined },
      unread,
      credential,
      idempotencyKey: key,
      ifMatch,
      ifNoneMatch,
      source: sourceOf(request),
    };
    try {
      const organization = request.organization ?? request.caller?.user.id ?? '';
      const { json, file } = await apart.call(organization, call, stop.signal);
      return json === undefined ? file : new JsonPieces(json);
    } finally {
      clearTimeout(timer);
      request.raw.socket.off('close', abort);
    }
  };
  if (threads !== undefined && body instanceof LargeBody) {
    await admitCall(core, { credential, operation, input: { params, query } }, options);
    return runApart(threads);
  }
  try {
    return await callOperation(core, credential, operation, { params, query, body } as InputOf<Operation>, {
      ...options,
      ...defined({ idempotencyKey: key, ifMatch, ifNoneMatch, maxTime: threads && maxCallTime }),
    });
  } catch (error) {
    if (threads !== undefined && error instanceof HeavyCallError) return runApart(threads);
    throw error;
  }
}

/**
 * Returns the source of a request, for audit events. A client may set an ID that groups its requests in the header
 * Correlation-Id. Other values are ignored.
 */
export function sourceOf(request: FastifyRequest): CallSource {
  const { headers, id } = request;
  const userAgent = headers['user-agent'];
  const correlation = headers[correlationHeader];
  return {
    origin: {
      kind: 'remote',
      address: addressOf(request),
      ...(userAgent === undefined ? {} : { userAgent: userAgent.slice(0, 300).toWellFormed() }),
    },
    execution: id,
    ...(typeof correlation === 'string' && isCorrelationId(correlation) ? { correlation } : {}),
  };
}

/**
 * Returns a function that lists the methods of a path, for the Allow header of a 405. The list is empty for an unknown path. It
 * tries the routes one by one, which is slow, so it is called only for requests that match no route.
 */
export function createAllowedMethods(
  routes: readonly { readonly method: string; readonly url: string }[],
): (path: string) => readonly string[] {
  // Split at the first call, because plugins add their routes after this function was called.
  let splitRoutes: { method: string; parts: string[] }[] | undefined;
  return (path) => {
    splitRoutes ??= routes.map(({ method, url }) => ({ method, parts: url.split('/') }));
    const parts = path.split('/');
    const matches = splitRoutes.filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at])),
    );
    return [...new Set(matches.map(({ method }) => method))].sort();
  };
}

/**
 * Returns the result of `work` if it is available within `timeout` milliseconds. The work continues after a timeout.
 *
 * @throws Problem(timed-out)
 */
export function withTimeout<T>(
  work: Promise<T>,
  milliseconds: number,
  problemOf: () => Problem = timeoutProblem,
): Promise<T> {
  return waitAtMost(milliseconds, work, () => {
    throw problemOf();
  });
}

function timeoutProblem(): Problem {
  return new Problem('timed-out', 'The server took too long to answer the request.', {
    hint: 'Try again later. The server may be busy.',
  });
}

function changeTimeoutProblem(): Problem {
  return new Problem('timed-out', 'The request took too long. Its change may still be made.', {
    hint: 'Check whether the change was made before you repeat the request.',
  });
}
