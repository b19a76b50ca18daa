import { beforeEach, expect, test } from 'vitest';
import {
  addSection,
  deleteSection,
  listSiteSections,
  updateSection,
} from '../../../src/resources/site-sections/contract.ts';
import { updateSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { getSite, getSiteStructure, sortSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
});

const section = (title: string, more: object = {}) => world.section(site, title, more);
const group = (title: string, more: object = {}) => world.group(site, title, more);
const siteSpace = (title: string, more: object = {}) => world.siteSpace(site, title, more);

test('the first section of an empty site becomes the default, and others are added at the end', async () => {
  const made = await world.call(
    addSection,
    { siteId: site },
    { spaceId: await world.space('Guides'), icon: 'book' },
  );
  expect(made).toMatchObject({
    object: 'site-section',
    title: 'Guides',
    path: 'guides',
    icon: 'book',
    default: true,
    siteSpaces: [{ title: 'Guides', default: true, section: made.id }],
  });
  expect(
    await world.call(
      addSection,
      { siteId: site },
      { spaceId: await world.space('Ref'), title: 'API reference', icon: null },
    ),
  ).toMatchObject({
    title: 'API reference',
    path: 'api-reference',
    default: false,
  });
  expect(await world.sketch(site)).toBe('Guides*[Guides*] API reference[Ref*]');
  expect(await world.call(getSite, { siteId: site })).toMatchObject({ siteSpaces: 2 });
});

test('spaces at the root become the first section, which stays the default', async () => {
  await siteSpace('English');
  await siteSpace('Deutsch');
  await section('API');
  expect(await world.sketch(site)).toBe('English*[English* Deutsch] API[API*]');
  expect((await world.call(getSiteStructure, { siteId: site })).type).toBe('sections');
  await siteSpace('Français');
  expect(await world.sketch(site)).toBe('English*[English* Deutsch Français] API[API*]');
});

test('the path of a section or site space must be a single URL segment', async () => {
  await world.call(addSection, { siteId: site }, { spaceId: await world.space('Guide') });
  const { items } = await world.call(listSiteSections, { siteId: site });
  const [section] = items;
  const siteSection = { siteId: site, siteSectionId: section!.id };
  const siteSpace = { siteId: site, siteSpaceId: section!.siteSpaces[0]!.id };
  for (const path of ['a b', 'a/b', '..', 'a!']) {
    const refused = { reason: 'invalid-input', paths: ['/body/path'] };
    expect(await world.refusal(updateSection, siteSection, { path })).toMatchObject(refused);
    expect(await world.refusal(updateSiteSpace, siteSpace, { path })).toMatchObject(refused);
  }
  for (const path of ['Über-uns', 'v2.0']) {
    expect(await world.call(updateSection, siteSection, { path })).toMatchObject({ path });
    expect(await world.call(updateSiteSpace, siteSpace, { path })).toMatchObject({ path });
  }
});

test('paths are unique in the site, and a title that is too short gets a prefix', async () => {
  const paths: string[] = [];
  for (const title of ['Guide', 'Guide', 'X'])
    paths.push((await world.call(addSection, { siteId: site }, { spaceId: await world.space(title) })).path);
  expect(paths).toEqual(['guide', 'guide-2', 'section-x']);
  const { items } = await world.call(listSiteSections, { siteId: site });
  const at = { siteId: site, siteSectionId: items[1]!.id };
  expect(await world.refusal(updateSection, at, { path: 'guide' })).toMatchObject({
    reason: 'conflict',
    message: `The section "Guide" (${items[0]!.id}) already has this path.`,
  });
  expect(await world.call(updateSection, at, { path: 'guide-2' })).toMatchObject({ path: 'guide-2' });
  expect(items[2]).toMatchObject({ title: 'Section X' });
});

test('paths must differ in more than upper and lower case', async () => {
  const first = { siteId: site, siteSectionId: await section('API') };
  const second = { siteId: site, siteSectionId: await section('Guide') };
  expect(await world.refusal(updateSection, second, { path: 'API' })).toMatchObject({
    reason: 'conflict',
    message: `The section "API" (${first.siteSectionId}) already has this path.`,
  });
  expect(await world.call(updateSection, first, { path: 'API' })).toMatchObject({ path: 'API' });
  expect(await world.call(updateSection, second, { path: 'Straße' })).toMatchObject({ path: 'Straße' });
  const { items } = await world.call(listSiteSections, { siteId: site });
  expect(items.map(({ path }) => path)).toEqual(['API', 'Straße']);
  const third = await world.call(addSection, { siteId: site }, { spaceId: await world.space('Api') });
  expect(third.path).toBe('api-2');
  const [one, other] = [await siteSpace('V1'), await siteSpace('V2')];
  await world.call(updateSiteSpace, { siteId: site, siteSpaceId: one }, { path: 'Old' });
  expect(
    await world.refusal(updateSiteSpace, { siteId: site, siteSpaceId: other }, { path: 'old' }),
  ).toMatchObject({ reason: 'conflict', message: `The site space ${one} already has this path.` });
});

