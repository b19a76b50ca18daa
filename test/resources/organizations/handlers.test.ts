import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { memberId, members, tokens, users } from '../../../src/core/rows/organizations.ts';
import { sites } from '../../../src/core/rows/sites.ts';
import { listOrganizationsOfDomain } from '../../../src/resources/email-domains/contract.ts';
import * as orgs from '../../../src/resources/organizations/contract.ts';
import { getSubdomain } from '../../../src/resources/subdomains/contract.ts';
import { createTeam } from '../../../src/resources/teams/contract.ts';
import * as tokenContract from '../../../src/resources/tokens/contract.ts';
import { me } from '../../../src/resources/users/contract.ts';
import { createPeopleWorld, publishedFaults, reasonOf, type PeopleWorld } from '../people-support.ts';
import { emailDomains } from '../../../src/resources/email-domains/rows.ts';
import { trustDomains } from '../../support/trust-domains.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

describe('orgs create', () => {
  it('makes the caller its administrator', async () => {
    const made = await world.call(orgs.createOrganization, 'guest', {
      body: { title: 'Mine', emailDomains: ['Mine.test'] },
    });
    expect(made).toMatchObject({ title: 'Mine', emailDomains: ['mine.test'], permissions: { admin: true } });
    expect(await world.call(orgs.getOrganization, 'guest', { params: { organizationId: made.id } })).toEqual(
      made,
    );
    expect(await world.reason(orgs.getOrganization, 'admin', { params: { organizationId: made.id } })).toBe(
      'not-found',
    );
  });

  it('gives each organization a unique hostname', async () => {
    const hostnames: string[] = [];
    for (let i = 0; i < 8; i++)
      hostnames.push(
        (await world.call(orgs.createOrganization, 'admin', { body: { title: 'Same Name' } })).hostname,
      );
    for (const title of ['文档', 'IT', 'long '.repeat(20), '-- --x9'])
      hostnames.push((await world.call(orgs.createOrganization, 'admin', { body: { title } })).hostname);
    expect(hostnames.slice(0, 5)).toEqual([
      'same-name',
      'same-name-2',
      'same-name-3',
      'same-name-4',
      'same-name-5',
    ]);
    expect(new Set(hostnames).size).toBe(hostnames.length);
  });
});

describe('orgs get and list', () => {
  it('returns the permissions of the caller', async () => {
    const seen = await Promise.all(
      (['admin', 'create', 'edit', 'guest', 'owner'] as const).map(
        async (who) => [who, (await world.call(orgs.getOrganization, who)).permissions] as const,
      ),
    );
    const may = (name: 'admin' | 'createContent' | 'listMembers' | 'view') =>
      seen.filter(([, permissions]) => permissions[name]).map(([who]) => who);
    expect(may('admin')).toEqual(['admin', 'owner']);
    expect(may('createContent')).toEqual(['admin', 'create', 'owner']);
    expect(may('listMembers')).toEqual(['admin', 'create', 'edit', 'owner']);
    expect(may('view')).toEqual(['admin', 'create', 'edit', 'guest', 'owner']);
    expect(await world.reason(orgs.getOrganization, 'outsider')).toBe('not-found');
    expect(await world.reason(orgs.getOrganization, 'nobody')).toBe('unauthenticated');
  });

  it('returns whether the caller owns a team', async () => {
    expect((await world.call(orgs.getOrganization, 'admin')).permissions.ownTeam).toBe(false);
    await world.call(createTeam, 'admin', { body: { title: 'Mine', members: [world.user('edit')] } });
    expect((await world.call(orgs.getOrganization, 'admin')).permissions.ownTeam).toBe(true);
    expect((await world.call(orgs.getOrganization, 'edit')).permissions.ownTeam).toBe(false);
  });

  it('lists the organizations of the caller, page by page', async () => {
    for (const title of ['Two', 'Three'])
      await world.call(orgs.createOrganization, 'guest', { body: { title } });
    const titles: string[] = [];
    let page: string | undefined;
    do {
      const body = await world.call(orgs.listOrganizations, 'guest', {
        query: { limit: 1, ...(page === undefined ? {} : { page }) },
      });
      expect(body.count).toBe(3);
      titles.push(...body.items.map((org) => org.title));
      page = body.next?.page;
    } while (page !== undefined);
    expect(titles.sort()).toEqual(['Acme', 'Three', 'Two']);
    expect((await world.call(orgs.listOrganizations, 'outsider')).items.map((org) => org.title)).toEqual([
      'Other',
    ]);
  });
});

