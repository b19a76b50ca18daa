import { beforeEach, expect, test } from 'vitest';
import {
  addSectionGroup,
  addSectionToGroup,
  deleteSectionGroup,
  listSectionGroups,
  updateSectionGroup,
} from '../../../src/resources/site-section-groups/contract.ts';
import {
  addSection,
  listSiteSections,
  updateSection,
} from '../../../src/resources/site-sections/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let site: string;
beforeEach(async () => {
  world = await createSitesWorld();
  site = await world.site('Docs');
});

const section = (title: string, more: object = {}) => world.section(site, title, more);
const group = (title: string, more: object = {}) => world.group(site, title, more);

test('section groups are ordered together with the sections beside them', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  await section('Three');
  const outer = await world.call(
    addSectionGroup,
    { siteId: site },
    { title: 'Outer', icon: 'box', sections: [two, two] },
  );
  expect(outer).toMatchObject({
    object: 'site-section-group',
    title: 'Outer',
    icon: 'box',
    sections: [{ id: two, sectionGroup: outer.id }],
    children: [{ id: two }],
  });
  await world.call(addSectionGroup, { siteId: site }, { title: 'Inner', parent: outer.id, sections: [one] });
  expect(await world.sketch(site)).toBe('Three[Three*] (Outer: Two[Two*] (Inner: One*[One*]))');
  expect(
    (await world.call(listSectionGroups, { siteId: site })).items.map(({ title, sectionGroup }) => [
      title,
      sectionGroup,
    ]),
  ).toEqual([
    ['Outer', undefined],
    ['Inner', outer.id],
  ]);
  expect((await world.call(listSiteSections, { siteId: site })).items.map(({ title }) => title)).toEqual([
    'Three',
    'Two',
    'One',
  ]);
});

test('a section moves into a group, keeps its place if already there, and moves out', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  const id = await group('Group', { sections: [one, two] });
  const at = { siteId: site, siteSectionGroupId: id };
  expect(
    (await world.call(addSectionToGroup, at, { sectionId: one })).children.map(({ title }) => title),
  ).toEqual(['One', 'Two']);
  expect(
    await world.call(updateSection, { siteId: site, siteSectionId: one }, { siteSectionGroupId: null }),
  ).not.toHaveProperty('sectionGroup');
  expect(await world.sketch(site)).toBe('(Group: Two[Two*]) One*[One*]');
  expect(
    (await world.call(addSectionToGroup, at, { sectionId: one })).children.map(({ title }) => title),
  ).toEqual(['Two', 'One']);
  expect(await world.refusal(addSectionToGroup, at, { sectionId: 'sitesc_none' })).toMatchObject({
    reason: 'not-found',
  });
  expect(
    await world.call(
      addSection,
      { siteId: site },
      { spaceId: await world.space('Born in'), siteSectionGroupId: id },
    ),
  ).toMatchObject({ sectionGroup: id });
});

test('the contents of a deleted group take its place', async () => {
  const [one, two] = [await section('One'), await section('Two')];
  const outer = await group('Outer', { sections: [one] });
  await group('Inner', { parent: outer, sections: [two] });
  await section('Last');
  await world.call(deleteSectionGroup, { siteId: site, siteSectionGroupId: outer });
  expect(await world.sketch(site)).toBe('One*[One*] (Inner: Two[Two*]) Last[Last*]');
  expect(await world.refusal(deleteSectionGroup, { siteId: site, siteSectionGroupId: outer })).toMatchObject({
    reason: 'not-found',
  });
});

test('groups can be nested at most three levels deep, and not in themselves', async () => {
  const one = await group('One');
  const two = await group('Two', { parent: one });
  const three = await group('Three', { parent: two });
  expect(
    await world.refusal(addSectionGroup, { siteId: site }, { title: 'Four', parent: three }),
  ).toMatchObject({ reason: 'conflict' });
  const other = await group('Other');
  expect(
    await world.refusal(
      updateSectionGroup,
      { siteId: site, siteSectionGroupId: one },
      { parentSectionGroupId: other },
    ),
  ).toMatchObject({ reason: 'conflict' });
  for (const parentSectionGroupId of [one, two, three]) {
    expect(
      await world.refusal(
        updateSectionGroup,
        { siteId: site, siteSectionGroupId: one },
        { parentSectionGroupId },
      ),
    ).toMatchObject({
      reason: 'conflict',
      message: expect.stringContaining('itself'),
    });
  }
  expect(
    await world.call(
      updateSectionGroup,
      { siteId: site, siteSectionGroupId: two },
      { parentSectionGroupId: other, title: 'Moved', icon: 'x' },
    ),
  ).toMatchObject({
    sectionGroup: other,
    title: 'Moved',
    icon: 'x',
  });
  expect(
    await world.call(
      updateSectionGroup,
      { siteId: site, siteSectionGroupId: two },
      { parentSectionGroupId: null, icon: null },
    ),
  ).toEqual(expect.not.objectContaining({ sectionGroup: expect.anything(), icon: expect.anything() }));
  expect(await world.sketch(site)).toBe('(One:) (Other:) (Moved: (Three:))');
});

test('invalid fields, and groups and sections of other sites, are refused', async () => {
  expect(await world.call(addSectionGroup, { siteId: site }, { title: 'x', icon: null })).not.toHaveProperty(
    'icon',
  );
  for (const body of [{}, { title: '' }, { title: 'x'.repeat(101) }, { title: 'x', icon: 'x'.repeat(51) }])
    expect(await world.refusal(addSectionGroup, { siteId: site }, body)).toMatchObject({
      reason: 'invalid-input',
    });
  const other = await world.site('Other');
  const foreign = (await world.call(addSectionGroup, { siteId: other }, { title: 'Foreign' })).id;
  const foreignSection = (
    await world.call(addSection, { siteId: other }, { spaceId: await world.space('Foreign') })
  ).id;
  for (const body of [
    { title: 'x', parent: foreign },
    { title: 'x', sections: [foreignSection] },
  ])
    expect(await world.refusal(addSectionGroup, { siteId: site }, body)).toMatchObject({
      reason: 'not-found',
    });
  expect(
    await world.refusal(updateSectionGroup, { siteId: site, siteSectionGroupId: foreign }, { title: 'Mine' }),
  ).toMatchObject({ reason: 'not-found' });
  expect(
    await world.refusal(updateSection, { siteId: site, siteSectionId: foreignSection }, { title: 'Mine' }),
  ).toMatchObject({ reason: 'not-found' });
  expect(await world.sketch(site)).toBe('(x:)');
});
