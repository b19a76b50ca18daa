import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { statusOf } from './answer.ts';
import type { Metrics } from './metrics.ts';

export interface RequestMetrics {
  /** Counts the requests of an application from its first hook on. */
  readonly watch: (app: FastifyInstance) => void;
  /** Counts a request that is answered before the application has it, or that has no route. `since`: when it began. */
  readonly count: (
    request: Pick<IncomingMessage, 'method'>,
    response: ServerResponse,
    route: string,
    since: number,
  ) => void;
}

/** Seconds that requests take. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What stands for the route of a request that matches none. */
export const noRoute = '(none)';

/** Adds the metrics of requests. Returns the metrics of a listener by its name. */
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
          // Also of a client that is gone before it has its answer.
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

/** `/v1/orgs/:organizationId/sites` and `/saml/:providerId` are of the groups `orgs` and `saml`. */
function groupOf(route: string): string {
  return /^(?:\/v1)?\/([\w.-]+)/.exec(route)?.[1] ?? route;
}
