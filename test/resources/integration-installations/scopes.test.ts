import { afterEach, beforeEach, expect, it } from 'vitest';
import { embeddedApi, servicesOf } from '../../../src/core/embedded.ts';
import { installations, integrations } from '../../../src/core/rows/integrations.ts';
import { siteInstallations, targetInstallationId } from '../../../src/core/rows/installed.ts';
import { sites } from '../../../src/core/rows/sites.ts';
import { getExisting } from '../../../src/core/store.ts';
import { listSiteScripts as scriptsOnPages } from '../../../src/publishing/site-scripts.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { updateContent } from '../../../src/resources/content/change-request/contract.ts';
import { listEvents } from '../../../src/resources/integration-events/contract.ts';
import { createEnvironment } from '../../../src/resources/integration-events/environment.ts';
import {
  answerSiteEvent,
  type SiteEvent,
} from '../../../src/resources/integration-events/public-endpoint.ts';
import {
  createInstallation,
  createToken,
  getInstallation,
  installOnSite,
  listInstallations,
  updateInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { listSiteScripts } from '../../../src/resources/site-integrations/contract.ts';
import { getPublishingAuth } from '../../../src/resources/site-publishing-auth/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { createSpace, updateSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, publish as publishIn } from '../integrations/support.ts';

type Scopes = NonNullable<NonNullable<Parameters<typeof publishIn>[2]>['scopes']>;

let world: World;
/** The installation in an organization that does not publish the integration. */
let params: { integrationName: string; installationId: string };
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.core.store.close());

const publish = (...scopes: Scopes) => publishIn(world, 'bot', { visibility: 'public', scopes });
const other = () => world.as('outsider');
const otherOrg = () => ({ organizationId: world.otherOrg });
const agree = (...scopes: Scopes) => other().call(updateInstallation, { params, body: { scopes } });
const shown = () => other().call(getInstallation, { params });
const reasonOf = (work: Promise<unknown>) => work.then(() => 'done', (error: { reason: string }) => error.reason); // prettier-ignore
async function installInOther(...scopes: Scopes): Promise<void> {
  await publish(...scopes);
  const at = { integrationName: 'bot' };
  const { id } = await other().call(createInstallation, {
    params: at,
    body: { organization: world.otherOrg },
  });
  params = { ...at, installationId: id };
}
async function bot(installationId = params.installationId) {
  const { token } = await world.as('admin').call(createToken, { params: { ...params, installationId } });
  return embeddedApi(world.core, { kind: 'token', token });
}

it('new scopes wait for the consent of other organizations, but apply to the publisher immediately', async () => {
  await installInOther('space:content:read');
  const own = await install(world);
  const rename = async (who: typeof other, organizationId: string, installationId: string) => {
    const { id } = await who().call(createSpace, { params: { organizationId }, body: { title: 'Guide' } });
    const call = { params: { spaceId: id }, body: { title: 'Manual' } };
    return (await bot(installationId)).call(updateSpace, call);
  };
  const renameInOther = () => rename(other, world.otherOrg, params.installationId);
  await expect(renameInOther()).rejects.toMatchObject({ hint: 'Publish the integration with this scope.' });
  const wanted: Scopes = ['space:content:read', 'space:metadata:write', 'openapi:read'];
  expect(await publish(...wanted)).toMatchObject({ version: 2, pendingInstallations: 1 });
  await expect(renameInOther()).rejects.toMatchObject({
    reason: 'forbidden',
    message:
      'The organization has not agreed to the scope space:metadata:write of the integration "bot", which spaces.update requires.',
    hint: `An administrator of the organization can agree: \`docsctl integrations installations update ${params.installationId} --integration bot --scopes space:content:read,space:metadata:write\``,
  });
  await rename(() => world.as('admin'), world.org, own.id);
  const { items } = await world.as('admin').call(listInstallations, { params });
  expect(items).toMatchObject([
    { scopes: ['space:content:read'], pendingScopes: ['space:metadata:write', 'openapi:read'] },
    { scopes: wanted, pendingScopes: [] },
  ]);
  expect(await agree('space:content:read', 'space:metadata:write')).toMatchObject({
    scopes: ['space:content:read', 'space:metadata:write'],
    pendingScopes: ['openapi:read'],
  });
  await renameInOther();
  expect(await publish('space:content:read')).not.toHaveProperty('pendingInstallations');
  expect(await reasonOf(renameInOther())).toBe('forbidden');
});

