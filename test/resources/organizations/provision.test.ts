import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { hashToken, isToken } from '../../../src/core/callers.ts';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { organizations, settings } from '../../../src/core/rows/organizations.ts';
import { tables } from '../../../src/resources/tables.ts';
import * as orgs from '../../../src/resources/organizations/contract.ts';
import { initializeStore } from '../../../src/resources/organizations/initialize.ts';
import * as tokenContract from '../../../src/resources/tokens/contract.ts';
import { me } from '../../../src/resources/users/contract.ts';
import { openStore } from '../../../src/stores/index.ts';
import { createPeopleWorld, publishedFaults, reasonOf, type PeopleWorld } from '../people-support.ts';

let world: PeopleWorld;
beforeEach(async () => {
  world = await createPeopleWorld();
});

describe('init', () => {
  async function emptyCore() {
    return { ...world.core, store: await openStore('memory:', { tables }) };
  }

  it('creates an organization, its administrator and an operator token for all organizations', async () => {
    const core = await emptyCore();
    const made = await initializeStore(core, {
      title: 'Crème Brûlée Ltd',
      email: 'Ana.Lee@Acme.Test',
      emailDomains: ['ACME.test', 'acme.test'],
    });
    expect(made.organization).toMatchObject({
      title: 'Crème Brûlée Ltd',
      hostname: 'creme-brulee-ltd',
      emailDomains: ['acme.test'],
      permissions: { admin: true, view: true, ownTeam: false },
    });
    expect(made.user).toMatchObject({ object: 'user', email: 'ana.lee@acme.test', displayName: 'ana.lee' });
    expect(publishedFaults('Organization', made.organization)).toEqual([]);
    expect(publishedFaults('User', made.user)).toEqual([]);
    const operator = embeddedApi(core, { kind: 'token', token: made.token });
    const second = await operator.call(orgs.provision, {
      body: { title: 'Second', email: 'bo@acme.test', displayName: 'Bo' },
    });
    expect(second.user).toMatchObject({ email: 'bo@acme.test', displayName: 'Bo' });
    const third = await operator.call(orgs.createOrganization, { body: { title: 'Third' } });
    expect((await operator.call(orgs.listOrganizations, {})).items.map((org) => org.id)).toEqual([
      made.organization.id,
      third.id,
    ]);
    expect(
      (await embeddedApi(core, { kind: 'owner' }).call(orgs.listOrganizations, {})).items.map(
        (org) => org.title,
      ),
    ).toEqual(['Crème Brûlée Ltd', 'Second', 'Third']);
    expect((await embeddedApi(core, { kind: 'owner' }).call(me, {})).id).toBe(made.user.id);
  });

  it('refuses an initialized store and changes nothing', async () => {
    const core = await emptyCore();
    await initializeStore(core, { title: 'One', email: 'ana@acme.test' });
    const again = initializeStore(core, { title: 'Two', email: 'bo@acme.test' });
    await expect(again).rejects.toMatchObject({
      reason: 'conflict',
      hint: expect.stringContaining('docsctl orgs create'),
    });
    expect(await core.store.read((view) => view.count(organizations, 'all', []))).toBe(1);
  });

  it.each([
    [{ title: 'A', email: 'ana@acme.test' }, '/body/title'],
    [{ title: '   ', email: 'ana@acme.test' }, '/body/title'],
    [{ title: 'x'.repeat(256), email: 'ana@acme.test' }, '/body/title'],
    [{ title: 'Acme', email: 'ana' }, '/body/email'],
    [{ title: 'Acme', email: 'ana@acme.test', emailDomains: ['not a domain'] }, '/body/emailDomains/0'],
  ])('refuses %j', async (body, path) => {
    const core = await emptyCore();
    await expect(initializeStore(core, body)).rejects.toMatchObject({
      reason: 'invalid-input',
      violations: [{ path }],
    });
    expect(await core.store.read((view) => view.get(settings, 'store'))).toBeUndefined();
  });

  it('is suggested by errors on a store that is not initialized', async () => {
    const core = await emptyCore();
    await expect(embeddedApi(core, { kind: 'owner' }).call(me, {})).rejects.toMatchObject({
      reason: 'not-found',
      hint: expect.stringContaining('docsctl init'),
    });
  });
});

