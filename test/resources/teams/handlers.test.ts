import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { getMember } from '../../../src/resources/members/contract.ts';
import * as inside from '../../../src/resources/team-members/contract.ts';
import * as contract from '../../../src/resources/teams/contract.ts';
import { createToken } from '../../../src/resources/tokens/contract.ts';
import type { Who } from '../../support/world.ts';
import { createPeopleWorld, publishedFaults, reasonOf, type PeopleWorld } from '../people-support.ts';
import { teamMembers } from '../../../src/core/rows/teams.ts';

let world: PeopleWorld;
let team: string;
beforeEach(async () => {
  world = await createPeopleWorld();
  team = (
    await world.call(contract.createTeam, 'admin', {
      body: { title: 'Writers', members: ['usr_edit', 'usr_guest', 'usr_edit'] },
    })
  ).id;
});

/** Returns the members of the team as `edit owner`, sorted. */
const sketch = async (teamId = team) =>
  (await world.call(inside.listTeamMembers, 'admin', { params: { teamId } })).items
    .map((item) => `${item.organization.id.replace('usr_', '')} ${item.team.role}`)
    .sort();
const at = (userId?: string) => ({ teamId: team, ...(userId === undefined ? {} : { userId }) });

describe('teams create', () => {
  it('makes the caller an owner, and counts each member once', async () => {
    const shown = await world.call(contract.getTeam, 'admin', { params: at() });
    expect(shown).toMatchObject({
      object: 'team',
      title: 'Writers',
      members: 3,
      spaces: 0,
      permissions: { admin: true, view: true },
    });
    expect(publishedFaults('OrganizationTeam', shown)).toEqual([]);
    expect(await sketch()).toEqual(['admin owner', 'edit member', 'guest member']);
  });

  it('keeps the caller an owner if also listed as a member, and can be called by the owner of the store', async () => {
    const own = await world.call(contract.createTeam, 'admin', {
      body: { title: 'Own', members: ['usr_admin'] },
    });
    expect(await sketch(own.id)).toEqual(['admin owner']);
    const theirs = await world.call(contract.createTeam, 'owner', {
      params: { organizationId: world.otherOrg },
      body: { title: 'Theirs', members: ['usr_outsider'] },
    });
    expect(theirs).toMatchObject({ members: 1, permissions: { admin: true } });
  });

  it('is refused for users outside the organization, an invalid title and callers who are not administrators', async () => {
    expect(
      await world.reason(contract.createTeam, 'admin', {
        body: { title: 'X', members: ['usr_edit', 'usr_outsider'] },
      }),
    ).toBe('not-found');
    expect(await world.reason(contract.createTeam, 'admin', { body: { title: '' } })).toBe('invalid-input');
    expect(await world.reason(contract.createTeam, 'admin', { body: { title: 'x'.repeat(65) } })).toBe(
      'invalid-input',
    );
    expect(await world.reason(contract.createTeam, 'create', { body: { title: 'X' } })).toBe('forbidden');
    expect((await world.call(contract.listTeams, 'admin')).count).toBe(1);
  });
});

describe('teams list', () => {
  const titles = async (query: object, who: Who = 'read') =>
    (await world.call(contract.listTeams, who, { query })).items.map((item) => item.title);

  it('filters by owner and title', async () => {
    const other = await world.call(contract.createTeam, 'owner', { body: { title: 'Readers' } });
    expect(await titles({})).toEqual(['Writers', 'Readers']);
    expect(await titles({ title: 'READ' })).toEqual(['Readers']);
    await world.call(inside.addTeamMember, 'admin', { params: at('usr_edit'), body: { role: 'owner' } });
    await world.call(inside.addTeamMember, 'admin', {
      params: { teamId: other.id, userId: 'usr_guest' },
      body: {},
    });
    expect(await titles({ owner: 'usr_edit' })).toEqual(['Writers']);
    expect(await titles({ owner: 'usr_edit', title: 'read' })).toEqual([]);
    expect(await titles({ owner: 'usr_guest' })).toEqual([]);
    expect((await world.call(contract.listTeams, 'read', { query: { limit: 1 } })).next).toBeDefined();
  });

  it('is allowed for members with the read role', async () => {
    expect(await world.reason(contract.listTeams, 'guest')).toBe('forbidden');
    expect(await world.reason(contract.listTeams, 'outsider')).toBe('not-found');
  });
});

