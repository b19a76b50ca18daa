import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emptyPostgres } from '../../support/postgres.ts';
import { conformance } from '../conformance.ts';
import { open } from '../fixtures.ts';

// What poolers and compatible databases lack: session locks, settings of a session and prepared statements.
const missing = /advisory|set_config|TEMP|^ ?(?:SET|LISTEN|NOTIFY|LOCK|PREPARE|DECLARE)\b/i;
const sent: string[] = [];
const original = pg.Client.prototype.query;

beforeAll(() => {
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [query] = given as [string | { text: string; name?: string }];
    sent.push(typeof query === 'string' ? query : `${query.name ?? ''} ${query.text}`);
    return (original as (...values: unknown[]) => unknown).apply(this, given) as never;
  });
});
afterAll(() => vi.restoreAllMocks());

conformance('postgres behind a pooler', async () =>
  open(await emptyPostgres('&lanes=off&prepare=off&pipeline=off')),
);

test('a store behind a pooler uses nothing that belongs to a session', () => {
  expect(sent.length).toBeGreaterThan(1000);
  expect(sent.filter((sql) => missing.test(sql) || /^d\d/.test(sql))).toEqual([]);
});