describe('type, plan and trial', () => {
  const given = {
    type: 'community',
    plan: 'pro',
    trial: { status: 'active', count: 1, endDate: '2026-03-01T00:00:00.000Z' },
  } as const;

  it('can be set by the operator of the server, and are returned', async () => {
    expect(await world.call(orgs.getOrganization, 'read')).toMatchObject({
      type: 'business',
      plan: 'free',
      trial: { status: 'none', count: 0 },
    });
    await world.call(orgs.updateOrganization, 'admin', { body: given });
    const shown = await world.call(orgs.getOrganization, 'read');
    expect(shown).toMatchObject(given);
    expect(publishedFaults('Organization', shown)).toEqual([]);
    await world.call(orgs.updateOrganization, 'owner', { body: { plan: 'plus' } });
    expect(await world.call(orgs.getOrganization, 'read')).toMatchObject({ ...given, plan: 'plus' });
  });

  it('cannot be set by administrators who are not operators', async () => {
    await world.core.store.write((tx) => tx.update(tokens, 'tok_admin', { operator: false }));
    for (const [field, value] of Object.entries(given)) {
      const call = world.call(orgs.updateOrganization, 'admin', { body: { title: 'New', [field]: value } });
      await expect(call).rejects.toMatchObject({
        reason: 'forbidden',
        message: `Only the operator of the server can set the ${field} of an organization.`,
      });
    }
    const api = embeddedApi(world.core, { kind: 'member', email: 'admin@acme.test' });
    const params = { organizationId: world.org };
    await expect(api.call(orgs.updateOrganization, { params, body: { plan: 'pro' } })).rejects.toMatchObject({
      reason: 'forbidden',
    });
    expect(await world.call(orgs.getOrganization, 'read')).toMatchObject({ title: 'Acme', plan: 'free' });
  });
});

describe('orgs update', () => {
  it('changes every setting, and clears those that are set to null', async () => {
    await world.core.store.write((tx) =>
      tx.insert(sites, { ...siteRow, id: 'site_docs', organization: world.org }),
    );
    const body = {
      title: 'Acme 2',
      emailDomains: ['B.test', 'a.test', 'b.TEST'],
      hostname: 'acme-two',
      defaultRole: 'comment',
      defaultContent: { type: 'site', site: 'site_docs' },
      logo: 'https://acme.test/logo.png',
      sso: true,
      ai: false,
      inviteLinks: false,
      mergeRules: {
        type: 'rules',
        rules: [{ rule: 'require_specific_reviewers', users: [world.user('review')] }],
      },
    };
    const { logo, ...shown } = body;
    const changed = await world.call(orgs.updateOrganization, 'admin', { body });
    expect(changed).toMatchObject({ ...shown, emailDomains: ['b.test', 'a.test'], urls: { logo } });
    expect(publishedFaults('Organization', changed)).toEqual([]);
    const cleared = await world.call(orgs.updateOrganization, 'admin', {
      body: { defaultRole: null, defaultContent: null, logo: null, emailDomains: ['a.test'] },
    });
    expect(cleared).toMatchObject({ title: 'Acme 2', defaultRole: null, emailDomains: ['a.test'] });
    expect(cleared).not.toHaveProperty('defaultContent');
    expect(cleared.urls).not.toHaveProperty('logo');
    const kept = await world.core.store.read((view) =>
      view.find(emailDomains, { index: 'byOrganization', equals: [world.org], limit: 10 }),
    );
    expect(kept.map((row) => row.domain)).toEqual(['a.test']);
  });

  it.each([
    [{ defaultContent: { type: 'site', site: 'site_none' } }, 'invalid-input'],
    [{ defaultContent: { type: 'site', site: 'site_theirs' } }, 'invalid-input'],
    [{ defaultContent: { type: 'space', space: 'spc_1' } }, 'invalid-input'],
    [{ emailDomains: ['nodot'] }, 'invalid-input'],
    [{ emailDomains: ['-a.test'] }, 'invalid-input'],
    [{ emailDomains: ['ü_b.test'] }, 'invalid-input'],
    [{ emailDomains: ['\u200b.test'] }, 'invalid-input'],
    [{ emailDomains: ['ü'.repeat(62) + '.test'] }, 'invalid-input'],
    [{ hostname: 'ab' }, 'invalid-input'],
    [{ hostname: 'Acme' }, 'invalid-input'],
    [{ hostname: 'acme-' }, 'invalid-input'],
    [{ hostname: 'a'.repeat(33) }, 'invalid-input'],
    [{ hostname: 'other' }, 'conflict'],
    [{ hostname: 'acme' }, 'done'],
    [{ mergeRules: { type: 'inherit' } }, 'invalid-input'],
    [
      {
        mergeRules: {
          type: 'rules',
          rules: [{ rule: 'require_specific_reviewers', users: ['usr_outsider'] }],
        },
      },
      'not-found',
    ],
    [{ logo: 'not a url' }, 'invalid-input'],
    [{ defaultRole: 'guest' }, 'invalid-input'],
    [{ title: ' x' }, 'invalid-input'],
    [{ plan: 'gold' }, 'invalid-input'],
    [{ trial: { status: 'active', count: -1 } }, 'invalid-input'],
    [{}, 'done'],
  ])('with %j returns %s', async (body, expected) => {
    await world.core.store.write((tx) =>
      tx.insert(sites, { ...siteRow, id: 'site_theirs', organization: world.otherOrg }),
    );
    const before = await world.call(orgs.getOrganization, 'admin');
    expect(await world.reason(orgs.updateOrganization, 'admin', { body })).toBe(expected);
    expect(await world.call(orgs.getOrganization, 'admin')).toEqual(before);
  });

  it('is allowed only for administrators', async () => {
    const reasons = await Promise.all(
      (['create', 'review', 'edit', 'comment', 'read', 'guest', 'outsider', 'nobody', 'owner'] as const).map(
        (who) => world.reason(orgs.updateOrganization, who, { body: { ai: true } }),
      ),
    );
    expect(reasons).toEqual([
      'forbidden',
      'forbidden',
      'forbidden',
      'forbidden',
      'forbidden',
      'forbidden',
      'not-found',
      'unauthenticated',
      'done',
    ]);
  });
});

