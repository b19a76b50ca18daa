import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Api } from '../../src/contract/api.ts';
import { Problem } from '../../src/errors/problem.ts';
import { drawPlan } from '../../src/cli/manifest/plan-text.ts';
import { createStyler } from '../../src/cli/output/style.ts';
import { applyPlan } from '../../src/manifest/apply-plan.ts';
import { openStateFile } from '../../src/manifest/state-file.ts';
import { ManifestState } from '../../src/manifest/manifest-state.ts';
import type { PlanDocument, Step } from '../../src/manifest/plan-document.ts';
import { readPlan, writePlan } from '../../src/manifest/saved-plan.ts';
import { verifyPlan } from '../../src/manifest/verify-plan.ts';
import { moveSection } from '../../src/resources/site-sections/contract.ts';
import { createSpace, deleteSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { updateTeamMembers } from '../../src/resources/team-members/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { problemIn } from './read/folder.ts';

async function applySaved(bench: Bench, text: string) {
  const document = readPlan(text, 'plan.json');
  const held = await openStateFile(bench.lockOptions, () => Promise.resolve(() => {}));
  try {
    await verifyPlan({ document, api: bench.api, state: held.state, concurrency: 4 });
    return await applyPlan({ document, api: bench.api, handle: held, concurrency: 4 });
  } finally {
    await held.release();
  }
}

const before = `
teams: { t: { title: T, members: [edit@acme.test] } }
spaces: { a: { title: A }, b: { title: B }, gone: { title: Gone } }
sites: { s: { title: Site, sections: [{ path: x, space: !ref space.a }, { path: y, space: !ref space.b }] } }`;
const after = `
teams: { t: { title: T, members: [edit@acme.test, review@acme.test] } }
spaces: { a: { title: A 2 }, b: { title: B }, c: { title: C, mergeRules: { allow_bypass: [edit@acme.test] } } }
sites: { s: { title: Site, sections: [{ path: y, space: !ref space.b }, { path: x, space: !ref space.a }, { path: z, space: !ref space.c }] } }`;

async function planned(): Promise<{ bench: Bench; text: string }> {
  const bench = await createBench();
  await bench.bring(before);
  bench.write(after);
  return { bench, text: writePlan(await bench.plan({ prune: true })) };
}

const live = (bench: Bench) => bench.world.as('admin');
const idOf = (bench: Bench, address: string) => bench.lock!.resources[address]!.id;

describe('a saved plan', () => {
  it('is applied without the manifest, with the same result', async () => {
    const { bench, text } = await planned();
    bench.write('{');
    expect((await applySaved(bench, text)).counts).toMatchObject({ failed: 0, skipped: 0 });
    bench.write(after);
    expect(linesOf(await bench.plan({ prune: true }))).toEqual([]);
  });

  it('renames a resource whose other fields are set at the end', async () => {
    const bench = await createBench();
    await bench.bring(before);
    bench.write(before.replace('{ title: Site,', '{ title: Docs, published: true,'));
    const document = await bench.plan();
    expect(document.steps.map(({ key }) => key)).toContain('site.s (last)');
    expect((await applySaved(bench, writePlan(document))).counts).toMatchObject({ done: 2, failed: 0 });
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('is applied even if another resource was created meanwhile', async () => {
    const { bench, text } = await planned();
    await live(bench).call(createSpace, {
      params: { organizationId: bench.world.org },
      body: { title: 'D' },
    });
    expect((await applySaved(bench, text)).counts).toMatchObject({ failed: 0, skipped: 0 });
  });

  it.each<[string, (bench: Bench) => Promise<unknown>, string, string]>([
    [
      'changed',
      (bench) =>
        live(bench).call(updateSpace, { params: { spaceId: idOf(bench, 'space.b') }, body: { emoji: '📘' } }),
      'space.b',
      'has changed',
    ],
    [
      'gone',
      (bench) => live(bench).call(deleteSpace, { params: { spaceId: idOf(bench, 'space.gone') } }),
      'space.gone',
      'no longer exists',
    ],
    [
      'made',
      (bench) =>
        live(bench).call(createSpace, { params: { organizationId: bench.world.org }, body: { title: 'C' } }),
      'space.c',
      'now looks the same',
    ],
    [
      'in another order',
      (bench) =>
        live(bench).call(moveSection, {
          params: {
            organizationId: bench.world.org,
            siteId: idOf(bench, 'site.s'),
            siteSectionId: idOf(bench, 'section.s/x'),
          },
          body: {},
        }),
      'section.s/y (order)',
      'its list has a different order now',
    ],
    [
      'with other members',
      (bench) =>
        live(bench).call(updateTeamMembers, {
          params: { organizationId: bench.world.org, teamId: idOf(bench, 'team.t') },
          body: { add: ['usr_create'] },
        }),
      'team.t',
      '',
    ],
  ])('is refused if something is %s meanwhile', async (_, move, key, message) => {
    const { bench, text } = await planned();
    await move(bench);
    bench.forget();
    const problem = await problemIn(applySaved(bench, text));
    expect(problem).toMatchObject({ reason: 'precondition-failed', exitCode: 6 });
    expect(problem.violations.find(({ path }) => path === key)?.message).toContain(message);
    expect(bench.changing).toEqual([]);
  });

  it('is refused if something was applied meanwhile, and in another store', async () => {
    const { bench, text } = await planned();
    await bench.bring(before.replace('title: T,', 'title: T2,'));
    await bench.bring(before);
    expect((await problemIn(applySaved(bench, text))).message).toBe(
      'The state file is not the one that the plan was made with, or something else was applied since.',
    );
    const elsewhere = { ...(JSON.parse(text) as PlanDocument), place: 'https://elsewhere.test' };
    expect(await problemIn(applySaved(bench, JSON.stringify(elsewhere)))).toMatchObject({
      reason: 'precondition-failed',
    });
  });

  it.each([
    ['not JSON', '{', 'is not valid JSON'],
    ['something else', '{"version":1}', 'is damaged'],
    ['another version', '{"version":2}', 'was not made by this version of docsctl'],
    [
      'an unknown kind',
      '{"version":1,"place":"x","organization":"y","lock":{"serial":1},"steps":[{"key":"a","address":"a","kind":"nothing","action":"create","name":"a","changes":[],"after":[],"calls":1}]}',
      'is damaged',
    ],
  ])('that is %s is refused', (_, text, message) => {
    expect(() => readPlan(text, 'plan.json')).toThrow(`The plan plan.json ${message}.`);
  });
});

type Loose = Record<string, ReturnType<typeof JSON.parse>>;
const hostile = (text: string, change: (plan: Loose, step: (key: string) => Loose) => void): string => {
  const plan = JSON.parse(text) as Loose;
  change(plan, (key) => (plan['steps'] as Loose[]).find((step) => step['key'] === key)!);
  return JSON.stringify(plan);
};

describe('a forged saved plan', () => {
  it('cannot contain special values other than references', async () => {
    const { bench, text } = await planned();
    const mark = { 'docsctl:secret': 'env VICTIM_TOKEN', hash: 'ab'.repeat(32) };
    const inTitle = hostile(text, (_plan, step) => (step('space.c')['changes'][0].after = mark));
    const inside = hostile(text, (_plan, step) =>
      step('space.c')['changes'].push({ field: 'mergeRules', after: [{ rule: mark }] }),
    );
    for (const plan of [inTitle, inside])
      expect(await problemIn(applySaved(bench, plan))).toMatchObject({
        exitCode: 8,
        message: 'The plan plan.json is damaged.',
      });
  });

  const lies: [string, (plan: Loose, step: (key: string) => Loose, bench: Bench) => void, object][] = [
    [
      'deletes a resource that the state does not own',
      (_, step, bench) => Object.assign(step('space.gone'), { id: bench.world.org }),
      { exitCode: 6 },
    ],
    ['deletes with another fingerprint', (_, step) => (step('space.gone')['saw'] = 'x'), { exitCode: 6 }],
    ['deletes under another name', (_, step) => (step('space.gone')['name'] = 'Old draft'), { exitCode: 6 }],
    ['updates under another name', (_, step) => (step('space.b')['name'] = 'Old draft'), { exitCode: 6 }],
    [
      'creates a resource under another name',
      (_, step) => (step('space.c')['name'] = 'Nothing'),
      { exitCode: 6 },
    ],
    [
      'hides what is deleted with a resource',
      (_, step) => (step('space.gone')['drops'] = ['space.a']),
      { exitCode: 6 },
    ],
    [
      'replaces a change with another one',
      (plan, step, bench) =>
        plan['steps'].push({
          ...step('space.a'),
          key: 'space.a (last)',
          late: true,
          id: idOf(bench, 'space.b'),
          changes: [],
        }),
      { exitCode: 8 },
    ],
    [
      'has two steps with the same key',
      (plan, step) => plan['steps'].push({ ...step('space.a') }),
      { exitCode: 8 },
    ],
    [
      'names one resource twice',
      (_, step) => (step('space.b')['id'] = step('space.a')['id']),
      { exitCode: 8 },
    ],
    [
      'changes another address than it shows',
      (_, step) => (step('space.a')['address'] = 'space.b'),
      { exitCode: 8 },
    ],
    [
      'changes a resource that it claims to keep',
      (_, step) => (step('space.a')['action'] = 'none'),
      { exitCode: 8 },
    ],
    ['has no fingerprint', (_, step) => delete step('space.a')['saw'], { exitCode: 8 }],
    [
      'sets more fields than it shows',
      (_, step) => (step('space.c')['atCreation'] = { editMode: 'locked' }),
      { exitCode: 8 },
    ],
    [
      'describes another change than it makes',
      (_, step) => (step('space.a')['changes'][0].says = 'nothing much'),
      { exitCode: 8 },
    ],
    [
      'contains terminal escapes',
      (_, step) => (step('space.a')['changes'][0].moved = 'x\u001b[2J'),
      { exitCode: 8 },
    ],
    ['has terminal escapes in its counts', (plan) => (plan['counts'].create = '\u001b[2J'), { exitCode: 8 }],
    [
      'writes the state itself',
      (_, step) => (step('space.a')['lock'] = [{ address: 'space.b', owned: null }]),
      { exitCode: 8 },
    ],
    [
      'forgets a resource that exists',
      (plan, step) =>
        plan['steps'].splice(plan['steps'].indexOf(step('space.gone')), 1, forgetting('space.gone')),
      { exitCode: 6 },
    ],
    [
      'removes a protection without showing it',
      (_, step) => Object.assign(step('space.safe'), { protect: false, states: { title: 'Safe' } }),
      { exitCode: 6 },
    ],
  ];
  const forgetting = (address: string) => ({
    key: address,
    address,
    kind: 'space',
    action: 'none',
    name: address,
    changes: [],
    after: [],
    calls: 0,
    drops: [address],
  });
  const withSafe = (text: string) =>
    text.replace('spaces: {', 'spaces: { safe: { title: Safe, protect: true },');

  it.each(lies)('that %s is refused before anything is done', async (_, change, refusal) => {
    const bench = await createBench();
    await bench.bring(withSafe(before));
    bench.write(withSafe(after));
    const text = hostile(writePlan(await bench.plan({ prune: true })), (plan, step) =>
      change(plan, step, bench),
    );
    bench.forget();
    expect(await problemIn(applySaved(bench, text))).toMatchObject(refusal);
    expect(bench.changing).toEqual([]);
  });

  it('cannot delete what the state file protects', async () => {
    const bench = await createBench();
    await bench.bring(withSafe(before));
    bench.write(withSafe(after));
    const text = hostile(writePlan(await bench.plan({ prune: true })), (plan, step) => {
      const { id, saw } = step('space.safe');
      Object.assign(step('space.gone'), { key: 'space.safe', address: 'space.safe', name: 'Safe', id, saw });
      plan['steps'].splice(plan['steps'].indexOf(step('space.safe')), 1);
    });
    bench.forget();
    expect(await problemIn(applySaved(bench, text))).toMatchObject({ reason: 'guard-refused', exitCode: 9 });
    expect(bench.changing).toEqual([]);
  });

  it('is shown with the numbers of its steps, whatever numbers it contains', async () => {
    const { text } = await planned();
    const lying = readPlan(
      hostile(text, (plan) =>
        Object.assign(plan, { counts: { ...plan['counts'], delete: 0, none: 99 }, calls: 0 }),
      ),
      'plan.json',
    );
    expect(lying).toEqual(readPlan(text, 'plan.json'));
    expect(await shown(lying)).toContain('1 to delete');
  });
});

describe('a damaged saved plan', () => {
  const step = (plan: Loose): Loose => plan['steps'][0];
  const places: [string, unknown[], (plan: Loose, wrong: unknown) => void][] = [
    ['states', [null, 1, 'x', true, [null], ['__proto__']], (plan, wrong) => (step(plan)['states'] = wrong)],
    ['drops', [null, 1, 'x', {}, true, [null]], (plan, wrong) => (step(plan)['drops'] = wrong)],
    ['lock', [null, 1, 'x', {}, true, [null], ['__proto__']], (plan, wrong) => (step(plan)['lock'] = wrong)],
    ['counts', [null, 1, {}, undefined], (plan, wrong) => (plan['counts'] = wrong)],
    ['left', [null, {}, [null], undefined], (plan, wrong) => (plan['left'] = wrong)],
  ];
  it.each(places)('is refused if its %s has a wrong form', async (_, wrongs, put) => {
    const { text } = await planned();
    for (const wrong of wrongs) {
      const given = hostile(text, (plan) => put(plan, wrong));
      expect(() => readPlan(given, 'plan.json'), String(wrong)).toThrow('The plan plan.json is damaged.');
    }
  });

  it('is refused or harmless, whatever the damage is', async () => {
    const { bench, text } = await planned();
    const odd = fc.oneof(
      fc.constantFrom(
        null,
        0,
        -1,
        1e99,
        '',
        'x',
        true,
        [],
        {},
        [null],
        'space.a',
        'space.b',
        'team.t',
        'delete',
        'none',
        '__proto__',
        '\u001b[2J',
      ),
      fc.jsonValue(),
    );
    const lock = () => new ManifestState(bench.lock!);
    // A plan that is accepted is started, up to the first call of each step.
    const api: Api = {
      ...bench.api,
      call: (operation, input, options) =>
        operation.method === 'GET' ? bench.api.call(operation, input, options) : Promise.reject(refused),
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(), odd, fc.boolean()), { minLength: 1, maxLength: 3 }),
        async (mutations) => {
          const plan = JSON.parse(text) as Loose;
          for (const [at, value, removes] of mutations) mutate(plan, at, value, removes);
          try {
            const document = readPlan(JSON.stringify(plan), 'plan.json');
            expect(await shown(document)).not.toContain('\u001b');
            await verifyPlan({ document, api: bench.api, state: lock(), concurrency: 4 });
            const gone = document.steps
              .filter(({ action }) => action === 'delete')
              .map(({ address }: Step) => address);
            expect(gone.every((address) => address === 'space.gone')).toBe(true);
            await applyPlan({
              document,
              api,
              handle: { state: lock(), save: () => Promise.resolve(), release: () => Promise.resolve() },
              concurrency: 4,
            });
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
          }
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  }, 60_000);
});

const refused = new Problem('forbidden', 'No.');

async function shown(document: PlanDocument): Promise<string> {
  return drawPlan(document, await createStyler(false));
}

/** Replaces or removes a value somewhere in a plan. */
function mutate(plan: Loose, at: number, value: unknown, removes: boolean): void {
  const places: [object: Loose, name: string][] = [];
  const walk = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    for (const name of Object.keys(inner)) {
      places.push([inner, name]);
      walk((inner as Loose)[name]);
    }
  };
  walk(plan);
  const [object, name] = places[at % places.length]!;
  if (removes) delete object[name];
  else object[name] = value;
}
