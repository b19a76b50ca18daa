import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { isToken } from '../../../src/core/callers.ts';
import { memberId, members } from '../../../src/core/rows/organizations.ts';
import { createCollection, listCollections } from '../../../src/resources/collections/contract.ts';
import { updateMember } from '../../../src/resources/members/contract.ts';
import { acceptInvite } from '../../../src/resources/invites/contract.ts';
import {
  getOrganization,
  joinOrganization,
  provision,
  updateOrganization,
} from '../../../src/resources/organizations/contract.ts';
import * as contract from '../../../src/resources/tokens/contract.ts';
import { me } from '../../../src/resources/users/contract.ts';
import type { Who } from '../../support/world.ts';
import { createPeopleWorld, reasonOf, type PeopleWorld } from '../people-support.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

const create = (body: object, who: Who = 'admin', organizationId = world.org) =>
  world.call(contract.createToken, who, { params: { organizationId }, body });
const by = (token: string) => embeddedApi(world.core, { kind: 'token', token });

describe('tokens create', () => {
  it('returns the secret once, and limits the token to the organization', async () => {
    const made = await create({ role: 'read', name: 'ci' });
    expect(made).toMatchObject({
      object: 'token',
      role: 'read',
      name: 'ci',
      user: { email: 'admin@acme.test' },
      organization: world.org,
      expiresAt: null,
    });
    expect(isToken(made.token)).toBe(true);
    expect((await by(made.token).call(me, {})).id).toBe('usr_admin');
    expect(
      await reasonOf(by(made.token).call(getOrganization, { params: { organizationId: world.otherOrg } })),
    ).toBe('not-found');
  });

  it.each([
    ['admin', ['done', 'done', 'done']],
    ['create', ['done', 'done', 'forbidden']],
    ['review', ['done', 'forbidden', 'forbidden']],
    ['edit', ['done', 'forbidden', 'forbidden']],
    ['comment', ['done', 'forbidden', 'forbidden']],
    ['read', ['done', 'forbidden', 'forbidden']],
    ['guest', ['done', 'forbidden', 'forbidden']],
  ])('with the role %s limits an administrator to this role', async (role, expected) => {
    const api = by((await create({ role })).token);
    const params = { organizationId: world.org };
    expect([
      await reasonOf(api.call(listCollections, { params })),
      await reasonOf(api.call(createCollection, { params, body: { title: 'X' } })),
      await reasonOf(api.call(updateOrganization, { params, body: { ai: true } })),
    ]).toEqual(expected);
    expect(await reasonOf(api.call(contract.createToken, { params, body: { role: 'admin' } }))).toBe(
      expected[2],
    );
  });

  it('creates a token for another member, limited to the role of this member', async () => {
    for (const user of ['READ@acme.test', 'usr_read']) {
      const made = await create({ role: 'admin', user });
      expect(made.user.id).toBe('usr_read');
      expect(
        await reasonOf(
          by(made.token).call(createCollection, {
            params: { organizationId: world.org },
            body: { title: 'X' },
          }),
        ),
      ).toBe('forbidden');
      await world.call(updateMember, 'admin', { params: { userId: 'usr_read' }, body: { role: 'create' } });
      expect(
        await reasonOf(
          by(made.token).call(createCollection, {
            params: { organizationId: world.org },
            body: { title: 'X' },
          }),
        ),
      ).toBe('done');
      await world.call(updateMember, 'admin', { params: { userId: 'usr_read' }, body: { role: 'read' } });
    }
    for (const user of ['outsider@acme.test', 'usr_outsider', 'none@acme.test'])
      expect(await world.reason(contract.createToken, 'admin', { body: { role: 'read', user } })).toBe(
        'not-found',
      );
  });

  it('by an owner who is not a member creates a token of the earliest administrator', async () => {
    expect((await create({ role: 'read' }, 'owner', world.otherOrg)).user.id).toBe('usr_outsider');
    expect((await create({ role: 'read' }, 'owner')).user.id).toBe('usr_admin');
    await world.core.store.write(async (tx) => {
      await tx.update(members, memberId(world.otherOrg, 'usr_outsider'), { disabled: true });
      const member = await tx.get(members, memberId(world.org, 'usr_create'));
      const id = memberId(world.otherOrg, 'usr_create');
      await tx.insert(members, { ...member!, id, organization: world.otherOrg, role: 'admin' });
    });
    expect((await create({ role: 'read' }, 'owner', world.otherOrg)).user.id).toBe('usr_create');
  });

  it('accepts an expiry time with any UTC offset', async () => {
    const made = await create({ role: 'read', expiresAt: '2026-01-05T12:00:00+02:00' });
    expect(made.expiresAt).toBe('2026-01-05T10:00:00.000Z');
    expect(await reasonOf(by(made.token).call(me, {}))).toBe('done');
    world.pass(60 * 60 * 1000);
    expect(await reasonOf(by(made.token).call(me, {}))).toBe('unauthenticated');
    expect(
      await world.reason(contract.createToken, 'admin', {
        body: { role: 'read', expiresAt: '2026-01-05T09:30:00Z' },
      }),
    ).toBe('invalid-input');
  });

  it.each([
    {},
    { role: 'owner' },
    { role: null },
    { role: 'read', name: '' },
    { role: 'read', expiresAt: 'soon' },
    { role: 'read', operator: true },
  ])('refuses %j', async (body) => {
    expect(await world.reason(contract.createToken, 'admin', { body })).toBe('invalid-input');
  });

  it('is allowed only for administrators', async () => {
    const people: Who[] = ['create', 'guest', 'outsider', 'nobody', 'owner'];
    expect(
      await Promise.all(
        people.map((who) => world.reason(contract.createToken, who, { body: { role: 'guest' } })),
      ),
    ).toEqual(['forbidden', 'forbidden', 'not-found', 'unauthenticated', 'done']);
  });
});

