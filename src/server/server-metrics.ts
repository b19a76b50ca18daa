import type { WorkEvent } from '../contract/api.ts';
import type { Core } from '../core/embedded.ts';
import type { ClaimedJob } from '../core/workers.ts';
import type { Store } from '../core/store.ts';
import { Metrics, type Family } from './metrics.ts';
import { addProcessMetrics } from './process-metrics.ts';
import { addRequestMetrics, type RequestMetrics } from './request-metrics.ts';
import { addQueueMetrics, addStoreMetrics } from './store-metrics.ts';
import type { SitesServer } from './sites-app.ts';
import type { Threads } from './threads/threads.ts';
import type { Tls } from './tls.ts';

export interface ServerMetrics {
  readonly text: () => Promise<string>;
  readonly families: () => Promise<Family[]>;
  readonly requests: (listener: 'api' | 'sites') => RequestMetrics;
  readonly measureStore: (store: Store) => Store;
  readonly watchQueues: (core: Pick<Core, 'store' | 'clock'>) => void;
  readonly watchThreads: (threads: Threads) => void;
  /** Adds metrics of the memory that the server of sites uses for caches. */
  readonly watchSites: (sites: Pick<SitesServer, 'cached'>) => void;
  readonly countKept: (result: 'hit' | 'miss') => void;
  readonly claimed: (job: ClaimedJob) => void;
  readonly ended: (job: ClaimedJob, event: WorkEvent) => void;
}

/** Upper bounds of the durations of jobs, in seconds. */
const bounds = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];

/** Creates the metrics of a server. */
export function createServerMetrics(version: string, tls: Pick<Tls, 'expires'> | undefined): ServerMetrics {
  const metrics = new Metrics();
  const requests = addRequestMetrics(metrics);
  const measureStore = addStoreMetrics(metrics);
  const kept = metrics.counter(
    'docsctl_sites_kept_answers_total',
    'Requests to sites that could be answered again without the store: hit if they were, else miss.',
    ['result'],
  );
  const running = new Map<string, number>();
  metrics.gauge({ name: 'docsctl_jobs_running', help: 'Jobs that this process runs.', names: ['kind'] }, () =>
    [...running].map(([kind, count]) => [[kind], count]),
  );
  const add = (kind: string, by: number): void => void running.set(kind, (running.get(kind) ?? 0) + by);
  const ends = metrics.counter(
    'docsctl_jobs_ended_total',
    'Jobs that this process ran, by how they ended: done, again (repeated), later (retried), failed, lost or stopped.',
    ['kind', 'end'],
  );
  const duration = metrics.histogram('docsctl_job_duration_seconds', 'Time of jobs.', ['kind'], bounds);
  if (tls !== undefined)
    metrics.gauge(
      {
        name: 'docsctl_tls_certificate_expiry_seconds',
        help: 'When the certificate expires, in seconds since 1970.',
        isOfProcess: true,
      },
      () => [[[], tls.expires() / 1000]],
    );
  addProcessMetrics(metrics, version);
  return {
    text: () => metrics.text(),
    families: () => metrics.families(),
    requests,
    measureStore,
    watchQueues: ({ store, clock }) => addQueueMetrics(metrics, () => store, clock),
    watchThreads: (threads) => {
      metrics.gauge(
        { name: 'docsctl_threads', help: 'Threads for calls that take long and for jobs.' },
        () => [[[], threads.count().threads]],
      );
      metrics.gauge(
        {
          name: 'docsctl_thread_calls',
          help: 'Calls that threads do, and calls that wait for one.',
          names: ['state'],
        },
        () => {
          const { calls, waiting } = threads.count();
          return [
            [['running'], calls],
            [['waiting'], waiting],
          ];
        },
      );
      metrics.gauge(
        { name: 'docsctl_thread_calls_total', help: 'Calls that threads got.', type: 'counter' },
        () => [[[], threads.count().total]],
      );
    },
    watchSites: ({ cached }) =>
      metrics.gauge(
        {
          name: 'docsctl_sites_cache_bytes',
          help: 'Bytes of memory that cached pages (with PDFs and full texts) and cached replies of sites use.',
          names: ['kind'],
        },
        () => Object.entries(cached()).map(([kind, size]) => [[kind], size]),
      ),
    countKept: (result) => kept.add([result]),
    claimed: ({ kind }) => add(kind, 1),
    ended: ({ kind, claimedAt }, { end = 'done' }) => {
      add(kind, -1);
      ends.add([kind, end]);
      duration.observe([kind], (performance.now() - claimedAt) / 1000);
    },
  };
}
