import { expect, it } from 'vitest';
import { embeddedApi } from '../../src/core/embedded.ts';
import { createToken, updateInstallation } from '../../src/resources/integration-installations/contract.ts';
import { listSites } from '../../src/resources/sites/contract.ts';
import { listSpaces } from '../../src/resources/spaces/contract.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { createWorld } from '../support/world.ts';

it('an integration on selected spaces cannot list all spaces, and one on selected sites cannot list all sites', async () => {
  const world = await createWorld();
  await publish(world, 'bot', { scopes: ['space:metadata:read', 'site:metadata:read'] });
  const at = { params: { integrationName: 'bot', installationId: (await install(world)).id } };
  const { token } = await world.as('admin').call(createToken, at);
  const bot = embeddedApi(world.core, { kind: 'token', token });
  const params = { organizationId: world.org };
  const reasonOf = (answer: Promise<unknown>) =>
    answer.then(
      () => 'done',
      ({ reason }: { reason: string }) => reason,
    );
  const lists = async () => [
    await reasonOf(bot.call(listSpaces, { params })),
    await reasonOf(bot.call(listSites, { params })),
  ];
  const select = (space_selection: 'all' | 'selected', site_selection: 'all' | 'selected') =>
    world.as('admin').call(updateInstallation, { ...at, body: { space_selection, site_selection } });
  expect(await lists()).toEqual(['done', 'done']);
  await select('selected', 'all');
  expect(await lists()).toEqual(['forbidden', 'done']);
  await select('all', 'selected');
  expect(await lists()).toEqual(['done', 'forbidden']);
  await world.core.store.close();
});
