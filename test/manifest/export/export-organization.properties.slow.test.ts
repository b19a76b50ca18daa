import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { manifestOf, organizations } from '../organizations.ts';
import { applyTo, exportBench, knownOf, planOf, textOf } from './export-bench.ts';
import { wildOrganizations } from './wild.ts';

const runs = { numRuns: 15 };
const patience = 120_000;
const all = fc.oneof(organizations, wildOrganizations);

async function benchInMemory(text?: string): Promise<Bench> {
  const bench = await createBench(text);
  bench.keepsLock = false;
  return bench;
}

describe('an export', () => {
  it(
    'matches the live organization: with its state, a plan is empty and adopts nothing',
    async () => {
      await fc.assert(
        fc.asyncProperty(all, async (organization) => {
          const bench = await benchInMemory();
          await bench.bring(manifestOf(organization));
          const exported = await exportBench(bench);
          const plan = await planOf(bench, exported);
          expect(linesOf(plan)).toEqual([]);
          expect(plan.steps.filter(({ states }) => states !== undefined)).toEqual([]);
          expect(plan.left).toEqual([]);
          expect(exported.notes).toEqual([]);
        }),
        runs,
      );
    },
    patience,
  );

  it(
    'creates the same organization elsewhere, whose export is the same text',
    async () => {
      await fc.assert(
        fc.asyncProperty(all, fc.constantFrom(1, 4), async (organization, jobs) => {
          const [bench, other] = [await benchInMemory(), await benchInMemory()];
          await bench.bring(manifestOf(organization));
          const exported = await exportBench(bench);
          await applyTo(other, exported, jobs);
          expect(textOf(await exportBench(other))).toBe(textOf(exported));
        }),
        runs,
      );
    },
    patience,
  );

  it(
    'keeps the names of an earlier export after resources were renamed',
    async () => {
      await fc.assert(
        fc.asyncProperty(all, fc.stringMatching(/^[a-z]{3,8}$/), async (organization, title) => {
          const bench = await benchInMemory();
          await bench.bring(manifestOf(organization));
          const before = await exportBench(bench);
          const [address, { id }] = [...before.owned].find(([, { kind }]) => kind === 'space')!;
          const { updateSpace } = await import('../../../src/resources/spaces/contract.ts');
          await bench.api.call(updateSpace, { params: { spaceId: id }, body: { title } });
          const after = await exportBench(bench, { known: knownOf(bench, before) });
          expect(after.owned.get(address)).toMatchObject({ id, fields: { title } });
          expect(linesOf(await planOf(bench, after))).toEqual([]);
        }),
        { numRuns: 15 },
      );
    },
    patience,
  );
});