describe('tokens list', () => {
  it('lists the tokens of the organization, newest first, without secrets', async () => {
    const [one, two] = [
      await create({ role: 'read', name: 'one' }),
      await create({ role: 'edit', name: 'two', user: 'usr_edit' }),
    ];
    await create({ role: 'read', name: 'theirs' }, 'outsider', world.otherOrg);
    const body = await world.call(contract.listTokens, 'admin');
    expect(body.items.map((item) => item.name)).toEqual(['two', 'one']);
    for (const secret of [one.token, two.token]) expect(JSON.stringify(body)).not.toContain(secret);
    expect(await world.reason(contract.listTokens, 'create')).toBe('forbidden');
  });

  it("with mine lists the caller's tokens, including those for all organizations", async () => {
    await create({ role: 'read', name: 'one' });
    await create({ role: 'edit', name: 'two', user: 'usr_edit' });
    const { items } = await world.call(contract.listTokens, 'admin', { query: { mine: true } });
    expect(items.map((item) => [item.name, item.organization]).sort()).toEqual([
      [null, null],
      ['one', world.org],
    ]);
  });
});

describe('tokens delete', () => {
  it('revokes the token immediately', async () => {
    const made = await create({ role: 'read' });
    await world.call(contract.deleteToken, 'admin', { params: { tokenId: made.id } });
    expect(await reasonOf(by(made.token).call(me, {}))).toBe('unauthenticated');
    expect(await world.reason(contract.deleteToken, 'admin', { params: { tokenId: made.id } })).toBe(
      'not-found',
    );
  });

  it('refuses tokens of other users for all organizations, and tokens of other organizations', async () => {
    const theirs = await create({ role: 'read' }, 'outsider', world.otherOrg);
    for (const tokenId of [theirs.id, 'tok_edit', 'tok_none'])
      expect(await world.reason(contract.deleteToken, 'admin', { params: { tokenId } })).toBe('not-found');
    expect(await reasonOf(by(theirs.token).call(me, {}))).toBe('done');
    expect(await world.reason(contract.deleteToken, 'owner', { params: { tokenId: 'tok_admin' } })).toBe(
      'done',
    );
    expect(await world.reason(me, 'admin')).toBe('unauthenticated');
  });
});

describe('a token that an administrator created for a member', () => {
  it('gives no access to other organizations or tokens of this member', async () => {
    const made = await create({ role: 'admin', user: 'create@acme.test' });
    const api = by(made.token);
    const params = { organizationId: world.org };
    expect(
      await reasonOf(api.call(contract.deleteToken, { params: { ...params, tokenId: 'tok_create' } })),
    ).not.toBe('done');
    const bound = by((await create({ role: 'admin' })).token);
    expect(
      (await bound.call(contract.listTokens, { params, query: { mine: true } })).items.map(
        ({ organization }) => organization,
      ),
    ).not.toContain(null);
    expect(
      await reasonOf(bound.call(contract.deleteToken, { params: { ...params, tokenId: 'tok_admin' } })),
    ).toBe('not-found');
    expect(await reasonOf(bound.call(joinOrganization, { params: { organizationId: world.otherOrg } }))).toBe(
      'forbidden',
    );
    expect(
      await reasonOf(
        bound.call(acceptInvite, { params: { organizationId: world.otherOrg, inviteId: 'inv_1' } }),
      ),
    ).toBe('forbidden');
    expect(await reasonOf(bound.call(provision, { body: { title: 'Mine', email: 'admin@acme.test' } }))).toBe(
      'forbidden',
    );
    expect(await world.reason(me, 'admin')).toBe('done');
  });
});
