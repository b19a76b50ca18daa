import { existsSync } from 'node:fs';
import { defined } from '../../contract/values.ts';
import { yieldOften } from '../../contract/event-loop.ts';
import { shellWord } from '../../contract/shell-word.ts';
import type { Core } from '../../core/embedded.ts';
import type { Workers } from '../../core/workers.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import type { GroupMember } from '../../server/group-member.ts';
import type { Log } from '../../server/log.ts';
import type { ServerMetrics } from '../../server/server-metrics.ts';
import type { Threads } from '../../server/threads/threads.ts';
import type { Tls } from '../../server/tls.ts';
import { parseStoreUrl, pathOfStore } from '../../stores/url.ts';
import { announce, noteStop } from './announce-server.ts';
import { createServers } from './create-servers.ts';
import { openLog } from './open-log.ts';
import { openMetrics, type OpenMetrics } from './open-metrics.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Session } from '../session/session.ts';
import { defaultStore, storeUrlOf } from '../settings/settings.ts';
import { untilStopped } from './until-stopped.ts';

/** Milliseconds in which threads can stop when the server stops. Unfinished jobs run again later. */
const threadsTimeout = 2000;

/**
 * Serves the store of a session until the program is stopped: in this process, or in several.
 *
 * @throws Problem(usage) with a remote server; the problems of certificates, addresses and stores, before it listens
 */
export async function runServer(session: Session, options: ServeOptions): Promise<void> {
  const { runtime, settings } = session;
  if (settings.server !== undefined) {
    const usual = defaultStore(runtime);
    const store = existsSync(pathOfStore(usual) ?? '') ? usual : 'sqlite:docs.db';
    const { from } = settings.server;
    const add = `--store, for example --store ${shellWord(store)}`;
    throw new Problem('usage', `serve needs an embedded store, but ${from} sets a server.`, {
      hint: from.startsWith('--')
        ? `Leave out ${from}, and add ${add}.`
        : `Add ${add}, or choose a profile with a store: \`docsctl profiles list\`.`,
    });
  }
  const member = runtime.isServerProcess
    ? await (await import('../../server/group-member.ts')).joinGroup()
    : undefined;
  const processes = member === undefined ? await countProcesses(storeUrlOf(runtime, settings), options) : 1;
  if (processes > 1) return (await import('./run-processes.ts')).runProcesses(session, options, processes);
  try {
    await serveHere(session, options, member);
  } catch (error) {
    if (member === undefined || !(error instanceof Problem)) throw error;
    await member.fail(error);
  } finally {
    member?.leave();
  }
}

/** Maximum number of processes. Each has its own connections to PostgreSQL, which allows 100 by default. */
const maxProcesses = 4;

/**
 * Returns how many processes serve a store. With one SQLite file, several processes share the reads, but writes take turns and
 * cost more than in one process.
 *
 * @throws Problem(usage) if only one can serve it
 */
async function countProcesses(storeUrl: string, { processes }: ServeOptions): Promise<number> {
  const { scheme } = parseStoreUrl(storeUrl);
  if (processes === undefined)
    return scheme === 'postgres'
      ? Math.min((await import('node:os')).availableParallelism(), maxProcesses)
      : 1;
  if (processes === 1 || scheme === 'sqlite' || scheme === 'postgres') return processes;
  throw new Problem(
    'usage',
    `--processes ${processes} is not possible: a store in ${scheme === 'json' ? 'a JSON file' : 'memory'} can be served by only one process.`,
    { hint: 'Leave out --processes, or use a SQLite or PostgreSQL store.' },
  );
}

/** Serves a store in this process: alone, or as a member of a group. */
async function serveHere(session: Session, options: ServeOptions, member?: GroupMember): Promise<void> {
  const { runtime } = session;
  const tls =
    options.tls &&
    (await import('../../server/tls.ts')).openTls(options.tls, runtime.clock, member?.identity);
  // Other processes already serve these ports. Requests that arrived here before this process is ready would have to wait.
  const known = member?.place;
  const { place, bound, publicUrl, sitesPlace, boundSites, sitesUrl } = await takePorts(options, tls, known);
  const { metrics, ...metricsServer } =
    member === undefined
      ? await openMetrics(session, options, tls)
      : await memberMetrics(session, options, tls);
  const { core, threads } = await openServedCore(session, { publicUrl, sitesUrl }, metrics);
  const runsJobs = member === undefined || member.number === 1;
  if (runsJobs) metrics?.watchQueues(core);
  if (metrics !== undefined) member?.onCollect(metrics.families);
  if (threads !== undefined) metrics?.watchThreads(threads);
  yieldOften();
  const log = openLog(runtime, { ...options, fields: member && { process: member.number } });
  if (tls?.problem !== undefined)
    log.write('error', {
      event: 'reload',
      message: `The certificate of the other processes is used. ${tls.problem.message}`,
    });
  const { server, sites } = await createServers(session, options, {
    core,
    log,
    tls,
    metrics,
    threads,
    member,
  });
  const working = await startJobs(core, { count: runsJobs ? options.workers : 0, log, metrics, threads });
  // Without a certificate, SIGHUP ends the server only if its terminal was closed.
  const reloads = tls !== undefined || !runtime.terminal.stdinIsTTY;
  const forgetHangup = reloads ? runtime.onHangup?.(() => reload(tls, log)) : undefined;
  member?.onReload(() => reload(tls, log));
  try {
    const { url } = await server.listen({ ...place, ...defined({ bound }) });
    if (sitesPlace !== undefined) await sites?.listen({ ...sitesPlace, ...defined({ bound: boundSites }) });
    const served = { store: core.store.url, url, sitesUrl: sites && sitesUrl };
    if (runsJobs) {
      const { rememberServerUrls } = await import('../../core/server-urls.ts');
      await rememberServerUrls(core.store, { publicUrl, sitesUrl }).catch((error: unknown) => {
        // A store that is read-only can be served.
        if (!isProblem(error, 'store-failed')) throw error;
        const message = `Commands on the store show the URLs of an earlier server. ${error.message}`;
        log.write('warn', { event: 'start', message });
      });
    }
    if (member === undefined)
      await announce(session, log, { ...served, metricsUrl: await metricsServer.listen?.() });
    else if (known !== undefined && known.url !== url) throw movedProblem(known.url, url);
    else member.ready(served);
    await untilStopped(
      member === undefined ? runtime.signal : AbortSignal.any([runtime.signal, member.stopped]),
    );
    if (member === undefined) noteStop(session, log);
    server.drain();
    sites?.drain();
    await new Promise((resolve) => setTimeout(resolve, options.drainTimeout * 1000));
  } finally {
    forgetHangup?.();
    const time = options.grace * 1000;
    await Promise.all([working.stop(time), sites?.stop(time), server.stop(time)]);
    await threads?.close(threadsTimeout);
    metricsServer.close?.();
    const { closeCore } = await import('../../core/embedded.ts');
    await closeCore(core);
    await log.written();
  }
}

