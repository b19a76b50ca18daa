import { beforeEach, describe, expect, test } from 'vitest';
import * as contract from '../../../src/resources/site-external-links/contract.ts';
import { deleteSectionGroup } from '../../../src/resources/site-section-groups/contract.ts';
import {
  deleteSite,
  getPublishedSite,
  getSiteStructure,
  publishSite,
  sortSiteStructure,
  updateSite,
} from '../../../src/resources/sites/contract.ts';
import { createSitesWorld, type SitesWorld } from '../sites/support.ts';

let world: SitesWorld;
let siteId: string;
let guides: string;
beforeEach(async () => {
  world = await createSitesWorld();
  siteId = await world.site('Docs');
  guides = await world.section(siteId, 'Guides');
});

const url = 'https://status.example.com';
const add = async (title: string, more: object = {}) =>
  (await world.call(contract.addExternalLink, { siteId }, { title, url, ...more })).id;
const refuse = (body: object) => world.refusal(contract.addExternalLink, { siteId }, body);
const update = (siteExternalLinkId: string, change: object) =>
  world.call(contract.updateExternalLink, { siteId, siteExternalLinkId }, change);
const titles = (items: readonly { title: string; children?: readonly { title: string }[] }[]): string =>
  items
    .map(({ title, children }) => (children === undefined ? title : `${title}(${titles(children)})`))
    .join(' ');
const structure = async () => titles((await world.call(getSiteStructure, { siteId })).structure);
const published = async (claims?: object) =>
  titles(
    (
      await world.call(
        getPublishedSite,
        { siteId },
        undefined,
        claims === undefined ? {} : { claims: JSON.stringify(claims) },
      )
    ).structure.structure,
  );

describe('adding an external link', () => {
  test('puts it at the end of the site or of a group', async () => {
    const group = await world.group(siteId, 'More');
    const id = await add('Status', { icon: 'heart', description: 'Is it up?' });
    await add('Forum', { parent: group });
    await world.section(siteId, 'Reference');
    expect(await structure()).toBe('Guides More(Forum) Status Reference');
    const { items } = await world.call(contract.listExternalLinks, { siteId });
    expect(items).toContainEqual({
      object: 'site-external-link',
      id,
      title: 'Status',
      url,
      icon: 'heart',
      description: 'Is it up?',
      draft: false,
    });
  });

  test('is refused for a site without sections, an invalid address and an unknown group', async () => {
    const other = await world.site('Help', await world.space('Guide'));
    const body = { title: 'Status', url };
    expect(await world.refusal(contract.addExternalLink, { siteId: other }, body)).toMatchObject({
      reason: 'conflict',
      message: 'The site "Help" has no sections, so it cannot have external links.',
    });
    expect((await refuse({ title: 'Mail', url: 'mailto:ana@example.com' })).message).toContain(
      '"mailto:ana@example.com" is not an http or https address.',
    );
    expect((await refuse({ title: 'Status', url: 'javascript:alert(1)' })).reason).toBe('invalid-input');
    expect((await refuse({ ...body, parent: 'none' })).reason).toBe('not-found');
    expect((await refuse({ ...body, condition: 'visitor.claims.' })).paths).toEqual(['/body/condition']);
    expect(await structure()).toBe('Guides');
  });
});

test('an external link can be moved in the order of the site, into a group and out of it', async () => {
  const group = await world.group(siteId, 'More');
  const id = await add('Status');
  const item = { type: 'site-external-link', id };
  const before = (type: string, other: string) => ({ position: { before: { type, id: other } } });
  await world.call(sortSiteStructure, { siteId }, { item, ...before('site-section', guides) });
  expect(await structure()).toBe('Status Guides More()');
  await world.call(
    sortSiteStructure,
    { siteId },
    { item: { type: 'site-section-group', id: group }, ...before('site-external-link', id) },
  );
  expect(await structure()).toBe('More() Status Guides');
  expect(await update(id, { parent: group })).toMatchObject({ sectionGroup: group });
  expect(await structure()).toBe('More(Status) Guides');
  await world.call(deleteSectionGroup, { siteId, siteSectionGroupId: group });
  expect(await structure()).toBe('Status Guides');
  await update(id, { title: 'Uptime', icon: null, condition: null });
  expect(await structure()).toBe('Uptime Guides');
});

test('visitors see neither drafts nor external links whose condition does not hold', async () => {
  await world.call(updateSite, { siteId }, { adaptiveContent: { enabled: true } });
  await world.call(publishSite, { siteId });
  const group = await world.group(siteId, 'More');
  const draft = await add('Draft', { draft: true, parent: group });
  await add('Pro', { condition: 'visitor.claims.plan == "pro"' });
  expect(await structure()).toBe('Guides More(Draft) Pro');
  expect(await published()).toBe('Guides More() Pro');
  expect(await published({})).toBe('Guides');
  expect(await published({ plan: 'pro' })).toBe('Guides Pro');
  await update(draft, { draft: false });
  expect(await published({})).toBe('Guides More(Draft)');
});

test('an external link is deleted with its site, and is not found through other sites', async () => {
  const id = await add('Status');
  const other = await world.site('Help');
  const there = { siteId: other, siteExternalLinkId: id };
  expect((await world.refusal(contract.updateExternalLink, there, { title: 'Mine' })).reason).toBe(
    'not-found',
  );
  expect((await world.refusal(contract.deleteExternalLink, there)).reason).toBe('not-found');
  await world.call(contract.deleteExternalLink, { siteId, siteExternalLinkId: id });
  expect(await structure()).toBe('Guides');
  await add('Status');
  await world.call(deleteSite, { siteId });
});
