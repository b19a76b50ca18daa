import type { ReadTransaction } from '../../core/store.ts';
import { withView } from '../memory.ts';
import { RowCache } from '../row-cache.ts';
import { ReadView } from '../view.ts';
import type { Database } from './connection.ts';
import type { SqliteFile } from './file.ts';
import { SqliteRows } from './rows.ts';
import { Session } from './session.ts';

/** Maximum number of snapshots that are read at the same time. Further reads wait. */
const maxSessions = 4;

/** A read that waits for a snapshot. It never rejects. */
type WaitingRead = (begin: () => ReadView) => Promise<void>;

interface Reader {
  readonly session: Session;
  readonly cache: RowCache;
}

/**
 * The reads of this process. Reads that arrive in one turn of the event loop share one snapshot, which is taken after the last of
 * them has arrived. Reads that arrive while others are running get a new snapshot.
 */
export class SqliteReads {
  readonly #file: SqliteFile;
  readonly #spare: () => Database | undefined;
  readonly #idle: Reader[] = [];
  #sessions = 0;
  #waiting: WaitingRead[] = [];
  #isDue = false;
  #closed: (() => void) | undefined;

  /** `spare` returns an open connection that can be used, if there is one. */
  constructor(file: SqliteFile, spare: () => Database | undefined) {
    this.#file = file;
    this.#spare = spare;
  }

  /** Runs the work on a snapshot of what was committed when this was called, or later. */
  read<T>(work: (view: ReadTransaction) => Promise<T>): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(new Error('The store is closed.'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(async (begin) => {
        try {
          resolve(await withView(begin(), work));
        } catch (error) {
          reject(error);
        }
      });
      this.#start();
    });
  }

  /**
   * Refuses new reads, waits for the open ones, and closes the connections. If reads are still open after `timeout` milliseconds
   * (default: no limit), it accepts reads again, and returns false.
   */
  async close(timeout?: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const hasEnded = await new Promise<boolean>((resolve) => {
      this.#closed = () => resolve(true);
      if (timeout !== undefined) timer = setTimeout(() => resolve(false), timeout);
      this.#endIfClosed();
    });
    clearTimeout(timer);
    if (hasEnded) for (const { session } of this.#idle) session.close();
    else this.#closed = undefined;
    return hasEnded;
  }

  /** Starts the waiting reads at the end of this turn of the event loop. */
  #start(): void {
    if (this.#isDue || this.#waiting.length === 0) return;
    if (this.#idle.length === 0 && this.#sessions === maxSessions) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const reader = this.#idle.pop() ?? this.#open();
      const group = this.#waiting;
      this.#waiting = [];
      void this.#run(reader, group).then(() => {
        this.#idle.push(reader);
        this.#start();
        this.#endIfClosed();
      });
    });
  }

  #open(): Reader {
    this.#sessions++;
    return { session: new Session(this.#file, this.#spare), cache: new RowCache() };
  }

  async #run({ session, cache }: Reader, group: readonly WaitingRead[]): Promise<void> {
    let begin: () => ReadView;
    try {
      const database = await session.begin('DEFERRED');
      // SQLite counts in data_version the commits of other connections. This connection only reads.
      const [version] = database.get<[number]>('PRAGMA data_version') ?? [];
      cache.keepFor(`${session.connections} ${version}`);
      const rows = new SqliteRows(database);
      begin = () => new ReadView(this.#file.layouts, rows, cache);
    } catch (error) {
      begin = () => {
        throw error;
      };
    }
    await Promise.all(group.map((read) => read(begin)));
    session.rollback();
  }

  #endIfClosed(): void {
    if (this.#idle.length === this.#sessions && this.#waiting.length === 0) this.#closed?.();
  }
}
