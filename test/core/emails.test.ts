import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../src/core/embedded.ts';
import { emailDomainOf, normalizeEmail, readableEmail } from '../../src/core/emails.ts';
import { organizations, users } from '../../src/core/rows/organizations.ts';
import { listOrganizationsOfDomain } from '../../src/resources/email-domains/contract.ts';
import { inviteMembers, listMembers } from '../../src/resources/members/contract.ts';
import { joinOrganization, updateOrganization } from '../../src/resources/organizations/contract.ts';
import { signInMember } from '../../src/resources/saml/session.ts';
import { me } from '../../src/resources/users/contract.ts';
import { createPeopleWorld, type PeopleWorld } from '../resources/people-support.ts';
import { trustDomains } from '../support/trust-domains.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

it('normalizeEmail gives the same text for both forms of an international domain', () => {
  expect(normalizeEmail('Anna@BÜCHER.example')).toBe('anna@xn--bcher-kva.example');
  expect(normalizeEmail('anna@XN--BCHER-KVA.example')).toBe('anna@xn--bcher-kva.example');
  expect(normalizeEmail('anna@bu\u0308cher.example')).toBe('anna@xn--bcher-kva.example');
  expect(normalizeEmail('Jürgen@Acme.test')).toBe('jürgen@acme.test');
  expect(emailDomainOf('anna@bücher.example')).toBe('xn--bcher-kva.example');
  expect(readableEmail('anna@xn--bcher-kva.example')).toBe('anna@bücher.example');
});

describe('an email with an international domain', () => {
  const invite = async (email: string) =>
    (await world.call(inviteMembers, 'admin', { body: { emails: [email], role: 'read' } })).users;

  it('names the same user in both forms, and is found by both', async () => {
    const [id] = await invite('anna@bücher.example');
    expect(await invite('Anna@xn--bcher-kva.example')).toEqual([]);
    for (const search of ['bücher', 'xn--bcher'])
      expect((await world.call(listMembers, 'admin', { query: { search } })).count).toBe(1);
    for (const email of ['anna@bücher.example', 'anna@xn--bcher-kva.example'])
      expect(await embeddedApi(world.core, { kind: 'member', email }).call(me, {})).toMatchObject({ id });
  });

  it('names a user of an older store, which has the domain as it was entered', async () => {
    await world.core.store.write((tx) =>
      tx.update(users, world.user('outsider'), { email: 'out@bücher.example' }),
    );
    expect(await invite('out@xn--bcher-kva.example')).toEqual([world.user('outsider')]);
  });

  it.each(['xn--bcher-kva.example', 'Bücher.example'])(
    'belongs to %s, which an organization lists',
    async (domain) => {
      const { emailDomains } = await world.call(updateOrganization, 'admin', {
        body: { emailDomains: [domain] },
      });
      expect(emailDomains).toEqual(['xn--bcher-kva.example']);
      await trustDomains(world.core);
      await world.core.store.write((tx) =>
        tx.update(users, world.user('outsider'), { email: 'out@bücher.example' }),
      );
      const params = { emailDomain: 'bücher.example' };
      const listed = await world.call(listOrganizationsOfDomain, 'outsider', { params });
      expect(listed.organizations.map(({ id }) => id)).toEqual([world.org]);
      expect(
        await world.reason(joinOrganization, 'outsider', { params: { organizationId: world.org } }),
      ).toBe('done');
    },
  );

  it('signs in by single sign-on as the member who was invited', async () => {
    const [id] = await invite('anna@bücher.example');
    const { core, org } = world;
    const user = await core.store.write(async (tx) => {
      const organization = await tx.get(organizations, org);
      const provider = { id: 'saml_1', organization: org, defaultRole: 'read', defaultTeam: null };
      return signInMember(
        { tx, now: new Date(0).toISOString(), newId: core.newId, randomBytes: core.randomBytes },
        provider as never,
        organization!,
        { email: 'anna@xn--bcher-kva.example' } as never,
      );
    });
    expect(user.id).toBe(id);
  });
});
