import type { FastifyInstance } from 'fastify';
import { defined, getOrInsert } from '../contract/values.ts';
import type { Operation } from '../contract/operation.ts';
import { closeCore, type Core } from '../core/embedded.ts';
import { nouns } from '../resources/index.ts';
import { addNotFoundHandler, createApp } from './app.ts';
import { defaultLimits, type ServerLimits } from './limits.ts';
import { BodyBudget } from './body-budget.ts';
import { KeptResults } from './kept-results.ts';
import type { TakeSockets } from './later-server.ts';
import type { Log } from './log.ts';
import { listen, type ListenOptions } from './listen.ts';
import type { CreateLimit } from './rate-limit.ts';
import type { RequestMetrics } from './request-metrics.ts';
import { addRoute, createAllowedMethods } from './routes.ts';
import { addServiceRoutes } from './service-routes.ts';
import { stopApp } from './stop.ts';
import { addStoreRoutes } from './store-routes.ts';
import type { Threads } from './threads/threads.ts';
import type { Tls } from './tls.ts';
import { watchStore } from './store-health.ts';
import { operationsOf } from '../description/schemas.ts';
import type { StoreTarget } from '../stores/backup/restore.ts';

interface ServerOptions {
  readonly core: Core;
  readonly version: string;
  readonly newRequestId: () => string;
  readonly limits?: Partial<ServerLimits>;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted (default none). */
  readonly proxies?: readonly string[];
  /** The certificate for HTTPS (default: HTTP). */
  readonly tls?: Tls | undefined;
  /** Uses sockets that are already listening (default: the server creates its own). */
  readonly sockets?: TakeSockets | undefined;
  /** Counts the requests (default: not counted). */
  readonly metrics?: RequestMetrics | undefined;
  /** Creates limits (default: for one process). */
  readonly createLimit?: CreateLimit | undefined;
  /** Whether all processes of the server accept requests (default: true). */
  readonly isReady?: (() => boolean) | undefined;
  /** Threads for calls that take long (default: this thread runs all calls). */
  readonly threads?: Threads | undefined;
  /** The log of answers and unexpected errors (default: none). */
  readonly log?: Log;
  /** The store of the core, for operations of the operator on the whole store (default: they are not available). */
  readonly target?: StoreTarget | undefined;
}

export interface Server {
  /** Sends a request without a socket, for tests. */
  readonly inject: FastifyInstance['inject'];
  readonly listen: (options: ListenOptions) => Promise<{ url: string }>;
  /** Makes the server report that it is not ready. It still answers requests. */
  readonly drain: () => void;
  /** Waits at most `grace` milliseconds for open requests, then closes their connections. */
  readonly stop: (grace: number) => Promise<void>;
  readonly close: (grace: number) => Promise<void>;
}

/** Creates the server, with a route for every operation of every noun. Call `listen` to start it. */
export async function createServer({
  core,
  version,
  newRequestId,
  limits: given,
  proxies,
  tls,
  log,
  metrics,
  target,
  sockets,
  createLimit,
  isReady = () => true,
  threads,
}: ServerOptions): Promise<Server> {
  const limits = { ...defaultLimits, ...given };
  const app = createApp({
    clock: core.clock,
    limits,
    newRequestId,
    log,
    metrics,
    tls,
    sockets,
    createLimit,
    ...defined({ proxies }),
  });
  const routes: { method: string; url: string }[] = [];
  // Fastify adds a HEAD route to most GET routes. This hook is called for it too.
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  const { store, check } = watchStore(core.store, core.clock);
  const { answerTimeout } = limits;
  const kept = new KeptResults(store, core.clock);
  const bodies = new BodyBudget();
  const backend = { core: cacheHandlers({ ...core, store }), threads, answerTimeout, kept, bodies };
  for (const { operations } of await operationsOf(nouns)) {
    for (const operation of operations) addRoute(app, backend, operation);
  }
  addServiceRoutes(app, {
    core: { ...core, store },
    nouns,
    version,
    answerTimeout,
    bodies,
    checkStore: check,
    threads,
    isReady,
  });
  if (target !== undefined)
    addStoreRoutes(app, { core: { ...core, store }, target, version, answerTimeout, log });
  addNotFoundHandler(app, createAllowedMethods(routes));
  await app.ready();
  let stopped: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  const stop = (grace: number): Promise<void> => (stopped ??= stopApp(app, grace));
  return {
    inject: app.inject.bind(app),
    listen: (options) => listen(app.server, options),
    drain: () => {
      app.state.isDraining = true;
    },
    stop,
    close: (grace) => (closed ??= stop(grace).then(() => closeCore(core))),
  };
}

/** Returns a core that caches handlers, because a look-up per request would slow the server down. */
function cacheHandlers(core: Core): Core {
  const handlers = new Map<Operation, ReturnType<Core['handlerOf']>>();
  return {
    ...core,
    handlerOf(operation) {
      return getOrInsert(handlers, operation, () => core.handlerOf(operation));
    },
  };
}
