import fc from 'fast-check';
import { expect, it } from 'vitest';
import { settings } from '../../../src/core/rows/organizations.ts';
import type { Store } from '../../../src/core/store.ts';
import { putBytes, readBytes } from '../../../src/content/blobs.ts';
import { hashOfFile } from '../../../src/content/hashing.ts';
import { blobs, collectionStates, looseObjects, newReferences } from '../../../src/content/rows.ts';
import { isProblem, Problem } from '../../../src/errors/problem.ts';
import { isExternal, type StoredBlob } from '../../../src/stores/blobs/external-row.ts';
import { withBlobs } from '../../../src/stores/blobs/with-blobs.ts';
import { openMemory } from '../../../src/stores/memory.ts';
import { memoryBlobs } from './memory-blobs.ts';

const hour = 3_600_000;
/** Thrown in a killed process, so that nothing it has started continues. */
class Killed extends Error {}

const files = Array.from({ length: 4 }, (_, index) => Buffer.alloc(65_536, index));
const file = fc.nat(files.length - 1);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    files: fc.uniqueArray(file, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), file }),
  fc.record({ kind: fc.constant('read' as const), file }),
  fc.record({ kind: fc.constant('sweep' as const) }),
  fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }),
);
/** A process with its steps. `kill` and `fail` are the numbers of the storage calls at which it is killed or that fail. */
const process = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  kill: fc.option(fc.nat(6), { freq: 3 }),
  fail: fc.option(fc.nat(6), { freq: 3 }),
});

it('keeps every referenced file and removes all others, even if processes are killed at any time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(process, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      fc.scheduler(),
      async (rounds, scheduler) => {
        let time = Date.parse('2026-01-05T00:00:00.000Z');
        let names = 0;
        /** The number of writes that may be storing their objects. */
        let storing = 0;
        const inner = openMemory('memory:', [blobs, settings, collectionStates, looseObjects, newReferences]);
        await inner.write((tx) => tx.insert(settings, { id: 'store', administrator: 'usr_1' }));
        const memory = memoryBlobs();
        /** A process with its own connection to the storage, whose calls happen in any order. */
        const open = (kill: number | null, fail: number | null): Store => {
          let calls = 0;
          let isDead = false;
          const live =
            <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
            async (...args: A): Promise<T> => {
              await scheduler.schedule(Promise.resolve());
              if (isDead) throw new Killed();
              const number = calls++;
              if (number === fail) throw new Problem('store-failed', 'Away.', { retryAfter: 5 });
              const result = await call(...args);
              await scheduler.schedule(Promise.resolve());
              if (number === kill) isDead = true;
              if (isDead) throw new Killed();
              return result;
            };
          const { url, put, get, has, remove } = memory.storage;
          const storage = {
            url,
            put: live(put),
            get: live(get),
            has: live(has),
            remove: live(remove),
          };
          return withBlobs(inner, { storage, clock: () => time, newName: () => String(++names) });
        };
        const add = async (store: Store, added: readonly number[]): Promise<void> => {
          let isStoring = false;
          const mark = (now: boolean): void => {
            if (now !== isStoring) storing += now ? 1 : -1;
            isStoring = now;
          };
          await store
            .write(async (tx) => {
              mark(false);
              for (const each of added) await putBytes(tx, files[each]!);
              mark(true);
            })
            .finally(() => mark(false));
        };
        const readAll = async (store: Store): Promise<void> => {
          const rows = await inner.read((view) => view.scan(blobs, '', 100));
          for (const { id } of rows)
            expect(hashOfFile(await store.read((view) => readBytes(view, id)))).toBe(id);
        };
        const live = withBlobs(inner, {
          storage: memory.storage,
          clock: () => time,
          newName: () => String(++names),
        });
        for (const round of rounds) {
          const running = round.map(async ({ steps, kill, fail }) => {
            const store = open(kill, fail);
            try {
              for (const one of steps)
                try {
                  if (one.kind === 'add') await add(store, one.files);
                  else if (one.kind === 'remove')
                    await store.write((tx) => tx.remove(blobs, hashOfFile(files[one.file]!)));
                  else if (one.kind === 'read')
                    await store.read(async (view) => {
                      const id = hashOfFile(files[one.file]!);
                      if ((await view.scan(blobs, '', 100)).some((row) => row.id === id))
                        expect(await readBytes(view, id)).toEqual(files[one.file]);
                    });
                  else if (one.kind === 'sweep') await store.scrub!(0, new AbortController().signal);
                  // Storing an object never takes a day.
                  else if (storing === 0) time += one.hours * hour;
                } catch (error) {
                  if (!isProblem(error, 'store-failed') || error.retryAfter === undefined) throw error;
                }
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          });
          await scheduler.waitFor(Promise.all(running));
          await readAll(live);
        }
        time += 60 * hour;
        await live.scrub!(0, new AbortController().signal);
        await readAll(live);
        const rows = await inner.read(async (view) =>
          Promise.all((await view.scan(blobs, '', 100)).map(({ id }) => view.get(blobs, id))),
        );
        const used = (rows as StoredBlob[]).flatMap((row) => (isExternal(row) ? [row.object] : []));
        expect([...memory.objects.keys()].sort()).toEqual(used.sort());
        expect(await inner.read((view) => view.scan(looseObjects, '', 100))).toEqual([]);
      },
    ),
    { numRuns: 100 },
  );
}, 180_000);
