import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import {
  createInstallation,
  deleteInstallation,
  getInstallation,
  getSiteInstallation,
  getSpaceInstallation,
  installOnSite,
  installOnSpace,
  listInstallations,
  listSites,
  listSpaces,
  removeFromSite,
  removeFromSpace,
  updateInstallation,
  updateSiteInstallation,
  updateSpaceInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { listIntegrationSites, listIntegrationSpaces } from '../../../src/resources/integrations/contract.ts';
import { listOrganizationInstallations } from '../../../src/resources/organization-installations/contract.ts';
import { createSite, deleteSite } from '../../../src/resources/sites/contract.ts';
import { createSpace, transferSpace } from '../../../src/resources/spaces/contract.ts';
import { createOrganization } from '../../../src/resources/organizations/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { install, publish } from '../integrations/support.ts';

let world: World;
beforeEach(async () => void (world = await createWorld()));
afterEach(() => world.core.store.close());

const params = { integrationName: 'bot' };
const one = (installationId: string) => ({ params: { ...params, installationId } });
const account = { properties: { channel: { type: 'string' as const, enum: ['a', 'b'] }, count: { type: 'number' as const, default: 3 }, login: { type: 'button' as const, callback_url: '/', button_text: 'Go' } }, required: ['channel'] }; // prettier-ignore
const reasonOf = (work: Promise<unknown>) => work.then(() => 'done', (error: { reason: string }) => error.reason); // prettier-ignore
const makeSpace = async (title = 'Guide') =>
  (await world.as('admin').call(createSpace, { params: { organizationId: world.org }, body: { title } })).id;

describe('an installation', () => {
  it('can be created once per organization, by an administrator', async () => {
    await publish(world, 'bot', { visibility: 'public' });
    const made = await install(world);
    expect(made).toMatchObject({
      status: 'active',
      space_selection: 'all',
      site_selection: 'all',
      spaces: 0,
      configuration: {},
      externalIds: [],
      target: { organization: world.org },
    });
    expect(violationsOf(createInstallation.returns.schema, made, '')).toEqual([]);
    await expect(install(world)).rejects.toMatchObject({ reason: 'conflict' });
    const create = (who: 'create' | 'outsider' | 'guest', organization: string) =>
      reasonOf(world.as(who).call(createInstallation, { params, body: { organization } }));
    expect(await create('create', world.org)).toBe('forbidden');
    expect(await create('outsider', world.org)).toBe('not-found');
    expect(await create('outsider', world.otherOrg)).toBe('done');
    await publish(world, 'own', { visibility: 'private' });
    const second = await world.as('admin').call(createOrganization, { body: { title: 'Second' } });
    expect(
      await reasonOf(
        world.as('admin').call(createInstallation, {
          params: { integrationName: 'own' },
          body: { organization: second.id },
        }),
      ),
    ).toBe('conflict');
  });

  it('is pending until its configuration is complete, and refuses unknown or invalid settings', async () => {
    await publish(world, 'bot', { configurations: { account } });
    const { id, status, configuration } = await install(world);
    expect([status, configuration]).toEqual(['pending', { count: 3 }]);
    const api = world.as('admin');
    const update = (wanted: object) =>
      api.call(updateInstallation, {
        ...one(id),
        body: { configuration: wanted as Record<string, unknown> },
      });
    for (const [wrong, path] of [
      [{ channel: 'c' }, '/body/configuration/channel'],
      [{ channel: 7 }, '/body/configuration/channel'],
      [{}, '/body/configuration/channel'],
      [{ channel: 'a', count: '3' }, '/body/configuration/count'],
      [{ channel: 'a', chanel: 'a' }, '/body/configuration/chanel'],
    ] as const)
      await expect(update(wrong)).rejects.toMatchObject({ reason: 'invalid-input', violations: [{ path }] });
    expect(await update({ channel: 'a', login: { token: ['x'] } })).toMatchObject({
      status: 'active',
      configuration: { channel: 'a', login: { token: ['x'] } },
    });
    expect(await api.call(updateInstallation, { ...one(id), body: { externalIds: ['T1'] } })).toMatchObject({
      status: 'active',
      externalIds: ['T1'],
    });
    const listed = async (externalId: string) =>
      (await api.call(listInstallations, { params, query: { externalId } })).items.map((item) => item.id);
    expect([await listed('T1'), await listed('T2')]).toEqual([[id], []]);
  });

  it('is visible to readers of its organization and to the publisher, who cannot change it', async () => {
    await publish(world, 'bot', { visibility: 'public' });
    const api = world.as('outsider');
    const { id } = await api.call(createInstallation, { params, body: { organization: world.otherOrg } });
    const own = await install(world);
    const listed = async (who: 'admin' | 'create' | 'outsider' | 'guest') =>
      (await world.as(who).call(listInstallations, { params })).items.map((item) => item.id);
    expect([
      await listed('admin'),
      await listed('create'),
      await listed('outsider'),
      await listed('guest'),
    ]).toEqual([[id, own.id], [own.id], [id], []]);
    const see = (who: 'admin' | 'read' | 'guest' | 'outsider', of: string) =>
      reasonOf(world.as(who).call(getInstallation, one(of)));
    expect([await see('admin', id), await see('read', id), await see('outsider', own.id)]).toEqual([
      'done',
      'not-found',
      'not-found',
    ]);
    expect([await see('read', own.id), await see('guest', own.id)]).toEqual(['done', 'forbidden']);
    const publisher = world.as('admin');
    const change = (body: object) => reasonOf(publisher.call(updateInstallation, { ...one(id), body }));
    expect(await change({ configuration: { a: 1 }, externalIds: ['x'] })).toBe('done');
    expect(await change({ space_selection: 'all' })).toBe('forbidden');
    expect(await reasonOf(publisher.call(deleteInstallation, one(id)))).toBe('forbidden');
    expect(
      await reasonOf(publisher.call(installOnSpace, { ...one(id), body: { space: await makeSpace() } })),
    ).toBe('forbidden');
    expect(await reasonOf(world.as('create').call(updateInstallation, { ...one(own.id), body: {} }))).toBe(
      'forbidden',
    );
    expect(
      await reasonOf(
        publisher.call(getInstallation, { params: { integrationName: 'bot', installationId: 'ins_absent' } }),
      ),
    ).toBe('not-found');
    await api.call(deleteInstallation, one(id));
    expect(await reasonOf(api.call(deleteInstallation, one(id)))).toBe('not-found');
  });

  it('shows its configuration only to administrators of both organizations', async () => {
    await publish(world, 'bot', { visibility: 'public' });
    const { id } = await install(world);
    const configuration = { login: { token: 's3cret' } };
    const admin = world.as('admin');
    await admin.call(updateInstallation, { ...one(id), body: { configuration } });
    const space = await makeSpace();
    const place = { params: { ...params, installationId: id, spaceId: space } };
    await admin.call(installOnSpace, { ...one(id), body: { space } });
    await admin.call(updateSpaceInstallation, { ...place, body: { configuration } });
    const seen = async (who: 'admin' | 'create' | 'read') => {
      const api = world.as(who);
      return JSON.stringify([
        await api.call(getInstallation, one(id)),
        await api.call(listInstallations, { params }),
        await api.call(listOrganizationInstallations, { params: { organizationId: world.org } }),
        await api.call(getSpaceInstallation, place),
        await api.call(listSpaces, one(id)),
        await api.call(listIntegrationSpaces, { params }),
      ]).split('s3cret').length;
    };
    expect([await seen('admin'), await seen('create'), await seen('read')]).toEqual([7, 1, 1]);
    const elsewhere = world.as('outsider');
    const other = await elsewhere.call(createInstallation, {
      params,
      body: { organization: world.otherOrg },
    });
    await elsewhere.call(updateInstallation, { ...one(other.id), body: { configuration } });
    expect(await admin.call(getInstallation, one(other.id))).toMatchObject({ configuration });
  });

  it('names the command that installs it on a space where it is not installed', async () => {
    await publish(world);
    const { id } = await install(world);
    const spaceId = await makeSpace();
    const place = { params: { ...params, installationId: id, spaceId } };
    const api = world.as('admin');
    for (const asked of [
      api.call(getSpaceInstallation, place),
      api.call(updateSpaceInstallation, { ...place, body: {} }),
    ])
      await expect(asked).rejects.toMatchObject({
        reason: 'not-found',
        message: `The integration "bot" has no settings of its own on the space "${spaceId}".`,
        hint: `To add them, run \`docsctl integrations installations add-space ${spaceId} --integration bot --installation ${id}\`.`,
      });
    await expect(api.call(removeFromSpace, place)).rejects.toMatchObject({
      reason: 'not-found',
      hint: `The installation covers all spaces. To change this, run \`docsctl integrations installations update ${id} --integration bot --space-selection selected\`.`,
    });
    await api.call(updateInstallation, { ...one(id), body: { space_selection: 'selected' } });
    await expect(api.call(removeFromSpace, place)).rejects.toMatchObject({
      message: `The integration "bot" is not installed on the space "${spaceId}".`,
      hint: undefined,
    });
  });

  it('is not found under the name of another integration', async () => {
    await publish(world);
    await publish(world, 'other');
    const { id } = await install(world);
    expect(
      await reasonOf(
        world.as('admin').call(getInstallation, { params: { integrationName: 'other', installationId: id } }),
      ),
    ).toBe('not-found');
  });
});

describe('an installation on spaces and sites', () => {
  it('has a configuration of its own, and can be removed alone', async () => {
    await publish(world, 'bot', {
      configurations: { space: { properties: { tag: { type: 'string' } }, required: ['tag'] } },
    });
    const { id } = await install(world);
    const api = world.as('admin');
    const space = await makeSpace();
    const made = await api.call(installOnSpace, { ...one(id), body: { space } });
    expect(made).toMatchObject({
      integration: 'bot',
      installation: id,
      status: 'pending',
      configuration: {},
      space,
    });
    expect(violationsOf(installOnSpace.returns.schema, made, '')).toEqual([]);
    await expect(api.call(installOnSpace, { ...one(id), body: { space } })).rejects.toMatchObject({
      reason: 'conflict',
    });
    const at = { params: { ...params, installationId: id, spaceId: space } };
    await expect(
      api.call(updateSpaceInstallation, { ...at, body: { configuration: { tag: 1 } } }),
    ).rejects.toMatchObject({ reason: 'invalid-input' });
    expect(
      await api.call(updateSpaceInstallation, {
        ...at,
        body: { configuration: { tag: 'x' }, externalIds: ['E'] },
      }),
    ).toMatchObject({
      status: 'active',
      configuration: { tag: 'x' },
      externalIds: ['E'],
    });
    expect(await api.call(getInstallation, one(id))).toMatchObject({ spaces: 1 });
    await api.call(removeFromSpace, at);
    await expect(api.call(removeFromSpace, at)).rejects.toMatchObject({ reason: 'not-found' });
    expect(await api.call(getInstallation, one(id))).toMatchObject({ spaces: 0 });
  });

  it('contains whole spaces and sites in place of their IDs if extended is true', async () => {
    await publish(world);
    const { id } = await install(world);
    const api = world.as('admin');
    const space = await makeSpace();
    const organization = { params: { organizationId: world.org } };
    const site = (await api.call(createSite, { ...organization, body: { title: 'Docs' } })).id;
    await api.call(installOnSpace, { ...one(id), body: { space } });
    await api.call(installOnSite, { ...one(id), body: { siteId: site } });
    const look = async (whole: boolean) => {
      const query = { extended: whole };
      const at = { params: { ...params, installationId: id, spaceId: space, siteId: site }, query };
      return [
        ...(await api.call(listSpaces, at)).items,
        await api.call(getSpaceInstallation, at),
        await api.call(updateSpaceInstallation, { ...at, body: {} }),
        ...(await api.call(listSites, at)).items,
        await api.call(getSiteInstallation, at),
        await api.call(updateSiteInstallation, { ...at, body: {} }),
      ];
    };
    const three = (shown: object) => [shown, shown, shown];
    expect(await look(true)).toMatchObject([
      ...three({ space: { object: 'space', id: space } }),
      ...three({ site: { object: 'site', id: site } }),
    ]);
    expect(await look(false)).toMatchObject([...three({ space }), ...three({ site })]);
  });

  it('is deleted with its site, and removed from a space that moves to another organization', async () => {
    await publish(world);
    const { id } = await install(world);
    const api = world.as('admin');
    const { id: siteId } = await api.call(createSite, {
      params: { organizationId: world.org },
      body: { title: 'Docs' },
    });
    const made = await api.call(installOnSite, { ...one(id), query: { extended: true }, body: { siteId } });
    expect(made).toMatchObject({ status: 'active', site: { id: siteId, title: 'Docs' } });
    expect(violationsOf(installOnSite.returns.schema, made, '')).toEqual([]);
    const at = { params: { ...params, installationId: id, siteId } };
    expect(
      await api.call(updateSiteInstallation, { ...at, body: { configuration: { any: 'thing' } } }),
    ).toMatchObject({ configuration: { any: 'thing' } });
    const sites = async () =>
      (await api.call(listIntegrationSites, { params })).items.map(({ site }) => site);
    expect(await sites()).toEqual([siteId]);
    await api.call(deleteSite, { params: { organizationId: world.org, siteId } });
    expect(await sites()).toEqual([]);
    await expect(api.call(removeFromSite, at)).rejects.toMatchObject({ reason: 'not-found' });
    const space = await makeSpace();
    await api.call(installOnSpace, { ...one(id), body: { space } });
    const second = await api.call(createOrganization, { body: { title: 'Second' } });
    await api.call(transferSpace, { params: { spaceId: space }, body: { organization: second.id } });
    expect((await api.call(listIntegrationSpaces, { params })).items).toEqual([]);
  });

  it('is refused for a wrong target and for sites of another organization', async () => {
    await publish(world, 'bot', { target: 'site' });
    const { id } = await install(world);
    const api = world.as('admin');
    await expect(
      api.call(installOnSpace, { ...one(id), body: { space: await makeSpace() } }),
    ).rejects.toMatchObject({
      reason: 'conflict',
      message: 'The integration "bot" can be installed on sites only, not on spaces.',
    });
    await publish(world, 'whole', { target: 'organization' });
    const whole = {
      params: { integrationName: 'whole', installationId: (await install(world, 'whole')).id },
    };
    await expect(
      api.call(installOnSpace, { ...whole, body: { space: await makeSpace() } }),
    ).rejects.toMatchObject({
      reason: 'conflict',
      message: 'The integration "whole" can be installed on organizations only, not on spaces.',
    });
    const foreign = await world
      .as('outsider')
      .call(createSite, { params: { organizationId: world.otherOrg }, body: {} });
    await expect(api.call(installOnSite, { ...one(id), body: { siteId: foreign.id } })).rejects.toMatchObject(
      { reason: 'not-found' },
    );
  });

  it('is listed in pages, and in other organizations only for the publisher', async () => {
    await publish(world, 'bot', { visibility: 'public' });
    const outsider = world.as('outsider');
    const foreign = await outsider.call(createInstallation, {
      params,
      body: { organization: world.otherOrg },
    });
    const theirs = await outsider.call(createSpace, {
      params: { organizationId: world.otherOrg },
      body: { title: 'Theirs' },
    });
    await outsider.call(installOnSpace, { ...one(foreign.id), body: { space: theirs.id } });
    const own = await install(world);
    const ours = await makeSpace('Ours');
    await world.as('admin').call(installOnSpace, { ...one(own.id), body: { space: ours } });
    await world.as('admin').call(updateSpaceInstallation, {
      params: { ...params, installationId: own.id, spaceId: ours },
      body: { externalIds: ['E'] },
    });
    const listed = async (who: 'admin' | 'read' | 'outsider' | 'guest', query = {}) =>
      (await world.as(who).call(listIntegrationSpaces, { params, query })).items;
    const all = await listed('admin', { extended: true });
    // The publisher sees where the integration is installed, but only the IDs of spaces in other organizations.
    expect(all.map(({ space }) => (typeof space === 'string' ? space : space.title))).toEqual([
      theirs.id,
      'Ours',
    ]);
    expect(violationsOf(listIntegrationSpaces.returns.schema, { items: all }, '')).toEqual([]);
    expect((await listed('read')).map(({ space }) => space)).toEqual([ours]);
    expect((await listed('outsider')).map(({ space }) => space)).toEqual([theirs.id]);
    expect(await listed('guest')).toEqual([]);
    expect((await listed('admin', { externalId: 'E' })).map(({ space }) => space)).toEqual([ours]);
    const first = await world.as('admin').call(listIntegrationSpaces, { params, query: { limit: 1 } });
    expect(first.count).toBe(2);
    expect((await listed('admin', { limit: 1, page: first.next!.page })).map(({ space }) => space)).toEqual([
      ours,
    ]);
  });
});