describe('joining by email domain', () => {
  const join = (who: 'outsider' | 'guest' | 'admin', organizationId = world.org) =>
    world.reason(orgs.joinOrganization, who, { params: { organizationId } });

  it('gives the default role to users with an allowed and proven domain', async () => {
    expect(await join('outsider')).toBe('invalid-input');
    await world.call(orgs.updateOrganization, 'admin', {
      body: { emailDomains: ['acme.test'], defaultRole: 'comment' },
    });
    expect(await join('outsider')).toBe('invalid-input');
    await trustDomains(world.core);
    expect(await join('outsider')).toBe('done');
    const row = await world.core.store.read((view) =>
      view.get(members, memberId(world.org, world.user('outsider'))),
    );
    expect(row).toMatchObject({
      role: 'comment',
      displayName: 'Outsider',
      email: 'outsider@acme.test',
      sso: false,
      disabled: false,
    });
    await world.call(orgs.updateOrganization, 'admin', { body: { emailDomains: [], defaultRole: 'admin' } });
    expect(await join('outsider')).toBe('done');
    expect((await world.call(orgs.getOrganization, 'outsider')).permissions).toMatchObject({
      admin: false,
      listMembers: true,
    });
  });

  it('is refused for a disabled member', async () => {
    await world.core.store.write((tx) =>
      tx.update(members, memberId(world.org, 'usr_guest'), { disabled: true }),
    );
    expect(await join('guest')).toBe('forbidden');
  });

  it('adds a guest if there is no default role', async () => {
    await world.call(orgs.updateOrganization, 'admin', { body: { emailDomains: ['acme.test'] } });
    await trustDomains(world.core);
    expect(await join('outsider')).toBe('done');
    expect((await world.call(orgs.getOrganization, 'outsider')).permissions).toMatchObject({
      view: true,
      listMembers: false,
    });
  });

  it('keeps the role of members, and returns 404 for an unknown organization', async () => {
    expect(await join('guest')).toBe('done');
    expect((await world.call(orgs.getOrganization, 'guest')).permissions.listMembers).toBe(false);
    expect(await join('guest', 'org_none')).toBe('not-found');
  });

  it('requires a token with at least the default role', async () => {
    await world.call(orgs.updateOrganization, 'admin', {
      body: { emailDomains: ['acme.test'], defaultRole: 'edit' },
    });
    await trustDomains(world.core);
    const { token } = await world.call(tokenContract.createToken, 'outsider', {
      params: { organizationId: world.otherOrg },
      body: { role: 'read' },
    });
    const weak = embeddedApi(world.core, { kind: 'token', token });
    expect(await reasonOf(weak.call(orgs.joinOrganization, { params: { organizationId: world.org } }))).toBe(
      'forbidden',
    );
  });
});

