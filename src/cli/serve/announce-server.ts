import { defined } from '../../contract/values.ts';
import type { Log } from '../../server/log.ts';
import type { Session } from '../session/session.ts';

/** The addresses of a server, and its store. */
interface Served {
  readonly store: string;
  readonly url: string;
  readonly sitesUrl?: string | undefined;
  readonly metricsUrl?: string | undefined;
  /** The number of processes, if there are several. */
  readonly processes?: number;
}

/** Logs that a server has started, and prints its addresses. */
export async function announce(
  { format, terminal: { stdout }, runtime: { version } }: Session,
  log: Log,
  { store, processes, ...urls }: Served,
): Promise<void> {
  log.write('info', { event: 'start', version, ...defined({ processes }), store, ...defined(urls) });
  const { url, sitesUrl, metricsUrl } = urls;
  if (format === 'table') {
    await stdout.write(`Serving ${store} on ${url}\n`);
    if (sitesUrl !== undefined) await stdout.write(`Showing published sites on ${sitesUrl}\n`);
    if (metricsUrl !== undefined) await stdout.write(`Metrics: ${metricsUrl}\n`);
  } else if (format === 'json' || format === 'ndjson')
    await stdout.write(`${JSON.stringify(defined(urls))}\n`);
  else for (const [name, value] of Object.entries(defined(urls))) await stdout.write(`${name}: ${value}\n`);
}

/** Notes that a server is stopping. */
export function noteStop({ note }: Session, log: Log): void {
  log.write('info', { event: 'stop', message: 'Open requests are answered first.' });
  // The log contains this already, and its reader may expect JSON.
  if (!log.isEnabled('info')) note('Stopping. Open requests are answered first.');
}
