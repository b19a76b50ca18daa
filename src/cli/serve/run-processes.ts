import { announce, noteStop } from './announce-server.ts';
import { openLog } from './open-log.ts';
import { openMetrics } from './open-metrics.ts';
import type { ServeOptions } from './serve-options.ts';
import type { Session } from '../session/session.ts';
import { untilStopped } from './until-stopped.ts';

/** Milliseconds in which processes can stop, in addition to the time for open requests in the options. */
const timeToEnd = 3000;

/**
 * Serves the store of a session with several processes, which run this command too, until the program is stopped. This process
 * starts them, counts for their limits, and handles their metrics and signals.
 *
 * @throws the problems of `runServer`; Problem(unexpected) if a process exits before it is ready
 */
export async function runProcesses(
  session: Session,
  options: ServeOptions,
  processes: number,
): Promise<void> {
  const { runtime } = session;
  const { ProcessGroup } = await import('../../server/process-group.ts');
  const tls = options.tls && (await import('../../server/tls.ts')).openTls(options.tls, runtime.clock);
  const log = openLog(runtime, options);
  // Collects the metrics of this process, and serves the metrics of all processes.
  const own = await openMetrics(session, options, undefined, () => group.metrics());
  const group = new ProcessGroup({
    count: processes,
    clock: runtime.clock,
    ownMetrics: async () => (await own.metrics?.families()) ?? [],
    onEvent: ({ level, ...event }) => log.write(level, { event: 'process', ...event }),
    tls,
  });
  const reloads = tls !== undefined || !runtime.terminal.stdinIsTTY;
  const forgetHangup = reloads ? runtime.onHangup?.(() => group.reload()) : undefined;
  try {
    const place = await group.start();
    const metricsUrl = await own.listen?.();
    await announce(session, log, { ...place, metricsUrl, processes });
    await untilStopped(runtime.signal);
    noteStop(session, log);
  } finally {
    forgetHangup?.();
    await group.stop((options.drainTimeout + options.grace) * 1000 + timeToEnd);
    own.close?.();
    await log.written();
  }
}
