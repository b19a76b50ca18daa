import { expect, test } from 'vitest';
import { inspectStatements } from '../../../support/inspect-statements.ts';
import { emptyPostgres } from '../../../support/postgres.ts';
import { conformance } from '../../conformance.ts';
import { open } from '../../fixtures.ts';

const sent = inspectStatements(['CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/04)', '5003']);

conformance('postgres as CockroachDB', async () => open(await emptyPostgres()));

test('sends no statement that CockroachDB refuses', () => {
  const missing = /advisory|COLLATE|fastupdate|STORAGE|toast|TEMP|^ *(?:LISTEN|NOTIFY|LOCK|DECLARE)\b/i;
  expect(sent.length).toBeGreaterThan(1000);
  expect(sent.filter((sql) => missing.test(sql))).toEqual([]);
  expect(sent.filter((sql) => sql.includes('USING gin'))).not.toEqual([]);
});
