import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import type { InputOf } from '../../../src/contract/operation.ts';
import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviders,
  SAMLProvider,
  updateProvider,
} from '../../../src/resources/saml/contract.ts';
import { listLogins } from '../../../src/resources/sso/contract.ts';
import { createTeam, deleteTeam } from '../../../src/resources/teams/contract.ts';
import { makeCertificate, rsa } from '../../saml/certificate-maker.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';

let certificate: string;
let expired: string;
let world: World;
type Body = NonNullable<InputOf<typeof createProvider>['body']>;

beforeAll(() => {
  const pair = rsa();
  certificate = makeCertificate(pair);
  expired = makeCertificate(pair, { to: '2025-01-01T00:00:00Z' });
});
beforeEach(async () => {
  world = await createWorld();
});

const params = { organizationId: 'org_acme' };
const create = (body: Body, who: Who = 'admin') => world.as(who).call(createProvider, { params, body });
const complete = (more: Partial<Body> = {}): Body => ({
  label: 'Okta',
  entityID: 'https://idp.test/',
  ssoURL: 'https://idp.test/sso',
  certificate,
  ...more,
});
const at = (samlProviderId: string) => ({ params: { ...params, samlProviderId } });

describe('a SAML provider', () => {
  it('is pending until its settings are complete, and has its service URLs from the start', async () => {
    const made = await create({ label: 'Okta' });
    expect(made).toEqual({
      object: 'saml-provider',
      id: made.id,
      label: 'Okta',
      ssoURL: 'about:blank',
      entityID: '',
      certificate: '',
      defaultRole: null,
      createdAt: made.createdAt,
      status: 'pending',
      service: {
        acsURL: `http://localhost:8080/saml/${made.id}/acs`,
        startURL: `http://localhost:8080/saml/${made.id}/start`,
        entityID: `http://localhost:8080/saml/${made.id}/metadata`,
      },
      urls: { location: `http://localhost:8080/v1/orgs/org_acme/saml/${made.id}` },
    });
    expect(violationsOf(SAMLProvider, made, '')).toEqual([]);
    const { label: _, ...rest } = complete();
    for (const [name, value] of Object.entries(rest)) {
      const updated = await world
        .as('admin')
        .call(updateProvider, { ...at(made.id), body: { [name]: value } });
      expect(updated.status).toBe(name === 'certificate' ? 'active' : 'pending');
    }
    expect(await world.as('admin').call(getProvider, at(made.id))).toMatchObject({
      ...rest,
      status: 'active',
    });
  });

  it('loses a setting that is set to an empty value', async () => {
    const made = await create(complete({ defaultRole: 'edit' }));
    for (const body of [{ ssoURL: 'about:blank' }, { entityID: '' }, { certificate: ' ' }]) {
      expect((await world.as('admin').call(updateProvider, { ...at(made.id), body })).status).toBe('pending');
    }
    expect(
      await world
        .as('admin')
        .call(updateProvider, { ...at(made.id), body: { label: 'New', defaultRole: null } }),
    ).toMatchObject({
      label: 'New',
      ssoURL: 'about:blank',
      entityID: '',
      certificate: '',
      defaultRole: null,
    });
  });

  it('is pending while none of its certificates is valid at the current time', async () => {
    expect((await create(complete({ certificate: expired }))).status).toBe('pending');
    const both = await create(
      complete({ entityID: 'https://two.test/', certificate: expired + certificate }),
    );
    expect(both).toMatchObject({ status: 'active', certificate: expired + certificate });
    world.pass(15 * 365 * 24 * 60 * 60 * 1000);
    expect((await world.as('admin').call(getProvider, at(both.id))).status).toBe('pending');
  });

  it('must have an entity ID that no other provider of the organization has', async () => {
    const first = await create(complete());
    const taken = {
      reason: 'conflict',
      status: 409,
      message: expect.stringContaining(`"Okta" (${first.id})`),
      violations: [{ path: '/body/entityID' }],
    };
    await expect(create(complete({ label: 'Two' }))).rejects.toMatchObject(taken);
    await expect(create({ label: 'Two', entityID: ' https://idp.test/ ' })).rejects.toMatchObject(taken);
    const second = await create({ label: 'Two' });
    const update = (id: string, body: object) => world.as('admin').call(updateProvider, { ...at(id), body });
    await expect(update(second.id, { entityID: 'https://idp.test/' })).rejects.toMatchObject(taken);
    // A provider can keep its own ID, several can be without one, and other organizations can use the same ID.
    expect(await update(first.id, { entityID: 'https://idp.test/', label: 'New' })).toMatchObject({
      label: 'New',
    });
    await create({ label: 'Three', entityID: '' });
    await world
      .as('outsider')
      .call(createProvider, { params: { organizationId: 'org_other' }, body: complete() });
    await update(first.id, { entityID: '' });
    expect(await update(second.id, { entityID: 'https://idp.test/' })).toMatchObject({
      entityID: 'https://idp.test/',
    });
  });

  it('can have a default team of the organization', async () => {
    const team = await world
      .as('admin')
      .call(createTeam, { params, body: { title: 'Writers', members: [] } });
    const made = await create(complete({ defaultTeam: team.id, defaultRole: 'edit' }));
    expect(made).toMatchObject({ defaultTeam: { id: team.id, title: 'Writers' }, defaultRole: 'edit' });
    expect(violationsOf(SAMLProvider, made, '')).toEqual([]);
    expect(
      await world.as('admin').call(updateProvider, { ...at(made.id), body: { defaultTeam: null } }),
    ).not.toHaveProperty('defaultTeam');
    await world.as('admin').call(updateProvider, { ...at(made.id), body: { defaultTeam: team.id } });
    await world.as('admin').call(deleteTeam, { params: { ...params, teamId: team.id } });
    expect(await world.as('admin').call(getProvider, at(made.id))).not.toHaveProperty('defaultTeam');
    const foreign = await world
      .as('outsider')
      .call(createTeam, { params: { organizationId: 'org_other' }, body: { title: 'Others', members: [] } });
    for (const defaultTeam of [foreign.id, 'team_none'])
      await expect(create(complete({ defaultTeam }))).rejects.toMatchObject({ reason: 'not-found' });
  });

  it.each<[string, Partial<Body>]>([
    ['no label', { label: '' }],
    ['a label of 31 characters', { label: 'x'.repeat(31) }],
    ['an id of 1025 characters', { entityID: 'x'.repeat(1025) }],
    ['a certificate of 10,001 characters', { certificate: 'A'.repeat(10_001) }],
    ['an invalid certificate', { certificate: 'canary' }],
    ['an invalid certificate before its address', { certificate: 'canary', ssoURL: 'about:blank' }],
    [
      'a certificate of an elliptic curve',
      { certificate: makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' })) },
    ],
    ['a script as an address', { ssoURL: 'javascript:alert(1)' }],
    ['an ftp address', { ssoURL: 'ftp://idp.test/' }],
    ['an address with a login', { ssoURL: 'https://canary:x@idp.test/' }],
    ['an address with a fragment', { ssoURL: 'https://idp.test/#x' }],
    ['no address', { ssoURL: 'idp.test' }],
    ['an unknown role', { defaultRole: 'owner' as never }],
  ])('is refused with %s', async (_, body) => {
    const problem = await create(complete(body)).catch((error: unknown) => error);
    expect(problem).toMatchObject({ reason: 'invalid-input', status: 400 });
    expect(JSON.stringify(problem)).not.toContain('canary');
  });

  it('is listed in pages, and is not found after its deletion', async () => {
    const made = [
      await create(complete({ label: 'A' })),
      await create({ label: 'B' }),
      await create(complete({ label: 'C', entityID: 'https://c.test/' })),
    ];
    const page = await world.as('admin').call(listProviders, { params, query: { limit: 2 } });
    expect(page).toMatchObject({ count: 3, items: [{ label: 'A' }, { label: 'B' }] });
    expect(
      (await world.as('admin').call(listProviders, { params, query: { limit: 2, page: page.next!.page } }))
        .items,
    ).toEqual([made[2]]);
    await world.as('admin').call(deleteProvider, at(made[0]!.id));
    for (const operation of [deleteProvider, getProvider])
      await expect(world.as('admin').call(operation, at(made[0]!.id))).rejects.toMatchObject({
        reason: 'not-found',
      });
    expect((await world.as('admin').call(listProviders, { params })).count).toBe(2);
  });

  it('is visible only to administrators of its organization', async () => {
    const { id } = await create(complete());
    for (const operation of [getProvider, deleteProvider, listProviders]) {
      await expect(world.as('create').call(operation, at(id))).rejects.toMatchObject({ reason: 'forbidden' });
      await expect(world.as('outsider').call(operation, at(id))).rejects.toMatchObject({
        reason: 'not-found',
      });
    }
    await expect(create(complete(), 'create')).rejects.toMatchObject({ reason: 'forbidden' });
    const elsewhere = { params: { organizationId: 'org_other', samlProviderId: id } };
    await expect(world.as('outsider').call(getProvider, elsewhere)).rejects.toMatchObject({
      reason: 'not-found',
    });
    await expect(
      world.as('outsider').call(updateProvider, { ...elsewhere, body: { label: 'Mine' } }),
    ).rejects.toMatchObject({ reason: 'not-found' });
    await expect(world.as('outsider').call(deleteProvider, elsewhere)).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});

describe('the logins of an organization', () => {
  it('are its active providers, for every member', async () => {
    const { id, service } = await create(complete());
    await create({ label: 'Soon' });
    await create(complete({ label: 'Over', entityID: 'https://over.test/', certificate: expired }));
    for (const who of ['admin', 'read', 'guest'] as const) {
      const answer = await world.as(who).call(listLogins, { params });
      expect(answer).toEqual({ items: [{ id, label: 'Okta', startURL: service.startURL }] });
      expect(violationsOf(listLogins.returns.schema, answer, '')).toEqual([]);
    }
    await expect(world.as('outsider').call(listLogins, { params })).rejects.toMatchObject({
      reason: 'not-found',
    });
  });
});
