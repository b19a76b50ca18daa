import { expect, test } from 'vitest';
import type { Store } from '../../../../src/core/store.ts';
import { inspectStatements } from '../../../support/inspect-statements.ts';
import { emptyPostgres } from '../../../support/postgres.ts';
import { conformance } from '../../conformance.ts';
import { notes, open } from '../../fixtures.ts';

// A pooler that ignores settings of the session, such as PgBouncer with ignore_startup_parameters.
const warned: Error[] = [];
process.on('warning', (warning) => warned.push(warning));
const sent = inspectStatements([null, '0']);

conformance('postgres behind a pooler', async () => open(await emptyPostgres()));

test('uses no session features behind a pooler', () => {
  const missing = /advisory_(?:un)?lock|set_config|TEMP|^ *(?:SET|LISTEN|NOTIFY|LOCK|PREPARE|DECLARE)\b/i;
  expect(sent.length).toBeGreaterThan(1000);
  expect(sent.filter((sql) => missing.test(sql) || /^d\d/.test(sql))).toEqual([]);
  // The driver warns when a statement is sent before the previous one has ended.
  expect(warned).toEqual([]);
});

test('writes of one lane in several processes wait for each other behind a pooler', async () => {
  const url = await emptyPostgres();
  const processes = await Promise.all(Array.from({ length: 6 }, () => open(url)));
  await processes[0]!.write((tx) => tx.insert(notes, { id: 'count', text: '0' }));
  let attempts = 0;
  const before = sent.length;
  const add = (store: Store) =>
    store.write(
      async (tx) => {
        attempts++;
        const { text } = (await tx.get(notes, 'count'))!;
        await tx.update(notes, 'count', { text: String(Number(text) + 1) });
      },
      { lane: 'org_1' },
    );
  await Promise.all(Array.from({ length: 60 }, (_, at) => add(processes[at % 6]!)));
  expect(await processes[0]!.read((view) => view.get(notes, 'count'))).toMatchObject({ text: '60' });
  // Without locks, most writes are repeated.
  expect(attempts).toBeLessThan(70);
  // A process that has waited for the lane usually gets it, although others wait too.
  const tries = sent.slice(before).filter((sql) => sql.includes('pg_try_advisory_xact_lock'));
  expect(tries.length).toBeLessThan(90);
});