test('an update keeps fields that it does not name, and null removes a field', async () => {
  const at = { siteId: site, siteSectionId: await section('Guides') };
  const full = await world.call(updateSection, at, {
    title: 'All guides',
    path: 'all',
    condition: 'visitor.claims.beta == true',
    icon: 'book',
    description: 'To read',
  });
  expect(full).toMatchObject({
    title: 'All guides',
    path: 'all',
    condition: 'visitor.claims.beta == true',
    icon: 'book',
    description: 'To read',
  });
  expect(await world.call(updateSection, at, {})).toEqual(full);
  const bare = await world.call(updateSection, at, { condition: null, icon: null, description: null });
  for (const field of ['condition', 'icon', 'description']) expect(bare).not.toHaveProperty(field);
  expect(bare).toMatchObject({ title: 'All guides', path: 'all' });
});

test('fields have maximum lengths, and unknown or empty fields are refused', async () => {
  const at = { siteId: site, siteSectionId: await section('Guides') };
  const long = (field: string, length: number) => ({
    [field]: field === 'condition' ? `"${'x'.repeat(length - 2)}"` : 'x'.repeat(length),
  });
  for (const [field, length] of Object.entries({
    title: 128,
    path: 100,
    condition: 1024,
    icon: 50,
    description: 256,
  })) {
    expect(await world.call(updateSection, at, long(field, length))).toMatchObject(long(field, length));
    expect(await world.refusal(updateSection, at, long(field, length + 1))).toMatchObject({
      reason: 'invalid-input',
      paths: [`/body/${field}`],
    });
  }
  for (const body of [{ title: 'x' }, { path: '' }, { condition: '' }, { default: true }])
    expect(await world.refusal(updateSection, at, body)).toMatchObject({ reason: 'invalid-input' });
  for (const body of [{}, { spaceId: null }])
    expect(await world.refusal(addSection, { siteId: site }, body)).toMatchObject({
      reason: 'invalid-input',
      paths: ['/body/spaceId'],
    });
});

test('the default site space must be one of the section', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  const second = await siteSpace('More', { sectionId: one });
  expect(
    await world.call(updateSection, { siteId: site, siteSectionId: one }, { defaultSiteSpace: second }),
  ).toMatchObject({
    siteSpaces: [
      { title: 'One', default: false },
      { title: 'More', default: true },
    ],
  });
  expect(
    await world.refusal(updateSection, { siteId: site, siteSectionId: two }, { defaultSiteSpace: second }),
  ).toMatchObject({
    reason: 'invalid-input',
    paths: ['/body/defaultSiteSpace'],
  });
  expect(
    await world.refusal(
      updateSection,
      { siteId: site, siteSectionId: two },
      { defaultSiteSpace: 'sitesp_none' },
    ),
  ).toMatchObject({ reason: 'not-found' });
});

test('deleting a section removes its site spaces, and the first remaining section becomes the default', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  const within = await group('Group', { sections: [two] });
  await section('Three');
  await world.call(
    sortSiteStructure,
    { siteId: site },
    {
      item: { type: 'site-section-group', id: within },
      position: { before: { type: 'site-section', id: one } },
    },
  );
  await world.call(deleteSection, { siteId: site, siteSectionId: one });
  expect(await world.sketch(site)).toBe('(Group: Two*[Two*]) Three[Three*]');
  expect(await world.call(getSite, { siteId: site })).toMatchObject({ siteSpaces: 2 });
  expect(await world.refusal(deleteSection, { siteId: site, siteSectionId: one })).toMatchObject({
    reason: 'not-found',
  });
});

test('a site without sections accepts spaces at its root again', async () => {
  await world.call(deleteSection, { siteId: site, siteSectionId: await section('Only') });
  expect(await world.call(getSiteStructure, { siteId: site })).toEqual({ type: 'siteSpaces', structure: [] });
  await siteSpace('Fresh');
  expect(await world.sketch(site)).toBe('Fresh*');
});
