import type { Connections } from './connections.ts';

/**
 * The snapshot of the statement, as `xmin:xmax:xip`. It lists which transactions with an ID have ended: those before `xmax` that are
 * not in `xip`. A transaction that changes something has an ID from its first change on, and the list becomes another one when it
 * commits, before that is acknowledged. So while the text stays the same, nothing has become visible. A standby lists the
 * transactions in another way, and a server that was started again may have lost some and give their IDs to others.
 * See "Snapshot Functions" in the manual of PostgreSQL.
 */
const statement = 'SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_snapshot()::text END';

/**
 * Tells whether something in a database was changed. Changes of other databases of the same server look like changes of this one.
 * All statements are sent over one connection, which a restart of the server ends.
 */
export class SnapshotStamp {
  readonly #connections: Pick<Connections, 'queryOnOne'>;
  /** The statement that was sent last, and the one that follows for all who asked meanwhile. */
  #sent: Promise<unknown> = Promise.resolve();
  #next: Promise<string | undefined> | undefined;

  constructor(connections: Pick<Connections, 'queryOnOne'>) {
    this.#connections = connections;
  }

  /** Returns a text that differs after every change that was committed before the call; undefined if it cannot be told now. */
  read(): Promise<string | undefined> {
    return (this.#next ??= this.#sent.then(() => {
      this.#next = undefined;
      const sent = this.#ask();
      this.#sent = sent;
      return sent;
    }));
  }

  async #ask(): Promise<string | undefined> {
    try {
      const { answer, connection } = await this.#connections.queryOnOne(statement);
      const snapshot = answer[0]?.[0];
      return typeof snapshot === 'string' ? `${connection} ${snapshot}` : undefined;
    } catch {
      // Whatever is read instead says what has failed.
      return undefined;
    }
  }
}
