import { beforeEach, describe, expect, it } from 'vitest';
import { tokens } from '../../src/core/rows/organizations.ts';
import { createChangeRequest, getChangeRequest } from '../../src/resources/change-requests/contract.ts';
import { createSpace, deleteSpace } from '../../src/resources/spaces/contract.ts';
import { listEvents } from '../../src/resources/integration-events/contract.ts';
import {
  createInstallation,
  deleteInstallation,
} from '../../src/resources/integration-installations/contract.ts';
import type { Role } from '../../src/contract/shapes.ts';
import { listChanges } from '../../src/resources/content/revision/contract.ts';
import type { Problem } from '../../src/errors/problem.ts';
import { publish } from '../resources/integrations/support.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const limit = (who: Role, role: Role | 'guest') =>
  world.core.store.write((tx) => tx.update(tokens, `tok_${who}`, { role }));
const createBy = (who: Role) =>
  world.as(who).call(createSpace, { params: { organizationId: world.org }, body: {} });

describe('the error about a role that is too low', () => {
  it('names the role of the member, whatever the token allows', async () => {
    await expect(createBy('edit')).rejects.toMatchObject({
      reason: 'forbidden',
      message:
        'To create an empty space, you need the create role in the organization; you have the edit role.',
    });
    await limit('edit', 'read');
    await expect(createBy('edit')).rejects.toMatchObject({
      message:
        'To create an empty space, you need the create role in the organization; you have the edit role.',
    });
  });

  it('names the role of the token if the member has the required role', async () => {
    await limit('admin', 'read');
    await expect(createBy('admin')).rejects.toMatchObject({
      reason: 'forbidden',
      message:
        'To create an empty space, you need the create role in the organization. You have the admin role, but this token allows only the read role.',
      hint: 'Use a token with a higher role. An administrator creates one with `docsctl tokens create --role create --user admin@acme.test`, and `docsctl login` saves it.',
    });
  });

  it('names the role on the space of the operation', async () => {
    const { id } = await createBy('create');
    await limit('edit', 'guest');
    await expect(
      world.as('edit').call(createChangeRequest, { params: { spaceId: id }, body: {} }),
    ).rejects.toMatchObject({
      message:
        'To create a change request for a space, you need the edit role on the space. You have the edit role, but this token allows only what guests may do.',
    });
  });

  it('names the organization of the integration if the caller has no role there', async () => {
    await publish(world, 'bot', { visibility: 'public' });
    const params = { integrationName: 'bot' };
    const outsider = world.as('outsider');
    const list = (who: 'outsider' | 'guest') => world.as(who).call(listEvents, { params });
    const required =
      'To list the events of an integration, you need the admin role in the organization that publishes the integration';
    await expect(list('outsider')).rejects.toMatchObject({
      reason: 'forbidden',
      message: `${required}; you have no role there.`,
    });
    await expect(list('guest')).rejects.toMatchObject({
      message: `${required}; you are a guest, without a role.`,
    });
    const body = { organization: world.otherOrg };
    const { id } = await outsider.call(createInstallation, { params, body });
    await expect(
      world.as('admin').call(deleteInstallation, { params: { ...params, installationId: id } }),
    ).rejects.toMatchObject({
      message:
        'To change an installation, you need the admin role in the organization that has installed the integration; you have no role there.',
    });
  });
});

it('the change requests and revisions of a deleted space are not found', async () => {
  const { id: spaceId, revision } = await createBy('create');
  const { id: changeRequestId } = await world
    .as('edit')
    .call(createChangeRequest, { params: { spaceId }, body: {} });
  const results = () =>
    Promise.all(
      [
        world.as('edit').call(getChangeRequest, { params: { spaceId, changeRequestId } }),
        world.as('edit').call(listChanges, { params: { spaceId, revisionId: revision } }),
      ].map((call) =>
        call.then(
          () => 'found',
          (error: Problem) => error.reason,
        ),
      ),
    );
  expect(await results()).toEqual(['found', 'found']);
  await world.as('admin').call(deleteSpace, { params: { spaceId } });
  expect(await results()).toEqual(['not-found', 'not-found']);
});
