import { beforeEach, expect, it } from 'vitest';
import { servicesOf } from '../../../src/core/embedded.ts';
import { integrations, integrationTokens, type IntegrationRow } from '../../../src/core/rows/integrations.ts';
import { deliverLive } from '../../../src/resources/integration-events/runs.ts';
import { integrationEvents } from '../../../src/resources/integration-events/rows.ts';
import { publishIntegration, unpublishIntegration } from '../../../src/resources/integrations/contract.ts';
import { apiTokenOf } from '../../../src/resources/integrations/tokens.ts';
import { createWorld, type World } from '../../support/world.ts';
import { publish } from './support.ts';

const params = { integrationName: 'bot' };
let world: World;
let before: IntegrationRow;
beforeEach(async () => {
  world = await createWorld();
  await publish(world);
  before = (await world.core.store.read((view) => view.get(integrations, 'bot')))!;
});

const unpublish = () => world.as('admin').call(unpublishIntegration, { params });
const publishElsewhere = () =>
  world.as('outsider').call(publishIntegration, {
    params,
    body: { title: 'Bot', description: 'Another', scopes: [], script: 'x', organization: world.otherOrg },
  });

it('no token is created for an integration that was deleted in the meantime', async () => {
  await unpublish();
  await expect(apiTokenOf(servicesOf(world.core), before)).rejects.toMatchObject({ reason: 'not-found' });
  expect(await world.core.store.read((view) => view.scan(integrationTokens, '', 5))).toEqual([]);
});

it('the script of a deleted integration gets no token of a new one with the same name', async () => {
  const services = servicesOf(world.core);
  await unpublish();
  await publishElsewhere();
  await expect(apiTokenOf(services, before)).rejects.toMatchObject({ reason: 'not-found' });
  // This includes a token that this process has already created.
  const now = (await world.core.store.read((view) => view.get(integrations, 'bot')))!;
  const token = await apiTokenOf(services, now);
  expect(await apiTokenOf(services, now)).toBe(token);
  await expect(apiTokenOf(services, before)).rejects.toMatchObject({ reason: 'not-found' });
});

it('the trace of an event is not saved for a new integration with the same name', async () => {
  const run = async () => {
    await unpublish();
    await publishElsewhere();
    return { answer: { status: 200, headers: {}, body: new Uint8Array() }, logs: [] };
  };
  const scripts = { run, close: async () => {} };
  const result = await deliverLive(
    servicesOf({ ...world.core, scripts } as unknown as typeof world.core),
    { integration: before },
    { type: 'fetch' },
  );
  expect(result.answer?.status).toBe(200);
  expect(await world.core.store.read((view) => view.scan(integrationEvents, '', 5))).toEqual([]);
});
