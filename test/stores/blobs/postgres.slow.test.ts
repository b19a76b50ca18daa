import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { settings } from '../../../src/core/rows/organizations.ts';
import { putBytes, readBytes } from '../../../src/content/blobs.ts';
import { blobs, collectionStates, looseObjects, newReferences } from '../../../src/content/rows.ts';
import { moveBlobs } from '../../../src/stores/blobs/move-blobs.ts';
import { withBlobs } from '../../../src/stores/blobs/with-blobs.ts';
import { openStore } from '../../../src/stores/index.ts';
import { emptyPostgres } from '../../support/postgres.ts';
import { hasPostgres } from '../../support/postgres-server.ts';
import { memoryBlobs } from './memory-blobs.ts';

it.runIf(hasPostgres())(
  'stores the large files of a PostgreSQL store from several processes at once',
  async () => {
    const tables = [blobs, settings, collectionStates, newReferences, looseObjects];
    const rows = await openStore(await emptyPostgres(), { tables });
    await rows.write((tx) => tx.insert(settings, { id: 'store', administrator: 'usr_1' }));
    const { storage, objects } = memoryBlobs();
    let names = 0;
    const options = { storage, clock: Date.now, newName: () => String(++names) };
    const processes = [withBlobs(rows, options), withBlobs(rows, options)];
    const files = Array.from({ length: 4 }, () => randomBytes(70_000));
    // Both processes store the same files. One row and one object of each file remain.
    const added = await Promise.all(
      processes.map((store) => Promise.all(files.map((bytes) => store.write((tx) => putBytes(tx, bytes))))),
    );
    expect(added[0]).toEqual(added[1]);
    for (const store of processes)
      for (const [index, id] of added[0]!.entries())
        expect(await store.read((view) => readBytes(view, id))).toEqual(files[index]);
    await processes[0]!.write((tx) => tx.remove(blobs, added[0]![0]!));
    const signal = new AbortController().signal;
    await withBlobs(rows, { ...options, clock: () => Date.now() + 25 * 3_600_000 }).scrub!(0, signal);
    expect(objects.size).toBe(3);
    const move = { newName: options.newName, clock: Date.now, signal, onMoved: () => {} };
    expect(await moveBlobs(rows, { ...move, from: storage, to: undefined })).toEqual({
      files: 3,
      bytes: 210_000,
    });
    expect(objects.size).toBe(0);
    expect(await rows.read((view) => readBytes(view, added[0]![3]!))).toEqual(files[3]);
    await rows.close();
  },
);