describe('access to a team', () => {
  const people: Who[] = ['admin', 'create', 'edit', 'read', 'guest', 'outsider', 'nobody', 'owner'];
  const reasons = (operation: Parameters<PeopleWorld['reason']>[0], input: object) =>
    Promise.all(people.map((who) => world.reason(operation, who, { params: at('usr_edit'), ...input })));
  const managers = [
    'done',
    'forbidden',
    'done',
    'forbidden',
    'forbidden',
    'not-found',
    'unauthenticated',
    'done',
  ];

  beforeEach(() =>
    world.call(inside.addTeamMember, 'admin', { params: at('usr_edit'), body: { role: 'owner' } }),
  );

  it('to manage it is for administrators and owners of the team', async () => {
    expect(await reasons(contract.updateTeam, { params: at(), body: { title: 'Authors' } })).toEqual(
      managers,
    );
    expect(await reasons(inside.updateTeamMembers, { params: at(), body: {} })).toEqual(managers);
    expect(await reasons(inside.addTeamMember, { body: {} })).toEqual(managers);
    expect((await world.call(contract.getTeam, 'edit', { params: at() })).permissions).toEqual({
      admin: true,
      view: true,
    });
    expect((await world.call(contract.getTeam, 'guest', { params: at() })).permissions).toEqual({
      admin: false,
      view: true,
    });
    expect(await world.reason(inside.deleteTeamMember, 'guest', { params: at('usr_guest') })).toBe(
      'forbidden',
    );
    expect(await world.reason(contract.deleteTeam, 'read', { params: at() })).toBe('forbidden');
    expect(await world.reason(contract.deleteTeam, 'edit', { params: at() })).toBe('done');
  });

  it('to read it is for members with the read role and members of the team', async () => {
    const seen = ['done', 'done', 'done', 'done', 'done', 'not-found', 'unauthenticated', 'done'];
    expect(await reasons(contract.getTeam, { params: at() })).toEqual(seen);
    expect(await reasons(inside.listTeamMembers, { params: at() })).toEqual(seen);
    await world.call(inside.deleteTeamMember, 'admin', { params: at('usr_guest') });
    expect(await world.reason(contract.getTeam, 'guest', { params: at() })).toBe('forbidden');
  });

  it('to manage it requires a token with the admin role', async () => {
    const { token } = await world.call(createToken, 'admin', { body: { role: 'edit', user: 'usr_edit' } });
    const weak = embeddedApi(world.core, { kind: 'token', token });
    expect(
      await reasonOf(
        weak.call(contract.updateTeam, {
          params: { organizationId: world.org, teamId: team },
          body: { title: 'Mine' },
        }),
      ),
    ).toBe('forbidden');
  });

  it('is not possible through another organization', async () => {
    expect(
      await world.reason(contract.getTeam, 'outsider', {
        params: { ...at(), organizationId: world.otherOrg },
      }),
    ).toBe('not-found');
    expect(await world.reason(contract.getTeam, 'admin', { params: { teamId: 'team_none' } })).toBe(
      'not-found',
    );
  });
});

describe('teams update and delete', () => {
  it('renames the team', async () => {
    expect(
      (await world.call(contract.updateTeam, 'admin', { params: at(), body: { title: 'Authors' } })).title,
    ).toBe('Authors');
    expect(await world.reason(contract.updateTeam, 'admin', { params: at(), body: {} })).toBe(
      'invalid-input',
    );
  });

  it('deletes the team and its memberships', async () => {
    await world.call(contract.deleteTeam, 'admin', { params: at() });
    expect(await world.reason(contract.deleteTeam, 'admin', { params: at() })).toBe('not-found');
    expect((await world.call(getMember, 'admin', { params: { userId: 'usr_edit' } })).teams).toBe(0);
    expect(await world.core.store.read((view) => view.count(teamMembers, 'byTeam', [team]))).toBe(0);
  });
});

