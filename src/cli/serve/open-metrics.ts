import type { Family } from '../../server/metrics.ts';
import type { Tls } from '../../server/tls.ts';
import type { ServerMetrics } from '../../server/server-metrics.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Session } from '../session/session.ts';

/** The metrics of a process, and the listener that serves them; undefined if no port is given. */
export interface OpenMetrics {
  readonly metrics?: ServerMetrics;
  readonly listen?: () => Promise<string>;
  readonly close?: () => void;
}

/**
 * Reserves the address of the metrics, if there is one, before the store is opened. `read` returns the served metrics (default:
 * those of this process).
 *
 * @throws the problems of `bind`
 */
export async function openMetrics(
  { runtime }: Session,
  { metricsHost: host, metricsPort: port, allowRemote }: ServeOptions,
  tls?: Tls,
  read?: () => Promise<readonly Family[]>,
): Promise<OpenMetrics> {
  if (port === undefined) return {};
  const [{ bind }, { createServerMetrics }, { createMetricsServer }, { textOf }] = await Promise.all([
    import('../../server/listen.ts'),
    import('../../server/server-metrics.ts'),
    import('../../server/metrics-server.ts'),
    import('../../server/metrics.ts'),
  ]);
  const place = { host, port, allowRemote, options: { host: '--metrics-host', port: '--metrics-port' } };
  const bound = await bind(place);
  const metrics = createServerMetrics(runtime.version, tls);
  const server = createMetricsServer(
    read === undefined ? metrics : { text: async () => textOf(await read()) },
  );
  return {
    metrics,
    listen: async () => `${(await server.listen({ ...place, bound })).url}/metrics`,
    close: server.close,
  };
}
