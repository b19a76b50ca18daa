import { Connections, type Lease } from './connections.ts';
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
 * @throws DatabaseError
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
  return { connections, profile, first: found.first };
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
