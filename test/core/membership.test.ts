import { beforeEach, describe, expect, it } from 'vitest';
import { memberId, members, organizations, tokens } from '../../src/core/rows/organizations.ts';
import { listOrganizationsOfDomain } from '../../src/resources/email-domains/contract.ts';
import { acceptInvite, createInvite } from '../../src/resources/invites/contract.ts';
import { getMember, markMemberAsSso, updateMember } from '../../src/resources/members/contract.ts';
import {
  getOrganization,
  joinOrganization,
  listOrganizations,
  pingOrganization,
  updateOrganization,
} from '../../src/resources/organizations/contract.ts';
import { createSpace, getSpace, listSpaces } from '../../src/resources/spaces/contract.ts';
import { listLogins } from '../../src/resources/sso/contract.ts';
import { createToken } from '../../src/resources/tokens/contract.ts';
import { createPeopleWorld, type PeopleWorld } from '../resources/people-support.ts';
import { Problem } from '../../src/errors/problem.ts';
import { trustDomains } from '../support/trust-domains.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

const enforce = (sso: boolean) => world.call(updateOrganization, 'admin', { body: { sso } });
/** Turns the token of a member into one of a session that a provider of the organization started. */
const signedIn = (who: 'edit' | 'read', organization = 'org_acme') =>
  world.core.store.write((tx) => tx.update(tokens, `tok_${who}`, { provider: 'saml_1', organization }));

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an organization that enforces single sign-on', () => {
  it('refuses existing tokens of members, with a hint to sign in', async () => {
    await world.call(getOrganization, 'edit');
    await enforce(true);
    const refused = await problemOf(world.call(getOrganization, 'edit'));
    expect([refused.reason, refused.message, refused.hint]).toEqual([
      'forbidden',
      '"Acme" requires single sign-on, but this token does not come from such a sign-in.',
      expect.stringContaining('`docsctl login --sso START-URL`'),
    ]);
    for (const who of ['create', 'review', 'edit', 'comment', 'read', 'guest'] as const)
      expect(await world.reason(pingOrganization, who)).toBe('forbidden');
    await enforce(false);
    expect(await world.reason(getOrganization, 'edit')).toBe('done');
  });

  it('accepts only sessions that its own provider started', async () => {
    const { id } = await world.call(createSpace, 'admin', { body: { title: 'Guide' } });
    await enforce(true);
    expect(await world.reason(getSpace, 'edit', { params: { spaceId: id } })).toBe('forbidden');
    await signedIn('edit');
    expect(await world.reason(getSpace, 'edit', { params: { spaceId: id } })).toBe('done');
    expect(await world.reason(createToken, 'edit', { body: { role: 'read' } })).toBe('forbidden');
    // A session of another organization still has no access here.
    await signedIn('read', 'org_other');
    expect(await world.reason(listSpaces, 'read')).toBe('not-found');
  });

  it('refuses a token for all organizations, even if it names a provider', async () => {
    await enforce(true);
    await world.core.store.write((tx) => tx.update(tokens, 'tok_edit', { provider: 'saml_1' }));
    expect(await world.reason(listSpaces, 'edit')).toBe('forbidden');
  });

  it('still accepts administrators, who can turn it off', async () => {
    await enforce(true);
    expect(await world.reason(listSpaces, 'admin')).toBe('done');
    await world.call(updateMember, 'owner', {
      params: { userId: world.user('edit') },
      body: { role: 'admin' },
    });
    expect(await world.reason(listSpaces, 'edit')).toBe('done');
    await world.call(updateMember, 'owner', {
      params: { userId: world.user('edit') },
      body: { role: 'edit' },
    });
    expect(await world.reason(listSpaces, 'edit')).toBe('forbidden');
  });

  it('cannot be bypassed by an invite, an email domain, a ping or a new token', async () => {
    const invite = await world.call(createInvite, 'admin', { body: { role: 'admin' } });
    await world.call(updateOrganization, 'admin', { body: { emailDomains: ['acme.test'] } });
    await trustDomains(world.core);
    await enforce(true);
    expect(await world.reason(acceptInvite, 'edit', { params: { inviteId: invite.id } })).toBe('forbidden');
    expect(await world.reason(acceptInvite, 'outsider', { params: { inviteId: invite.id } })).toBe(
      'forbidden',
    );
    expect(await world.reason(joinOrganization, 'outsider')).toBe('forbidden');
    await world.call(joinOrganization, 'edit');
    expect(await world.reason(listSpaces, 'edit')).toBe('forbidden');
    const member = await world.core.store.read((view) =>
      view.get(members, memberId('org_acme', world.user('edit'))),
    );
    expect([member?.role, member?.lastSeenAt]).toEqual(['edit', null]);
    const refused = await problemOf(
      world.call(createToken, 'admin', { body: { role: 'edit', user: 'edit@acme.test' } }),
    );
    expect([refused.reason, refused.message]).toEqual([
      'conflict',
      'edit@acme.test has to sign in with single sign-on, so a token made here would not work.',
    ]);
    expect(await world.reason(createToken, 'admin', { body: { role: 'read' } })).toBe('done');
  });

  it('is listed with its sign-in URLs, but without permissions', async () => {
    await world.call(updateOrganization, 'admin', { body: { emailDomains: ['acme.test'] } });
    await trustDomains(world.core);
    await enforce(true);
    expect(await world.call(listLogins, 'edit')).toEqual({ items: [] });
    const { items } = await world.call(listOrganizations, 'edit');
    expect(items.map(({ title }) => title)).toEqual(['Acme']);
    expect(Object.values(items[0]!.permissions).some(Boolean)).toBe(false);
    const { organizations: found } = await world.call(listOrganizationsOfDomain, 'edit', {
      params: { emailDomain: 'acme.test' },
    });
    expect(found.map(({ permissions }) => permissions.view)).toEqual([false]);
  });

  it('accepts members who open the store with --as', async () => {
    await enforce(true);
    const { embeddedApi } = await import('../../src/core/embedded.ts');
    const api = embeddedApi(world.core, { kind: 'member', email: 'edit@acme.test' });
    expect((await api.call(getOrganization, { params: { organizationId: 'org_acme' } })).sso).toBe(true);
  });
});

describe('a member who must use single sign-on', () => {
  it('needs a sign-in even if the organization does not enforce it', async () => {
    await world.call(markMemberAsSso, 'admin', { params: { userId: world.user('edit') } });
    expect(await world.reason(getOrganization, 'edit')).toBe('forbidden');
    expect(await world.reason(getOrganization, 'read')).toBe('done');
    await signedIn('edit');
    expect((await world.call(getMember, 'edit', { params: { userId: world.user('edit') } })).sso).toBe(true);
  });

  it('does not need a sign-in as an administrator', async () => {
    await world.call(markMemberAsSso, 'admin', { params: { userId: world.user('admin') } });
    expect(await world.reason(getOrganization, 'admin')).toBe('done');
  });
});

describe('a store of an earlier version', () => {
  it('refuses tokens without a sign-in if the organization enforced single sign-on', async () => {
    await world.core.store.write((tx) => tx.update(organizations, 'org_acme', { sso: true }));
    expect(await world.reason(getOrganization, 'read')).toBe('forbidden');
  });
});
