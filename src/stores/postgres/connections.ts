import { nextTick } from 'node:process';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { DatabaseError } from './failures.ts';
import { sessionOptions, type Features } from './profile.ts';
import type { PostgresSettings } from './settings.ts';
import { waitAtMost } from '../../contract/wait-at-most.ts';

/** A parameter of a statement. Arrays become arrays of PostgreSQL. A buffer is a value in binary form; see `textArray`. */
export type Value = string | number | null | readonly (string | number | null)[] | Buffer;
/** The rows of an answer: the columns as texts. */
export type Answer = readonly (readonly (string | null)[])[];

/** Number of connections that transactions share for single statements. */
const maxShared = 2;

/** Milliseconds to wait for a connection. */
const connectTimeout = 10_000;

/** Keeps all values as texts, as PostgreSQL sends them. */
const types = { getTypeParser: () => (value: string) => value };

/** The connections of this process to a database. No other file uses the pg package. */
export class Connections {
  /** Whether statements are sent without waiting for the previous answer. */
  readonly isPipelined: boolean;
  readonly #pool: pg.Pool;
  readonly #names = new Map<string, string>();
  readonly #prepare: boolean;
  readonly #shared: (Promise<Lease> | undefined)[] = [];
  #statements = 0;
  #leases = 0;

  constructor(
    { connection, connections, options: given }: PostgresSettings,
    { pipeline, prepare, lanes }: Features,
  ) {
    this.isPipelined = pipeline;
    this.#prepare = prepare;
    const sessionSettings = [given, lanes ? sessionOptions : undefined].filter((text) => text !== undefined);
    const options: pg.PoolConfig & { readonly pipeline: boolean } = {
      connectionString: connection,
      max: connections + maxShared + 1,
      connectionTimeoutMillis: connectTimeout,
      application_name: 'docsctl',
      keepAlive: true,
      allowExitOnIdle: true,
      types,
      pipeline,
      ...(sessionSettings.length === 0 ? {} : { options: sessionSettings.join(' ') }),
    };
    this.#pool = new pg.Pool(options);
    // A failed connection is not used again. Statements that wait for its answers get the error.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => void client.on('error', () => {}));
  }

  /** Returns a connection for one transaction, when one is free. It must be released. */
  async lease(): Promise<Lease> {
    try {
      const client = await this.#pool.connect();
      return new Lease(this, client, ++this.#leases);
    } catch (error) {
      throw new DatabaseError(error);
    }
  }

  /** Runs the work on a connection, and releases it. */
  async use<T>(work: (lease: Lease) => Promise<T>): Promise<T> {
    const lease = await this.lease();
    try {
      const result = await work(lease);
      lease.release();
      return result;
    } catch (error) {
      lease.release(error);
      throw error;
    }
  }

  /**
   * Runs a statement outside of a transaction, on a connection that others use at the same time. Each statement has its own
   * snapshot.
   */
  query(sql: string, values: readonly Value[]): Promise<Answer> {
    return this.#queryShared(this.#statements % maxShared, (lease) => lease.query(sql, values));
  }

  /**
   * Runs a statement on a connection that is used only for such statements. The connection is replaced if it gives no answer
   * within `timeout` milliseconds. A new connection has another `connection` number.
   */
  queryOnOne(
    sql: string,
    timeout: number,
  ): Promise<{ readonly answer: Answer; readonly connection: number }> {
    return this.#queryShared(maxShared, async (lease) => {
      const answer = await waitAtMost(timeout, lease.query(sql), () => {
        throw new DatabaseError(new Error('The database is silent.'));
      });
      return { answer, connection: lease.number };
    });
  }

  async #queryShared<T>(at: number, run: (lease: Lease) => Promise<T>): Promise<T> {
    const opened = (this.#shared[at] ??= this.lease());
    try {
      return await run(await opened);
    } catch (error) {
      if (error instanceof DatabaseError && error.isLost && this.#shared[at] === opened) {
        this.#shared[at] = undefined;
        opened.then(
          (lease) => lease.release(error),
          () => {},
        );
      }
      throw error;
    }
  }

  /** Waits for the pending statements, and closes all connections. */
  async close(): Promise<void> {
    for (const opened of this.#shared) (await opened?.catch(() => undefined))?.release();
    await this.#pool.end();
  }

  /** Returns the name that a statement is prepared with; undefined if statements are not prepared. */
  nameOf(sql: string, isPrepared: boolean): string | undefined {
    this.#statements += 1;
    if (!this.#prepare || !isPrepared) return undefined;
    let name = this.#names.get(sql);
    if (name === undefined) this.#names.set(sql, (name = `d${this.#names.size}`));
    return name;
  }
}

/** A connection that belongs to one transaction. */
export class Lease {
  /** A number that is unique among leases. */
  readonly number: number;
  readonly #connections: Connections;
  readonly #client: pg.PoolClient;
  /** Resolves when the pending statements have ended, for connections without pipelining. */
  #ended: Promise<unknown> = Promise.resolve();

  constructor(connections: Connections, client: pg.PoolClient, number: number) {
    this.number = number;
    this.#connections = connections;
    this.#client = client;
  }

  /**
   * Sends a statement and returns its rows. Statements run in the order in which they are sent. Set `isPrepared` to false for
   * statements that have many forms.
   */
  async query(sql: string, values: readonly Value[] = [], isPrepared = true): Promise<Answer> {
    const name = this.#connections.nameOf(sql, isPrepared);
    try {
      const result = await this.#send(() =>
        this.#client.query({
          ...(name === undefined ? {} : { name }),
          text: sql,
          values: values as unknown[],
          rowMode: 'array',
        }),
      );
      return result.rows as Answer;
    } catch (error) {
      throw new DatabaseError(error);
    }
  }

  /** Runs several statements that are sent together, and returns the rows of the last one. */
  async script(sql: string): Promise<Answer> {
    try {
      const results = await this.#send(() => this.#client.query({ text: sql, rowMode: 'array' }));
      return ([results].flat().at(-1)?.rows ?? []) as Answer;
    } catch (error) {
      throw new DatabaseError(error);
    }
  }

  /** Runs a statement without parameters, and returns its command tag, such as COMMIT. */
  async command(sql: string): Promise<string> {
    try {
      return (await this.#send(() => this.#client.query(sql))).command;
    } catch (error) {
      throw new DatabaseError(error);
    }
  }

  /** Returns the connection to the pool after the pending statements. With an error of the network it is closed. */
  release(error?: unknown): void {
    const release = (): void => this.#client.release(error === undefined ? undefined : (error as Error));
    if (this.#connections.isPipelined) release();
    else void this.#ended.then(release);
  }

  #send<T>(statement: () => Promise<T>): Promise<T> {
    if (this.#connections.isPipelined) {
      sendTogether(this.#client);
      return statement();
    }
    const result = this.#ended.then(statement);
    this.#ended = result.catch(() => undefined);
    return result;
  }
}

/** Sends all statements of this turn of the event loop in one packet. */
function sendTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  nextTick(() => stream.uncork());
}
