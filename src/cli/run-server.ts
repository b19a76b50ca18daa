import { setTimeout } from 'node:timers/promises';
import { yieldOften } from '../contract/event-loop.ts';
import { defined } from '../contract/values.ts';
import type { Core } from '../core/embedded.ts';
import type { Workers } from '../core/workers.ts';
import { Problem } from '../errors/problem.ts';
import { defaultLimits } from '../server/limits.ts';
import type { Log } from '../server/log.ts';
import type { ServerMetrics } from '../server/server-metrics.ts';
import type { Tls } from '../server/tls.ts';
import { embeddedTarget } from './commands/store/target.ts';
import { openLog } from './open-log.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Session } from './session.ts';
import { storeUrlOf } from './settings.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Serves the store of a session until the program is stopped.
 *
 * @throws Problem(usage) with a remote server; the problems of certificates, addresses and stores, before it listens
 */
export async function runServer(session: Session, options: ServeOptions): Promise<void> {
  if (session.settings.server !== undefined)
    throw new Problem('usage', 'serve needs an embedded store, and a server is set.', {
      hint: 'Add --store, for example --store sqlite:docs.db.',
    });
  const { host, port, sitesPort, urls: given, allowRemote, proxies, grace } = options;
  const { runtime } = session;
  const tls = options.tls && (await import('../server/tls.ts')).openTls(options.tls, runtime.clock);
  const scheme = tls === undefined ? 'http' : 'https';
  const place = { host, port, allowRemote, scheme } as const;
  const { bind } = await import('../server/listen.ts');
  // The URLs in answers have the port, so one that the system chooses is taken before there are any.
  const bound = given.publicUrl === undefined && port === 0 ? await bind(place) : undefined;
  const publicUrl = given.publicUrl ?? reachable(bound?.url ?? urlOf(place));
  const sitesPlace =
    sitesPort === undefined
      ? undefined
      : { ...place, port: sitesPort, options: { host: '--host', port: '--sites-port' } };
  const boundSites = sitesPlace === undefined ? undefined : await bind(sitesPlace);
  const sitesUrl = given.sitesUrl ?? (boundSites && reachable(boundSites.url));
  const { metrics, ...metricsServer } = await openMetrics(session, options, tls);
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, storeUrlOf(runtime, session.settings), {
    publicUrl,
    sitesUrl,
    caFile: session.settings.caFile,
    ...(metrics === undefined ? {} : { wrapStore: metrics.measureStore }),
  });
  metrics?.watchQueues(core);
  const run = core.newId('req');
  let count = 0;
  yieldOften();
  const log = openLog(runtime, options);
  const shared = {
    core,
    // One random id for the run, then a count: a new random number for each request costs more than authorizing it.
    newRequestId: () => `${run}-${++count}`,
    log,
    ...(proxies === undefined ? {} : { proxies }),
    tls,
  };
  const { createLaterServer } = await import('../server/later-server.ts');
  const limits = {
    ...defaultLimits,
    rateLimit: options.rateLimit,
    organizationRateLimit: options.rateLimitOrganization,
  };
  const apiMetrics = metrics?.requests('api');
  const server = createLaterServer({
    ...shared,
    limits,
    create: async (sockets) =>
      (await import('../server/index.ts')).createServer({
        ...shared,
        version: runtime.version,
        limits,
        metrics: apiMetrics,
        target: await embeddedTarget(session),
        sockets,
      }),
  });
  const sitesLimits = { ...defaultLimits, rateLimit: options.sitesRateLimit };
  const sitesMetrics = metrics?.requests('sites');
  const sites =
    boundSites === undefined
      ? undefined
      : createLaterServer({
          ...shared,
          limits: sitesLimits,
          create: async (sockets) => {
            const { createSitesServer } = await import('../server/sites-app.ts');
            const { drain, close } = await createSitesServer({
              ...shared,
              limits: sitesLimits,
              countViews: options.countViews,
              metrics: sitesMetrics,
              countKept: metrics?.countKept,
              sockets,
            });
            return { drain, stop: close };
          },
        });
  const working = await startJobs(core, options.workers, log, metrics);
  // Without a certificate, SIGHUP ends a server only if it is that of the terminal that it was started in.
  const reloads = tls !== undefined || !runtime.terminal.stdinIsTTY;
  const forgetHangup = reloads ? runtime.onHangup?.(() => reload(tls, log)) : undefined;
  try {
    const { url } = await server.listen({ ...place, ...(bound === undefined ? {} : { bound }) });
    if (sites !== undefined && sitesPlace !== undefined && boundSites !== undefined)
      await sites.listen({ ...sitesPlace, bound: boundSites });
    const metricsUrl = await metricsServer.listen?.();
    const { rememberServerUrls } = await import('../core/server-urls.ts');
    await rememberServerUrls(core.store, { publicUrl, sitesUrl });
    log.write('info', {
      event: 'start',
      version: runtime.version,
      store: core.store.url,
      ...defined({ url, sitesUrl: sites && sitesUrl, metricsUrl }),
    });
    await announce(session, core, { url, sitesUrl, metricsUrl });
    await untilStopped(runtime.signal);
    log.write('info', { event: 'stop', message: 'Open requests are answered first.' });
    // The log says so already, and may be read as JSON.
    if (!log.isEnabled('info')) session.note('Stopping. Open requests are answered first.');
    server.drain();
    sites?.drain();
    await setTimeout(options.drainTimeout * 1000);
  } finally {
    forgetHangup?.();
    const time = grace * 1000;
    await Promise.all([working.stop(time), sites?.stop(time), server.stop(time)]);
    metricsServer.close?.();
    const { closeCore } = await import('../core/embedded.ts');
    await closeCore(core);
  }
}

