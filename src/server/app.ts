import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../core/clock.ts';
import { Problem, invalid, type ProblemBody } from '../errors/problem.ts';
import { logAnswer, logFault } from './access-log.ts';
import { sendError } from './answer.ts';
import { jsonTypes, LargeBody, readBody } from './body.ts';
import { limitClients } from './client-limit.ts';
import { nothingHere } from './errors.ts';
import { HeldAnswers, limitHeldAnswers } from './held-answers.ts';
import type { TakeSockets } from './later-server.ts';
import type { Log } from './log.ts';
import { livenessPaths, readinessPaths } from './probes.ts';
import { answerRanges } from './ranges.ts';
import { createRateLimit, LeaseNeeded, whenGranted, type CreateLimit } from './rate-limit.ts';
import { noRoute, type RequestMetrics } from './request-metrics.ts';
import { maxParameterLength, type ServerLimits } from './limits.ts';
import { answerClientError, createSockets } from './sockets.ts';
import { stoppingProblem } from './stop.ts';
import type { Tls } from './tls.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Draining: the server answers requests, but reports that it is not ready. Stopping: it answers only requests that are
     * already open.
     */
    readonly state: { isDraining: boolean; isStopping: boolean };
    readonly createLimit: CreateLimit;
  }
  interface FastifyContextConfig {
    /** Maximum number of JSON values in the body. Set on the routes of operations only. */
    nodes?: number;
    /**
     * Maximum size of a body that is read before the handler is called, in bytes. The handler gets larger ones as LargeBody
     * (default: no limit).
     */
    maxBytesHere?: number;
    /** Returns the HTML page of an error, for routes that people open in a browser (default: errors are JSON). */
    errorPage?: (error: ProblemBody['error']) => string;
  }
}

export interface AppOptions {
  readonly clock: Clock;
  readonly limits: ServerLimits;
  readonly newRequestId: () => string;
  readonly log: Log | undefined;
  /** Counts the requests (default: not counted). */
  readonly metrics?: RequestMetrics | undefined;
  /** Called before anything else is done for a request. Returns true if it has answered the request. */
  readonly answerFirst?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted (default none). */
  readonly proxies?: readonly string[];
  /** The certificate for HTTPS (default: HTTP). */
  readonly tls?: Tls | undefined;
  /** Uses sockets that are already listening (default: the application creates its own). */
  readonly sockets?: TakeSockets | undefined;
  /** Creates limits (default: for one process). */
  readonly createLimit?: CreateLimit | undefined;
  /** Sends the answer to an error (default: the error answers of the API). */
  readonly answerError?: typeof sendError;
  /** Limits the memory of answers that clients have not received yet (default: 256 MiB). */
  readonly held?: HeldAnswers;
}

/** Creates the Fastify application without routes: connections, limits, parsing of bodies, and error answers. */
export function createApp({
  clock,
  limits,
  newRequestId,
  log,
  metrics,
  answerFirst,
  proxies = [],
  tls,
  sockets = (listener) => createSockets(listener, limits, newRequestId, tls),
  createLimit = (options) => createRateLimit(options, clock),
  answerError = sendError,
  held = new HeldAnswers(),
}: AppOptions): FastifyInstance {
  const logsAnswers = log?.isEnabled('info') === true;
  let countFailed: ReturnType<typeof limitClients> | undefined;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const answer = (refusal: Problem | undefined): void => {
      const { isFault } = answerError(request, reply, refusal ?? error);
      if (isFault && log !== undefined) logFault(log, request.id, error);
    };
    const count = (): Problem | undefined => countFailed?.(request, reply);
    try {
      answer(count());
    } catch (fault) {
      if (!(fault instanceof LeaseNeeded)) throw fault;
      void whenGranted(count).then(answer);
    }
  };
  const app: FastifyInstance = fastify({
    logger: false,
    bodyLimit: 64 * 1024,
    trustProxy: proxies.length > 0 && [...proxies],
    genReqId: newRequestId,
    rewriteUrl: ({ url = '/' }) => pathOf(url),
    routerOptions: { maxParamLength: maxParameterLength },
    return503OnClosing: false,
    // Operations check their input themselves, so the schema compilers are not bundled.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    serverFactory: (listener) =>
      sockets(
        answerFirst === undefined
          ? listener
          : (request, response) => {
              const since = performance.now();
              if (app.state.isDraining || !answerFirst(request, response)) listener(request, response);
              else metrics?.count(request, response, '/*', since);
            },
      ),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, newRequestId),
    frameworkErrors: (error, request, reply) => {
      fail(error, request, reply);
      // Fastify runs no hooks for these errors.
      const now = performance.now();
      metrics?.count(request.raw, reply.raw, noRoute, now);
      if (logsAnswers) logAnswer(log, request, reply, now);
    },
  });
  app.decorate('state', { isDraining: false, isStopping: false });
  app.decorate('createLimit', createLimit);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('organization', undefined);
  app.decorateRequest('refusal', undefined);
  app.decorateRequest('isIdentified', false);
  app.setErrorHandler(fail);
  metrics?.watch(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(jsonTypes, { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    const { nodes = 1000, maxBytesHere = Number.POSITIVE_INFINITY } = request.routeOptions.config;
    const contentType = request.headers['content-type'] ?? '';
    done(
      null,
      bytes.length > maxBytesHere
        ? new LargeBody(bytes, contentType, nodes)
        : readBody(bytes, contentType, nodes),
    );
  });
  if (logsAnswers) {
    app.addHook('onRequest', (request, reply, done) => {
      const since = performance.now();
      reply.raw.once('close', () => logAnswer(log, request, reply, since));
      done();
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    const { isDraining, isStopping } = app.state;
    // Makes clients open their next connection to another server.
    if (isDraining) reply.header('connection', 'close');
    if (isStopping ? !livenessPaths.has(request.url) : isDraining && readinessPaths.has(request.url))
      throw stoppingProblem();
    checkHeaders(request.raw);
    done();
  });
  answerRanges(app);
  limitHeldAnswers(app, held);
  if (limits.rateLimit > 0 || limits.organizationRateLimit > 0) countFailed = limitClients(app, limits);
  return app;
}

/** Answers requests that match no route: with 405 if the path exists with other methods, else with 404. */
export function addNotFoundHandler(
  app: FastifyInstance,
  allowedMethods: (path: string) => readonly string[],
): void {
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?');
    const allowed = allowedMethods(path);
    if (allowed.length === 0) throw nothingHere();
    reply.header('allow', allowed.join(', '));
    throw new Problem('method-not-allowed', `${request.method} is not allowed here.`, {
      hint: `Allowed: ${allowed.join(', ')}.`,
    });
  });
}

/** Refuses requests without exactly one Host header (RFC 9112, section 3.2) and compressed bodies. */
function checkHeaders({ rawHeaders, headers, httpVersionMinor }: IncomingMessage): void {
  const isHost = (name: string, index: number) =>
    index % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host';
  const hosts = rawHeaders.filter(isHost).length;
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0))
    throw invalid('/headers/host', 'The request must have exactly one Host header.');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw new Problem('unsupported-media', 'Compressed bodies are not supported.', {
      hint: 'Send the body without Content-Encoding.',
    });
  }
}

/** Fastify calls it only for routes with a schema, and there are none. */
function noSchemas(): never {
  throw new Error('Routes of this server have no schemas.');
}

/** Returns the path and query of a request target. Clients of a proxy send a whole URL (RFC 9112, section 3.2.2). */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  return target.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}
