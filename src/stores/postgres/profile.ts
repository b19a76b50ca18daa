/** The products with the protocol of PostgreSQL that docsctl distinguishes. */
type Product = 'PostgreSQL' | 'Amazon Aurora' | 'Citus' | 'CockroachDB' | 'YugabyteDB';

export interface Features {
  /** Whether writes of an organization wait for each other with advisory locks. */
  readonly lanes: boolean;
  /** Whether statements are sent without waiting for the previous answer. */
  readonly pipeline: boolean;
  /** Whether statements are prepared on the server. */
  readonly prepare: boolean;
}

/** The differences between products in the statements that create tables. */
export interface Dialect {
  /** The type of columns whose texts sort by their bytes. */
  readonly text: string;
  /** The type of the index for the full-text search; undefined if a search scans all rows of its groups. */
  readonly words: string | undefined;
  /**
   * Whether the words of a search are hidden from the planner. Otherwise, if most rows have a word, the planner would read all
   * rows and unpack the stems of each, instead of using the index.
   */
  readonly hidesWords: boolean;
  /** Whether tables support storage settings: columns that are stored outside of the row, or compressed. */
  readonly storage: boolean;
}

/** The features of a database that docsctl uses. */
export interface Profile extends Features {
  readonly product: Product;
  /** For example "15.14"; empty if the database does not report it. */
  readonly version: string;
  /** Whether a pooler such as PgBouncer is between docsctl and the database. */
  readonly pooled: boolean;
  /**
   * How the processes share lanes: with locks of sessions, or with locks of transactions, which work behind a pooler. Undefined if
   * they do not.
   */
  readonly laneLocks: 'session' | 'transaction' | undefined;
  /** Whether a change of the snapshot shows that something was committed. */
  readonly stamps: boolean;
  readonly dialect: Dialect;
}

export interface ServerFacts {
  /** The text of `version()`. */
  readonly version: string;
  readonly isAurora: boolean;
  readonly isCitus: boolean;
  /** Whether the database ignores the settings of a connection. */
  readonly isPooled: boolean;
}

/**
 * Milliseconds that a connection with lanes waits for a lock. After that the transaction is retried. No administrator sets this
 * value for a database or a user, so it shows that the database got it from the connection.
 */
export const lockTimeout = 5_003;
/**
 * The setting that new connections request. It limits the wait for the lane of a process that hangs. Poolers refuse or ignore it,
 * which reveals them. Behind a pooler, session locks and prepared statements would be lost or never released.
 */
export const sessionOptions = `-c lock_timeout=${lockTimeout}`;

/** The statement that asks a server for its product, version and settings. */
export const factsStatement = `SELECT version(), current_setting('lock_timeout', true),
  EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'aurora_version'), EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')`;

/** Parses the answer to `factsStatement`. `hasOptions`: the connection requested `sessionOptions`. */
export function factsOf(row: readonly (string | null)[], hasOptions: boolean): ServerFacts {
  const [version, timeout, aurora, citus] = row;
  return {
    version: version ?? '',
    isAurora: aurora === 't',
    isCitus: citus === 't',
    isPooled: hasOptions && parseInt(timeout ?? '') !== lockTimeout,
  };
}

/** Whether a pooler refused a connection because of `sessionOptions`. */
export function isRefusalOfOptions(error: unknown): boolean {
  return error instanceof Error && /startup parameter|command-line options/i.test(error.message);
}

const standard: Dialect = {
  text: 'text COLLATE "C"',
  words: 'USING gin (w_stems) WITH (fastupdate = off)',
  hidesWords: true,
  storage: true,
};

/** For each product: whether session locks work, and its dialect. */
const products: Readonly<Record<Product, { readonly lanes: boolean; readonly dialect: Dialect }>> = {
  PostgreSQL: { lanes: true, dialect: standard },
  'Amazon Aurora': { lanes: true, dialect: standard },
  Citus: { lanes: true, dialect: standard },
  // Texts always sort by their bytes, and columns do not accept this collation. Indexes have no setting fastupdate.
  CockroachDB: {
    lanes: false,
    dialect: { text: 'text', words: 'USING gin (w_stems)', hidesWords: false, storage: false },
  },
  // With GIN indexes, searches for one of several words fail.
  YugabyteDB: {
    lanes: false,
    dialect: { text: standard.text, words: undefined, hidesWords: false, storage: false },
  },
};

/** Chooses how to use a server. Settings in the URL of the store take precedence. */
export function chooseProfile(facts: ServerFacts, explicit: Partial<Features>): Profile {
  const product = productOf(facts);
  const { lanes, dialect } = products[product];
  const pooled = facts.isPooled;
  const version = /(?:CockroachDB.* v|PostgreSQL (?:.*-YB-)?)(\d[\d.]*)/.exec(facts.version)?.[1] ?? '';
  const hasSessions = explicit.lanes ?? (lanes && !pooled);
  const hasTransactions = explicit.lanes === undefined && lanes && version !== '';
  return {
    product,
    version,
    pooled,
    laneLocks: hasSessions ? 'session' : hasTransactions ? 'transaction' : undefined,
    // A pooler may change the server behind a connection, and so may Aurora. With lanes=off in the URL, a pooler is not detected.
    stamps: product === 'PostgreSQL' && parseInt(version) >= 13 && !pooled && explicit.lanes !== false,
    lanes: hasSessions,
    pipeline: explicit.pipeline ?? !pooled,
    prepare: explicit.prepare ?? !pooled,
    dialect,
  };
}

function productOf({ version, isAurora, isCitus }: ServerFacts): Product {
  if (version.startsWith('CockroachDB')) return 'CockroachDB';
  if (version.includes('-YB-')) return 'YugabyteDB';
  if (isAurora) return 'Amazon Aurora';
  return isCitus ? 'Citus' : 'PostgreSQL';
}
