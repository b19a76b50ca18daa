import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { table, type Row } from '../../../src/core/store.ts';
import { tables as programTables } from '../../../src/resources/tables.ts';
import { backupStore, tryRestore } from '../../../src/stores/backup/backup-store.ts';
import { saveBackup } from '../../../src/stores/backup/save-backup.ts';
import { emptyPostgres } from '../../support/postgres.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { open, temporaryFolder } from '../fixtures.ts';

/** The number of backups of each kind of store. */
const backups = Number(process.env['BACKUPS'] ?? 5);
const writers = 8;
/** The number of writes whose entries a writer keeps. Later ones replace the oldest, so that the store does not grow. */
const slots = 40;

interface EntryRow extends Row {
  readonly writer: number;
  readonly number: number;
}
const entries = table<EntryRow>()('entries', { byWriter: { on: ['writer'], by: ['number'] } });
const tables = [...programTables, entries];

/** Returns the numbers of entries by writer in a backup, in order. Each write has written two entries, `a` and `b`. */
function entriesOf(path: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
    if (!line.includes('"writer":')) continue;
    const { id, writer, number } = JSON.parse(line) as EntryRow;
    const name = `${writer}${id.slice(-1)}`;
    found.set(name, [...(found.get(name) ?? []), number]);
  }
  for (const numbers of found.values()) numbers.sort((a, b) => a - b);
  return found;
}

const stores: readonly (readonly [string, () => Promise<string>])[] = [
  ['sqlite', async () => `sqlite:${join(temporaryFolder(), 'store.db')}`],
  ...(hasPostgres() ? [['postgres', () => emptyPostgres()] as const] : []),
];

describe.each(stores)('%s', (_, newUrl) => {
  test(
    'each backup taken during writes contains the store at one point in time',
    { timeout: 60_000 + backups * 5_000 },
    async () => {
      const url = await newUrl();
      const store = await open(url, undefined, tables);
      const folder = temporaryFolder();
      /** The writes of each writer that have started, and those that were acknowledged. */
      const begun = Array.from({ length: writers }, () => 0);
      const done = Array.from({ length: writers }, () => 0);
      let isOver = false;
      const write = async (writer: number): Promise<void> => {
        for (let number = 0; !isOver; number++) {
          begun[writer] = number + 1;
          await store.write(async (tx) => {
            for (const part of ['a', 'b']) {
              const id = `${writer}.${number % slots}.${part}`;
              if (number < slots) await tx.insert(entries, { id, writer, number });
              else await tx.update(entries, id, { number });
            }
          });
          done[writer] = number + 1;
        }
      };
      const writing = Promise.all(begun.map((_count, writer) => write(writer)));
      try {
        const backUp = async (path: string): Promise<void> => {
          const before = [...done];
          const origin = { version: '1.0.0', createdAt: '2026-01-01T00:00:00.000Z' };
          await backupStore({ url, tables, cwd: '' }, origin, async (lines) => {
            await saveBackup(path, lines, false);
          });
          const after = [...begun];
          expect(await tryRestore(path, tables, 'trial')).toBe(true);
          const found = entriesOf(path);
          for (let writer = 0; writer < writers; writer++) {
            const numbers = found.get(`${writer}a`) ?? [];
            const written = (numbers.at(-1) ?? -1) + 1;
            // A backup has both entries of each write, and the last writes of each writer without a gap.
            expect(numbers).toEqual(found.get(`${writer}b`) ?? []);
            const kept = Math.min(written, slots);
            expect(numbers).toEqual(Array.from({ length: kept }, (_none, index) => written - kept + index));
            expect(written).toBeGreaterThanOrEqual(before[writer] as number);
            expect(written).toBeLessThanOrEqual(after[writer] as number);
          }
          rmSync(path);
        };
        // Two run at a time, because each process of a server may send one.
        for (let at = 0; at < backups; at += 2)
          await Promise.all(
            [at, at + 1].slice(0, backups - at).map((number) => backUp(join(folder, `${number}.ndjson`))),
          );
      } finally {
        isOver = true;
        await writing;
      }
      expect(Math.min(...done)).toBeGreaterThan(0);
    },
  );
});
