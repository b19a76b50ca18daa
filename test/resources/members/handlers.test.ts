import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/contract/shapes.ts';
import { roles } from '../../../src/contract/shapes.ts';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { memberId, members, tokens } from '../../../src/core/rows/organizations.ts';
import { createCollection, updateCollection } from '../../../src/resources/collections/contract.ts';
import * as contract from '../../../src/resources/members/contract.ts';
import {
  getOrganization,
  pingOrganization,
  updateOrganization,
} from '../../../src/resources/organizations/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import { createTeam, getTeam } from '../../../src/resources/teams/contract.ts';
import { createToken } from '../../../src/resources/tokens/contract.ts';
import type { Who } from '../../support/world.ts';
import { createPeopleWorld, publishedFaults, reasonOf, type PeopleWorld } from '../people-support.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

const of = (who: Role | 'guest' | 'outsider') => ({ userId: world.user(who) });
const list = async (query: object = {}) =>
  (await world.call(contract.listMembers, 'admin', { query })).items.map((member) =>
    member.id.replace('usr_', ''),
  );

describe('members list', () => {
  it('lists the newest member first, in the published form', async () => {
    const { users } = await world.call(contract.inviteMembers, 'admin', {
      body: { emails: ['new@acme.test'], role: 'read' },
    });
    const body = await world.call(contract.listMembers, 'read');
    expect(body.count).toBe(8);
    expect(body.items[0]).toMatchObject({
      object: 'member',
      id: users[0],
      role: 'read',
      disabled: false,
      sso: false,
      spaces: 0,
      teams: 0,
      user: { email: 'new@acme.test' },
    });
    expect(body.items[0]).not.toHaveProperty('lastSeenAt');
    for (const item of body.items) expect(publishedFaults('OrganizationMember', item)).toEqual([]);
    expect((await list({ order: 'asc' })).at(-1)).toBe(users[0]!.replace('usr_', ''));
  });

  it('sorts by name or by lastSeenAt, which omits members without it', async () => {
    expect(await list({ sort: 'name', order: 'asc' })).toEqual([
      'admin',
      'comment',
      'create',
      'edit',
      'guest',
      'read',
      'review',
    ]);
    for (const who of ['edit', 'guest', 'admin', 'edit'] as const) await world.call(pingOrganization, who);
    expect(await list({ sort: 'lastSeenAt' })).toEqual(['edit', 'admin', 'guest']);
    expect(await list({ sort: 'lastSeenAt', order: 'asc', role: 'guest' })).toEqual(['guest']);
    expect((await world.call(contract.getMember, 'edit', { params: of('edit') })).lastSeenAt).toMatch(
      /^2026-01-05/,
    );
  });

  it('shows administrators when members were last active, by their events and pings', async () => {
    const at = async (who: 'create' | 'edit' | 'read') => {
      const query = { activity: true, search: who };
      const { items } = await world.call(contract.listMembers, 'admin', { query });
      return items.find(({ id }) => id === world.user(who))?.lastActiveAt;
    };
    const later = () => world.pass(60_000);
    expect(await at('create')).toBeUndefined();
    await world.call(createSpace, 'create', { body: { title: 'First' } });
    const first = await at('create');
    expect(first).toMatch(/^2026-01-05/);
    later();
    // Changes that others make to a member are not activity of the member.
    await world.call(contract.updateMember, 'admin', { params: of('create'), body: { role: 'create' } });
    expect(await at('create')).toBe(first);
    await world.call(createSpace, 'create', { body: { title: 'Second' } });
    const second = await at('create');
    expect(second! > first!).toBe(true);
    later();
    await world.call(pingOrganization, 'create');
    const seen = (await world.call(contract.getMember, 'admin', { params: of('create') })).lastSeenAt;
    expect([await at('create'), seen! > second!]).toEqual([seen, true]);
    expect(await at('read')).toBeUndefined();
    // Expired events do not count.
    await world.call(createSpace, 'create', { body: { title: 'Third' } });
    world.pass(366 * 24 * 60 * 60_000);
    expect(await at('create')).toBe(seen);
    expect((await world.call(contract.listMembers, 'read')).items[0]).not.toHaveProperty('lastActiveAt');
    expect(await world.reason(contract.listMembers, 'create', { query: { activity: true } })).toBe(
      'forbidden',
    );
  });

  it('filters by role and by parts of names and emails', async () => {
    for (const role of roles) expect(await list({ role })).toEqual([role]);
    expect(await list({ role: 'guest' })).toEqual(['guest']);
    expect(await list({ search: 'RE', sort: 'name', order: 'asc' })).toEqual(['create', 'read', 'review']);
    expect(await list({ search: 'review@acme' })).toEqual(['review']);
    expect(await list({ search: 'acme.test', role: 'edit' })).toEqual(['edit']);
    expect(await world.reason(contract.listMembers, 'admin', { query: { role: 'owner' } })).toBe(
      'invalid-input',
    );
    expect(await world.reason(contract.listMembers, 'admin', { query: { sort: 'email' } })).toBe(
      'invalid-input',
    );
  });

  it.each([
    {},
    { sort: 'name' },
    { role: 'read' },
    { search: 'e' },
    { sort: 'name', order: 'asc', search: 'e' },
  ])('returns each member once over all pages with %j', async (query) => {
    await world.call(contract.inviteMembers, 'admin', {
      body: { emails: ['e1@x.test', 'e2@x.test', 'e3@x.test'], role: 'read' },
    });
    const whole = await world.call(contract.listMembers, 'admin', { query });
    const ids: string[] = [];
    let page: string | undefined;
    do {
      const body = await world.call(contract.listMembers, 'admin', {
        query: { ...query, limit: 2, ...(page === undefined ? {} : { page }) },
      });
      expect(body.count).toBe(whole.items.length);
      ids.push(...body.items.map((item) => item.id));
      page = body.next?.page;
    } while (page !== undefined);
    expect(ids).toEqual(whole.items.map((item) => item.id));
    expect(ids.length).toBeGreaterThan(2);
  });

  it('is allowed for members with the read role', async () => {
    const reasons = await Promise.all(
      (['read', 'guest', 'outsider', 'nobody', 'owner'] as Who[]).map((who) =>
        world.reason(contract.listMembers, who),
      ),
    );
    expect(reasons).toEqual(['done', 'forbidden', 'not-found', 'unauthenticated', 'done']);
  });
});

