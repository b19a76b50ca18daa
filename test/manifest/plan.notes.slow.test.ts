import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmpty, type PlanDocument } from '../../src/manifest/plan-document.ts';
import { planManifest } from '../../src/manifest/plan.ts';
import { readState } from '../../src/manifest/state-file.ts';
import { createSpace, listSpaces } from '../../src/resources/spaces/contract.ts';
import { createBench, type Bench } from './bench.ts';
import { faultsIn, problemIn, readFolder } from './read/folder.ts';

const idOf = (bench: Bench, address: string) => bench.lock!.resources[address]!.id;

describe('"protect" in a plan', () => {
  it('is switched in the state file alone, which counts as a change', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A, protect: true }, b: { title: B } }');
    for (const [given, was] of [
      [false, true],
      [true, false],
    ] as const) {
      bench.write(`spaces: { a: { title: A, protect: ${given} }, b: { title: B } }`);
      const plan = await bench.plan();
      expect(plan.steps[0]).toMatchObject({
        action: 'update',
        changes: [],
        protect: given,
        protectWas: was,
        calls: 0,
      });
      expect([isEmpty(plan), plan.counts.update, plan.calls]).toEqual([false, 1, 0]);
      bench.forget();
      expect((await bench.apply()).rows.map(({ key, action, status }) => [key, action, status])).toEqual([
        ['space.a', 'update', 'done'],
      ]);
      expect(bench.changing).toEqual([]);
      expect(bench.lock!.resources['space.a']!.protect === true).toBe(given);
      expect(isEmpty(await bench.plan())).toBe(true);
    }
  });

  it('stays in effect without a note if the block no longer has it', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A, protect: true } }');
    bench.write('spaces: { a: { title: A } }');
    const plan = await bench.plan();
    expect([isEmpty(plan), plan.unstated]).toEqual([true, []]);
  });

  it('is not a change of its own for a new resource', async () => {
    const bench = await createBench('spaces: { a: { title: A, protect: true } }');
    expect((await bench.plan()).steps[0]).not.toHaveProperty('protectWas');
  });
});

describe('a field that is no longer stated', () => {
  it('is listed until an apply, which forgets it and sends nothing', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A, editMode: locked, mergeRules: none } }');
    bench.write('spaces: { a: { title: A } }');
    for (let time = 0; time < 2; time++) {
      const plan = await bench.plan();
      expect([isEmpty(plan), plan.unstated]).toEqual([
        true,
        [
          { address: 'space.a', field: 'editMode' },
          { address: 'space.a', field: 'mergeRules' },
        ],
      ]);
    }
    bench.forget();
    await bench.apply();
    expect(bench.changing).toEqual([]);
    expect(bench.lock!.resources['space.a']!.fields).toEqual({ title: 'A' });
    expect((await bench.plan()).unstated).toEqual([]);
  });

  it('is listed for a renamed block, but not for a resource that is created again', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { a: { title: A, editMode: locked }, b: { title: B, editMode: locked } }');
    await bench.world.as('admin').call((await import('../../src/resources/spaces/contract.ts')).deleteSpace, {
      params: { spaceId: idOf(bench, 'space.b') },
    });
    bench.write('spaces: { other: { title: A }, b: { title: B } }');
    const plan = await bench.plan();
    expect(plan.unstated).toEqual([{ address: 'space.other', field: 'editMode' }]);
    expect(plan.counts).toMatchObject({ adopt: 1, create: 1 });
  });

  it('is listed once, like a change of protection, whatever was stated before', async () => {
    const field = fc.option(fc.constantFrom('live', 'locked'), { nil: undefined });
    const block = fc.record({
      editMode: field,
      emoji: fc.option(fc.constantFrom('📘', '📗'), { nil: undefined }),
      protect: fc.option(fc.boolean(), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 2, maxLength: 4 }), async (blocks) => {
        const bench = await createBench();
        bench.keepsLock = false;
        let before: (typeof blocks)[number] | undefined;
        let isProtected = false;
        for (const stated of blocks) {
          const fields = Object.entries(stated).filter(([, value]) => value !== undefined);
          bench.write(
            `spaces: { a: { title: A${fields.map(([name, value]) => `, ${name}: ${String(value)}`).join('')} } }`,
          );
          const plan = await bench.plan();
          const gone = (['editMode', 'emoji'] as const).filter(
            (name) => before?.[name] !== undefined && stated[name] === undefined,
          );
          expect(plan.unstated!.map((one) => one.field).sort()).toEqual(gone);
          expect(plan.steps.some(({ protectWas }) => protectWas !== undefined)).toBe(
            before !== undefined && (stated.protect ?? isProtected) !== isProtected,
          );
          await bench.apply();
          const after = await bench.plan();
          expect([isEmpty(after), after.unstated]).toEqual([true, []]);
          isProtected = stated.protect ?? isProtected;
          before = stated;
        }
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});

describe('hints about renamed blocks', () => {
  it('suggest to forget the old address and to adopt the new one, with and without prune', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { old: { title: Old } }');
    const id = idOf(bench, 'space.old');
    bench.write('spaces: { new: { title: New } }');
    const hint = `If this is space.old with a new name, run \`docsctl forget space.old\` and \`docsctl adopt space.new ${id}\`.`;
    expect((await bench.plan()).steps.map(({ key, hint: shown }) => [key, shown])).toEqual([
      ['space.new', hint],
    ]);
    expect((await bench.plan({ prune: true })).steps[0]!.hint).toBe(hint);
  });

  it('are omitted if two blocks are left over, none is, or many are new', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { one: { title: One }, two: { title: Two } }\nteams: { t: { title: T } }');
    const hints = async (text: string) => {
      bench.write(text);
      return (await bench.plan()).steps.filter(({ hint }) => hint !== undefined).map(({ key }) => key);
    };
    expect(await hints('spaces: { new: { title: New } }')).toEqual([]);
    expect(
      await hints('spaces: { one: { title: One }, two: { title: Two }, new: { title: New } }\nteams: {}'),
    ).toEqual([]);
    expect(
      await hints('spaces: { one: { title: One }, new: { title: New }, newer: { title: Newer } }'),
    ).toEqual(['space.new', 'space.newer']);
    const many = [1, 2, 3, 4].map((n) => `n${n}: { title: N${n} }`).join(', ');
    expect(await hints(`spaces: { one: { title: One }, ${many} }`)).toEqual([]);
  });

  it('suggest forget --force for a protected resource', async () => {
    const bench = await createBench();
    await bench.bring('spaces: { old: { title: Old, protect: true } }');
    bench.write('spaces: { new: { title: New } }');
    expect((await bench.plan()).steps[0]!.hint).toContain(
      'docsctl forget space.old --force` and `docsctl adopt space.new ',
    );
  });
});

