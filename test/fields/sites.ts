import { expect } from 'vitest';
import type { DnsLookup } from '../../src/core/dns.ts';
import { runDueJobs } from '../../src/core/workers.ts';
import { Problem } from '../../src/errors/problem.ts';
import * as links from '../../src/resources/site-external-links/contract.ts';
import * as hostnames from '../../src/resources/custom-hostnames/contract.ts';
import * as saml from '../../src/resources/saml/contract.ts';
import { addSectionGroup } from '../../src/resources/site-section-groups/contract.ts';
import { addSection, listSiteSections, updateSection } from '../../src/resources/site-sections/contract.ts';
import {
  createShareLink,
  listShareLinks,
  updateShareLink,
} from '../../src/resources/site-share-links/contract.ts';
import { addSiteSpace, listSiteSpaces, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { setAndSee, type Bench, type Try } from './bench.ts';

const newSpace = async ({ call, org }: Bench) =>
  (await call(createSpace, org, { body: { title: 'Guide' } })).id;
const newSite = async (bench: Bench) => {
  const { id } = await bench.call(sites.createSite, bench.org, { body: { title: 'Docs' } });
  return { ...bench.org, siteId: id };
};
const first = ({ items }: { items: object[] }) => items[0];

export const tries: readonly Try[] = [
  {
    of: 'site-external-link',
    fields: ['title', 'description', 'icon', 'url', 'condition', 'draft', 'sectionGroup'],
    run: async (bench) => {
      const { call } = bench;
      const site = await newSite(bench);
      await call(addSection, site, { body: { spaceId: await newSpace(bench), title: 'Guides' } });
      const group = await call(addSectionGroup, site, { body: { title: 'More' } });
      const made = { title: 'Status', url: 'https://status.example.com' };
      const { id } = await call(links.addExternalLink, site, { body: made });
      const at = { ...site, siteExternalLinkId: id };
      const find = ({ structure }: { structure: readonly object[] }) =>
        structure.find((item) => 'url' in item);
      const values = {
        title: 'Uptime',
        url: 'https://uptime.example.com',
        description: 'Is it up?',
        icon: 'heart',
        condition: 'visitor.claims.plan == "pro"',
        draft: true,
      };
      await setAndSee(bench, [links.updateExternalLink, at], values, [sites.getSiteStructure, site, find]);
      await call(links.updateExternalLink, at, { body: { parent: group.id } });
      const { structure } = await call(sites.getSiteStructure, site);
      expect(structure).toContainEqual(
        expect.objectContaining({ children: [expect.objectContaining({ id, sectionGroup: group.id })] }),
      );
      await call(sites.publishSite, site);
      const published = await call(sites.getPublishedSite, site);
      expect(JSON.stringify(published.structure)).not.toContain('uptime');
    },
  },
  {
    of: 'site',
    fields: ['hostname'],
    run: async (bench) => {
      const { call } = bench;
      const site = await newSite(bench);
      expect(await call(sites.getSite, site)).not.toHaveProperty('hostname');
      const hostname = 'docs.example.com';
      await call(hostnames.setCustomHostname, site, { body: { hostname } });
      expect(first(await call(sites.listSites, bench.org))).toMatchObject({ hostname });
      await call(hostnames.deleteCustomHostname, { hostname });
      expect(await call(sites.getSite, site)).not.toHaveProperty('hostname');
    },
  },
  {
    of: 'custom-hostname',
    fields: [
      'hostname',
      'target.type',
      'target.site',
      'isActive',
      'state',
      'problem',
      'proof.type',
      'proof.name',
      'proof.value',
      'proof.status',
      'status',
      'dns.checkedAt',
      'dns.expected',
      'dns.cname',
      'dns.addresses',
      'dns.isPrivate',
      'dns.error',
    ],
    run: async (bench) => {
      const { call, world } = bench;
      const site = await newSite(bench);
      await call(addSiteSpace, site, { body: { spaceId: await newSpace(bench) } });
      await call(sites.publishSite, site);
      const hostname = 'docs.example.com';
      await call(hostnames.setCustomHostname, site, { body: { hostname } });
      const address = async () => (await call(sites.getSite, site)).urls.published;
      expect((await call(sites.getSite, site)).hostname).toBe(hostname);
      expect(await address()).not.toContain(hostname);
      let texts: readonly string[] = [];
      const check = async (lookUpHost: DnsLookup) => {
        await call(hostnames.revalidateCustomHostname, { hostname });
        const lookUpText = async (name: string) => (name === `_docsctl.${hostname}` ? texts : []);
        const core = { ...world.core, sitesUrl: 'https://pages.example.net', lookUpHost, lookUpText };
        await runDueJobs(core, { kind: 'custom-hostname', signal: new AbortController().signal });
        return call(hostnames.getCustomHostname, { hostname });
      };
      const records = { cname: ['pages.example.net'], addresses: ['93.184.216.34'] };
      const proof = {
        type: 'TXT',
        name: `_docsctl.${hostname}`,
        value: `docsctl-organization=${world.org}`,
      };
      const first = await call(hostnames.getCustomHostname, { hostname });
      expect(first).toMatchObject({ state: 'pending', proof });
      expect(first.proof).not.toHaveProperty('status');
      const unproven = await check(async () => ({ ...records, isPrivate: false }));
      expect(unproven).toMatchObject({ state: 'failed', isActive: false, proof: { status: 'missing' } });
      expect(unproven.problem).toContain(proof.value);
      expect(await address()).not.toContain(hostname);
      texts = [proof.value];
      const { dns, ...found } = await check(async () => ({ ...records, isPrivate: false }));
      expect(found).toMatchObject({
        target: { type: 'site', site: site.siteId },
        isActive: true,
        state: 'active',
        status: 'dns_passed',
        proof: { ...proof, status: 'found' },
      });
      expect(found).not.toHaveProperty('problem');
      expect(dns).toEqual({ ...records, expected: 'pages.example.net', checkedAt: expect.any(String) });
      expect(await address()).toBe('https://docs.example.com/');
      const silent = await check(() => Promise.reject(new Problem('unreachable', 'No answer.')));
      expect(silent).toMatchObject({ isActive: true, dns: { error: 'No answer.' } });
      const hidden = await check(async () => ({ cname: ['x.internal'], addresses: [], isPrivate: true }));
      expect(hidden).toMatchObject({ isActive: false, status: 'dns_wrong_cname', dns: { isPrivate: true } });
      expect(await address()).not.toContain(hostname);
    },
  },
  {
    of: 'site',
    fields: ['title', 'basename', 'visibility', 'adaptiveContent.enabled', 'agentsContext'],
    run: async (bench) => {
      const site = await newSite(bench);
      const { adaptiveContent, agentsContext } = await bench.call(sites.getSite, site);
      const values = {
        title: 'New title',
        basename: 'handbook',
        visibility: 'unlisted',
        adaptiveContent: { enabled: adaptiveContent?.enabled !== true },
        agentsContext: agentsContext === 'included' ? 'excluded' : 'included',
      };
      await setAndSee(bench, [sites.updateSite, site], values, [sites.listSites, bench.org, first]);
    },
  },
  {
    of: 'site',
    fields: ['siteSpaces', 'published', 'urls.published'],
    run: async (bench) => {
      const site = await newSite(bench);
      expect(await bench.call(sites.getSite, site)).toMatchObject({ siteSpaces: 0, published: false });
      expect(await bench.reason(sites.getPublishedSite, site)).toBe('not-found');
      await bench.call(addSiteSpace, site, { body: { spaceId: await newSpace(bench) } });
      await bench.call(sites.publishSite, site);
      expect(await bench.call(sites.getSite, site)).toMatchObject({
        siteSpaces: 1,
        published: true,
        urls: { published: expect.stringMatching(/^http/) },
      });
      expect(await bench.reason(sites.getPublishedSite, site)).toBe('done');
    },
  },
  {
    of: 'site-section',
    fields: ['title', 'description', 'path', 'icon', 'condition'],
    run: async (bench) => {
      const site = await newSite(bench);
      const { id } = await bench.call(addSection, site, {
        body: { spaceId: await newSpace(bench), title: 'Guide' },
      });
      const values = {
        title: 'New title',
        description: 'About',
        path: 'there',
        icon: 'book',
        condition: 'visitor.claims.beta == true',
      };
      await setAndSee(bench, [updateSection, { ...site, siteSectionId: id }], values, [
        listSiteSections,
        site,
        first,
      ]);
    },
  },
  {
    of: 'site-space',
    fields: ['path', 'hidden', 'condition'],
    run: async (bench) => {
      const site = await newSite(bench);
      await bench.call(addSiteSpace, site, { body: { spaceId: await newSpace(bench) } });
      const { id } = await bench.call(addSiteSpace, site, { body: { spaceId: await newSpace(bench) } });
      const values = { path: 'there', hidden: true, condition: 'visitor.claims.beta == true' };
      await setAndSee(bench, [updateSiteSpace, { ...site, siteSpaceId: id }], values, [
        listSiteSpaces,
        site,
        ({ items }) => items.find((item) => item.id === id),
      ]);
    },
  },
  {
    of: 'share-link',
    fields: ['name', 'active'],
    run: async (bench) => {
      const site = await newSite(bench);
      const { id } = await bench.call(createShareLink, site, { body: { name: 'Press' } });
      await setAndSee(
        bench,
        [updateShareLink, { ...site, shareLinkId: id }],
        { name: 'Partners', active: false },
        [listShareLinks, site, first],
      );
    },
  },
  {
    of: 'share-link',
    fields: ['urls.published'],
    run: async (bench) => {
      const site = await newSite(bench);
      const { urls } = await bench.call(createShareLink, site, { body: { name: 'Press' } });
      await bench.call(sites.updateSite, site, { body: { basename: 'manual' } });
      const [link] = (await bench.call(listShareLinks, site)).items;
      expect(link?.urls.published).not.toBe(urls.published);
      expect(link?.urls.published).toContain('/manual/');
    },
  },
  {
    of: 'saml-provider',
    fields: ['label', 'ssoURL', 'entityID', 'defaultRole'],
    run: async (bench) => {
      const { id } = await bench.call(saml.createProvider, bench.org, { body: { label: 'Okta' } });
      expect(id).toMatch(/^saml_/);
      const values = {
        label: 'Entra',
        ssoURL: 'https://idp.test/sso',
        entityID: 'urn:idp',
        defaultRole: 'read',
      };
      await setAndSee(bench, [saml.updateProvider, { ...bench.org, samlProviderId: id }], values, [
        saml.listProviders,
        bench.org,
        first,
      ]);
    },
  },
];
