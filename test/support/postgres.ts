import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { serverUrl } from './postgres-server.ts';

/** Returns the URL of a new empty schema, on the server that the tests share. It is removed when the test is over. */
export async function emptyPostgres(parameters = ''): Promise<string> {
  const base = await serverUrl();
  const schema = `t${randomBytes(8).toString('hex')}`;
  afterTest(() => query(base, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
  return `${base}?schema=${schema}${parameters}`;
}

/** Runs a statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
  // A lost connection makes the statement fail. Without this listener it would also fail the running test.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs a function after the test. Outside of a test nothing is needed, because the server ends after all tests. */
export function afterTest(work: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => void (await work()));
  } catch {
    // The store was opened in a hook for all tests of a file.
  }
}
