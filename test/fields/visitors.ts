import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { installOnSite } from '../../src/resources/integration-installations/contract.ts';
import * as saml from '../../src/resources/saml/contract.ts';
import * as adaptive from '../../src/resources/site-adaptive-schema/contract.ts';
import { listSiteScripts } from '../../src/resources/site-integrations/contract.ts';
import * as auth from '../../src/resources/site-publishing-auth/contract.ts';
import { addSiteSpace, updateSiteSpace } from '../../src/resources/site-spaces/contract.ts';
import * as sites from '../../src/resources/sites/contract.ts';
import { createSpace } from '../../src/resources/spaces/contract.ts';
import { listLogins } from '../../src/resources/sso/contract.ts';
import * as teams from '../../src/resources/teams/contract.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { makeCertificate } from '../saml/certificate-maker.ts';
import type { Bench, Try } from './bench.ts';

/** Creates a published site with two spaces. The second one requires the claim `beta`. */
async function newSite(bench: Bench) {
  const { call, org } = bench;
  const site = { ...org, siteId: (await call(sites.createSite, org, { body: { title: 'Docs' } })).id };
  for (const title of ['Guide', 'Beta']) {
    const { id } = await call(createSpace, org, { body: { title } });
    const siteSpaceId = (await call(addSiteSpace, site, { body: { spaceId: id } })).id;
    if (title !== 'Beta') continue;
    const body = { condition: 'visitor.claims.beta == true' };
    await call(updateSiteSpace, { ...site, siteSpaceId }, { body });
  }
  await call(sites.updateSite, site, { body: { adaptiveContent: { enabled: true } } });
  await call(sites.publishSite, site);
  /** Returns the titles that a visitor sees. */
  const seen = async (query: object) =>
    (await call(sites.getPublishedSite, site, { query })).structure.structure.map(({ title }) => title);
  return { site, seen };
}

const schema = (...names: string[]) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'boolean', description: name }])),
  additionalProperties: false,
});

let certificate: string | undefined;
const newCertificate = () =>
  (certificate ??= makeCertificate(generateKeyPairSync('rsa', { modulusLength: 2048 })));

