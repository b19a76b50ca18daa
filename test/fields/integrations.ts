import { expect } from 'vitest';
import * as installations from '../../src/resources/integration-installations/contract.ts';
import * as integrations from '../../src/resources/integrations/contract.ts';
import { listOrganizationInstallations } from '../../src/resources/organization-installations/contract.ts';
import { getStatus, listStatuses } from '../../src/resources/organization-integrations/contract.ts';
import { createSite } from '../../src/resources/sites/contract.ts';
import { listSpaceBlocks } from '../../src/resources/space-integrations/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { install, png, publish } from '../resources/integrations/support.ts';
import type { Bench, Try } from './bench.ts';

const at = { integrationName: 'bot' };
const channel = { properties: { channel: { type: 'string' as const } }, required: ['channel'] };
const block = {
  id: 'card',
  title: 'Card',
  description: 'Shows a card',
  icon: 'https://example.com/icon.png',
  urlUnfurl: ['https://example.com/cards/'],
  markdown: { codeblock: 'card', body: 'content' },
};
const newSpace = async ({ call, org }: Bench) =>
  (await call(createSpace, org, { body: { title: 'Guide' } })).id;

export const tries: readonly Try[] = [
  {
    of: 'integration',
    fields: [
      'version',
      'title',
      'summary',
      'description',
      'scopes',
      'categories',
      'target',
      'visibility',
      'contentSecurityPolicy',
      'externalLinks.url',
      'externalLinks.label',
      'previewImages',
      'urls.icon',
      'blocks.id',
      'blocks.title',
      'blocks.description',
      'blocks.icon',
      'blocks.urlUnfurl',
      'blocks.markdown.codeblock',
      'blocks.markdown.body',
      'contentSources.id',
      'contentSources.title',
      'contentSources.description',
      'contentSources.icon',
      'contentSources.configuration.componentId',
      'configurations.account.properties',
      'configurations.account.required',
      'configurations.space.properties',
      'configurations.space.required',
      'configurations.site.properties',
      'configurations.site.required',
      'configurations.account.componentId',
      'configurations.space.componentId',
      'configurations.site.componentId',
    ],
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world, 'bot', { visibility: 'private' });
      const before = await call(integrations.getIntegration, at);
      const source = {
        id: 'tickets',
        title: 'Tickets',
        description: 'Pages of tickets',
        icon: block.icon,
        configuration: { componentId: 'choose' },
      };
      const looks = {
        title: 'Robot',
        summary: 'More about it',
        description: 'Answers',
        scopes: ['space:content:write' as const],
        categories: ['other' as const],
        target: 'space' as const,
        visibility: 'public' as const,
        contentSecurityPolicy: "default-src 'none'",
        externalLinks: [{ url: 'https://example.com/', label: 'Home' }],
        blocks: [block],
        contentSources: [source],
        configurations: { account: channel, space: channel, site: channel },
      };
      for (const [field, value] of Object.entries(looks))
        expect(before).not.toMatchObject({ [field]: value });
      const queries = [
        { search: 'Robot' },
        { category: 'other' },
        { scope: 'space:content:write' },
        { target: 'space' },
        { blockDomain: 'example.com' },
        { blocks: true },
        { contentSources: true },
      ];
      const found = async () => [
        ...(await Promise.all(
          queries.map(async (query) => (await call(integrations.listIntegrations, {}, { query })).count),
        )),
        (await call(integrations.listIntegrations, {}, {}, 'outsider')).count,
      ];
      expect(await found()).toEqual(Array(8).fill(0));
      await publish(world, 'bot', { ...looks, icon: png, previewImages: [png] });
      const after = await call(integrations.getIntegration, at);
      expect(after).toMatchObject({ ...looks, version: before.version + 1 });
      expect(await found()).toEqual(Array(8).fill(1));
      expect([before.previewImages.length, after.previewImages.length]).toEqual([0, 1]);
      expect([before.urls.icon, after.urls.icon]).toEqual([undefined, expect.stringMatching(/^http/)]);
      const configuration = { componentId: 'settings' };
      const configurations = { account: configuration, space: configuration, site: configuration };
      await publish(world, 'bot', { configurations });
      expect(await call(integrations.getIntegration, at)).toMatchObject({ configurations });
    },
  },
  ...(
    [
      ['integration', ['pendingInstallations']],
      ['installation', ['scopes', 'pendingScopes']],
    ] as const
  ).map(([of, fields]): Try => ({
    of,
    fields,
    run: async ({ world, call }) => {
      const publishWith = (...scopes: ('openapi:read' | 'openapi:write')[]) =>
        publish(world, 'bot', { visibility: 'public', scopes });
      await publishWith('openapi:read');
      const organization = { organization: world.otherOrg };
      const { id } = await call(installations.createInstallation, at, { body: organization }, 'outsider');
      const look = async () => (await call(installations.listInstallations, at)).items[0];
      expect(await look()).toMatchObject({ scopes: ['openapi:read'], pendingScopes: [] });
      const wanted = ['openapi:read', 'openapi:write'] as const;
      expect(await publishWith(...wanted)).toMatchObject({ pendingInstallations: 1 });
      expect(await look()).toMatchObject({ scopes: ['openapi:read'], pendingScopes: ['openapi:write'] });
      const body = { scopes: [...wanted] };
      await call(installations.updateInstallation, { ...at, installationId: id }, { body }, 'outsider');
      expect(await look()).toMatchObject({ scopes: wanted, pendingScopes: [] });
      expect(await publishWith(...wanted)).not.toHaveProperty('pendingInstallations');
    },
  })),
  {
    of: 'spaces.integrations.blocks',
    fields: [
      'blocks.id',
      'blocks.title',
      'blocks.description',
      'blocks.icon',
      'blocks.urlUnfurl',
      'blocks.markdown.codeblock',
      'blocks.markdown.body',
      'blocks.integration',
    ],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      await publish(bench.world, 'bot', { blocks: [block] });
      expect((await bench.call(listSpaceBlocks, { spaceId })).blocks).toEqual([]);
      await install(bench.world);
      expect((await bench.call(listSpaceBlocks, { spaceId })).blocks).toEqual([
        { ...block, integration: 'bot' },
      ]);
    },
  },
  {
    of: 'installation',
    fields: [
      'status',
      'spaces',
      'configuration',
      'updatedAt',
      'externalIds',
      'space_selection',
      'site_selection',
    ],
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world, 'bot', { configurations: { account: channel } });
      const { id } = await install(world);
      const one = { ...at, installationId: id };
      const look = async () => (await call(installations.listInstallations, at)).items[0];
      const before = await look();
      expect(before).toMatchObject({
        status: 'pending',
        spaces: 0,
        space_selection: 'all',
        site_selection: 'all',
      });
      const body = {
        configuration: { channel: 'docs' },
        externalIds: ['T1'],
        space_selection: 'selected',
        site_selection: 'selected',
      };
      await call(installations.updateInstallation, one, { body });
      const space = await newSpace(bench);
      expect((await call(listSpaceBlocks, { spaceId: space })).blocks).toEqual([]);
      await call(installations.installOnSpace, one, { body: { space } });
      const after = await look();
      expect(after).toMatchObject({ ...body, status: 'active', spaces: 1 });
      expect((after?.updatedAt ?? '') > (before?.updatedAt ?? '')).toBe(true);
    },
  },
  {
    of: 'installed-on-space',
    fields: ['status', 'configuration', 'externalIds'],
    run: async (bench) => {
      const { world, call } = bench;
      await publish(world, 'bot', { configurations: { space: channel } });
      const one = { ...at, installationId: (await install(world)).id };
      const space = await newSpace(bench);
      await call(installations.installOnSpace, one, { body: { space } });
      const look = async () => (await call(integrations.listIntegrationSpaces, at)).items;
      expect(await look()).toMatchObject([{ space, status: 'pending', configuration: {}, externalIds: [] }]);
      const body = { configuration: { channel: 'docs' }, externalIds: ['T1'] };
      await call(installations.updateSpaceInstallation, { ...one, spaceId: space }, { body });
      expect(await look()).toMatchObject([{ space, status: 'active', ...body }]);
    },
  },
  {
    of: 'installed-on-site',
    fields: ['status', 'configuration', 'externalIds'],
    run: async (bench) => {
      const { world, call, org } = bench;
      await publish(world, 'bot', { configurations: { site: channel } });
      const one = { ...at, installationId: (await install(world)).id };
      const siteId = (await call(createSite, org, { body: { title: 'Docs' } })).id;
      await call(installations.installOnSite, one, { body: { siteId } });
      const look = async () => (await call(integrations.listIntegrationSites, at)).items;
      expect(await look()).toMatchObject([{ site: siteId, status: 'pending', configuration: {} }]);
      const body = { configuration: { channel: 'docs' }, externalIds: ['T1'] };
      await call(installations.updateSiteInstallation, { ...one, siteId }, { body });
      expect(await look()).toMatchObject([{ site: siteId, status: 'active', ...body }]);
    },
  },
  {
    of: 'orgs.integrations.statuses',
    fields: ['status', 'integration'],
    run: async ({ world, call, org }) => {
      await publish(world, 'bot', { configurations: { account: channel } });
      const look = async () => (await call(listStatuses, org, { query: {} })).items;
      expect(await look()).toEqual([]);
      const one = { ...at, installationId: (await install(world)).id };
      expect(await look()).toMatchObject([{ status: 'pending', integration: { name: 'bot' } }]);
      await call(installations.updateInstallation, one, { body: { configuration: { channel: 'docs' } } });
      expect(await look()).toMatchObject([{ status: 'active' }]);
    },
  },
  {
    of: 'orgs.integrations.status',
    fields: ['status'],
    run: async ({ world, call, org }) => {
      await publish(world, 'bot', { configurations: { account: channel } });
      const one = { ...at, installationId: (await install(world)).id };
      expect(await call(getStatus, { ...org, ...at })).toEqual({ status: 'pending' });
      await call(installations.updateInstallation, one, { body: { configuration: { channel: 'docs' } } });
      expect(await call(getStatus, { ...org, ...at })).toEqual({ status: 'active' });
    },
  },
  {
    of: 'orgs.installations',
    fields: ['installation', 'integration'],
    run: async ({ world, call, org }) => {
      await publish(world, 'bot');
      const look = async () => (await call(listOrganizationInstallations, org, { query: {} })).items;
      expect(await look()).toEqual([]);
      const { id } = await install(world);
      expect(await look()).toMatchObject([{ installation: { id }, integration: { name: 'bot' } }]);
    },
  },
];