describe('members get', () => {
  it('is allowed for guests only for themselves', async () => {
    expect(await world.call(contract.getMember, 'guest', { params: of('guest') })).toMatchObject({
      id: 'usr_guest',
      role: null,
      spaces: 0,
    });
    expect(await world.reason(contract.getMember, 'guest', { params: of('read') })).toBe('forbidden');
    expect(await world.reason(contract.getMember, 'read', { params: of('guest') })).toBe('done');
    expect(await world.reason(contract.getMember, 'admin', { params: of('outsider') })).toBe('not-found');
    expect(await world.reason(contract.getMember, 'outsider', { params: of('read') })).toBe('not-found');
  });
});

describe('members update', () => {
  it('changes the role from the next call on', async () => {
    expect(
      (await world.call(contract.updateMember, 'admin', { params: of('read'), body: { role: 'admin' } }))
        .role,
    ).toBe('admin');
    expect((await world.call(getOrganization, 'read')).permissions.admin).toBe(true);
    expect(
      (await world.call(contract.updateMember, 'read', { params: of('admin'), body: { role: null } })).role,
    ).toBe(null);
    expect(await world.reason(contract.listMembers, 'admin')).toBe('forbidden');
  });

  it('refuses to lower the role of the last administrator', async () => {
    for (const role of ['create', null])
      expect(
        await world.reason(contract.updateMember, 'admin', { params: of('admin'), body: { role } }),
      ).toBe('conflict');
    expect(
      await world.reason(contract.updateMember, 'owner', { params: of('admin'), body: { role: 'read' } }),
    ).toBe('conflict');
    expect(
      await world.reason(contract.updateMember, 'admin', { params: of('admin'), body: { role: 'admin' } }),
    ).toBe('done');
    expect(await world.reason(contract.updateMember, 'admin', { params: of('admin'), body: {} })).toBe(
      'done',
    );
  });

  it('does not count a disabled administrator', async () => {
    await world.core.store.write((tx) =>
      tx.update(members, memberId(world.org, 'usr_read'), { role: 'admin', disabled: true }),
    );
    expect(
      await world.reason(contract.updateMember, 'admin', { params: of('admin'), body: { role: 'read' } }),
    ).toBe('conflict');
  });

  it('is allowed only for administrators, and only with existing roles', async () => {
    for (const who of [...roles.slice(1), 'guest'] as Who[])
      expect(
        await world.reason(contract.updateMember, who, { params: of('read'), body: { role: 'admin' } }),
      ).toBe('forbidden');
    expect(
      await world.reason(contract.updateMember, 'admin', { params: of('outsider'), body: { role: 'read' } }),
    ).toBe('not-found');
    expect(
      await world.reason(contract.updateMember, 'admin', { params: of('read'), body: { role: 'guest' } }),
    ).toBe('invalid-input');
    expect(
      await world.reason(contract.updateMember, 'admin', { params: of('read'), body: { disabled: 'yes' } }),
    ).toBe('invalid-input');
  });

  it('disables a member, who has no access until enabled again', async () => {
    const disable = (disabled: boolean) =>
      world.call(contract.updateMember, 'admin', { params: of('read'), body: { disabled } });
    expect(await disable(true)).toMatchObject({ disabled: true, role: 'read' });
    expect(await world.reason(getOrganization, 'read')).toBe('not-found');
    await disable(false);
    expect(await world.reason(getOrganization, 'read')).toBe('done');
    expect(
      await world.reason(contract.updateMember, 'admin', { params: of('admin'), body: { disabled: true } }),
    ).toBe('conflict');
  });

  it('removes the single sign-on mark', async () => {
    await world.call(contract.markMemberAsSso, 'admin', { params: of('read') });
    expect(await world.reason(getOrganization, 'read')).toBe('forbidden');
    const body = { sso: false };
    expect(await world.call(contract.updateMember, 'admin', { params: of('read'), body })).toMatchObject({
      sso: false,
      role: 'read',
    });
    expect(await world.reason(getOrganization, 'read')).toBe('done');
  });
});

