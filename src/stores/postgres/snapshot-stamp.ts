import type { Connections } from './connections.ts';
import { waitAtMost } from '../../contract/wait-at-most.ts';

/**
 * Returns the current snapshot as `xmin:xmax:xip`. A transaction gets an ID with its first change. The snapshot shows which
 * transactions have ended: those before `xmax` that are not in `xip`. When a transaction commits, the snapshot changes before the
 * commit is acknowledged. So if the text is the same, no change has become visible. The stamp is not used on a standby, which
 * lists transactions in another way. A server that was restarted may have lost transactions and may use their IDs again. See
 * "Snapshot Functions" in the manual of PostgreSQL.
 */
const statement = 'SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_snapshot()::text END';

/** Milliseconds to wait for the stamp. Without a stamp, caches are not used. */
const maxWait = 1000;

/** Waits until all requests that have arrived are read, so that they share a statement. */
const turnEnds = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/**
 * Detects changes in a database. Changes in other databases of the same server look like changes in this one. All statements use
 * one connection, which ends when the server restarts.
 */
export class SnapshotStamp {
  readonly #connections: Pick<Connections, 'queryOnOne'>;
  /** The last statement that was sent. `#next` is the following one, which all calls share that arrive before it is sent. */
  #sent: Promise<unknown> = Promise.resolve();
  #next: Promise<string | undefined> | undefined;

  constructor(connections: Pick<Connections, 'queryOnOne'>) {
    this.#connections = connections;
  }

  /**
   * Returns a text that differs after every change that was committed before the call; undefined if the database does not answer.
   */
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
      // The timeout includes the time for connecting.
      const work = this.#connections.queryOnOne(statement, maxWait);
      const asked = await waitAtMost(maxWait, work, () => undefined);
      const snapshot = asked?.answer[0]?.[0];
      return typeof snapshot === 'string' ? `${asked?.connection} ${snapshot}` : undefined;
    } catch {
      // The caller then reads the database without a stamp, and that read reports the failure.
      return undefined;
    }
  }
}
