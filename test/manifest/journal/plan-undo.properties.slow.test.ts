import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../src/errors/problem.ts';
import { wildOrganizations } from '../export/wild.ts';
import { manifestOf, organizations as plainOrganizations } from '../organizations.ts';
import { createUndoBench, type UndoBench } from './undo-bench.ts';

const organizations = fc.oneof(plainOrganizations, wildOrganizations);
/** Runs that come to nothing (`fc.pre`) are replaced, so each of these has something to undo. */
// The same organizations each time. UNDO_SEED and UNDO_RUNS try others.
const runs = { numRuns: Number(process.env['UNDO_RUNS'] ?? 12), seed: Number(process.env['UNDO_SEED'] ?? 2) };
const patience = 240_000;
const prune = { prune: true, maxDeletes: 1000 };

/** Applies a manifest; returns false if two applies are needed because two resources exchange a unique value. */
async function bring(bench: UndoBench, text: string, more = {}): Promise<boolean> {
  try {
    await bench.bring(text, { concurrency: 4, ...more });
    return true;
  } catch (error) {
    if (
      error instanceof Problem &&
      /must be unique|which have the same/.test(error.message + JSON.stringify(error.violations))
    )
      return false;
    throw error;
  }
}

/** The order of the fields of an object does not matter. */
async function liveOf(bench: { readonly live: () => Promise<string> }): Promise<string> {
  return (await bench.live()).replace(
    /\{ ([^{}\n]*) \}/g,
    (_, fields: string) => `{ ${fields.split(', ').sort().join(', ')} }`,
  );
}

describe('undo', () => {
  it(
    'restores the former state, and undoing the undo restores the change',
    async () => {
      let redone = 0;
      await fc.assert(
        fc.asyncProperty(
          organizations,
          organizations,
          fc.boolean(),
          fc.constantFrom(1, 4),
          async (one, other, isPruned, jobs) => {
            const bench = await createUndoBench();
            await bench.bring(manifestOf(one));
            const [before, owned] = [await liveOf(bench), bench.owned()];
            fc.pre(await bring(bench, manifestOf(other), isPruned ? prune : {}));
            fc.pre(bench.texts.at(-1) !== '');
            const [after, ownedAfter] = [await liveOf(bench), bench.owned()];
            const undo = await bench.undo(-1, { jobs });
            expect(undo.conflicts).toEqual([]);
            expect(await liveOf(bench)).toBe(before);
            expect(bench.owned()).toEqual(owned);
            if (undo.result.rows.length === 0) return;
            const redo = await bench.undo(-1, { jobs });
            expect(redo.conflicts).toEqual([]);
            expect(await liveOf(bench)).toBe(after);
            expect(bench.owned()).toEqual(ownedAfter);
            redone++;
          },
        ),
        runs,
      );
      expect(redone).toBeGreaterThanOrEqual(runs.numRuns / 2);
    },
    patience,
  );

  it(
    'restores the former state after a run that was killed',
    async () => {
      let undone = 0;
      const kill = fc.record({ at: fc.nat(25), answered: fc.boolean(), gently: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(
          organizations,
          organizations,
          fc.boolean(),
          kill,
          async (one, other, isPruned, { at, answered, gently }) => {
            const bench = await createUndoBench();
            await bench.bring(manifestOf(one));
            const [before, owned] = [await liveOf(bench), bench.owned()];
            const controller = new AbortController();
            let left = at;
            const strike = ({ operation }: { operation: { method: string } }): void => {
              if (operation.method === 'GET' || left-- > 0) return;
              if (gently) controller.abort();
              else throw new Error('killed');
            };
            bench.before = answered ? () => {} : strike;
            bench.after = answered ? strike : () => {};
            bench.write(manifestOf(other));
            await bench
              .apply({ ...(isPruned ? prune : {}), signal: controller.signal, concurrency: 1 + (at % 4) })
              .catch((error: Error) => {
                if (!(error instanceof Problem)) expect(error.message).toBe('killed');
              });
            bench.before = bench.after = () => {};
            fc.pre(bench.texts.at(-1) !== '');
            // Resources that were being created when the run was killed, their parents and users are deleted only with force.
            const { conflicts } = await bench.planUndo();
            // Access and links take several calls, so they may be half of what was stated.
            for (const { why } of conflicts.filter(
              ({ field }) => field !== 'access' && field !== 'externalLinks',
            ))
              expect(why).toMatch(
                /^(?:was (?:being created when the run was killed|created by this run, but \S+ \S+ is not owned as)|is now used by \S+\.\S+_)/,
              );
            const { result } = await bench.undo(-1, { force: true });
            if (result.rows.length > 0) undone++;
            expect(await liveOf(bench)).toBe(before);
            expect(bench.owned()).toEqual(owned);
          },
        ),
        runs,
      );
      expect(undone).toBeGreaterThanOrEqual(runs.numRuns / 2);
    },
    patience,
  );
});
