import { beforeEach, expect, test } from 'vitest';
import { duplicateSiteSpace, updateSiteSpace } from '../../../src/resources/site-spaces/contract.ts';
import { updateSection } from '../../../src/resources/site-sections/contract.ts';
import { getSiteStructure } from '../../../src/resources/sites/contract.ts';
import { createSpace, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { addSection } from '../../../src/resources/site-sections/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
beforeEach(async () => {
  world = await createSitesWorld();
});

const space = async (title: string) => (await world.call(createSpace, {}, { title })).id;
const site = async (...spaces: string[]) => (await world.call(createSite, {}, { title: 'Docs', spaces })).id;
const structureOf = async (siteId: string) =>
  (await world.call(getSiteStructure, { siteId })).structure as readonly {
    id: string;
    siteSpaces?: { id: string }[];
  }[];
const duplicate = async (siteId: string, siteSpaceId: string) =>
  world.call(duplicateSiteSpace, { siteId, siteSpaceId });

test('the copy of a space at the root of a site is added to the site', async () => {
  const guide = await space('Guide');
  const siteId = await site(guide);
  const [only] = await structureOf(siteId);
  await world.call(updateSiteSpace, { siteId, siteSpaceId: only!.id }, { hidden: true });
  const copy = await duplicate(siteId, only!.id);
  expect(copy).toMatchObject({ title: 'Guide', path: 'guide-2', default: false, hidden: true });
  expect(copy.space.id).not.toBe(guide);
  expect(await world.sketch(siteId)).toBe('Guide* Guide');
});

test('the copy of the only space of a section gets a section of its own, with the same conditions', async () => {
  const siteId = await site();
  const section = await world.call(
    addSection,
    { siteId },
    { spaceId: await space('Guide'), title: 'Guides' },
  );
  const siteSectionId = section.id;
  const condition = 'visitor.claims.plan == "pro"';
  await world.call(updateSection, { siteId, siteSectionId }, { condition, description: 'For all' });
  await duplicate(siteId, section.siteSpaces[0]!.id);
  expect(await world.sketch(siteId)).toBe('Guides*[Guide*] Guides[Guide*]');
  const [, copy] = await structureOf(siteId);
  expect(copy).toMatchObject({ path: 'guides-2', condition, description: 'For all' });
  await duplicate(siteId, copy!.siteSpaces![0]!.id);
  expect(await world.sketch(siteId)).toBe('Guides*[Guide*] Guides[Guide*] Guides[Guide*]');
});

test('the copy is independent of the original, and an unknown site space is refused', async () => {
  const guide = await space('Guide');
  const siteId = await site(guide);
  await duplicate(siteId, (await structureOf(siteId))[0]!.id);
  await world.call(updateSpace, { spaceId: guide }, { title: 'Manual' });
  expect(await world.sketch(siteId)).toBe('Manual* Guide');
  expect((await world.refusal(duplicateSiteSpace, { siteId, siteSpaceId: 'x' })).reason).toBe('not-found');
});
