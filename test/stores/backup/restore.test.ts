import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Row, Store, Table } from '../../../src/core/store.ts';
import { BackupHashes, formatHeader } from '../../../src/stores/backup/format.ts';
import { verifyBackup } from '../../../src/stores/backup/read-backup.ts';
import { restoreBackup } from '../../../src/stores/backup/restore.ts';
import { writeBackup } from '../../../src/stores/backup/write-backup.ts';
import { notes, open, pages, tables, temporaryFolder } from '../fixtures.ts';

const origin = { version: '1.2.3', createdAt: '2026-01-02T03:04:05.000Z' };

async function backUp(store: Store, path: string): Promise<void> {
  await store.read(async (view) => {
    let text = '';
    for await (const lines of writeBackup(view, tables, origin)) text += lines;
    writeFileSync(path, text);
  });
}

/** Writes a backup with correct hashes, whatever its rows are. */
function writeByHand(path: string, content: readonly (readonly [Table, readonly Row[]])[]): void {
  const hashes = new BackupHashes();
  const lines = [formatHeader(origin.version, origin.createdAt)];
  for (const [{ name }, rows] of content) {
    const texts = rows.map((row) => JSON.stringify(row));
    for (const text of texts) hashes.add(`${text}\n`);
    lines.push(JSON.stringify(['table', name]), ...texts, hashes.endTable(name, rows.length));
  }
  writeFileSync(path, [...lines, hashes.end([]).line, ''].join('\n'));
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

test.each(['a.db', 'a.json'])(
  'a restore to %s names the lines of a backup that share a key',
  async (name) => {
    const folder = temporaryFolder();
    const path = join(folder, 'backup');
    const rows = [
      { id: 'p1', space: 's', slug: 'one' },
      { id: 'p2', space: 's', slug: 'two' },
      { id: 'p3', space: 's', slug: 'one' },
    ];
    writeByHand(path, [
      [notes, [{ id: 'n' }]],
      [pages, rows],
    ]);
    await expect(restore(path, join(folder, name))).rejects.toMatchObject({
      reason: 'invalid-input',
      message: `The backup ${path} was changed by hand: lines 6 and 8 are two rows of pages with the same space "s" and slug "one". Nothing was restored.`,
    });
    expect(existsSync(join(folder, name))).toBe(false);
  },
);

test('a restore names the line of a backup with a key that cannot be stored', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'backup');
  writeByHand(path, [[pages, [{ id: 'p1', space: {} } as never]]]);
  await expect(restore(path, join(folder, 'a.db'))).rejects.toMatchObject({
    reason: 'invalid-input',
    message: expect.stringContaining('line 3 cannot be stored. The field "space" cannot be indexed'),
  });
});
