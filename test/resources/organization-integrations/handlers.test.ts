import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  installOnSite,
  installOnSpace,
  updateSpaceInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { publishIntegration } from '../../../src/resources/integrations/contract.ts';
import { listOrganizationInstallations } from '../../../src/resources/organization-installations/contract.ts';
import {
  getStatus,
  listOrganizationIntegrations,
  listStatuses,
} from '../../../src/resources/organization-integrations/contract.ts';
import { createOrganization } from '../../../src/resources/organizations/contract.ts';
import { createSite } from '../../../src/resources/sites/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, publish } from '../integrations/support.ts';

const token = { properties: { token: { type: 'string' as const } }, required: ['token'] };

let world: World;
let at: { organizationId: string };
beforeEach(async () => {
  world = await createWorld();
  at = { organizationId: world.org };
  await publish(world, 'bot', { title: 'Helper' });
  await publish(world, 'drawer', { configurations: { account: token, space: token } });
  await publish(world, 'unused');
});
afterEach(() => world.core.store.close());

const admin = () => world.as('admin');
const statuses = async (target?: 'organization' | 'space' | 'site') =>
  (await admin().call(listStatuses, { params: at, query: target === undefined ? {} : { target } })).items.map(
    ({ status, integration }) => [integration.name, status],
  );

describe('the integrations of an organization', () => {
  it('are the public ones, its own ones and the installed ones', async () => {
    const other = await world.as('owner').call(createOrganization, { body: { title: 'Other' } });
    const publishThere = (name: string, visibility: 'public' | 'private' | 'unlisted') =>
      world.as('owner').call(publishIntegration, {
        params: { integrationName: name },
        body: {
          title: 'Foreign',
          description: '',
          scopes: [],
          script: '1',
          organization: other.id,
          visibility,
          categories: ['analytics'],
        },
      });
    await publishThere('for-all', 'public');
    await publishThere('hidden', 'private');
    await publishThere('unlisted', 'unlisted');
    await publishThere('installed', 'unlisted');
    await install(world, 'installed');
    const names = async (query = {}) =>
      (await world.as('read').call(listOrganizationIntegrations, { params: at, query })).items.map(
        ({ name }) => name,
      );
    expect(await names()).toEqual(['bot', 'drawer', 'for-all', 'installed', 'unused']);
    expect(await names({ category: 'analytics' })).toEqual(['for-all', 'installed']);
    expect(await names({ search: 'HELP' })).toEqual(['bot']);
    expect(await names({ owner: other.id, limit: 1 })).toEqual(['for-all']);
  });

  it('have a status on each target where they are installed', async () => {
    const { id: bot } = await install(world, 'bot');
    const { id: drawer } = await install(world, 'drawer');
    expect(await statuses()).toEqual([
      ['bot', 'active'],
      ['drawer', 'pending'],
    ]);
    expect(await statuses('space')).toEqual([]);
    const spaceId = (await admin().call(createSpace, { params: at, body: { title: 'Guide' } })).id;
    const second = (await admin().call(createSpace, { params: at, body: { title: 'API' } })).id;
    const siteId = (await admin().call(createSite, { params: at, body: { title: 'Docs' } })).id;
    const on = { integrationName: 'drawer', installationId: drawer };
    for (const space of [spaceId, second])
      await admin().call(installOnSpace, { params: on, body: { space } });
    expect(await statuses('space')).toEqual([['drawer', 'pending']]);
    await admin().call(updateSpaceInstallation, {
      params: { ...on, spaceId: second },
      body: { configuration: { token: 'x' } },
    });
    expect(await statuses('space')).toEqual([['drawer', 'active']]);
    await admin().call(installOnSite, {
      params: { integrationName: 'bot', installationId: bot },
      body: { siteId },
    });
    expect(await statuses('site')).toEqual([['bot', 'active']]);
    expect(await world.as('read').call(getStatus, { params: { ...at, integrationName: 'drawer' } })).toEqual({
      status: 'pending',
    });
    const listed = await admin().call(listOrganizationInstallations, { params: at, query: {} });
    expect(listed.items.map(({ installation, integration }) => [integration.name, installation.id])).toEqual([
      ['bot', bot],
      ['drawer', drawer],
    ]);
    expect(listed.items[1]?.installation).toMatchObject({ spaces: 2, target: { organization: world.org } });
    const searched = await admin().call(listOrganizationInstallations, {
      params: at,
      query: { search: 'helper' },
    });
    expect([searched.count, searched.items[0]?.installation.id]).toEqual([1, bot]);
  });

  it('have no status if they are not installed, and are not visible to outsiders', async () => {
    await install(world, 'bot');
    for (const integrationName of ['unused', 'absent', '..'])
      await expect(admin().call(getStatus, { params: { ...at, integrationName } })).rejects.toMatchObject({
        reason: 'not-found',
      });
    const bot = { params: { ...at, integrationName: 'bot' } };
    await expect(world.as('outsider').call(getStatus, bot)).rejects.toMatchObject({ reason: 'not-found' });
    await expect(world.as('guest').call(getStatus, bot)).rejects.toMatchObject({ reason: 'forbidden' });
    for (const list of [listOrganizationIntegrations, listStatuses, listOrganizationInstallations])
      await expect(world.as('outsider').call(list, { params: at, query: {} })).rejects.toMatchObject({
        reason: 'not-found',
      });
    for (const query of [{ target: 'page' }, { page: 'x' }])
      await expect(
        admin().call(listStatuses, { params: at, query: query as { page: string } }),
      ).rejects.toMatchObject({ reason: 'invalid-input' });
  });
});