describe('organizations of an email domain', () => {
  const found = async (who: 'admin' | 'outsider' | 'owner', emailDomain: string) =>
    (await world.call(listOrganizationsOfDomain, who, { params: { emailDomain } })).organizations.map(
      (org) => [org.title, org.permissions.view],
    );

  it('are those that the caller belongs to or may join', async () => {
    await world.call(orgs.updateOrganization, 'admin', { body: { emailDomains: ['acme.test', 'two.test'] } });
    expect(await found('admin', 'acme.test')).toEqual([['Acme', true]]);
    expect(await found('outsider', 'acme.test')).toEqual([]);
    await trustDomains(world.core);
    expect(await found('admin', 'ACME.test')).toEqual([['Acme', true]]);
    expect(await found('admin', 'two.test')).toEqual([['Acme', true]]);
    expect(await found('outsider', 'acme.test')).toEqual([['Acme', false]]);
    expect(await found('outsider', 'two.test')).toEqual([]);
    expect(await found('owner', 'two.test')).toEqual([['Acme', true]]);
    expect(await found('admin', 'none.test')).toEqual([]);
  });

  it('are not listed for a token of another organization', async () => {
    await world.call(orgs.updateOrganization, 'admin', { body: { emailDomains: ['acme.test'] } });
    const { token } = await world.call(tokenContract.createToken, 'outsider', {
      params: { organizationId: world.otherOrg },
      body: { role: 'admin' },
    });
    const bound = embeddedApi(world.core, { kind: 'token', token });
    expect(await bound.call(listOrganizationsOfDomain, { params: { emailDomain: 'acme.test' } })).toEqual({
      organizations: [],
    });
  });
});

describe('subdomains get', () => {
  it('returns the organization only to its members', async () => {
    const body = await world.call(getSubdomain, 'guest', { params: { subdomain: 'acme' } });
    expect(body).toEqual({
      object: 'subdomain',
      subdomain: 'acme',
      target: { type: 'organization', organization: world.org },
      isActive: false,
    });
    expect(publishedFaults('Subdomain', body)).toEqual([]);
    await world.call(orgs.updateOrganization, 'admin', { body: { hostname: 'acme-new' } });
    expect(await world.reason(getSubdomain, 'guest', { params: { subdomain: 'acme' } })).toBe('not-found');
    expect(await world.reason(getSubdomain, 'guest', { params: { subdomain: 'acme-new' } })).toBe('done');
  });

  it('returns the same error for another organization and for an unknown name', async () => {
    const message = (subdomain: string) =>
      world
        .as('outsider')
        .call(getSubdomain, { params: { subdomain } })
        .catch((error: Error) => error.message.replace(subdomain, '…'));
    expect(await message('acme')).toBe(await message('none'));
  });
});

describe('ping', () => {
  it('stores when a member was last seen', async () => {
    expect(await world.call(orgs.pingOrganization, 'guest')).toEqual({});
    const row = await world.core.store.read((view) =>
      view.get(members, memberId(world.org, world.user('guest'))),
    );
    expect(row?.lastSeenAt).toMatch(/^2026-01-05T09:00:/);
    expect(await world.reason(orgs.pingOrganization, 'outsider')).toBe('not-found');
  });

  it('does nothing for an owner who is not a member', async () => {
    expect(
      await world.call(orgs.pingOrganization, 'owner', { params: { organizationId: world.otherOrg } }),
    ).toEqual({});
    expect(await world.core.store.read((view) => view.count(members, 'byJoined', [world.otherOrg]))).toBe(1);
  });
});

it('the user of the token can be read by any user', async () => {
  const user = await world.call(me, 'guest');
  expect(user).toEqual({
    object: 'user',
    id: 'usr_guest',
    displayName: 'Guest',
    email: 'guest@acme.test',
    urls: { location: 'http://localhost:8080/v1/users/usr_guest' },
  });
  expect(publishedFaults('User', user)).toEqual([]);
  expect(await world.reason(me, 'nobody')).toBe('unauthenticated');
  expect(await world.core.store.read((view) => view.get(users, user.id))).toMatchObject({
    email: 'guest@acme.test',
  });
  expect(await world.core.store.read((view) => view.count(tokens, 'byUser', [user.id]))).toBe(1);
});

const siteRow = {
  type: 'basic',
  title: 'Docs',
  proxy: null,
  visibility: 'public' as const,
  published: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  adaptiveContent: false,
  agentsContext: 'included' as const,
  defaultSection: null,
  defaultSiteSpace: null,
  siteSpaces: 0,
};