describe('orgs provision', () => {
  const provision = (email: string, who: Parameters<PeopleWorld['call']>[1] = 'admin') =>
    world.call(orgs.provision, who, { body: { title: 'New Org', email } });

  it('returns a token for the new organization only', async () => {
    const { organization, token, user } = await provision('new@else.test');
    expect(isToken(token)).toBe(true);
    const api = embeddedApi(world.core, { kind: 'token', token });
    expect((await api.call(me, {})).id).toBe(user.id);
    expect((await api.call(orgs.listOrganizations, {})).items.map((org) => org.id)).toEqual([
      organization.id,
    ]);
    expect(
      (
        await api.call(orgs.updateOrganization, {
          params: { organizationId: organization.id },
          body: { title: 'Renamed' },
        })
      ).title,
    ).toBe('Renamed');
    expect(await reasonOf(api.call(orgs.getOrganization, { params: { organizationId: world.org } }))).toBe(
      'not-found',
    );
    expect(await reasonOf(api.call(orgs.createOrganization, { body: { title: 'Another' } }))).toBe(
      'forbidden',
    );
    expect(
      await reasonOf(api.call(orgs.provision, { body: { title: 'Another', email: 'other@else.test' } })),
    ).toBe('forbidden');
    expect(
      await reasonOf(api.call(orgs.provision, { body: { title: 'Another', email: 'NEW@else.test' } })),
    ).toBe('forbidden');
  });

  it('finds the user with the given email, ignoring case', async () => {
    const { user, organization } = await provision('Guest@ACME.test');
    expect(user.id).toBe(world.user('guest'));
    expect((await world.call(orgs.listOrganizations, 'guest')).items.map((org) => org.id).sort()).toEqual(
      [world.org, organization.id].sort(),
    );
  });

  it('lets callers who are not operators create organizations only for themselves', async () => {
    expect(await reasonOf(provision('outsider@acme.test', 'outsider'))).toBe('done');
    expect(await reasonOf(provision('guest@acme.test', 'outsider'))).toBe('forbidden');
    expect(await reasonOf(provision('x@acme.test', 'nobody'))).toBe('unauthenticated');
    expect(await reasonOf(provision('x@acme.test', 'owner'))).toBe('done');
  });

  it('is refused for a token without the admin role', async () => {
    const { token } = await world.call(tokenContract.createToken, 'admin', { body: { role: 'create' } });
    const api = embeddedApi(world.core, { kind: 'token', token });
    expect(
      await reasonOf(api.call(orgs.provision, { body: { title: 'Mine', email: 'admin@acme.test' } })),
    ).toBe('forbidden');
  });

  it('stores no token in plain text, not even for a repeated idempotency key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'docsctl-'));
    try {
      const filed = await createPeopleWorld(`json:${join(folder, 'store.json')}`);
      const admin = filed.as('admin');
      const secrets = [
        (
          await admin.call(
            orgs.provision,
            { body: { title: 'Kept', email: 'k@acme.test' } },
            { idempotencyKey: 'k1' },
          )
        ).token,
        (
          await admin.call(
            tokenContract.createToken,
            { params: { organizationId: filed.org }, body: { role: 'read', name: 'ci' } },
            { idempotencyKey: 'k2' },
          )
        ).token,
      ];
      expect(
        await reasonOf(
          admin.call(
            orgs.provision,
            { body: { title: 'Kept', email: 'k@acme.test' } },
            { idempotencyKey: 'k1' },
          ),
        ),
      ).toBe('conflict');
      await filed.core.store.close();
      const text = readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n');
      for (const secret of secrets) {
        expect(isToken(secret)).toBe(true);
        expect(text).toContain(hashToken(secret));
        expect(text).not.toContain(secret.slice('dctl_'.length, -6));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
