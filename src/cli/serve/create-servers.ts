import { defined } from '../../contract/values.ts';
import type { Core } from '../../core/embedded.ts';
import type { GroupMember } from '../../server/group-member.ts';
import type { LaterServer } from '../../server/later-server.ts';
import { defaultLimits } from '../../server/limits.ts';
import type { Log } from '../../server/log.ts';
import type { ServerMetrics } from '../../server/server-metrics.ts';
import type { Threads } from '../../server/threads/threads.ts';
import type { Tls } from '../../server/tls.ts';
import { embeddedTarget } from '../commands/store/target.ts';
import type { Session } from '../session/session.ts';
import type { ServeOptions } from './serve-options.ts';

/** Data that the servers of a process share. */
interface Served {
  readonly core: Core;
  readonly log: Log;
  readonly tls: Tls | undefined;
  readonly metrics: ServerMetrics | undefined;
  readonly threads: Threads | undefined;
  /** The membership of the process in a group of processes, if there is one. */
  readonly member: GroupMember | undefined;
}

/**
 * Creates the server of the API, and with --sites-port the server of the sites. Each creates its handlers at its first request.
 */
export async function createServers(
  session: Session,
  options: ServeOptions,
  { core, log, tls, metrics, threads, member }: Served,
): Promise<{ server: LaterServer; sites: LaterServer | undefined }> {
  const { runtime } = session;
  const { proxies } = options;
  const run = core.newId('req');
  let count = 0;
  const shared = {
    core,
    // A random ID per run and a counter, because a random number for each request takes longer than authorizing it.
    newRequestId: () => `${run}-${++count}`,
    log,
    ...defined({ proxies }),
    tls,
    isReady: member?.isComplete,
  };
  const { createLaterServer } = await import('../../server/later-server.ts');
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
      (await import('../../server/index.ts')).createServer({
        ...shared,
        version: runtime.version,
        limits,
        metrics: apiMetrics,
        createLimit: member?.createLimit('api', runtime.clock),
        target: await embeddedTarget(session),
        threads,
        sockets,
      }),
  });
  if (options.sitesPort === undefined) return { server, sites: undefined };
  const sitesLimits = { ...defaultLimits, rateLimit: options.sitesRateLimit };
  const sitesMetrics = metrics?.requests('sites');
  const sites = createLaterServer({
    ...shared,
    limits: sitesLimits,
    create: async (sockets) => {
      const { createSitesServer } = await import('../../server/sites-app.ts');
      const created = await createSitesServer({
        ...shared,
        limits: sitesLimits,
        countViews: options.countViews,
        metrics: sitesMetrics,
        createLimit: member?.createLimit('sites', runtime.clock),
        visitorKey: member?.visitorKey,
        countKept: metrics?.countKept,
        threads,
        sockets,
      });
      metrics?.watchSites(created);
      return { drain: created.drain, stop: created.close };
    },
  });
  return { server, sites };
}