it('only administrators of the organization can agree, and only to requested scopes', async () => {
  await installInOther('space:content:read');
  const own = await install(world);
  await publish('space:content:read', 'space:content:write');
  const body = { scopes: ['space:content:write' as const] };
  expect([
    await reasonOf(world.as('admin').call(updateInstallation, { params, body })),
    await reasonOf((await bot()).call(updateInstallation, { params, body })),
    await reasonOf(agree('openapi:write')),
    await reasonOf(
      world.as('admin').call(updateInstallation, { params: { ...params, installationId: own.id }, body }),
    ),
  ]).toEqual(['forbidden', 'forbidden', 'invalid-input', 'conflict']);
  expect(await shown()).toMatchObject({
    scopes: ['space:content:read'],
    pendingScopes: ['space:content:write'],
  });
});

it('installations from earlier versions keep the scopes of their integration, and get no new ones', async () => {
  await installInOther('space:content:read', 'openapi:read');
  await install(world);
  await world.core.store.write((tx) =>
    tx.update(installations, params.installationId, { scopes: undefined }),
  );
  expect(await shown()).toMatchObject({ scopes: ['space:content:read', 'openapi:read'], pendingScopes: [] });
  await publish('space:content:read');
  expect(await shown()).toMatchObject({ scopes: ['space:content:read'], pendingScopes: [] });
  const { pendingInstallations } = await publish('space:content:read', 'openapi:read', 'openapi:write');
  expect(pendingInstallations).toBe(1);
  expect(await shown()).toMatchObject({
    scopes: ['space:content:read', 'openapi:read'],
    pendingScopes: ['openapi:write'],
  });
});

it('events about spaces are sent only if the organization agreed to the scope', async () => {
  await installInOther('openapi:read');
  await publish('openapi:read', 'space:content:read');
  const { id: spaceId } = await other().call(createSpace, { params: otherOrg(), body: { title: 'Guide' } });
  const edit = async () => {
    const { id } = await other().call(createChangeRequest, { params: { spaceId }, body: {} });
    const at = { spaceId, changeRequestId: id };
    const changes = [{ operation: 'insert_page' as const, title: 'Page', document: { markdown: 'Text' } }];
    await other().call(updateContent, { params: at, body: { changes } });
    await other().call(mergeChangeRequest, { params: at });
    const { items } = await world.as('admin').call(listEvents, { params });
    return items.filter(({ payload }) => payload.type === 'space_content_updated').length;
  };
  expect(await edit()).toBe(0);
  await agree('openapi:read', 'space:content:read');
  expect(await edit()).toBe(1);
});

it('site scripts, their cookies and the sign-in of visitors wait for consent', async () => {
  await installInOther('openapi:read');
  const { id: siteId } = await other().call(createSite, { params: otherOrg(), body: { title: 'Docs' } });
  await other().call(installOnSite, { params, body: { siteId } });
  const at = { ...otherOrg(), siteId };
  const { signal } = new AbortController();
  const { store } = world.core;
  const ask = (event: SiteEvent) =>
    reasonOf(answerSiteEvent(world.core, { ...params, siteId }, event, signal));
  const signingKey = async () => {
    const recipient = await store.read(async (tx) => ({
      integration: await getExisting(tx, integrations, 'bot'),
      installation: await getExisting(tx, installations, params.installationId),
      target: await getExisting(tx, siteInstallations, targetInstallationId(params.installationId, siteId)),
    }));
    const environment = await createEnvironment(servicesOf(world.core, signal), recipient);
    return (environment as { signingSecrets: { siteInstallation: string } }).signingSecrets.siteInstallation;
  };
  const look = async () => [
    (await other().call(listSiteScripts, { params: at })).map(({ cookies }) => cookies),
    await store.read(async (tx) =>
      (await scriptsOnPages(tx, await getExisting(tx, sites, siteId), false)).map(
        ({ needsCookies }) => needsCookies,
      ),
    ),
    await ask({ type: 'fetch_published_script' }),
    await ask({ type: 'fetch_visitor_authentication', searchParams: {} }),
  ];
  const absent = [[], [], 'not-found', 'not-found'];
  await publish('openapi:read', 'site:script:inject');
  expect(await look()).toEqual(absent);
  await agree('site:script:inject');
  // This world has no script runtime, so an allowed event fails as unreachable.
  expect(await look()).toEqual([[false], [false], 'unreachable', 'not-found']);
  await publish('site:script:inject', 'site:script:cookies', 'site:visitor:auth');
  expect(await look()).toEqual(absent);
  await signingKey();
  expect(await reasonOf(other().call(getPublishingAuth, { params: at }))).toBe('not-found');
  await agree('site:script:inject', 'site:script:cookies', 'site:visitor:auth');
  expect(await look()).toEqual([[true], [true], 'unreachable', 'unreachable']);
  const { privateKey } = await other().call(getPublishingAuth, { params: at });
  expect(await signingKey()).toBe(privateKey);
  await agree('site:script:inject', 'site:script:cookies');
  expect(await signingKey()).not.toBe(privateKey);
});
