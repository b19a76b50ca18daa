import { beforeEach, expect, test } from 'vitest';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  updateSiteSpace,
} from '../../../src/resources/site-spaces/contract.ts';
import { getSite } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
});

const section = (title: string, more: object = {}) => world.section(site, title, more);
const siteSpace = (title: string, more: object = {}) => world.siteSpace(site, title, more);

test('a site space is added to the given section or the default one, with an optional title', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  expect(
    await world.call(addSiteSpace, { siteId: site }, { spaceId: await world.space('Plain') }),
  ).toMatchObject({
    object: 'site-space',
    section: one,
    title: 'Plain',
    path: 'plain',
    default: false,
    hidden: false,
    urls: {},
  });
  expect(
    await world.call(
      addSiteSpace,
      { siteId: site },
      { spaceId: await world.space('Plain'), sectionId: two, title: 'Titled' },
    ),
  ).toMatchObject({
    section: two,
    title: 'Titled',
    path: 'titled',
  });
  expect(
    await world.refusal(
      addSiteSpace,
      { siteId: site },
      { spaceId: await world.space('X'), sectionId: 'sitesc_none' },
    ),
  ).toMatchObject({ reason: 'not-found' });
});

test('a space can be in several sections, but only once in each', async () => {
  const space = await world.space('Shared');
  await world.call(addSection, { siteId: site }, { spaceId: space });
  const second = await world.call(addSection, { siteId: site }, { spaceId: space, title: 'Again' });
  expect(
    await world.refusal(addSiteSpace, { siteId: site }, { spaceId: space, sectionId: second.id }),
  ).toMatchObject({
    reason: 'conflict',
    message: expect.stringMatching(/^The section "again" already shows this space, as the site space /),
  });
  expect(await world.refusal(addSiteSpace, { siteId: site }, { spaceId: space })).toMatchObject({
    message: expect.stringContaining('The section "shared" already'),
    hint: expect.stringContaining('Without a section, the default section is used.'),
  });
  const other = await siteSpace('Other', { sectionId: second.id });
  expect(
    await world.refusal(updateSiteSpace, { siteId: site, siteSpaceId: other }, { spaceId: space }),
  ).toMatchObject({ reason: 'conflict' });
});

test('deleted, foreign and missing spaces are not found when added or set', async () => {
  const at = { siteId: site, siteSpaceId: await siteSpace('One') };
  const deleted = await world.space('Gone', { state: 'deleted', deletedAt: '2026-01-01T00:00:00.000Z' });
  const foreign = await world.space('Foreign', { organization: world.otherOrg });
  for (const spaceId of [deleted, foreign, 'spc_none']) {
    for (const [operation, params] of [
      [addSiteSpace, { siteId: site }],
      [addSection, { siteId: site }],
      [updateSiteSpace, at],
    ] as const) {
      expect(await world.refusal(operation, params, { spaceId })).toMatchObject({
        reason: 'not-found',
        message: `There is no space "${spaceId}" that you can see.`,
      });
    }
  }
});

test('an update keeps fields that it does not name, and null removes the condition', async () => {
  const at = { siteId: site, siteSpaceId: await siteSpace('One') };
  const next = await world.space('Next');
  const full = await world.call(updateSiteSpace, at, {
    path: 'start',
    condition: 'visitor.claims.a',
    hidden: true,
    spaceId: next,
  });
  expect(full).toMatchObject({
    path: 'start',
    condition: 'visitor.claims.a',
    hidden: true,
    title: 'Next',
    space: { id: next },
  });
  expect(await world.call(updateSiteSpace, at, { spaceId: next })).toEqual(full);
  expect(await world.call(updateSiteSpace, at, { condition: null, hidden: false })).not.toHaveProperty(
    'condition',
  );
  await siteSpace('Two');
  expect(await world.refusal(updateSiteSpace, at, { path: 'two' })).toMatchObject({ reason: 'conflict' });
  for (const body of [
    { path: '' },
    { path: 'x'.repeat(101) },
    { condition: 'x'.repeat(1025) },
    { hidden: 'no' },
  ])
    expect(await world.refusal(updateSiteSpace, at, body)).toMatchObject({ reason: 'invalid-input' });
});

test('the last site space of a section is not deleted, and a deleted default is replaced by the first one', async () => {
  const one = await section('One');
  const { items } = await world.call(listSiteSpaces, { siteId: site });
  const first = { siteId: site, siteSpaceId: items[0]!.id };
  expect(await world.refusal(deleteSiteSpace, first)).toMatchObject({
    reason: 'conflict',
    hint: expect.stringContaining(`sections delete ${one}`),
  });
  await siteSpace('Two');
  await world.call(deleteSiteSpace, first);
  expect(await world.sketch(site)).toBe('One*[Two*]');
  expect(await world.call(getSite, { siteId: site })).toMatchObject({ siteSpaces: 1 });
  expect(await world.refusal(deleteSiteSpace, first)).toMatchObject({ reason: 'not-found' });
});

test('at the root, the last site space can be deleted', async () => {
  const [one, two] = [await siteSpace('One'), await siteSpace('Two')];
  await world.call(deleteSiteSpace, { siteId: site, siteSpaceId: one });
  expect(await world.sketch(site)).toBe('Two*');
  await world.call(deleteSiteSpace, { siteId: site, siteSpaceId: two });
  await siteSpace('Three');
  expect(await world.sketch(site)).toBe('Three*');
});

test('site spaces are listed section by section, filtered by default, in pages', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  await siteSpace('One b', { sectionId: one });
  await siteSpace('Two b', { sectionId: two });
  const titles = async (query: object) =>
    (await world.call(listSiteSpaces, { siteId: site }, undefined, query)).items.map(({ title }) => title);
  expect(await titles({})).toEqual(['One', 'One b', 'Two', 'Two b']);
  expect(await titles({ default: true })).toEqual(['One', 'Two']);
  expect(await titles({ default: false })).toEqual(['One b', 'Two b']);
  const { next } = await world.call(listSiteSpaces, { siteId: site }, undefined, { limit: 3 });
  expect(await titles({ limit: 3, page: next!.page })).toEqual(['Two b']);
});
