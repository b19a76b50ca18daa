import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { InputOf, Operation } from '../contract/operation.ts';
import type { Caller } from '../core/callers.ts';
import { callOperation, type Core } from '../core/embedded.ts';
import type { FileAnswer } from '../contract/file.ts';
import { sendBody, sendFile } from './answer.ts';
import { requireCredential, credentialOf, idempotencyKeyOf } from './credential.ts';
import { bodyLimitsOf } from './limits.ts';
import { readQuery } from './query.ts';
import { Problem } from '../errors/problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who the token belongs to, once that is known; for the log. */
    userId: string | undefined;
  }
}

/** A file, such as the PDF of a large space, may take this many times as long as another answer. */
const fileTimeoutFactor = 6;

/** Adds the route of an operation: the core does the work, all that is decided here is how it goes over HTTP. */
export function addRoute(
  app: FastifyInstance,
  core: Core,
  operation: Operation,
  answerTimeout: number,
): void {
  const bodyLimits = bodyLimitsOf(operation);
  app.route({
    method: operation.method,
    url: `/v1${operation.path}`,
    bodyLimit: bodyLimits.bytes,
    config: { nodes: bodyLimits.nodes },
    onRequest: (request, _reply, done) => {
      requireCredential(operation, request.headers.authorization);
      done();
    },
    handler: async (request, reply) => {
      const isFile = operation.returns.file === true;
      const patience = isFile ? fileTimeoutFactor * answerTimeout : answerTimeout;
      // The connection is silent for as long as the answer is made; a request that is injected has none.
      if (isFile) (request.raw.socket as Partial<Socket>).setTimeout?.(patience + answerTimeout);
      // No file for a client that is gone, or that has already got a timeout.
      const stop = new AbortController();
      if (isFile) reply.raw.once('close', () => stop.abort());
      const body = await withTimeout(run(core, operation, request, stop.signal), patience).finally(
        () => isFile && stop.abort(),
      );
      if (isFile) return sendFile(request, reply, body as FileAnswer);
      return sendBody(request, reply, operation.returns.status, body);
    },
  });
}

function run(
  core: Core,
  operation: Operation,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const { headers } = request;
  const input = {
    params: request.params as Record<string, string>,
    query: readQuery(operation.query, request.query as Record<string, string | string[]>),
    body: request.body ?? bodyWhenLeftOut(operation),
  };
  const options = {
    signal,
    onCaller: (caller: Caller | undefined) => {
      request.userId = caller?.user.id;
      request.onKnown?.();
    },
  };
  const key = operation.method === 'GET' ? undefined : idempotencyKeyOf(headers['idempotency-key']);
  return callOperation(
    core,
    credentialOf(headers.authorization),
    operation,
    input as InputOf<Operation>,
    key === undefined ? options : { ...options, idempotencyKey: key },
  );
}

/** A body of which nothing is required may be left out. */
function bodyWhenLeftOut({ body }: Operation): object | undefined {
  return body?.['type'] === 'object' && body['required'] === undefined ? {} : undefined;
}

/**
 * Tells which methods a path knows, for 405 and its Allow header; none where there is no such path. Looks through the
 * routes one by one: only requests that no route took come here.
 */
export function createAllowedMethods(
  routes: readonly { readonly method: string; readonly url: string }[],
): (path: string) => readonly string[] {
  // Read with the first question: routes in a scope of their own come when the server gets ready.
  let known: { method: string; parts: string[] }[] | undefined;
  return (path) => {
    known ??= routes.map(({ method, url }) => ({ method, parts: url.split('/') }));
    const parts = path.split('/');
    const fits = known.filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at])),
    );
    const methods = new Set(fits.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  };
}

/** The result of `work`, or Problem timed-out when it takes longer than so many milliseconds; the work goes on. */
export async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutProblem()), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function timeoutProblem(): Problem {
  return new Problem('timed-out', 'The request took too long and was given up. A change may still be made.', {
    hint: 'Check whether the change was made before you repeat the request.',
  });
}
