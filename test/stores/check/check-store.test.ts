import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { OnProgress } from '../../../src/contract/api.ts';
import { backupStore } from '../../../src/stores/backup/backup-store.ts';
import { verifyBackup } from '../../../src/stores/backup/read-backup.ts';
import { restoreBackup } from '../../../src/stores/backup/restore.ts';
import { saveBackup } from '../../../src/stores/backup/save-backup.ts';
import { checkStore } from '../../../src/stores/check/check-store.ts';
import { openStore } from '../../../src/stores/index.ts';
import { tables as realTables } from '../../../src/resources/tables.ts';
import { pages, temporaryFolder } from '../fixtures.ts';

/** The check of references needs the tables of content. */
const tables = [...realTables, pages];

test('a check, a backup and a restore report how many rows they have processed', async () => {
  const folder = temporaryFolder();
  const target = { url: join(folder, 'a.db'), tables, cwd: '' };
  const store = await openStore(target.url, { tables });
  await store.write(async (tx) => {
    for (let one = 0; one < 1200; one++)
      await tx.insert(pages, { id: `p${one}`, space: 's', slug: `s${one}`, position: one });
  });
  await store.close();
  let reports: (readonly [number, number])[] = [];
  const onProgress: OnProgress = (done, total) => void reports.push([done, total]);
  const taken = () => {
    const [first, last] = [reports[0], reports.at(-1)];
    reports = [];
    return [first?.[1], last];
  };
  const { rows } = await checkStore(target, { onProgress });
  expect(rows).toBe(1200);
  // Each row is read from the table and from its five indexes.
  expect(taken()).toEqual([7200, [7200, 7200]]);
  const backup = join(folder, 'backup');
  const save = async (lines: AsyncIterable<string>) => void (await saveBackup(backup, lines, true));
  await backupStore(target, { version: '1', createdAt: '2026-01-02T03:04:05.000Z' }, save, { onProgress });
  expect(taken()).toEqual([1200, [1200, 1200]]);
  const facts = await verifyBackup(backup, tables);
  const options = { facts, isDamaged: false, newName: '0123456789abcdef', replaces: false, onProgress };
  await restoreBackup(backup, { ...target, url: join(folder, 'b.db') }, options);
  expect(taken()).toEqual([1200, [1200, 1200]]);
});