/** Opens the store of a session with the threads that share the work. */
async function openServedCore(
  { runtime, settings }: Session,
  urls: { publicUrl: string; sitesUrl: string | undefined },
  metrics: ServerMetrics | undefined,
) {
  const { openCore, checkVariables } = await runtime.wiring();
  const { env, cwd, version } = runtime;
  await checkVariables(env);
  const storeUrl = storeUrlOf(runtime, settings);
  const { caFile } = settings;
  const { prepareThreads } = await import('../../server/threads/start-threads.ts');
  const { threads, wrapStore } = prepareThreads({ storeUrl, ...urls, caFile, cwd, version });
  const core = await openCore(runtime, storeUrl, {
    ...urls,
    caFile,
    ...defined({ whileAlone: threads?.whileAlone }),
    wrapStore: (store) => metrics?.measureStore(wrapStore(store)) ?? wrapStore(store),
  });
  return { core, threads };
}

/**
 * Reserves the ports that URLs in answers depend on, and returns the URLs. `known` has the addresses that other processes already
 * serve.
 */
async function takePorts(
  { host, port, sitesPort, urls: given, allowRemote }: ServeOptions,
  tls: Tls | undefined,
  known: GroupMember['place'],
) {
  const place = { host, port, allowRemote, scheme: tls === undefined ? 'http' : 'https' } as const;
  const { bind } = await import('../../server/listen.ts');
  // The URLs in answers contain the port, so a port that the system chooses is reserved first.
  const bound =
    given.publicUrl === undefined && port === 0 && known === undefined ? await bind(place) : undefined;
  const publicUrl = given.publicUrl ?? reachable(bound?.url ?? known?.url ?? urlOf(place));
  const sitesPlace =
    sitesPort === undefined
      ? undefined
      : { ...place, port: sitesPort, options: { host: '--host', port: '--sites-port' } };
  const boundSites = sitesPlace === undefined || known !== undefined ? undefined : await bind(sitesPlace);
  const sitesUrl = given.sitesUrl ?? known?.sitesUrl ?? (boundSites && reachable(boundSites.url));
  return { place, bound, publicUrl, sitesPlace, boundSites, sitesUrl };
}

/** Creates the metrics of a process whose metrics are served by another process. */
async function memberMetrics(
  { runtime }: Session,
  { metricsPort }: ServeOptions,
  tls: Tls | undefined,
): Promise<OpenMetrics> {
  if (metricsPort === undefined) return {};
  const { createServerMetrics } = await import('../../server/server-metrics.ts');
  return { metrics: createServerMetrics(runtime.version, tls) };
}

/** The port was chosen by the system, and became free because all other processes ended. */
function movedProblem(before: string, now: string): Problem {
  return new Problem(
    'unreachable',
    `The server could not listen on ${before} again: the operating system gave it ${now} instead.`,
    { hint: 'Choose a fixed port with --port.' },
  );
}

async function startJobs(
  core: Core,
  {
    count,
    log,
    metrics,
    threads,
  }: {
    count: number;
    log: Log;
    metrics: ServerMetrics | undefined;
    threads: Threads | undefined;
  },
): Promise<Workers> {
  const [{ startWorkers }, { logFault }, { logClaim, logJobEnd }] = await Promise.all([
    import('../../core/workers.ts'),
    import('../../server/access-log.ts'),
    import('../../server/job-log.ts'),
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
    ...(threads === undefined
      ? {}
      : {
          runApart: (row, { maxScrubSize, signal, onProgress }) =>
            threads.run({ row, maxScrubSize }, signal, onProgress),
        }),
  });
}

/** Reads the certificate again, after SIGHUP. */
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

/** A browser cannot open "every address of this machine". */
function reachable(url: string): string {
  return url.replace(/\/\/(?:0\.0\.0\.0|\[::\])(?=:\d+$)/, '//localhost');
}

function urlOf({ host, port, scheme }: { host: string; port: number; scheme: string }): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
