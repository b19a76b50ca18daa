import { expect, it } from 'vitest';
import { embeddedApi } from '../../src/core/embedded.ts';
import { submitReview } from '../../src/resources/change-request-reviews/contract.ts';
import { createChangeRequest, mergeChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { applyTemplate } from '../../src/resources/content/space/contract.ts';
import {
  createToken,
  installOnSpace,
  updateInstallation,
} from '../../src/resources/integration-installations/contract.ts';
import { listSitePaths, readSitePaths } from '../../src/resources/site-paths/contract.ts';
import { listShareLinks } from '../../src/resources/site-share-links/contract.ts';
import { createSite, getSite, listSites } from '../../src/resources/sites/contract.ts';
import { createSpace, listSpaces, updateSpace } from '../../src/resources/spaces/contract.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { createWorld } from '../support/world.ts';

/** Creates a world with an integration that has these scopes, an Api for its installation, and the path parameters. */
async function withBot(scopes: Parameters<typeof publish>[2]) {
  const world = await createWorld();
  await publish(world, 'bot', scopes);
  const params = { integrationName: 'bot', installationId: (await install(world)).id };
  const { token } = await world.as('admin').call(createToken, { params });
  return { world, params, bot: embeddedApi(world.core, { kind: 'token', token }) };
}

it('an integration on a selected space cannot read another space through a template', async () => {
  const { world, params, bot } = await withBot({ scopes: ['space:content:write'] });
  const admin = world.as('admin');
  const make = async (title: string) =>
    (await admin.call(createSpace, { params: { organizationId: world.org }, body: { title } })).id;
  const [own, other] = [await make('Own'), await make('Other')];
  await admin.call(updateInstallation, { params, body: { space_selection: 'selected' } });
  await admin.call(installOnSpace, { params, body: { space: own } });
  const at = { params: { spaceId: own } };
  const { id: changeRequestId } = await bot.call(createChangeRequest, { ...at, body: {} });
  const apply = (id: string) => bot.call(applyTemplate, { ...at, body: { id, changeRequestId } });
  await apply(own);
  await expect(apply(other)).rejects.toMatchObject({ reason: 'not-found' });
  await admin.call(updateInstallation, { params, body: { space_selection: 'all' } });
  await apply(other);
  await world.core.store.close();
});

it('an integration with space:content:write can apply a template to a space, unless merge rules apply', async () => {
  const { world, bot } = await withBot({ scopes: ['space:content:write'] });
  const admin = world.as('admin');
  const org = { organizationId: world.org };
  const { id } = await admin.call(createSpace, { params: org, body: { title: 'Guide' } });
  const params = { spaceId: id };
  await bot.call(applyTemplate, { params, body: { id } });
  const mergeRules = { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] } as never;
  await admin.call(updateSpace, { params, body: { mergeRules } });
  await expect(bot.call(applyTemplate, { params, body: { id } })).rejects.toMatchObject({
    reason: 'conflict',
  });
  await world.core.store.close();
});

it('an integration cannot approve a change request of a member that contains its own edits', async () => {
  const { world, bot } = await withBot({ scopes: ['space:content:write'] });
  const admin = world.as('admin');
  const org = { organizationId: world.org };
  const { id: spaceId } = await admin.call(createSpace, { params: org, body: { title: 'Guide' } });
  const mergeRules = { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] } as never;
  await admin.call(updateSpace, { params: { spaceId }, body: { mergeRules } });
  const { id } = await world.as('edit').call(createChangeRequest, { params: { spaceId }, body: {} });
  const params = { spaceId, changeRequestId: id };
  await bot.call(applyTemplate, { params, body: { id: spaceId, changeRequestId: id } });
  await bot.call(submitReview, { params, body: { status: 'approved' } });
  const merge = () => bot.call(mergeChangeRequest, { params, body: {} });
  await expect(merge()).rejects.toMatchObject({ reason: 'conflict' });
  await world.as('review').call(submitReview, { params, body: { status: 'approved' } });
  await merge();
  await world.core.store.close();
});

it('an integration with space:metadata:write cannot change access to spaces or their merge rules', async () => {
  const { world, bot } = await withBot({ scopes: ['space:metadata:write'] });
  const params = { organizationId: world.org };
  const { id } = await world.as('admin').call(createSpace, { params, body: { title: 'Guide' } });
  const update = (body: object) => bot.call(updateSpace, { params: { spaceId: id }, body });
  expect(await update({ title: 'Manual' })).toMatchObject({ title: 'Manual' });
  for (const body of [{ defaultLevel: 'admin' }, { mergeRules: { type: 'none' } }])
    await expect(update(body)).rejects.toMatchObject({ reason: 'forbidden' });
  await world.core.store.close();
});

it('an integration with site:metadata:read cannot read pages and share links of sites', async () => {
  const { world, bot } = await withBot({ scopes: ['site:metadata:read', 'space:content:read'] });
  const org = { organizationId: world.org };
  const { id } = await world.as('admin').call(createSite, { params: org, body: { title: 'Docs' } });
  const params = { ...org, siteId: id };
  expect(await bot.call(getSite, { params })).toMatchObject({ id });
  const refused = { reason: 'forbidden' };
  await expect(bot.call(listSitePaths, { params })).rejects.toMatchObject(refused);
  const query = { paths: '["index.md"]' };
  await expect(bot.call(readSitePaths, { params, query })).rejects.toMatchObject(refused);
  await expect(bot.call(listShareLinks, { params })).rejects.toMatchObject(refused);
  await world.core.store.close();
});

it('an integration on selected spaces or sites cannot list all of them', async () => {
  const { world, bot, params: at } = await withBot({ scopes: ['space:metadata:read', 'site:metadata:read'] });
  const params = { organizationId: world.org };
  const reasonOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 'done',
      ({ reason }: { reason: string }) => reason,
    );
  const lists = async () => [
    await reasonOf(bot.call(listSpaces, { params })),
    await reasonOf(bot.call(listSites, { params })),
  ];
  const select = (space_selection: 'all' | 'selected', site_selection: 'all' | 'selected') =>
    world.as('admin').call(updateInstallation, { params: at, body: { space_selection, site_selection } });
  expect(await lists()).toEqual(['done', 'done']);
  await select('selected', 'all');
  expect(await lists()).toEqual(['forbidden', 'done']);
  await select('all', 'selected');
  expect(await lists()).toEqual(['done', 'forbidden']);
  await world.core.store.close();
});