describe('blocks that match several live resources', () => {
  it('get different suggestions, as long as there are enough resources', async () => {
    const bench = await createBench('spaces:\n  a: { title: One }\n  b: { title: One }\n  c: { title: One }');
    const make = () =>
      bench.world
        .as('admin')
        .call(createSpace, { params: { organizationId: bench.world.org }, body: { title: 'One' } });
    await make();
    await make();
    const ids = (
      await bench.world.as('admin').call(listSpaces, { params: { organizationId: bench.world.org } })
    ).items.map((space) => space.id);
    const faults = await faultsIn(bench.plan());
    const suggested = faults.map((fault) => /docsctl adopt (space\.\w) (spc_\w+)/.exec(fault)?.slice(1));
    expect(suggested.slice(0, 2).map((one) => one?.[0])).toEqual(['space.a', 'space.b']);
    expect(new Set(suggested.slice(0, 2).map((one) => one?.[1]))).toEqual(new Set(ids));
    expect(faults[2]).toMatch(/space\.c matches .*; give the block a different title$/);
  });
});

describe('a resource without a title', () => {
  it('is named by its address', async () => {
    const bench = await createBench('org: { agents: { instructions: Be brief. } }');
    expect((await bench.plan()).steps[0]).toMatchObject({
      key: 'agent-instructions.agents',
      name: 'agent-instructions.agents',
    });
  });
});

describe('a plan that is refused because of its deletions', () => {
  async function refused(bench: Bench): Promise<{ readonly told: PlanDocument[]; readonly message: string }> {
    const told: PlanDocument[] = [];
    const { root } = await readFolder(bench.folder);
    const planned = planManifest({
      api: bench.api,
      organization: bench.world.org,
      root,
      state: readState(bench.lockOptions),
      concurrency: 1,
      prune: true,
      onRefused: (document) => void told.push(document),
    });
    return { message: (await problemIn(planned)).message, told };
  }

  it('counts the resources inside the deleted ones', async () => {
    const bench = await createBench();
    const names = ['a', 'b', 'c', 'd', 'e'];
    await bench.bring(
      `spaces: { s: { title: S } }\nsites: { ${names.map((name) => `site-${name}: { title: Site ${name}, sections: [{ path: x, space: !ref space.s }] }`).join(', ')} }`,
    );
    bench.write('spaces: { s: { title: S } }\nsites: {}');
    const { message, told } = await refused(bench);
    expect(message).toMatch(
      /^This would delete 15 resources: 5, and 10 more inside them; the limit is 5 unless --max-deletes allows more\.$/,
    );
    expect(told[0]!.counts.delete).toBe(5);
  });
});
