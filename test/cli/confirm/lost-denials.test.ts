import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['members', 'invite', 'bo@acme.test', '--role', 'edit']);
  await desk.done(['teams', 'create', 'Writers', '--members', 'bo@acme.test']);
  await desk.done(['collections', 'create', '--title', 'Plans']);
  await desk.done(['collections', 'permissions', 'set', 'Plans', '--teams', 'Writers', '--role', 'none']);
});
afterEach(() => desk.discard());

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
    'The role "none" on the collection is removed, which may give access to its spaces to bo@acme.test, the team "Writers".';
  expect((await desk.done(['collections', 'delete', 'Plans', '--dry-run'])).stderr).toContain(lost);
  expect((await desk.done(['collections', 'delete', 'Plans', '--yes'])).stderr).toContain(lost);
});

it('collections delete names nobody without the role none', async () => {
  await desk.done(['collections', 'create', '--title', 'Notes']);
  expect((await desk.done(['collections', 'delete', 'Notes', '--yes'])).stderr).not.toContain('role "none"');
});
