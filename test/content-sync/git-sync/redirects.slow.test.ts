import { afterEach, beforeEach, expect, it } from 'vitest';
import { addSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { listGitRuns } from '../../../src/resources/git-sync/contract.ts';
import { listSiteRedirects } from '../../../src/resources/site-redirects/contract.ts';
import { setPermissions } from '../../../src/resources/permissions/space/contract.ts';
import { createSite, publishSite } from '../../../src/resources/sites/contract.ts';
import { openDesk, type Desk } from '../../resources/content-support.ts';
import type { Who, World } from '../../support/world.ts';
import { createBareRepository, type BareRepository } from './bare-repository.ts';
import { createSyncWorld, synchronize, type Run } from './sync-support.ts';

let repository: BareRepository;
let world: World;
let desk: Desk;
let site: { readonly organizationId: string; readonly siteId: string };

const guide = '# Guide\n\nOne.\n\nTwo.\n\nThree.\n';
beforeEach(async () => {
  repository = createBareRepository();
  world = await createSyncWorld();
  desk = await openDesk(world);
  const admin = world.as('admin');
  const org = { organizationId: world.org };
  const { id: siteId } = await admin.call(createSite, { params: org, body: { title: 'Docs' } });
  site = { ...org, siteId };
  await admin.call(addSiteSpace, { params: site, body: { spaceId: desk.spaceId } });
  await admin.call(publishSite, { params: site });
  repository.commit({ 'README.md': '# Start\n', 'guide.md': guide }, 'First');
  await sync();
  repository.commit({ 'guide.md': undefined, 'handbook.md': guide }, 'Rename');
});
afterEach(() => repository.remove());

const sync = (body: object = {}, who: Who = 'owner'): Promise<Run> =>
  synchronize(world, desk.spaceId, { url: repository.url, ref: 'main', ...body }, who);
const inShort = ({ redirects }: Run) =>
  redirects?.map(({ source, target, done }) => `${source} ${target}${done ? '' : ' ?'}`);
const sources = async () =>
  (await world.as('admin').call(listSiteRedirects, { params: site })).items.map(({ source }) => source);

it('lists the redirects that moved pages need, only to the author of the run', async () => {
  const run = await sync();
  expect([run.state, inShort(run), await sources()]).toEqual(['success', ['/guide /handbook ?'], []]);
  const { items } = await world.as('read').call(listGitRuns, { params: { spaceId: desk.spaceId } });
  expect(items.at(-1)?.changeCount).toBeGreaterThan(0);
  expect(items.at(-1)?.redirects).toBeUndefined();
});

it('creates redirects with the merge', async () => {
  const run = await sync({ redirects: true });
  expect([run.state, inShort(run), await sources()]).toEqual(['success', ['/guide /handbook'], ['/guide']]);
  expect(inShort(await sync({ redirects: true }))).toBeUndefined();
});

it('creates no redirects if the author lacks the permission, and warns', async () => {
  await world.as('admin').call(setPermissions, {
    params: { spaceId: desk.spaceId },
    body: { role: 'admin', users: [world.user('edit')] },
  });
  const run = await synchronize(world, desk.spaceId, { redirects: true }, 'edit');
  expect([run.state, await sources()]).toEqual(['success', []]);
  expect(run.warnings).toEqual([
    expect.stringContaining(
      'No redirects were created. To change the redirects of a site, you need the admin role on the site "Docs"; you have the edit role.',
    ),
  ]);
});
