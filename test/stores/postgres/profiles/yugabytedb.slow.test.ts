import { expect, test } from 'vitest';
import { inspectStatements } from '../../../support/inspect-statements.ts';
import { emptyPostgres } from '../../../support/postgres.ts';
import { conformance } from '../../conformance.ts';
import { open } from '../../fixtures.ts';

const sent = inspectStatements(['PostgreSQL 15.2-YB-2.25.2.0-b0 on x86_64-pc-linux-gnu, compiled by clang']);

conformance('postgres as YugabyteDB', async () => open(await emptyPostgres()));

test('sends no statement that YugabyteDB does not support', () => {
  const missing = /advisory|USING gin|STORAGE|toast|TEMP|^ *(?:LISTEN|NOTIFY|LOCK|DECLARE)\b/i;
  expect(sent.length).toBeGreaterThan(1000);
  expect(sent.filter((sql) => missing.test(sql))).toEqual([]);
});