describe('members delete', () => {
  it('also removes the member from teams and revokes their tokens for the organization', async () => {
    const team = await world.call(createTeam, 'admin', {
      body: { title: 'Writers', members: [world.user('edit'), world.user('read')] },
    });
    const bound = await world.call(createToken, 'admin', { body: { role: 'read', user: 'edit@acme.test' } });
    expect(await world.reason(contract.deleteMember, 'admin', { params: of('edit') })).toBe('done');
    expect((await world.call(getTeam, 'admin', { params: { teamId: team.id } })).members).toBe(2);
    expect(
      await reasonOf(
        embeddedApi(world.core, { kind: 'token', token: bound.token }).call(getOrganization, {
          params: { organizationId: world.org },
        }),
      ),
    ).toBe('unauthenticated');
    expect(await world.reason(getOrganization, 'edit')).toBe('not-found');
    expect(await world.core.store.read((view) => view.get(tokens, 'tok_edit'))).toBeDefined();
    expect(await world.reason(contract.deleteMember, 'admin', { params: of('edit') })).toBe('not-found');
  });

  it('refuses the last administrator, and is allowed only for administrators', async () => {
    expect(await world.reason(contract.deleteMember, 'admin', { params: of('admin') })).toBe('conflict');
    expect(await world.reason(contract.deleteMember, 'create', { params: of('read') })).toBe('forbidden');
    expect(await world.reason(contract.deleteMember, 'outsider', { params: of('read') })).toBe('not-found');
  });
});

it('members sso requires a member to sign in by single sign-on', async () => {
  expect((await world.call(contract.markMemberAsSso, 'admin', { params: of('read') })).sso).toBe(true);
  expect((await world.call(contract.getMember, 'edit', { params: of('read') })).sso).toBe(true);
  expect(await world.reason(contract.getMember, 'read', { params: of('read') })).toBe('forbidden');
  expect(await world.reason(contract.markMemberAsSso, 'create', { params: of('read') })).toBe('forbidden');
  expect(await world.reason(contract.markMemberAsSso, 'admin', { params: of('outsider') })).toBe('not-found');
});

