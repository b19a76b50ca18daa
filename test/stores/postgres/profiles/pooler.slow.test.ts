import { expect, test } from 'vitest';
import { inspectStatements } from '../../../support/inspect-statements.ts';
import { emptyPostgres } from '../../../support/postgres.ts';
import { conformance } from '../../conformance.ts';
import { open } from '../../fixtures.ts';

// A pooler that ignores settings of the session, such as PgBouncer with ignore_startup_parameters.
const warned: Error[] = [];
process.on('warning', (warning) => warned.push(warning));
const sent = inspectStatements([null, '0']);

conformance('postgres behind a pooler', async () => open(await emptyPostgres()));

test('uses no session features behind a pooler', () => {
  const missing = /advisory|set_config|TEMP|^ *(?:SET|LISTEN|NOTIFY|LOCK|PREPARE|DECLARE)\b/i;
  expect(sent.length).toBeGreaterThan(1000);
  expect(sent.filter((sql) => missing.test(sql) || /^d\d/.test(sql))).toEqual([]);
  // The driver warns when a statement is sent before the previous one has ended.
  expect(warned).toEqual([]);
});
