import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../../src/contract/api.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { createWorld, type Who } from '../../support/world.ts';
import { Bench } from '../bench.ts';
import { manifestOf, organizations } from '../organizations.ts';
import { folderOf } from '../read/folder.ts';
import { rehearseBench, shownRows } from './rehearse-bench.ts';

const patience = 120_000;

/** A bench whose caller can be changed. */
async function benchFor(): Promise<{ readonly bench: Bench; readonly actAs: (who: Who) => void }> {
  const world = await createWorld();
  let acting: Api = world.as('admin');
  const bench = new Bench(world, folderOf({}), {
    ...acting,
    call: (operation, input, options) => acting.call(operation, input, options),
  });
  bench.keepsLock = false;
  return { bench, actAs: (who) => void (acting = world.as(who)) };
}

/** Returns the result, or the Problem of a failure: a rehearsal and an apply fail with the same one. */
async function orProblem<T>(work: Promise<T>): Promise<T | Problem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

describe('a rehearsal', () => {
  it(
    'predicts each row of an apply, whoever applies',
    async () => {
      const seen = { done: 0, failed: 0, refused: 0 };
      const who = fc.constantFrom<Who>('admin', 'admin', 'owner', 'create', 'edit');
      await fc.assert(
        fc.asyncProperty(
          organizations,
          organizations,
          who,
          fc.boolean(),
          async (one, other, caller, prune) => {
            const { bench, actAs } = await benchFor();
            await bench.bring(manifestOf(one));
            actAs(caller);
            bench.write(manifestOf(other));
            const more = { prune, maxDeletes: 1000 };
            const rehearsal = await orProblem(rehearseBench(bench, more));
            // Only administrators can read who has access.
            const result = await orProblem(bench.apply({ ...more, skipUnsupported: true }));
            if (rehearsal instanceof Problem || result instanceof Problem) {
              seen.refused++;
              expect((rehearsal as Problem).toJSON()).toEqual((result as Problem).toJSON());
              return;
            }
            if (caller === 'admin' || caller === 'owner') expect(rehearsal.notCopied).toEqual([]);
            // Which of several failures causes a skipped step depends on which one is first.
            // A member who may not read access knows only that their own role on a collection is too low.
            const shown = (rows: Parameters<typeof shownRows>[0]): string[] =>
              shownRows(rows, false).map((row) =>
                row.replace(/you have the \w+ role/, 'you have another role'),
              );
            expect(shown(rehearsal)).toEqual(shown(result));
            expect(rehearsal.unsettled).toEqual([]);
            for (const { status } of rehearsal.rows) seen[status === 'done' ? 'done' : 'failed']++;
          },
        ),
        { numRuns: 20, seed: 7 },
      );
      expect(seen.done).toBeGreaterThan(100);
      expect(seen.failed).toBeGreaterThan(20);
      expect(seen.refused).toBeLessThan(30);
    },
    patience,
  );
});
