import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { manifestOf, organizations } from './organizations.ts';

const runs = { numRuns: 15 };
const timeout = 60_000;

async function benchInMemory(text?: string): Promise<Bench> {
  const bench = await createBench(text);
  bench.keepsLock = false;
  return bench;
}

/** Returns what two organizations have in common if only their IDs and times differ. */
async function stateOf(bench: Bench): Promise<unknown> {
  const { resources } = bench.lock!;
  const names = new Map(Object.entries(resources).map(([address, { id }]) => [id, address]));
  const plain: unknown = JSON.parse(
    JSON.stringify(
      Object.entries(resources).map(([address, { fields, parent }]) => [address, parent, fields]),
    ),
    (_, value: unknown) => (typeof value === 'string' ? (names.get(value) ?? value) : value),
  );
  const structures = [];
  for (const [address, { id }] of Object.entries(resources)) {
    if (!address.startsWith('site.')) continue;
    const { getSiteStructure } = await import('../../src/resources/sites/contract.ts');
    const { structure } = await bench.api.call(getSiteStructure, {
      params: { organizationId: bench.world.org, siteId: id },
    });
    structures.push(shapeOf(structure));
  }
  return { plain, structures };
}

function shapeOf(items: readonly unknown[]): unknown[] {
  return (
    items as {
      object: string;
      title: string;
      path?: string;
      default?: boolean;
      children?: unknown[];
      siteSpaces?: unknown[];
    }[]
  ).map((item) => [
    item.object,
    item.path ?? item.title,
    item.default,
    shapeOf(item.children ?? item.siteSpaces ?? []),
  ]);
}

/** Returns false if two applies are needed because two resources exchange a value that only one can have. */
async function unlessExchange(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (
      error instanceof Problem &&
      /swap a value|must be unique|which have the same/.test(error.message + JSON.stringify(error.violations))
    )
      return false;
    throw error;
  }
}

describe('applying a generated manifest', () => {
  it(
    'leaves nothing to change in the next plan',
    async () => {
      await fc.assert(
        fc.asyncProperty(organizations, async (organization) => {
          const bench = await benchInMemory();
          await bench.bring(manifestOf(organization));
          const plan = await bench.plan();
          expect(linesOf(plan)).toEqual([]);
          expect(plan.steps.every(({ states }) => states === undefined)).toBe(true);
        }),
        runs,
      );
    },
    timeout,
  );

  it(
    'turns one organization into another one',
    async () => {
      let brought = 0;
      await fc.assert(
        fc.asyncProperty(organizations, organizations, fc.boolean(), async (one, other, prune) => {
          const bench = await benchInMemory();
          await bench.bring(manifestOf(one));
          if (!(await unlessExchange(bench.bring(manifestOf(other), { prune, maxDeletes: 1000 })))) return;
          const plan = await bench.plan({ prune, maxDeletes: 1000 });
          expect(linesOf(plan)).toEqual([]);
          if (prune) expect(plan.left).toEqual([]);
          brought++;
        }),
        runs,
      );
      expect(brought).toBeGreaterThan(0);
    },
    timeout,
  );

  it(
    'gives the same result whatever the order of keys in its maps',
    async () => {
      await fc.assert(
        fc.asyncProperty(organizations, fc.infiniteStream(fc.nat()), async (organization, chance) => {
          const shuffled = (keys: string[]) =>
            keys
              .map((key) => [chance.next().value!, key] as const)
              .sort(([a], [b]) => a - b)
              .map(([, key]) => key);
          const [bench, other] = [await benchInMemory(), await benchInMemory()];
          await bench.bring(manifestOf(organization));
          await other.bring(manifestOf(organization, shuffled));
          expect(await stateOf(other)).toEqual(await stateOf(bench));
          bench.write(manifestOf(organization, shuffled));
          expect(linesOf(await bench.plan())).toEqual([]);
        }),
        runs,
      );
    },
    timeout,
  );

  it(
    'reaches the same state after runs that were killed at any point',
    async () => {
      let killed = 0;
      const kill = fc.record({ at: fc.nat(25), answered: fc.boolean(), gently: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(organizations, fc.array(kill, { maxLength: 3 }), async (organization, kills) => {
          const bench = await benchInMemory(manifestOf(organization));
          for (const { at, answered, gently } of kills) {
            const controller = new AbortController();
            let left = at;
            const strike = ({ operation }: { operation: { method: string } }): void => {
              if (operation.method === 'GET' || left-- > 0) return;
              killed++;
              if (gently) controller.abort();
              else throw new Error('killed');
            };
            bench.before = answered ? () => {} : strike;
            bench.after = answered ? strike : () => {};
            await bench
              .apply({ signal: controller.signal, concurrency: 1 + (at % 4) })
              .catch((error: Error) => expect(error.message).toBe('killed'));
          }
          bench.before = bench.after = () => {};
          await bench.bring(manifestOf(organization));
          expect(linesOf(await bench.plan())).toEqual([]);
          const straight = await benchInMemory();
          await straight.bring(manifestOf(organization));
          expect(await stateOf(bench)).toEqual(await stateOf(straight));
        }),
        runs,
      );
      expect(killed).toBeGreaterThan(0);
    },
    timeout,
  );
});
