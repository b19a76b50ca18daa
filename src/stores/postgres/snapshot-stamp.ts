import type { Connections } from './connections.ts';
import { waitAtMost } from '../../contract/wait-at-most.ts';

/**
 * The snapshot of the statement, as `xmin:xmax:xip`. It tells which transactions with an ID have ended: those before `xmax` that
 * are not in `xip`. A transaction gets an ID with its first change. When it commits, the snapshot changes before the commit is
 * acknowledged. While the text stays the same, no change has become visible. A standby lists the transactions in another way, and a
 * server that was restarted may have lost some transactions and may give their IDs to others. See "Snapshot Functions" in the
 * manual of PostgreSQL.
 */
const statement = 'SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_snapshot()::text END';

/** Milliseconds to wait for an answer. Without one, everything is read instead. */
const maxWait = 1000;

/** Waits until all requests that have arrived are read, so that they share a statement. */
const turnEnds = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Tells whether something in a database was changed. Changes of other databases of the same server look like changes of this one.
 * All statements are sent over one connection, which a restart of the server ends.
 */
export class SnapshotStamp {
  readonly #connections: Pick<Connections, 'queryOnOne'>;
  /** The statement that was sent last, and the next one, which answers all calls that arrive until it is sent. */
  #sent: Promise<unknown> = Promise.resolve();
  #next: Promise<string | undefined> | undefined;

  constructor(connections: Pick<Connections, 'queryOnOne'>) {
    this.#connections = connections;
  }

  /** Returns a text that differs after every change that was committed before the call; undefined if there is no answer now. */
  read(): Promise<string | undefined> {
    return (this.#next ??= this.#sent.then(turnEnds).then(() => {
      this.#next = undefined;
      const sent = this.#ask();
      this.#sent = sent;
      return sent;
    }));
  }

  async #ask(): Promise<string | undefined> {
    try {
      // Connecting may take longer than an answer may.
      const work = this.#connections.queryOnOne(statement, maxWait);
      const asked = await waitAtMost(maxWait, work, () => undefined);
      const snapshot = asked?.answer[0]?.[0];
      return typeof snapshot === 'string' ? `${asked?.connection} ${snapshot}` : undefined;
    } catch {
      // The read that is done instead reports what has failed.
      return undefined;
    }
  }
}
