import { createServer } from 'node:http';
import { errorBody, refusalOf } from './errors.ts';
import { defaultLimits } from './limits.ts';
import { listen, type ListenOptions } from './listen.ts';
import { Problem } from '../errors/problem.ts';
import type { ServerMetrics } from './server-metrics.ts';

/** Serves the metrics of a server at `/metrics`. */
export interface MetricsServer {
  readonly listen: (options: ListenOptions) => Promise<{ url: string }>;
  readonly close: () => void;
}

/** Creates a server for metrics. It requires no token, so its address decides who can read them. */
export function createMetricsServer({ text }: Pick<ServerMetrics, 'text'>): MetricsServer {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = defaultLimits;
  const server = createServer({ headersTimeout, requestTimeout, keepAliveTimeout }, (request, response) => {
    const send = (status: number, type: string, body: string): void =>
      void response
        .writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
        .end(request.method === 'HEAD' ? undefined : body);
    const refuse = (error: unknown): void => {
      const refusal = refusalOf(error);
      send(refusal.status, 'application/json; charset=utf-8', JSON.stringify(errorBody(refusal, 'metrics')));
    };
    if (request.url?.split('?')[0] !== '/metrics')
      return refuse(new Problem('not-found', 'There is only /metrics here.'));
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(new Problem('method-not-allowed', `${request.method} is not allowed here.`));
    text().then((body) => send(200, 'text/plain; version=0.0.4; charset=utf-8', body), refuse);
  });
  return {
    listen: (options) => listen(server, options),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
