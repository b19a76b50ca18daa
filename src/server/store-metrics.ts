import { waitAtMost } from '../contract/wait-at-most.ts';
import { jobs, type JobRow } from '../core/rows/jobs.ts';
import type { ReadTransaction, Store } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { integrationEvents } from '../resources/integration-events/rows.ts';
import type { Metrics, Sample } from './metrics.ts';

/** Upper bounds of the durations of transactions, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Adds the metrics of transactions, and returns a function that wraps a store to measure its transactions. */
export function addStoreMetrics(metrics: Metrics): (store: Store) => Store {
  const duration = metrics.histogram(
    'docsctl_store_transaction_duration_seconds',
    'Time of transactions, with the time that they waited for others.',
    ['kind'],
    bounds,
  );
  const errors = metrics.counter(
    'docsctl_store_errors_total',
    'Transactions that failed because the store was busy or broken.',
    ['kind', 'reason'],
  );
  const measured = async <T>(kind: 'read' | 'write', work: Promise<T>): Promise<T> => {
    const since = performance.now();
    try {
      return await work;
    } catch (error) {
      const reason = error instanceof Problem ? error.reason : undefined;
      if (reason === 'store-busy' || reason === 'store-failed')
        errors.add([kind, reason.slice('store-'.length)]);
      throw error;
    } finally {
      duration.observe([kind], (performance.now() - since) / 1000);
    }
  };
  return (store) => ({
    ...store,
    read: (...given) => measured('read', store.read(...given)),
    write: (...given) => measured('write', store.write(...given)),
  });
}

/** Maximum number of jobs of a queue that are read, the oldest first. */
const maxJobs = 2000;
const maxQueues = 200;
/** Milliseconds that the metrics wait for the store. Prometheus waits 10 seconds for all metrics. */
const maxWait = 2000;

/** Adds the metrics of the jobs and of the integration events that wait in a store. */
export function addQueueMetrics(
  metrics: Metrics,
  store: () => Pick<Store, 'read'>,
  clock: () => number,
): void {
  let latest: Promise<Queues> | undefined;
  // All metrics of one answer come from the same read. The other metrics are needed most when the store is broken or silent.
  const read = (): Promise<Queues> => {
    const none = (): Queues => ({ counts: [], states: [], oldest: [], oldestEvents: [] });
    latest ??= waitAtMost(
      maxWait,
      store()
        .read((view) => readQueues(view, clock()))
        .catch(none)
        .finally(() => {
          latest = undefined;
        }),
      none,
    );
    return latest;
  };
  metrics.gauge(
    {
      name: 'docsctl_jobs_queued',
      help: 'Jobs in the store: open, or failed for good.',
      names: ['queue'],
    },
    async () => (await read()).counts,
  );
  metrics.gauge(
    {
      name: 'docsctl_jobs',
      help: `Jobs by kind and state, of the first ${maxJobs} open and failed ones.`,
      names: ['kind', 'state'],
    },
    async () => (await read()).states,
  );
  metrics.gauge(
    {
      name: 'docsctl_jobs_due_oldest_seconds',
      help: 'How long the oldest job of each kind has been due without being run.',
      names: ['kind'],
    },
    async () => (await read()).oldest,
  );
  metrics.gauge(
    {
      name: 'docsctl_integration_events_oldest_seconds',
      help: `Age of the oldest event that waits for its delivery to an integration, of ${maxQueues} queues.`,
    },
    async () => (await read()).oldestEvents,
  );
}

interface Queues {
  readonly counts: readonly Sample[];
  readonly states: readonly Sample[];
  readonly oldest: readonly Sample[];
  readonly oldestEvents: readonly Sample[];
}

async function readQueues(view: ReadTransaction, time: number): Promise<Queues> {
  const now = new Date(time).toISOString();
  const ageOf = (since: string): number => Math.max(0, (time - Date.parse(since)) / 1000);
  const find = (queue: JobRow['queue']) =>
    view.find(jobs, { index: 'byDue', equals: [queue], limit: maxJobs });
  const [open, failed] = [await find('open'), await find('failed')];
  const states = new Map<string, number>();
  const oldest = new Map<string, number>();
  for (const { kind, queue, dueAt, owner } of [...open, ...failed]) {
    const isDue = dueAt <= now;
    const state = queue === 'failed' ? 'failed' : isDue ? 'due' : owner === null ? 'waiting' : 'running';
    states.set(`${kind} ${state}`, (states.get(`${kind} ${state}`) ?? 0) + 1);
    if (state === 'due') oldest.set(kind, Math.max(oldest.get(kind) ?? 0, ageOf(dueAt)));
  }
  const queues = open.filter(({ kind }) => kind === 'events').slice(0, maxQueues);
  let oldestEvent = 0;
  for (const { subject } of queues) {
    const [event] = await view.find(integrationEvents, { index: 'byQueue', equals: [subject], limit: 1 });
    if (event !== undefined) oldestEvent = Math.max(oldestEvent, ageOf(event.createdAt));
  }
  return {
    counts: [
      [['open'], await view.count(jobs, 'byDue', ['open'])],
      [['failed'], await view.count(jobs, 'byDue', ['failed'])],
    ],
    states: [...states].map(([key, count]) => [key.split(' '), count]),
    oldest: [...oldest].map(([kind, age]) => [[kind], age]),
    oldestEvents: [[[], oldestEvent]],
  };
}
