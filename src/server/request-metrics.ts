import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { statusOf } from './answer.ts';
import type { Metrics } from './metrics.ts';

export interface RequestMetrics {
  /** Counts the requests of an application. Call it before other hooks are added. */
  readonly watch: (app: FastifyInstance) => void;
  /** Counts a request that is answered before the application gets it, or that matches no route. `since`: when it started. */
  readonly count: (
    request: Pick<IncomingMessage, 'method'>,
    response: ServerResponse,
    route: string,
    since: number,
  ) => void;
}

/** Upper bounds of the durations of requests, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The route label of requests that match no route. */
export const noRoute = '(none)';

/** Adds the metrics of requests. Returns a function that creates the metrics of a listener. */
export function addRequestMetrics(metrics: Metrics): (listener: 'api' | 'sites') => RequestMetrics {
  const total = metrics.counter(
    'docsctl_http_requests_total',
    'Requests that were answered, by pattern of the route. The status 499 means that the client was gone.',
    ['listener', 'method', 'route', 'status'],
  );
  const duration = metrics.histogram(
    'docsctl_http_request_duration_seconds',
    'Time to answer requests, by group of routes.',
    ['listener', 'group'],
    bounds,
  );
  const open = new Map<string, number>();
  metrics.gauge(
    {
      name: 'docsctl_http_requests_in_flight',
      help: 'Requests that are being answered.',
      names: ['listener'],
    },
    () => [...open].map(([listener, count]) => [[listener], count]),
  );
  const groups = new Map<string, string>();
  return (listener) => {
    open.set(listener, 0);
    const add = (by: number): void => void open.set(listener, (open.get(listener) ?? 0) + by);
    const count: RequestMetrics['count'] = ({ method = '' }, response, route, since) => {
      let group = groups.get(route);
      if (group === undefined) groups.set(route, (group = groupOf(route)));
      total.add([listener, method, route, `${Math.floor(statusOf(response) / 100)}xx`]);
      duration.observe([listener, group], (performance.now() - since) / 1000);
    };
    return {
      count,
      watch: (app) => {
        app.addHook('onRequest', (request, reply, done) => {
          const since = performance.now();
          add(1);
          // This also happens if the client disconnects before it gets its answer.
          reply.raw.once('close', () => {
            add(-1);
            count(request.raw, reply.raw, request.routeOptions.url ?? noRoute, since);
          });
          done();
        });
      },
    };
  };
}

/** Returns the group of a route: `orgs` for `/v1/orgs/:organizationId/sites`, `saml` for `/saml/:providerId`. */
function groupOf(route: string): string {
  return /^(?:\/v1)?\/([\w.-]+)/.exec(route)?.[1] ?? route;
}
