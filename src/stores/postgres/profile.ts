/** The databases with the protocol of PostgreSQL that differ in what docsctl may send. */
type Product = 'PostgreSQL' | 'Amazon Aurora' | 'Citus' | 'CockroachDB' | 'YugabyteDB';

export interface Features {
  /** Whether writes of an organization wait for each other with advisory locks. */
  readonly lanes: boolean;
  /** Whether statements are sent without waiting for the answer to the one before. */
  readonly pipeline: boolean;
  /** Whether statements are prepared and kept by the server. */
  readonly prepare: boolean;
}

/** How databases differ in the statements that create tables. */
export interface Dialect {
  /** The type of columns with texts that sort by their bytes. */
  readonly text: string;
  /** What the index of the full-text search is; undefined if a search looks at all rows of its groups. */
  readonly words: string | undefined;
  /**
   * Whether the words of a search are hidden from the planner. If it saw that most rows have a word, it would read all rows and
   * unpack the stems of each, instead of asking the index.
   */
  readonly hidesWords: boolean;
  /** Whether tables can say which columns are stored apart from the rows, and which are compressed. */
  readonly storage: boolean;
}

/** How the database of a store is used. */
export interface Profile extends Features {
  readonly product: Product;
  /** Such as "15.14"; empty if the database does not say it. */
  readonly version: string;
  /** Whether a pooler such as PgBouncer is between docsctl and the database. */
  readonly pooled: boolean;
  /** Whether the snapshots of two statements tell if something was committed between them. */
  readonly stamps: boolean;
  readonly dialect: Dialect;
}

export interface ServerFacts {
  /** The text of `version()`. */
  readonly version: string;
  readonly isAurora: boolean;
  readonly isCitus: boolean;
  /** Whether settings of a connection do not reach the session. */
  readonly isPooled: boolean;
}

/** Milliseconds that a connection with lanes waits for a lock. After that the transaction is repeated. */
const lockTimeout = 5_000;
/**
 * The setting that new connections ask for. Nobody waits forever for the lane of a process that hangs. Poolers refuse or ignore
 * it, which shows that there is one: behind it, locks of a session and prepared statements would be lost or never be released.
 */
export const sessionOptions = `-c lock_timeout=${lockTimeout}`;

/** The statement that asks a server what it is. */
export const factsStatement = `SELECT version(), current_setting('lock_timeout', true),
  EXISTS (SELECT 1 FROM pg_proc WHERE proname = 'aurora_version'), EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus')`;

/** Turns the answer to `factsStatement` into facts. `hasOptions`: the connection asked for `sessionOptions`. */
export function factsOf(row: readonly (string | null)[], hasOptions: boolean): ServerFacts {
  const [version, timeout, aurora, citus] = row;
  return {
    version: version ?? '',
    isAurora: aurora === 't',
    isCitus: citus === 't',
    isPooled: hasOptions && !/^5(s|000)/.test(timeout ?? ''),
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

/** By product: whether session locks work there, and what its tables consist of. */
const products: Readonly<Record<Product, { readonly lanes: boolean; readonly dialect: Dialect }>> = {
  PostgreSQL: { lanes: true, dialect: standard },
  'Amazon Aurora': { lanes: true, dialect: standard },
  Citus: { lanes: true, dialect: standard },
  // Texts always sort by their bytes, and columns refuse this collation. Indexes have no setting fastupdate.
  CockroachDB: {
    lanes: false,
    dialect: { text: 'text', words: 'USING gin (w_stems)', hidesWords: false, storage: false },
  },
  // GIN indexes fail searches for one of several words.
  YugabyteDB: {
    lanes: false,
    dialect: { text: standard.text, words: undefined, hidesWords: false, storage: false },
  },
};

/** Chooses how a server is used. What the URL of the store says wins. */
export function chooseProfile(facts: ServerFacts, explicit: Partial<Features>): Profile {
  const product = productOf(facts);
  const { lanes, dialect } = products[product];
  const pooled = facts.isPooled;
  const version = /(?:CockroachDB.* v|PostgreSQL (?:.*-YB-)?)(\d[\d.]*)/.exec(facts.version)?.[1] ?? '';
  return {
    product,
    version,
    pooled,
    // A pooler may change the server behind a connection, and so may Aurora. If the URL has lanes=off, a pooler is not noticed.
    stamps: product === 'PostgreSQL' && parseInt(version) >= 13 && !pooled && explicit.lanes !== false,
    lanes: explicit.lanes ?? (lanes && !pooled),
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
