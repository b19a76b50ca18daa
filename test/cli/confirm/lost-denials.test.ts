import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['members', 'invite', 'bo@acme.test', '--role', 'edit']);
  await desk.done(['teams', 'create', 'Writers', '--members', 'bo@acme.test']);
  await desk.done(['collections', 'create', '--title', 'Plans']);
  for (const [noun, name] of [
    ['collections', 'Plans'],
    ['spaces', 'Guide'],
  ] as const)
    await desk.done([noun, 'permissions', 'set', name, '--teams', 'Writers', '--role', 'none']);
});
afterEach(() => desk.discard());

it('teams delete names the content that its members may open afterwards', async () => {
  const lost =
    'The role none of the team is removed, so its members may get access to the collection "Plans", the space "Guide".';
  expect((await desk.done(['teams', 'delete', 'Writers', '--dry-run'])).stderr).toContain(lost);
  expect((await desk.run(['teams', 'delete', 'Writers'])).stderr).toContain(lost);
  expect((await desk.done(['teams', 'delete', 'Writers', '--yes'])).stderr).toContain(lost);
});

it('collections delete names those who may open its spaces afterwards', async () => {
  await desk.done([
    'collections',
    'permissions',
    'set',
    'Plans',
    '--users',
    'bo@acme.test',
    '--role',
    'none',
  ]);
  const lost =
    'The role none on the collection is removed, so its spaces may open to bo@acme.test, the team "Writers".';
  expect((await desk.done(['collections', 'delete', 'Plans', '--dry-run'])).stderr).toContain(lost);
  expect((await desk.done(['collections', 'delete', 'Plans', '--yes'])).stderr).toContain(lost);
});

it('they name nothing without the role none', async () => {
  await desk.done(['teams', 'create', 'Readers']);
  expect((await desk.done(['teams', 'delete', 'Readers', '--yes'])).stderr).not.toContain('role none');
});
