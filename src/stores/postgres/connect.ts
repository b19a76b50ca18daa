import { Connections, type Lease } from './connections.ts';
import { Problem } from '../../errors/problem.ts';
import { databaseFailure } from './failures.ts';
import {
  chooseProfile,
  factsOf,
  factsStatement,
  isRefusalOfOptions,
  type Dialect,
  type Features,
  type Profile,
  type ServerFacts,
} from './profile.ts';
import type { PostgresSettings } from './settings.ts';

/** A connected store, and the result of the first statements. */
interface Connected<T> {
  readonly connections: Connections;
  readonly profile: Profile;
  readonly first: T;
}

/**
 * Connects to a database, detects its product and version, and does the first work on the same connection. The statements take
 * one round trip. A second connection is made only behind a pooler whose features the URL does not set.
 *
 * @throws DatabaseError; Problem(invalid-input) if the URL configures locks that do not work behind the pooler
 */
export async function connect<T>(
  settings: PostgresSettings,
  work: (lease: Lease) => Promise<T>,
): Promise<Connected<T>> {
  const { explicit } = settings;
  const attempt = async (features: Features) => {
    const connections = new Connections(settings, features);
    try {
      const [[answer], first] = await connections.use((lease) =>
        Promise.all([lease.query(factsStatement, [], false), work(lease)]),
      );
      return { connections, features, first, facts: factsOf(answer ?? [], features.lanes) };
    } catch (error) {
      await connections.close();
      throw error;
    }
  };
  const pooled: Features = { lanes: false, pipeline: false, prepare: false, ...explicit };
  let facts: ServerFacts | undefined;
  let found;
  try {
    found = await attempt({ lanes: true, pipeline: true, prepare: true, ...explicit });
  } catch (error) {
    if (explicit.lanes !== undefined || !isRefusalOfOptions(error)) throw error;
    found = await attempt(pooled);
    facts = { ...found.facts, isPooled: true };
  }
  const profile = chooseProfile(facts ?? found.facts, explicit);
  let { connections } = found;
  if (profile.pipeline !== found.features.pipeline || profile.prepare !== found.features.prepare) {
    await connections.close();
    connections = new Connections(settings, pooled);
  }
  if (profile.pooled && profile.lanes)
    await requireSessions(connections).catch(async (error: unknown) => {
      await connections.close();
      throw error;
    });
  return { connections, profile, first: found.first };
}

/**
 * Checks that a pooler keeps one connection to the database for each client. Otherwise, session locks would stay in connections
 * that it gives to other clients, and nobody would release them.
 */
async function requireSessions(connections: Connections): Promise<void> {
  const processOf = async (lease: Lease) => (await lease.query('SELECT pg_backend_pid()', [], false))[0]?.[0];
  const isKept = await connections.use((lease) =>
    connections.use(async (other) => {
      const kept = await processOf(lease);
      await other.command('BEGIN');
      const isOwn = (await processOf(other)) !== kept && (await processOf(lease)) === kept;
      await other.command('COMMIT');
      return isOwn;
    }),
  );
  if (isKept) return;
  throw new Problem(
    'invalid-input',
    'The URL of the store has lanes=on, but the pooler gives connections to other clients after each transaction.',
    { hint: 'Remove lanes=on from the URL, or set the pooler to session mode.' },
  );
}

/** Runs the work on a separate connection to a database. @throws Problem(store-busy), Problem(store-failed) */
export async function useDatabase(
  settings: PostgresSettings,
  work: (connections: Connections, dialect: Dialect) => Promise<void>,
): Promise<void> {
  try {
    const { connections, profile } = await connect(settings, async () => {});
    try {
      await work(connections, profile.dialect);
    } finally {
      await connections.close();
    }
  } catch (error) {
    throw databaseFailure(settings.shownUrl, error);
  }
}