export const tries: readonly Try[] = [
  {
    of: 'site-adaptive-schema',
    fields: ['jsonSchema.$schema', 'jsonSchema.properties', 'updatedAt'],
    run: async (bench) => {
      const { call, reason } = bench;
      const { site, seen } = await newSite(bench);
      const claims = JSON.stringify({ beta: true });
      const set = (jsonSchema: object) => call(adaptive.updateAdaptiveSchema, site, { body: { jsonSchema } });
      const look = () => call(adaptive.getAdaptiveSchema, site, {}, 'read');
      expect(await reason(adaptive.getAdaptiveSchema, site)).toBe('not-found');
      await set(schema('beta'));
      const before = await look();
      expect(before.jsonSchema).toEqual(schema('beta'));
      expect(await seen({ claims })).toEqual(['Guide', 'Beta']);
      const { $schema: _, ...bare } = schema('alpha');
      await set(bare);
      const after = await look();
      expect(after.jsonSchema).toEqual(bare);
      expect(after.updatedAt > before.updatedAt).toBe(true);
      expect(await seen({ claims })).toEqual(['Guide']);
    },
  },
  {
    of: 'sites.adaptive-schema.conditions',
    fields: ['items.condition', 'items.description'],
    run: async (bench) => {
      const { call } = bench;
      const { site, seen } = await newSite(bench);
      const look = async () => (await call(adaptive.listTemplateConditions, site)).items;
      expect(await look()).toEqual([]);
      await call(adaptive.updateAdaptiveSchema, site, { body: { jsonSchema: schema('beta', 'staff') } });
      const [, isNot] = await look();
      expect(await look()).toHaveLength(4);
      expect(isNot).toEqual({
        condition: 'visitor.claims.beta == false',
        description: 'Visitors for whom beta is false',
      });
      const [, second] = (await call(sites.getSiteStructure, site)).structure;
      const at = { ...site, siteSpaceId: second?.id ?? '' };
      await call(updateSiteSpace, at, { body: { condition: isNot?.condition } });
      expect(await seen({ claims: '{"beta":true}' })).toEqual(['Guide']);
      expect(await seen({ claims: '{"beta":false}' })).toEqual(['Guide', 'Beta']);
    },
  },
  {
    of: 'publishing-auth',
    fields: ['privateKey'],
    run: async (bench) => {
      const { call, reason } = bench;
      const { site, seen } = await newSite(bench);
      await call(adaptive.updateAdaptiveSchema, site, { body: { jsonSchema: schema('beta') } });
      await call(auth.regeneratePublishingAuth, site);
      const { privateKey } = await call(auth.getPublishingAuth, site);
      const sign = async (key: string) => ({
        visitorToken: await signVisitorToken({ beta: true }, key, bench.world.core.clock() / 1000 + 60),
      });
      expect(await seen(await sign(privateKey))).toEqual(['Guide', 'Beta']);
      await call(auth.regeneratePublishingAuth, site);
      const query = await sign(privateKey);
      expect(await reason(sites.getPublishedSite, site, { query })).toBe('forbidden');
      const next = await call(auth.getPublishingAuth, site);
      expect(await seen(await sign(next.privateKey))).toEqual(['Guide', 'Beta']);
    },
  },
  ...(
    [
      ['sites.integrations.scripts', ''],
      ['published-content-site', 'scripts.'],
    ] as const
  ).map(([of, prefix]): Try => ({
    of,
    fields: [`${prefix}script`, `${prefix}contentSecurityPolicy`, `${prefix}cookies`],
    run: async (bench) => {
      const { call, world } = bench;
      const { site } = await newSite(bench);
      const look = async () =>
        prefix === '' ? call(listSiteScripts, site) : (await call(sites.getPublishedSite, site)).scripts;
      const looks = { target: 'site' as const, contentSecurityPolicy: "script-src 'self'" };
      await publish(world, 'bot', { ...looks, scopes: ['site:script:inject'] });
      const { id } = await install(world);
      expect(await look()).toEqual([]);
      const at = { integrationName: 'bot', installationId: id };
      await call(installOnSite, at, { body: { siteId: site.siteId } });
      const script = `http://localhost:8080/v1/integrations/bot/installations/${id}/sites/${site.siteId}/script.js`;
      const policy = { contentSecurityPolicy: "script-src 'self'" };
      expect(await look()).toEqual([{ script, ...policy, cookies: false }]);
      await publish(world, 'bot', {
        target: 'site',
        scopes: ['site:script:inject', 'site:script:cookies'],
      });
      expect(await look()).toEqual([{ script, cookies: true }]);
      await publish(world, 'bot', looks);
      expect(await look()).toEqual([]);
    },
  })),
  {
    of: 'saml-provider',
    fields: ['certificate', 'defaultTeam', 'status'],
    run: async (bench) => {
      const { call, org } = bench;
      const { id } = await call(saml.createProvider, org, { body: { label: 'Okta' } });
      const team = (await call(teams.createTeam, org, { body: { title: 'Writers', members: [] } })).id;
      const at = { ...org, samlProviderId: id };
      const look = async () => (await call(saml.listProviders, org)).items[0];
      const update = (body: object) => call(saml.updateProvider, at, { body });
      await update({ entityID: 'urn:idp', ssoURL: 'https://idp.test/sso' });
      expect(await look()).toMatchObject({ certificate: '', status: 'pending' });
      expect(await look()).not.toHaveProperty('defaultTeam');
      await update({ certificate: newCertificate(), defaultTeam: team });
      expect(await look()).toMatchObject({
        certificate: newCertificate(),
        status: 'active',
        defaultTeam: { id: team, title: 'Writers' },
      });
      await call(teams.deleteTeam, { ...org, teamId: team });
      expect(await look()).not.toHaveProperty('defaultTeam');
      bench.world.pass(Date.parse('2041-01-01') - bench.world.core.clock());
      expect(await look()).toMatchObject({ status: 'pending' });
    },
  },
  {
    of: 'sso.list',
    fields: ['items.id', 'items.label', 'items.startURL'],
    run: async (bench) => {
      const { call, org } = bench;
      const look = async () => (await call(listLogins, org, {}, 'read')).items;
      const body = { label: 'Okta', entityID: 'urn:idp', ssoURL: 'https://idp.test/sso' };
      const { id, service } = await call(saml.createProvider, org, { body });
      const at = { ...org, samlProviderId: id };
      expect(await look()).toEqual([]);
      await call(saml.updateProvider, at, { body: { certificate: newCertificate() } });
      expect(await look()).toEqual([{ id, label: 'Okta', startURL: service.startURL }]);
      await call(saml.updateProvider, at, { body: { label: 'Entra' } });
      expect(await look()).toMatchObject([{ id, label: 'Entra' }]);
      await call(saml.deleteProvider, at);
      expect(await look()).toEqual([]);
    },
  },
];
