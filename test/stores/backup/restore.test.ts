import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Store } from '../../../src/core/store.ts';
import { verifyBackup } from '../../../src/stores/backup/read-backup.ts';
import { restoreBackup } from '../../../src/stores/backup/restore.ts';
import { writeBackup } from '../../../src/stores/backup/write-backup.ts';
import { notes, open, tables, temporaryFolder } from '../fixtures.ts';

const origin = { version: '1.2.3', createdAt: '2026-01-02T03:04:05.000Z' };

async function backUp(store: Store, path: string): Promise<void> {
  await store.read(async (view) => {
    let text = '';
    for await (const lines of writeBackup(view, tables, origin)) text += lines;
    writeFileSync(path, text);
  });
}

async function restore(path: string, url: string) {
  const facts = await verifyBackup(path, tables);
  const newName = '0123456789abcdef';
  return restoreBackup(path, { url, tables, cwd: '' }, { facts, isDamaged: false, newName, replaces: true });
}

test.each(['a.db', 'a.json'])('a restore that cannot create %s says so', async (name) => {
  const folder = temporaryFolder();
  const store = await open('memory:');
  await store.write((tx) => tx.insert(notes, { id: 'n', text: 'new' }));
  const path = join(folder, 'backup');
  await backUp(store, path);
  await expect(restore(path, join(path, name))).rejects.toMatchObject({
    reason: 'store-failed',
    message: `The store cannot be opened: ${join(path, name)}.`,
  });
});

test('a restore that cannot lock the new JSON file says why', async () => {
  const folder = temporaryFolder();
  const store = await open('memory:');
  await store.write((tx) => tx.insert(notes, { id: 'n', text: 'new' }));
  const path = join(folder, 'backup');
  await backUp(store, path);
  // The name of the temporary file has 253 bytes, and that of its lock has more than 255.
  const target = join(folder, `${'a'.repeat(223)}.json`);
  await expect(restore(path, target)).rejects.toMatchObject({
    reason: 'store-failed',
    message: expect.stringMatching(/^The store cannot be opened: /),
  });
});
