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

/** Runs a statement as another program would. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
  // A connection that is lost fails the statement. Without a listener it would also fail the test that runs meanwhile.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Does something when the test is over. Outside of a test nothing has to be done: the server ends with all tests. */
export function afterTest(work: () => Promise<unknown>): void {
  try {
    onTestFinished(async () => void (await work()));
  } catch {
    // A hook that serves all tests of a file has opened the store.
  }
}
