import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { settings } from '../../../src/core/rows/organizations.ts';
import { putBytes } from '../../../src/content/blobs.ts';
import { blobs, collectionStates, looseObjects, newReferences } from '../../../src/content/rows.ts';
import { writeBackup } from '../../../src/stores/backup/write-backup.ts';
import { inlineBlobs } from '../../../src/stores/blobs/inline-view.ts';
import { withBlobs } from '../../../src/stores/blobs/with-blobs.ts';
import { openMemory } from '../../../src/stores/memory.ts';
import { memoryBlobs } from './memory-blobs.ts';

it('returns the same rows for a backup wherever the bytes of files are', async () => {
  const tables = [blobs, settings, collectionStates, newReferences, looseObjects];
  const files = [randomBytes(100_000), randomBytes(10)];
  let names = 0;
  const memory = memoryBlobs();
  const backups: string[] = [];
  for (const isExternal of [false, true]) {
    const rows = openMemory('memory:', tables);
    const options = { storage: memory.storage, clock: Date.now, newName: () => String(++names) };
    const store = isExternal ? withBlobs(rows, options) : rows;
    await rows.write((tx) => tx.insert(settings, { id: 'store', administrator: 'usr_1' }));
    await store.write(async (tx) => {
      for (const file of files) await putBytes(tx, file);
    });
    if (isExternal)
      await rows.write((tx) =>
        tx.insert(looseObjects, { id: 'x', state: 'unused', at: '2026-01-05T00:00:00.000Z' }),
      );
    let text = '';
    await rows.read(async (view) => {
      const seen = isExternal ? inlineBlobs(view, memory.storage) : view;
      const lines = writeBackup(seen, tables, { version: '1.2.3', createdAt: '2026-01-05T00:00:00.000Z' });
      for await (const line of lines) text += line;
    });
    backups.push(text);
  }
  expect(memory.objects.size).toBe(1);
  expect(backups[1]).toBe(backups[0]);
  expect(backups[1]).toContain(files[0]!.toString('base64'));
});
