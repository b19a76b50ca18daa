import { expect } from 'vitest';
import * as groups from '../../src/resources/site-section-groups/contract.ts';
import { addSection, listSiteSections } from '../../src/resources/site-sections/contract.ts';
import * as siteSpaces from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace, updateSpace } from '../../src/resources/spaces/contract.ts';
import { setAndSee, type Bench, type Try } from './bench.ts';

const newSpace = async ({ call, org }: Bench, title = 'Guide') =>
  (await call(createSpace, org, { body: { title } })).id;

async function newSite(bench: Bench, body: object = {}) {
  const { id } = await bench.call(sites.createSite, bench.org, { body: { title: 'Docs', ...body } });
  return { ...bench.org, siteId: id };
}

/** Creates a site with two sections, and helpers that read it and add to it. */
async function siteWithSections(bench: Bench) {
  const { call } = bench;
  const site = await newSite(bench);
  const section = async (title: string) =>
    (await call(addSection, site, { body: { title, spaceId: await newSpace(bench, `${title} space`) } })).id;
  const [guide, api] = [await section('Guide'), await section('API')];
  return {
    site,
    guide,
    api,
    sections: async () => (await call(listSiteSections, site)).items,
    published: async () => (await call(sites.getPublishedSite, site)).structure.structure,
    group: (title: string, body: object = {}) =>
      call(groups.addSectionGroup, site, { body: { title, ...body } }),
  };
}

const address = (path: string) => `http://localhost:8080/sites/acme/docs/${path}`;

