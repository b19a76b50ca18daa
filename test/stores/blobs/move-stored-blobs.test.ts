import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { putBytes } from '../../../src/content/blobs.ts';
import { blobs, collectionStates, looseObjects, newReferences } from '../../../src/content/rows.ts';
import { settings } from '../../../src/core/rows/organizations.ts';
import { moveStoredBlobs } from '../../../src/stores/blobs/move-stored-blobs.ts';
import { openStore } from '../../../src/stores/index.ts';
import { memoryBlobs } from './memory-blobs.ts';

it('names the store as the source when it continues an interrupted move out of the store', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'docsctl-move-'));
  const tables = [blobs, settings, collectionStates, newReferences, looseObjects];
  const target = { url: `sqlite:${join(cwd, 'a.db')}`, tables, cwd };
  const store = await openStore(target.url, { tables, cwd, create: true });
  await store.write(async (tx) => {
    await tx.insert(settings, { id: 'store', administrator: 'usr_1' });
    for (let index = 0; index < 30; index++) await putBytes(tx, randomBytes(70_000));
  });
  await store.close();
  const to = { ...memoryBlobs().storage, url: 'test:a' };
  let names = 0;
  const move = (signal: AbortSignal, onMoved: (done: number) => void = () => {}, isDryRun = false) =>
    moveStoredBlobs(target, { to, isDryRun, clock: Date.now, newName: () => `${++names}`, signal, onMoved });
  const controller = new AbortController();
  const { signal } = new AbortController();
  await expect(move(controller.signal, (done) => done === 1 && controller.abort())).rejects.toThrow(
    'Interrupted.',
  );
  expect(await move(signal, undefined, true)).toMatchObject({ from: 'store' });
  const rest = await move(signal);
  expect(rest).toMatchObject({ from: 'store' });
  expect(rest.files).toBeGreaterThan(0);
  expect(await move(signal)).toEqual({ files: 0, bytes: 0, from: 'test:a' });
  rmSync(cwd, { recursive: true });
});