/** Reserves the address of the metrics, if there are any, before the store is opened. */
async function openMetrics(
  { runtime }: Session,
  { metricsHost: host, metricsPort: port, allowRemote }: ServeOptions,
  tls: Tls | undefined,
) {
  if (port === undefined) return {};
  const [{ bind }, { createServerMetrics }, { createMetricsServer }] = await Promise.all([
    import('../server/listen.ts'),
    import('../server/server-metrics.ts'),
    import('../server/metrics-server.ts'),
  ]);
  const place = { host, port, allowRemote, options: { host: '--metrics-host', port: '--metrics-port' } };
  const bound = await bind(place);
  const metrics = createServerMetrics(runtime.version, tls);
  const server = createMetricsServer(metrics);
  return {
    metrics,
    listen: async () => `${(await server.listen({ ...place, bound })).url}/metrics`,
    close: server.close,
  };
}

async function startJobs(
  core: Core,
  count: number,
  log: Log,
  metrics: ServerMetrics | undefined,
): Promise<Workers> {
  const [{ startWorkers }, { logFault }, { logClaim, logJobEnd }] = await Promise.all([
    import('../core/workers.ts'),
    import('../server/access-log.ts'),
    import('../server/job-log.ts'),
  ]);
  return startWorkers(core, {
    count,
    onClaim: (job) => {
      logClaim(log, job);
      metrics?.claimed(job);
    },
    onEnd: (job, event) => {
      logJobEnd(log, job, event);
      metrics?.ended(job, event);
    },
    onError: (error) => logFault(log, null, error),
  });
}

/** Reads the certificate again, at SIGHUP. */
function reload(tls: Tls | undefined, log: Log): void {
  if (tls === undefined) {
    log.write('warn', { event: 'reload', message: 'There is no certificate to read again.' });
    return;
  }
  try {
    tls.reload();
    log.write('info', {
      event: 'reload',
      message: 'New connections get the certificate that was read again.',
    });
  } catch (error) {
    log.write('error', {
      event: 'reload',
      message: `The old certificate is kept. ${(error as Error).message}`,
    });
  }
}

/** Prints where the server listens. */
async function announce(
  { format, terminal: { stdout } }: Session,
  { store }: Core,
  urls: {
    readonly url: string;
    readonly sitesUrl: string | undefined;
    readonly metricsUrl: string | undefined;
  },
): Promise<void> {
  const { url, sitesUrl, metricsUrl } = urls;
  if (format === 'table') {
    await stdout.write(`Serving ${store.url} on ${url}\n`);
    if (sitesUrl !== undefined) await stdout.write(`Showing published sites on ${sitesUrl}\n`);
    if (metricsUrl !== undefined) await stdout.write(`Metrics: ${metricsUrl}\n`);
  } else if (format === 'json' || format === 'ndjson')
    await stdout.write(`${JSON.stringify(defined(urls))}\n`);
  else for (const [name, value] of Object.entries(defined(urls))) await stdout.write(`${name}: ${value}\n`);
}

/** "Every address of this machine" is none that a browser can go to. */
function reachable(url: string): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:\d+$)/, '//localhost');
}

function urlOf({
  host,
  port,
  scheme,
}: {
  readonly host: string;
  readonly port: number;
  readonly scheme: string;
}): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
