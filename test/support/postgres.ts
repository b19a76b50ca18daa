import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { serverUrl } from './postgres-server.ts';

/** Returns the URL of a new empty schema of a private PostgreSQL server. It is removed when the test is over. */
export async function emptyPostgres(parameters = ''): Promise<string> {
  const base = await serverUrl();
  const schema = `t${randomBytes(8).toString('hex')}`;
  onTestFinished(() => query(base, `DROP SCHEMA IF EXISTS "${schema}" CASCADE`).then(() => {}));
  return `${base}?schema=${schema}${parameters}`;
}

/** Runs a statement as another program would. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url.replace(/\?.*/, '') });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
