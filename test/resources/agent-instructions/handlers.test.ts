import { beforeEach, describe, expect, it } from 'vitest';
import * as contract from '../../../src/resources/agent-instructions/contract.ts';
import type { Who } from '../../support/world.ts';
import { createPeopleWorld, publishedFaults, type PeopleWorld } from '../people-support.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

const instructions = {
  object: 'document',
  data: { schemaVersion: 8 },
  nodes: [
    {
      object: 'block',
      type: 'paragraph',
      key: 'a1',
      isVoid: false,
      data: {},
      nodes: [{ object: 'text', key: 'a2', leaves: [{ object: 'leaf', text: 'Be brief.', marks: [] }] }],
    },
  ],
};

describe('agent instructions', () => {
  it('are an empty document until they are written', async () => {
    const body = await world.call(contract.getAgentInstructions, 'read');
    expect(body).toEqual({
      object: 'agent-instructions',
      instructions: { object: 'document', data: { schemaVersion: 2 }, nodes: [] },
      updatedAt: '2026-01-05T09:00:00.000Z',
      updatedBy: 'usr_admin',
      urls: { location: 'http://localhost:8080/v1/orgs/org_acme/agent-instructions' },
    });
    expect(publishedFaults('OrganizationAgentInstructions', body)).toEqual([]);
  });

  it('are replaced, recording the time and the user', async () => {
    await world.call(contract.updateAgentInstructions, 'admin', {
      body: { instructions: { object: 'document', data: {}, nodes: [] } },
    });
    const body = await world.call(contract.updateAgentInstructions, 'admin', { body: { instructions } });
    expect(body).toMatchObject({ instructions, updatedBy: 'usr_admin' });
    expect(body.updatedAt > '2026-01-05T09:00:00.000Z').toBe(true);
    expect(await world.call(contract.getAgentInstructions, 'read')).toEqual(body);
    expect(publishedFaults('OrganizationAgentInstructions', body)).toEqual([]);
  });

  it.each([
    {},
    { instructions: 'text' },
    { instructions: { object: 'document', data: {} } },
    { instructions: { object: 'page', data: {}, nodes: [] } },
  ])('are refused if the body is %j', async (body) => {
    expect(await world.reason(contract.updateAgentInstructions, 'admin', { body })).toBe('invalid-input');
  });

  it('can be read by members and written only by administrators', async () => {
    const people: Who[] = ['read', 'guest', 'outsider', 'nobody', 'owner'];
    expect(await Promise.all(people.map((who) => world.reason(contract.getAgentInstructions, who)))).toEqual([
      'done',
      'forbidden',
      'not-found',
      'unauthenticated',
      'done',
    ]);
    for (const who of ['create', 'read', 'guest'] as const)
      expect(await world.reason(contract.updateAgentInstructions, who, { body: { instructions } })).toBe(
        'forbidden',
      );
  });
});
