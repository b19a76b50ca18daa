import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import type { Store } from '../../core/store.ts';
import { RwLock } from '../../stores/rw-lock.ts';
import { parseStoreUrl } from '../../stores/url.ts';
import type { ThreadData } from './messages.ts';
import type { Port, WriteTurn } from './thread.ts';
import { createThreads, type Threads } from './threads.ts';

declare const DOCSCTL_VERSION: string | undefined;

interface PreparedThreads {
  /** Undefined if the server cannot use threads. */
  readonly threads: Threads | undefined;
  /** Wraps the store for the other calls of the server. */
  readonly wrapStore: (store: Store) => Store;
}

/**
 * Memory of a thread for new objects, in MiB. The default is four times as much, but does not make reading whole spaces faster.
 */
const maxYoungGenerationSizeMb = 12;

/**
 * Prepares the threads of a server. There are none if only one connection may use the store (in memory, or a JSON file), or if
 * the program is not bundled.
 */
export function prepareThreads(data: ThreadData): PreparedThreads {
  const { scheme } = parseStoreUrl(data.storeUrl);
  if (typeof DOCSCTL_VERSION === 'undefined' || (scheme !== 'sqlite' && scheme !== 'postgres'))
    return { threads: undefined, wrapStore: (store) => store };
  const program = fileURLToPath(new URL('main.js', import.meta.url));
  const start = (maxMegabytes: number): Port => {
    const worker = new Worker(`require(${JSON.stringify(program)}).startThread(process)`, {
      eval: true,
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: maxMegabytes, maxYoungGenerationSizeMb },
    });
    // Idle threads do not keep the process running.
    worker.unref();
    return worker;
  };
  const max = Math.min(4, Math.max(2, availableParallelism() - 1));
  // A SQLite file has one lock for writes, which a thread releases only for an instant between two writes. So threads take turns
  // with this thread.
  const turns = new RwLock();
  const takeTurn: WriteTurn = scheme === 'sqlite' ? (work) => turns.exclusive(work) : (work) => work();
  const threads = createThreads({ start, max, takeTurn });
  const wrapStore = (store: Store): Store => ({
    ...store,
    write: (work, options) =>
      threads.count().threads === 0
        ? store.write(work, options)
        : turns.shared(() => store.write(work, options)),
  });
  return { threads, wrapStore: scheme === 'sqlite' ? wrapStore : (store) => store };
}
