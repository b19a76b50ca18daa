import { describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { type Journal } from '../../../src/manifest/journal/journal-file.ts';
import { createUndoBench } from './undo-bench.ts';

describe('a journal', () => {
  it('is not written if nothing changes', async () => {
    const bench = await createUndoBench();
    await bench.bring('spaces: { a: { title: A } }');
    await bench.bring('spaces: { a: { title: A } }');
    expect(bench.texts.map((text) => text === '')).toEqual([false, true]);
  });

  it('contains the values that a delete loses, synced to the disk before the delete is sent', async () => {
    const bench = await createUndoBench();
    await bench.bring(
      'collections: { c: { title: C } }\nspaces: { a: { title: A, parent: !ref collection.c } }',
    );
    const log: string[] = [];
    const file: Journal = {
      append: (line) =>
        void (
          line.type === 'step' && log.push(`wrote ${line.key} ${JSON.stringify(line.was?.fields ?? {})}`)
        ),
      sync: () => Promise.resolve(void log.push('synced')),
    };
    bench.before = ({ operation }) => void (operation.method === 'DELETE' && log.push(operation.id));
    await bench.bring('collections: {}\nspaces: {}', { prune: true, journal: { file, clock: () => 0 } });
    expect(log).toEqual([
      expect.stringMatching(
        /^wrote space.a {"title":"A","parent":"col_\w+","editMode":"live"}$|^wrote space.a {"title":"A","parent":"col_\w+"}$/,
      ),
      'synced',
      'spaces.delete',
      'wrote collection.c {"title":"C"}',
      'synced',
      'collections.delete',
      'synced',
    ]);
  });

  it('stops the run before the next call if it cannot be written', async () => {
    for (const lines of [0, 1, 2, 3]) {
      const bench = await createUndoBench();
      bench.write('collections: { a: { title: A }, b: { title: B } }');
      let left = lines;
      const append: Journal['append'] = () => {
        if (left-- <= 0) throw new Problem('store-failed', 'The disk is full.');
      };
      const { counts } = await bench.apply({
        concurrency: 1,
        journal: { file: { append, sync: () => Promise.resolve() }, clock: () => 0 },
      });
      // A step has a line before its calls, one when its ID is known, and one at its end.
      expect(counts).toMatchObject(lines === 0 ? { done: 0, failed: 1, skipped: 1 } : { done: 1, failed: 1 });
      expect(bench.changing).toHaveLength(lines === 0 ? 0 : 1);
    }
  });
});
