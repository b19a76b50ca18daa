import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../../src/core/embedded.ts';
import * as contract from '../../../src/resources/invites/contract.ts';
import { getMember, updateMember } from '../../../src/resources/members/contract.ts';
import { updateOrganization } from '../../../src/resources/organizations/contract.ts';
import { createToken } from '../../../src/resources/tokens/contract.ts';
import { roles } from '../../../src/contract/shapes.ts';
import type { Who } from '../../support/world.ts';
import { createPeopleWorld, publishedFaults, reasonOf, type PeopleWorld } from '../people-support.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

const create = async (role: string | null) =>
  (await world.call(contract.createInvite, 'admin', { body: { role } })).id;
const accept = (inviteId: string, who: Who = 'outsider', organizationId = world.org) =>
  world.reason(contract.acceptInvite, who, { params: { organizationId, inviteId } });
const roleOf = async (userId: string) => (await world.call(getMember, 'admin', { params: { userId } })).role;

describe('invite links', () => {
  it('can be created for any role or for guests, and are listed', async () => {
    const made: string[] = [];
    for (const role of [...roles, null]) made.push(await create(role));
    const { items, count } = await world.call(contract.listInvites, 'admin');
    expect(items.map((item) => [item.id, item.role])).toEqual(
      made.map((id, index) => [id, [...roles, null][index]]),
    );
    expect(count).toBe(7);
    for (const item of items) expect(publishedFaults('InviteLinkToOrganization', item)).toEqual([]);
    expect(items.every((item) => item.redundant)).toBe(true);
  });

  it('have random IDs', async () => {
    const [one, two] = [await create('read'), await create('read')];
    expect(one).toMatch(/^inv_[A-Za-z0-9_-]{24}$/);
    expect(one.slice(4, 12)).not.toBe(two.slice(4, 12));
  });

  it.each([{}, { role: 'guest' }, { role: 'owner' }, { level: 'read', space: 'spc_1' }])(
    'are refused with %j',
    async (body) => {
      expect(await world.reason(contract.createInvite, 'admin', { body })).toBe('invalid-input');
    },
  );

  it('can be listed, created and deleted only by administrators', async () => {
    const id = await create('read');
    for (const who of ['create', 'read', 'guest'] as const) {
      expect(await world.reason(contract.listInvites, who)).toBe('forbidden');
      expect(await world.reason(contract.createInvite, who, { body: { role: 'read' } })).toBe('forbidden');
      expect(await world.reason(contract.deleteInvite, who, { params: { inviteId: id } })).toBe('forbidden');
    }
    expect(await world.reason(contract.listInvites, 'outsider')).toBe('not-found');
  });

  it('stop working when they are deleted', async () => {
    const id = await create('read');
    expect(
      await world.reason(contract.deleteInvite, 'outsider', {
        params: { organizationId: world.otherOrg, inviteId: id },
      }),
    ).toBe('not-found');
    expect(await world.reason(contract.deleteInvite, 'admin', { params: { inviteId: id } })).toBe('done');
    expect(await world.reason(contract.deleteInvite, 'admin', { params: { inviteId: id } })).toBe(
      'not-found',
    );
    expect(await accept(id)).toBe('not-found');
  });
});

describe('accepting an invite', () => {
  it('makes the caller a member with the role of the invite', async () => {
    expect(await accept(await create('comment'))).toBe('done');
    expect(await roleOf('usr_outsider')).toBe('comment');
  });

  it('raises a lower role and never lowers one', async () => {
    const [edit, guest] = [await create('edit'), await create(null)];
    for (const [who, role] of [
      ['read', 'edit'],
      ['guest', 'edit'],
      ['create', 'create'],
      ['admin', 'admin'],
    ] as const) {
      expect(await accept(edit, who)).toBe('done');
      expect(await accept(guest, who)).toBe('done');
      expect(await roleOf(`usr_${who}`)).toBe(role);
    }
  });

  it('is refused for a wrong organization, a wrong ID and without a token', async () => {
    const id = await create('read');
    expect(await accept(id, 'outsider', world.otherOrg)).toBe('not-found');
    expect(await accept('inv_none')).toBe('not-found');
    expect(await accept(id, 'nobody')).toBe('unauthenticated');
  });

  it('is refused if the role exceeds the role of the token', async () => {
    const id = await create('edit');
    const { token } = await world.call(createToken, 'admin', { body: { role: 'read', user: 'usr_guest' } });
    const weak = embeddedApi(world.core, { kind: 'token', token });
    expect(
      await reasonOf(
        weak.call(contract.acceptInvite, { params: { organizationId: world.org, inviteId: id } }),
      ),
    ).toBe('forbidden');
    expect(await roleOf('usr_guest')).toBe(null);
  });

  it('is refused for a disabled member', async () => {
    await world.call(updateMember, 'admin', { params: { userId: 'usr_guest' }, body: { disabled: true } });
    for (const role of ['edit', null]) expect(await accept(await create(role), 'guest')).toBe('forbidden');
    expect(await roleOf('usr_guest')).toBe(null);
  });

  it('is refused while the organization has invite links turned off', async () => {
    const id = await create('read');
    await world.call(updateOrganization, 'admin', { body: { inviteLinks: false } });
    await expect(
      world.call(contract.acceptInvite, 'outsider', {
        params: { organizationId: world.org, inviteId: id },
      }),
    ).rejects.toMatchObject({
      reason: 'not-found',
      message: 'The organization has no invite with this ID, or its invite links are turned off.',
    });
    expect(await world.reason(contract.createInvite, 'admin', { body: { role: 'read' } })).toBe('conflict');
    await world.call(updateOrganization, 'admin', { body: { inviteLinks: true } });
    expect(await accept(id)).toBe('done');
  });
});