describe('teams members', () => {
  it('are listed with their role in the team', async () => {
    const { items, count } = await world.call(inside.listTeamMembers, 'edit', {
      params: at(),
      query: { limit: 2 },
    });
    expect([items.length, count]).toEqual([2, 3]);
    for (const item of items) expect(publishedFaults('OrganizationTeamMember', item)).toEqual([]);
  });

  it('are added once, and keep their role if none is given', async () => {
    await world.call(inside.addTeamMember, 'admin', { params: at('usr_read'), body: { role: 'owner' } });
    await world.call(inside.addTeamMember, 'admin', { params: at('usr_read'), body: {} });
    expect(await sketch()).toEqual(['admin owner', 'edit member', 'guest member', 'read owner']);
    expect((await world.call(contract.getTeam, 'admin', { params: at() })).members).toBe(4);
    expect(await world.reason(inside.addTeamMember, 'admin', { params: at('usr_outsider'), body: {} })).toBe(
      'not-found',
    );
    expect(
      await world.reason(inside.addTeamMember, 'admin', { params: at('usr_read'), body: { role: 'admin' } }),
    ).toBe('invalid-input');
  });

  it('are removed, and removing another user returns 404', async () => {
    await world.call(inside.deleteTeamMember, 'admin', { params: at('usr_edit') });
    expect(await sketch()).toEqual(['admin owner', 'guest member']);
    expect(await world.reason(inside.deleteTeamMember, 'admin', { params: at('usr_edit') })).toBe(
      'not-found',
    );
  });

  it('are added, changed and removed in one request, by ID or email', async () => {
    const body = {
      add: ['READ@acme.test', 'usr_edit'],
      memberships: { usr_edit: { role: 'owner' }, usr_review: { role: 'member' } },
      remove: ['guest@acme.test', 'usr_create'],
    };
    await world.call(inside.updateTeamMembers, 'admin', { params: at(), body });
    expect(await sketch()).toEqual(['admin owner', 'edit owner', 'read member', 'review member']);
  });

  it.each([
    [{ add: ['usr_outsider'] }, 'not-found'],
    [{ add: ['nobody@acme.test'] }, 'not-found'],
    [{ remove: ['usr_none'] }, 'not-found'],
    [{ memberships: { usr_outsider: { role: 'owner' } } }, 'not-found'],
    [{ add: ['usr_read'], remove: ['read@acme.test'] }, 'invalid-input'],
    [{ memberships: { usr_edit: { role: 'owner' } }, remove: ['usr_edit'] }, 'invalid-input'],
    [{ memberships: { usr_edit: { role: 'boss' } } }, 'invalid-input'],
    [{ memberships: { 'no user': 'owner' } }, 'invalid-input'],
    [{ memberships: { __proto__x: 1 } }, 'invalid-input'],
  ])('are unchanged if %j is refused', async (body, reason) => {
    const before = await sketch();
    expect(
      await world.reason(inside.updateTeamMembers, 'admin', {
        params: at(),
        body: { ...body, add: ['usr_comment', ...((body as { add?: string[] }).add ?? [])] },
      }),
    ).toBe(reason);
    expect(await sketch()).toEqual(before);
  });

  it('are counted correctly after any changes', async () => {
    const person = fc.constantFrom('usr_edit', 'usr_guest', 'usr_read', 'usr_review');
    const step = fc.oneof(
      person.map((user) => () => world.reason(inside.addTeamMember, 'admin', { params: at(user), body: {} })),
      person.map((user) => () => world.reason(inside.deleteTeamMember, 'admin', { params: at(user) })),
      fc.tuple(fc.array(person), fc.array(person)).map(
        ([add, remove]) =>
          () =>
            world.reason(inside.updateTeamMembers, 'admin', { params: at(), body: { add, remove } }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const run of steps) await run();
        const shown = await sketch();
        expect((await world.call(contract.getTeam, 'admin', { params: at() })).members).toBe(shown.length);
        for (const user of ['edit', 'guest', 'read', 'review']) {
          const { teams } = await world.call(getMember, 'admin', { params: { userId: `usr_${user}` } });
          expect(teams).toBe(shown.some((line) => line.startsWith(user)) ? 1 : 0);
        }
      }),
      { numRuns: 30 },
    );
  });
});