export const tries: readonly Try[] = [
  {
    of: 'site-section',
    fields: ['default', 'urls.published'],
    run: async (bench) => {
      const { call } = bench;
      const { site, guide, api, sections } = await siteWithSections(bench);
      const before = await sections();
      expect(before).toMatchObject([
        { id: guide, default: true, urls: {} },
        { id: api, default: false, urls: {} },
      ]);
      expect(before[0]?.urls).not.toHaveProperty('published');
      await call(sites.publishSite, site);
      expect(await sections()).toMatchObject([
        { default: true, urls: { published: address('') } },
        { default: false, urls: { published: address('api/') } },
      ]);
      await call(sites.updateSite, site, { body: { defaultSiteSection: api } });
      expect(await sections()).toMatchObject([
        { default: false, urls: { published: address('guide/') } },
        { default: true, urls: { published: address('') } },
      ]);
    },
  },
  {
    of: 'site-section',
    fields: ['sectionGroup', 'siteSpaces'],
    run: async (bench) => {
      const { call } = bench;
      const { site, api, sections, group } = await siteWithSections(bench);
      const look = async () => (await sections()).find(({ id }) => id === api);
      expect(await look()).not.toHaveProperty('sectionGroup');
      const { id } = await group('More');
      const at = { ...site, siteSectionGroupId: id };
      await call(groups.addSectionToGroup, at, { body: { sectionId: api } });
      expect(await look()).toMatchObject({ sectionGroup: id, siteSpaces: [{ title: 'API space' }] });
      const body = { spaceId: await newSpace(bench, 'Version 2'), sectionId: api };
      const added = await call(siteSpaces.addSiteSpace, site, { body });
      expect((await look())?.siteSpaces).toMatchObject([{ title: 'API space' }, { title: 'Version 2' }]);
      await call(siteSpaces.deleteSiteSpace, { ...site, siteSpaceId: added.id });
      await call(groups.deleteSectionGroup, at);
      expect((await look())?.siteSpaces).toMatchObject([{ title: 'API space' }]);
      expect(await look()).not.toHaveProperty('sectionGroup');
    },
  },
  {
    of: 'site-section-group',
    fields: ['title', 'icon', 'sectionGroup', 'sections', 'children'],
    run: async (bench) => {
      const { call } = bench;
      const { site, api, published, group } = await siteWithSections(bench);
      const top = (await group('More')).id;
      const inner = (await group('Inner', { parent: top, sections: [api] })).id;
      await call(sites.publishSite, site);
      const look = async () => (await published()).find(({ id }) => id === top);
      const child = { id: inner, title: 'Inner', sectionGroup: top, sections: [{ id: api }] };
      expect(await look()).toMatchObject({ title: 'More', sections: [], children: [child] });
      expect(await look()).not.toHaveProperty('icon');
      expect(await look()).not.toHaveProperty('sectionGroup');
      await call(
        groups.addSectionToGroup,
        { ...site, siteSectionGroupId: top },
        { body: { sectionId: api } },
      );
      const section = { id: api, title: 'API' };
      expect(await look()).toMatchObject({
        sections: [section],
        children: [{ id: inner, children: [] }, section],
      });
      const at = { ...site, siteSectionGroupId: top };
      const values = { title: 'Other', icon: 'box' };
      await setAndSee(bench, [groups.updateSectionGroup, at], values, [
        groups.listSectionGroups,
        site,
        ({ items }) => items.find(({ id }) => id === top),
      ]);
      expect(await look()).toMatchObject(values);
      const out = { ...site, siteSectionGroupId: inner };
      await call(groups.updateSectionGroup, out, { body: { parentSectionGroupId: null } });
      expect(await look()).toMatchObject({ children: [section] });
      expect((await published()).find(({ id }) => id === inner)).not.toHaveProperty('sectionGroup');
    },
  },
  {
    of: 'site-space',
    fields: ['default', 'title', 'space', 'urls.published'],
    run: async (bench) => {
      const { call } = bench;
      const [one, two] = [await newSpace(bench, 'One'), await newSpace(bench, 'Two')];
      const site = await newSite(bench, { spaces: [one, two] });
      const look = async () => (await call(siteSpaces.listSiteSpaces, site)).items;
      const [first, second] = await look();
      expect(first).toMatchObject({ default: true, title: 'One', space: { id: one, title: 'One' } });
      expect(first?.urls).not.toHaveProperty('published');
      await call(sites.publishSite, site);
      await call(sites.updateSite, site, { body: { defaultSiteSpace: second?.id } });
      await call(updateSpace, { spaceId: one }, { body: { title: 'First' } });
      expect(await look()).toMatchObject([
        { default: false, title: 'First', space: { title: 'First' }, urls: { published: address('one/') } },
        { default: true, title: 'Two', urls: { published: address('') } },
      ]);
      const { items } = await call(siteSpaces.listSiteSpaces, site, { query: { default: true } });
      expect(items.map(({ id }) => id)).toEqual([second?.id]);
      const at = { ...site, siteSpaceId: first?.id ?? '' };
      const other = await newSpace(bench, 'Other');
      await call(siteSpaces.updateSiteSpace, at, { body: { spaceId: other } });
      expect((await look())[0]).toMatchObject({ title: 'Other', space: { id: other } });
      const shown = async (space: string) =>
        (await call(sites.listSites, bench.org, { query: { space } })).count;
      expect([await shown(one), await shown(other)]).toEqual([0, 1]);
    },
  },
  {
    of: 'site-space',
    fields: ['section'],
    run: async (bench) => {
      const { call } = bench;
      const site = await newSite(bench, { spaces: [await newSpace(bench)] });
      const look = async () => (await call(siteSpaces.listSiteSpaces, site)).items;
      expect((await look())[0]).not.toHaveProperty('section');
      await call(addSection, site, { body: { spaceId: await newSpace(bench, 'API') } });
      const sections = (await call(listSiteSections, site)).items.map(({ id }) => id);
      expect((await look()).map(({ section }) => section)).toEqual(sections);
    },
  },
  {
    of: 'sites.structure',
    fields: ['type', 'structure'],
    run: async (bench) => {
      const { call } = bench;
      const site = await newSite(bench);
      const look = () => call(sites.getSiteStructure, site);
      expect(await look()).toEqual({ type: 'siteSpaces', structure: [] });
      const spaceId = await newSpace(bench);
      const { id } = await call(siteSpaces.addSiteSpace, site, { body: { spaceId } });
      expect(await look()).toMatchObject({ type: 'siteSpaces', structure: [{ id }] });
      const section = await call(addSection, site, { body: { spaceId, title: 'API' } });
      expect(await look()).toMatchObject({ type: 'sections', structure: [{}, { id: section.id }] });
      const last = (await look()).structure[0]?.id ?? '';
      await call(sites.sortSiteStructure, site, {
        body: { item: { type: 'site-section', id: last }, position: {} },
      });
      expect((await look()).structure.map((item) => item.id)).toEqual([section.id, last]);
    },
  },
  {
    of: 'published-content-site',
    fields: ['site', 'structure.type', 'structure.structure'],
    run: async (bench) => {
      const { call } = bench;
      const site = await newSite(bench, { spaces: [await newSpace(bench)] });
      await call(sites.publishSite, site);
      const look = (claims?: object) =>
        call(sites.getPublishedSite, site, {
          query: claims === undefined ? {} : { claims: JSON.stringify(claims) },
        });
      expect(await look()).toMatchObject({ site: { title: 'Docs' }, structure: { type: 'siteSpaces' } });
      await call(sites.updateSite, site, { body: { title: 'Handbook' } });
      const body = { spaceId: await newSpace(bench), title: 'API' };
      const { id } = await call(addSection, site, { body });
      const { structure, ...after } = await look();
      expect(after.site.title).toBe('Handbook');
      expect([structure.type, structure.structure]).toMatchObject(['sections', [{}, { id }]]);
    },
  },
  {
    of: 'site',
    fields: ['type', 'proxy.origin', 'proxy.target'],
    run: async (bench) => {
      const { call, org } = bench;
      const basic = await newSite(bench, { spaces: [await newSpace(bench)] });
      const premium = await newSite(bench, { title: 'Other', type: 'premium' });
      const { items } = await call(sites.listSites, org, { query: { type: ['premium'] } });
      expect(items).toMatchObject([{ id: premium.siteId, type: 'premium' }]);
      const look = async () => call(sites.getSite, basic);
      expect(await look()).not.toHaveProperty('proxy');
      const published = async () =>
        (await call(siteSpaces.listSiteSpaces, basic)).items.map(({ urls }) => urls.published);
      await call(sites.publishSite, basic);
      expect(await published()).toEqual([address('')]);
      await call(sites.updateSite, basic, { body: { proxy: 'example.com/docs' } });
      expect(await published()).toEqual(['https://example.com/docs/']);
      expect(await look()).toMatchObject({ proxy: { origin: 'example.com/docs', target: address('') } });
      await call(sites.updateSite, basic, { body: { basename: 'handbook' } });
      expect((await look()).proxy?.target).toBe('http://localhost:8080/sites/acme/handbook/');
      await call(sites.updateSite, basic, { body: { proxy: null } });
      expect(await look()).not.toHaveProperty('proxy');
    },
  },
];
