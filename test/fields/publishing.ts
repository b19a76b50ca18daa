import { expect } from 'vitest';
import { runDueJobs } from '../../src/core/workers.ts';
import { deleteCustomHostname, setCustomHostname } from '../../src/resources/custom-hostnames/contract.ts';
import { replaceSiteCustomization } from '../../src/resources/site-customization/contract.ts';
import { addSection } from '../../src/resources/site-sections/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { addSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace, getSpace, listSpaces } from '../../src/resources/spaces/contract.ts';
import { getSubdomain } from '../../src/resources/subdomains/contract.ts';
import { updateOrganization } from '../../src/resources/organizations/contract.ts';
import type { Bench, Try } from './bench.ts';

const newSite = async ({ call, org }: Bench, body: object) => ({
  ...org,
  siteId: (await call(sites.createSite, org, { body })).id,
});
const newSpace = async ({ call, org }: Bench) => ({
  spaceId: (await call(createSpace, org, { body: { title: 'Guide' } })).id,
});

export const tries: readonly Try[] = [
  {
    of: 'space',
    fields: ['visibility', 'urls.published', 'urls.public'],
    run: async (bench) => {
      const { call, org } = bench;
      const space = await newSpace(bench);
      const look = async (query: object = {}) => {
        const { visibility, urls } = await call(getSpace, space, { query }, 'read');
        expect((await call(listSpaces, org)).items).toMatchObject([{ visibility }]);
        return [visibility, urls.published, urls.public];
      };
      const at = async (visibility: string) => {
        const site = await newSite(bench, { title: visibility, visibility, spaces: [space.spaceId] });
        return { site, publish: () => call(sites.publishSite, site) };
      };
      const address = (name: string) => `http://localhost:8080/sites/acme/${name}/`;
      const [visitors, links] = [await at('visitor-auth'), await at('share-link')];
      const [unlisted, open] = [await at('unlisted'), await at('public')];
      expect(await look()).toEqual(['private', undefined, undefined]);
      await visitors.publish();
      expect(await look()).toEqual(['visitor-auth', address('visitor-auth'), undefined]);
      await links.publish();
      const { urls } = await call(createShareLink, links.site, { body: { name: 'Press' } });
      const shareKey = urls.published?.split('/').at(-2);
      expect(await look()).toEqual(['share-link', undefined, undefined]);
      expect(await look({ shareKey: 'wrong' })).toEqual(['share-link', undefined, undefined]);
      expect(await look({ shareKey })).toEqual(['share-link', urls.published, undefined]);
      await unlisted.publish();
      expect(await look()).toEqual(['unlisted', address('unlisted'), undefined]);
      await open.publish();
      expect(await look()).toEqual(['public', address('public'), address('public')]);
      await call(sites.deleteSite, unlisted.site);
      await call(sites.unpublishSite, open.site);
      expect(await look()).toEqual(['share-link', undefined, undefined]);
      await call(sites.updateSite, visitors.site, { body: { visibility: 'public', basename: 'all' } });
      expect(await look()).toEqual(['public', address('all'), address('all')]);
      await call(sites.unpublishSite, visitors.site);
      await call(sites.unpublishSite, links.site);
      expect(await look()).toEqual(['private', undefined, undefined]);
    },
  },
  {
    of: 'space',
    fields: ['visitorAuth.backend'],
    run: async (bench) => {
      const { call } = bench;
      const space = await newSpace(bench);
      const body = { title: 'Docs', visibility: 'visitor-auth', spaces: [space.spaceId] };
      const site = await newSite(bench, body);
      expect(await call(getSpace, space)).not.toHaveProperty('visitorAuth');
      await call(sites.publishSite, site);
      expect(await call(getSpace, space)).toMatchObject({ visitorAuth: { backend: 'custom' } });
      await call(sites.updateSite, site, { body: { visibility: 'public' } });
      expect(await call(getSpace, space)).not.toHaveProperty('visitorAuth');
    },
  },
  {
    of: 'space',
    fields: ['urls.published'],
    run: async (bench) => {
      const { call } = bench;
      const { spaceId } = await newSpace(bench);
      const keys: string[] = [];
      for (const title of ['Press', 'Partners', 'Everyone']) {
        const visibility = title === 'Everyone' ? 'public' : 'share-link';
        const site = await newSite(bench, { title, visibility, spaces: [spaceId] });
        if (visibility === 'share-link')
          keys.push((await call(createShareLink, site, { body: { name: title } })).urls.published ?? '');
        await call(sites.publishSite, site);
      }
      for (const address of keys) {
        const query = { shareKey: address.split('/').at(-2) };
        const { visibility, urls } = await call(getSpace, { spaceId }, { query });
        expect([visibility, urls.published]).toEqual(['public', address]);
        expect(urls.public).toBe('http://localhost:8080/sites/acme/everyone/');
      }
    },
  },
  {
    of: 'space',
    fields: ['urls.published'],
    run: async (bench) => {
      const { call } = bench;
      const [first, second, third] = [await newSpace(bench), await newSpace(bench), await newSpace(bench)];
      const site = await newSite(bench, { title: 'Docs', spaces: [first.spaceId] });
      await call(addSiteSpace, site, { body: { ...second, title: 'Other' } });
      await call(addSection, site, { body: { ...third, title: 'API' } });
      await call(sites.publishSite, site);
      const structure = await call(sites.getSiteStructure, site);
      const shown = structure.structure
        .flatMap((item) => (item.object === 'site-section' ? item.siteSpaces : []))
        .map((item) => [item.space.id, item.urls.published]);
      const own = [];
      for (const space of [first, second, third])
        own.push([space.spaceId, (await call(getSpace, space)).urls.published]);
      expect(own).toEqual(shown);
      expect(own.map(([, address]) => address)).toEqual([
        'http://localhost:8080/sites/acme/docs/',
        'http://localhost:8080/sites/acme/docs/other/',
        'http://localhost:8080/sites/acme/docs/api/',
      ]);
    },
  },
  {
    of: 'subdomain',
    fields: ['subdomain', 'target.organization', 'isActive'],
    run: async (bench) => {
      const { call, org, reason } = bench;
      const look = (subdomain: string) => call(getSubdomain, { subdomain }, {}, 'read');
      const target = { type: 'organization', organization: 'org_acme' };
      expect(await look('acme')).toMatchObject({ subdomain: 'acme', target, isActive: false });
      const { spaceId } = await newSpace(bench);
      const site = await newSite(bench, { title: 'Docs', spaces: [spaceId] });
      expect(await look('acme')).toMatchObject({ isActive: false });
      await call(sites.publishSite, site);
      await call(updateOrganization, org, { body: { hostname: 'acme-docs' } });
      expect(await look('acme-docs')).toMatchObject({ subdomain: 'acme-docs', target, isActive: true });
      expect(await reason(getSubdomain, { subdomain: 'acme' })).toBe('not-found');
      await call(sites.unpublishSite, site);
      expect(await look('acme-docs')).toMatchObject({ isActive: false });
    },
  },
  {
    of: 'site',
    fields: ['hostname'],
    run: async (bench) => {
      const { call, org } = bench;
      const { spaceId } = await newSpace(bench);
      const site = await newSite(bench, { title: 'Docs', spaces: [spaceId] });
      await call(sites.publishSite, site);
      const look = async () => {
        const found = (await call(sites.listSites, org)).items[0];
        const { isActive } = await call(getSubdomain, { subdomain: 'acme' });
        const { urls } = await call(getSpace, { spaceId });
        expect(urls.published).toBe(found?.urls.published);
        return [found?.hostname, urls.published, found?.features.map(({ id }) => id), isActive];
      };
      const direct = 'http://localhost:8080/sites/acme/docs/';
      expect(await look()).toEqual([undefined, direct, [], true]);
      await call(setCustomHostname, site, { body: { hostname } });
      expect(await look()).toEqual([hostname, direct, [], true]);
      await checkHostname(bench);
      expect(await look()).toEqual([hostname, `https://${hostname}/`, ['sites-custom-domain'], false]);
      await call(deleteCustomHostname, { hostname });
      expect(await look()).toEqual([undefined, direct, [], true]);
    },
  },
  {
    of: 'site',
    fields: ['features.id', 'features.customizations'],
    run: async (bench) => {
      const { call, org } = bench;
      const { spaceId } = await newSpace(bench);
      const site = await newSite(bench, { title: 'Docs', spaces: [spaceId] });
      const look = async () => (await call(sites.listSites, org)).items[0]?.features;
      const use = async (...ids: string[]) =>
        expect((await look())?.map(({ id }) => id)).toEqual(ids.map((id) => `sites-${id}`));
      const update = (body: object) => call(sites.updateSite, site, { body });
      await use();
      await update({ visibility: 'unlisted' });
      await use('unlisted-visibility');
      await update({ visibility: 'share-link', adaptiveContent: { enabled: true } });
      await use('adaptive-content', 'share-links');
      await update({ visibility: 'visitor-auth', adaptiveContent: { enabled: false } });
      await use('visitor-authentication');
      await update({ visibility: 'public', proxy: 'example.com/docs' });
      await use('custom-subdirectory');
      await update({ proxy: null });
      const customize = (body: object) => call(replaceSiteCustomization, site, { body });
      await customize({ pdf: { enabled: true }, feedback: { enabled: true }, ai: { mode: 'search' } });
      await use('ai-search', 'page-feedback', 'pdf-export');
      await customize({ ai: { mode: 'assistant' }, styling: { theme: 'bold', infoColor: black } });
      await use('advanced-customization', 'ai-assistant');
      expect((await look())?.[0]).toEqual({
        id: 'sites-advanced-customization',
        plan: 'basic',
        frozen: false,
        customizations: ['theme-preset', 'semantic-colors'],
      });
      await customize({});
      await call(addSection, site, { body: { spaceId: (await newSpace(bench)).spaceId } });
      await use('sections');
    },
  },
];

const hostname = 'docs.example.com';

/** Runs the check with name servers that have a CNAME record of the hostname for a server with this public URL. */
const checkHostname = ({ world }: Bench) =>
  runDueJobs(
    {
      ...world.core,
      sitesUrl: 'https://pages.example.net',
      lookUpHost: async () => ({ cname: ['pages.example.net'], addresses: [], isPrivate: false }),
      env: { DOCSCTL_TRUST_HOSTNAMES: 'yes' },
    },
    { kind: 'custom-hostname', signal: new AbortController().signal },
  );

const black = { light: '#000000', dark: '#000000' };
