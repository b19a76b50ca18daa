import { describe, expect, it } from 'vitest';
import { applyPlan } from '../../src/manifest/apply.ts';
import { holdLock } from '../../src/manifest/lock-file.ts';
import type { PlanDocument } from '../../src/manifest/plan-document.ts';
import { readPlan, writePlan } from '../../src/manifest/saved-plan.ts';
import { verifyPlan } from '../../src/manifest/verify.ts';
import { moveSection } from '../../src/resources/site-sections/contract.ts';
import { createSpace, deleteSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { updateTeamMembers } from '../../src/resources/team-members/contract.ts';
import { createBench, linesOf, type Bench } from './bench.ts';
import { problemIn } from './read/folder.ts';

async function applySaved(bench: Bench, text: string) {
  const document = readPlan(text, 'plan.json');
  await verifyPlan({ document, api: bench.api, jobs: 4 });
  const held = await holdLock(bench.lockOptions, () => Promise.resolve(() => {}));
  try {
    return await applyPlan({ document, api: bench.api, held, jobs: 4 });
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
  it('is applied without the manifest, to the same end', async () => {
    const { bench, text } = await planned();
    bench.write('{');
    expect((await applySaved(bench, text)).counts).toMatchObject({ failed: 0, skipped: 0 });
    bench.write(after);
    expect(linesOf(await bench.plan({ prune: true }))).toEqual([]);
  });

  it.each<[string, (bench: Bench) => Promise<unknown>, string, string]>([
    ['changed', (bench) => live(bench).call(updateSpace, { params: { spaceId: idOf(bench, 'space.b') }, body: { emoji: 'x' } }), 'space.b', 'has changed'],
    ['gone', (bench) => live(bench).call(deleteSpace, { params: { spaceId: idOf(bench, 'space.gone') } }), 'space.gone', 'is no longer there'],
    ['made', (bench) => live(bench).call(createSpace, { params: { organizationId: bench.world.org }, body: { title: 'C' } }), 'space.c', 'something like it is there now'],
    [
      'in another order',
      (bench) => live(bench).call(moveSection, { params: { organizationId: bench.world.org, siteId: idOf(bench, 'site.s'), siteSectionId: idOf(bench, 'section.s/x') }, body: {} }),
      'section.s/y (order)',
      'its list has another order now',
    ],
    [
      'with other members',
      (bench) => live(bench).call(updateTeamMembers, { params: { organizationId: bench.world.org, teamId: idOf(bench, 'team.t') }, body: { add: ['usr_create'] } }),
      'team.t',
      '',
    ],
  ])('is refused when something is %s meanwhile', async (_, move, key, message) => {
    const { bench, text } = await planned();
    await move(bench);
    bench.forget();
    const problem = await problemIn(applySaved(bench, text));
    expect(problem).toMatchObject({ reason: 'precondition-failed', exitCode: 6 });
    expect(problem.violations.find(({ path }) => path === key)?.message).toContain(message);
    expect(bench.changing).toEqual([]);
  });

  it('is refused when something was applied meanwhile, and elsewhere', async () => {
    const { bench, text } = await planned();
    await bench.bring(before.replace('title: T,', 'title: T2,'));
    await bench.bring(before);
    expect((await problemIn(applySaved(bench, text))).message).toBe('The lock has moved since the plan was made: something was applied meanwhile.');
    const elsewhere = { ...(JSON.parse(text) as PlanDocument), place: 'https://elsewhere.test' };
    expect(await problemIn(applySaved(bench, JSON.stringify(elsewhere)))).toMatchObject({ reason: 'precondition-failed' });
  });

  it.each([
    ['no JSON', '{', 'is not valid JSON'],
    ['something else', '{"version":1}', 'is damaged'],
    ['another version', '{"version":2}', 'is no plan of this version of docsctl'],
    [
      'an unknown kind',
      '{"version":1,"place":"x","organization":"y","lock":{"serial":1},"steps":[{"key":"a","address":"a","kind":"nothing","action":"create","name":"a","changes":[],"after":[],"calls":1}]}',
      'is damaged',
    ],
  ])('that is %s is refused', (_, text, message) => {
    expect(() => readPlan(text, 'plan.json')).toThrow(`The plan plan.json ${message}.`);
  });
});