describe('members spaces', () => {
  it('lists the spaces with the permission of the member in each', async () => {
    const { id: collection } = await world.call(createCollection, 'admin', { body: { title: 'Lowered' } });
    await world.call(updateCollection, 'admin', {
      params: { collectionId: collection },
      body: { defaultLevel: 'comment' },
    });
    const plain = await world.call(createSpace, 'admin', { body: { title: 'Plain' } });
    const lowered = await world.call(createSpace, 'admin', {
      body: { title: 'Lowered', parent: collection },
    });
    const seen = async (who: Role | 'guest', query: object = {}) =>
      (await world.call(contract.listMemberSpaces, 'read', { params: of(who), query })).items.map((item) => [
        item.space.id,
        item.permission,
      ]);
    expect(await seen('edit')).toEqual([
      [lowered.id, 'comment'],
      [plain.id, 'edit'],
    ]);
    expect(await seen('edit', { order: 'asc', limit: 1 })).toEqual([[plain.id, 'edit']]);
    expect((await seen('admin')).map(([, permission]) => permission)).toEqual(['admin', 'admin']);
    expect(await seen('guest')).toEqual([]);
    expect((await world.call(contract.getMember, 'read', { params: of('edit') })).spaces).toBe(2);
    expect((await world.call(contract.getMember, 'read', { params: of('guest') })).spaces).toBe(0);
    const { items } = await world.call(contract.listMemberSpaces, 'edit', { params: of('edit') });
    expect(items).toHaveLength(2);
    for (const item of items) expect(publishedFaults('MemberContentPermission', item)).toEqual([]);
    expect(await world.reason(contract.listMemberSpaces, 'guest', { params: of('read') })).toBe('forbidden');
    expect(await world.reason(contract.listMemberSpaces, 'guest', { params: of('guest') })).toBe('done');
    expect(await world.reason(contract.listMemberSpaces, 'admin', { params: of('outsider') })).toBe(
      'not-found',
    );
  });
});

it('members teams lists the teams of a member', async () => {
  await world.call(createTeam, 'admin', { body: { title: 'Writers', members: [world.user('guest')] } });
  await world.call(createTeam, 'admin', { body: { title: 'Readers', members: [world.user('guest')] } });
  const seen = async (who: Role | 'guest', as: Who = 'admin', query: object = {}) =>
    (await world.call(contract.listMemberTeams, as, { params: of(who), query })).items.map(
      (item) => `${item.team.title} ${item.member.role}`,
    );
  expect(await seen('guest', 'guest')).toEqual(['Writers member', 'Readers member']);
  expect(await seen('admin', 'read', { title: 'WRIT' })).toEqual(['Writers owner']);
  expect(await seen('read')).toEqual([]);
  expect((await world.call(contract.getMember, 'guest', { params: of('guest') })).teams).toBe(2);
  expect(await world.reason(contract.listMemberTeams, 'guest', { params: of('admin') })).toBe('forbidden');
});

describe('members invite', () => {
  const invite = (body: object, who: Who = 'admin') => world.call(contract.inviteMembers, who, { body });

  it('creates users and members, each person once', async () => {
    const body = await invite({
      emails: [
        'A@x.test',
        'a@X.test',
        { email: 'b@x.test', role: null },
        'read@acme.test',
        'outsider@acme.test',
      ],
      role: 'comment',
      sso: true,
    });
    expect(body.invited).toBe(3);
    expect(body.users).toContain('usr_outsider');
    const roleOf = async (search: string) =>
      (await world.call(contract.listMembers, 'admin', { query: { search } })).items.map((item) => [
        item.user.email,
        item.role,
        item.sso,
      ]);
    expect(await roleOf('x.test')).toEqual([
      ['b@x.test', null, true],
      ['a@x.test', 'comment', true],
    ]);
    expect(await roleOf('read@')).toEqual([['read@acme.test', 'read', false]]);
    // With sso, members need a sign-in first. A user who is not a member would get not-found.
    expect(await world.reason(getOrganization, 'outsider')).toBe('forbidden');
  });

  it('uses the default role of the organization if no role is given', async () => {
    expect((await invite({ emails: ['a@x.test'] })).invited).toBe(1);
    expect(await list({ role: 'guest' })).toHaveLength(2);
    await world.call(updateOrganization, 'admin', { body: { defaultRole: 'review' } });
    await invite({ emails: ['b@x.test'] });
    expect(await list({ role: 'review' })).toHaveLength(2);
  });

  it('refuses all emails if one is invalid, and is allowed only for administrators', async () => {
    expect(
      await world.reason(contract.inviteMembers, 'admin', { body: { emails: ['ok@x.test', 'bad'] } }),
    ).toBe('invalid-input');
    expect(await world.reason(contract.inviteMembers, 'admin', { body: { emails: [] } })).toBe(
      'invalid-input',
    );
    expect(await world.reason(contract.inviteMembers, 'create', { body: { emails: ['ok@x.test'] } })).toBe(
      'forbidden',
    );
    expect(await list({ search: 'x.test' })).toEqual([]);
  });
});
