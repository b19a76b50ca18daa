import { afterAll, beforeAll, expect, it } from 'vitest';
import { IntegrationScope, type GitBookAPI } from '@gitbook/api';
import { startPeer, type Peer } from './published-answers.ts';

let peer: Peer;
let api: GitBookAPI;

beforeAll(async () => {
  peer = await startPeer();
  api = peer.as('admin');
});
afterAll(() => peer.stop());

it('returns to the published client what its schemas specify, from publishing to uninstalling', async () => {
  const organization = peer.world.org;
  const account = { properties: { channel: { type: 'string' as const } }, required: ['channel'] };
  await api.integrations.publishIntegration('bot', {
    title: 'Bot',
    description: 'x',
    scopes: [IntegrationScope.SpaceContentRead],
    script: 'x',
    organization,
    configurations: { account },
    secrets: { A: 'b' },
  });
  await api.integrations.listIntegrations();
  await api.integrations.getIntegrationByName('bot');
  await api.integrations.setIntegrationDevelopmentMode('bot', {
    tunnelUrl: 'https://tunnel.example',
    all: false,
  });
  const { id } = (await api.integrations.installIntegration('bot', { organization })).data;
  await api.integrations.updateIntegrationInstallation('bot', id, { configuration: { channel: 'docs' } });
  await api.integrations.getIntegrationInstallationById('bot', id);
  await api.integrations.listIntegrationInstallations('bot');
  const space = (await api.orgs.createSpace(organization, {})).data.id;
  const siteId = (await api.orgs.createSite(organization, { title: 'Docs' })).data.id;
  await api.integrations.installIntegrationOnSpace('bot', id, { space });
  await api.integrations.updateIntegrationSpaceInstallation('bot', id, space, { externalIds: ['x'] });
  await api.integrations.installIntegrationOnSite('bot', id, { siteId });
  await api.integrations.updateIntegrationSiteInstallation('bot', id, siteId, { externalIds: ['x'] });
  await api.integrations.listIntegrationSpaceInstallations('bot', { extended: true });
  await api.integrations.listIntegrationSiteInstallations('bot', { extended: true });
  await api.integrations.uninstallIntegrationFromSpace('bot', id, space);
  await api.integrations.uninstallIntegrationFromSite('bot', id, siteId);
  await api.integrations.uninstallIntegration('bot', id);
  const { items } = (await api.integrations.listIntegrationEvents('bot')).data;
  expect(items.map(({ payload }) => payload.type)).toContain('installation_deleted');
  for (const { payload } of items) expect(peer.against('Event', payload), payload.type).toEqual([]);
  await api.integrations.getIntegrationEvent('bot', items[0]!.id);
  await api.integrations.disableIntegrationDevelopmentMode('bot');
  await api.integrations.unpublishIntegration('bot');
  // In docsctl, every DELETE that deletes something returns 204.
  expect(peer.faults()).toEqual([
    { operationId: 'disableIntegrationDevelopmentMode', fault: 'status 204 is not published' },
  ]);
});
