import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Operation } from '../../../src/contract/operation.ts';
import { roles, type Role } from '../../../src/contract/shapes.ts';
import { embeddedApi } from '../../../src/core/embedded.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { explainAccess } from '../../../src/resources/access/contract.ts';
import { submitReview } from '../../../src/resources/change-request-reviews/contract.ts';
import { createChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import * as collections from '../../../src/resources/collections/contract.ts';
import * as comments from '../../../src/resources/comments/space/contract.ts';
import * as members from '../../../src/resources/members/contract.ts';
import { listOrganizationChangeRequests } from '../../../src/resources/organization-change-requests/contract.ts';
import * as onCollection from '../../../src/resources/permissions/collection/contract.ts';
import * as onSite from '../../../src/resources/permissions/site/contract.ts';
import * as onSpace from '../../../src/resources/permissions/space/contract.ts';
import {
  addSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
} from '../../../src/resources/site-spaces/contract.ts';
import * as sites from '../../../src/resources/sites/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { updateTeamMembers } from '../../../src/resources/team-members/contract.ts';
import * as teams from '../../../src/resources/teams/contract.ts';
import { forgetful } from '../../security/operations.ts';
import { createPeopleWorld, type PeopleWorld } from '../people-support.ts';

const people = ['create', 'edit', 'read', 'guest'] as const;
type Person = (typeof people)[number];
const everything = { query: { limit: 1000 } };
interface Item {
  readonly id: string;
}

/** A step of an administrator. `one` and `other` choose among the existing items. */
interface Step {
  readonly action: keyof typeof actions;
  readonly who: Person;
  readonly role: Role | null;
  readonly one: number;
  readonly other: number;
}

/** The resources that a step can use. */
interface Choice {
  readonly userId: string;
  readonly who: Person;
  readonly role: Role | null;
  readonly teamId: string;
  readonly spaceId: string;
  readonly collectionId: string;
  readonly siteId: string;
  /** A collection, or null for the top level. */
  readonly parent: string | null;
  readonly one: number;
  /** The permissions of one type of resource. */
  readonly on: typeof onSpace | typeof onCollection | typeof onSite;
}

type Act = (world: PeopleWorld, choice: Choice) => Promise<unknown>;

const put = (parent: string | null) => ({ body: { title: 'New', ...(parent === null ? {} : { parent }) } });
const levelOf = (role: Role | null) => ({ body: { defaultLevel: role ?? 'inherit' } });

const actions = {
  makeCollection: (world, { parent }) => world.call(collections.createCollection, 'admin', put(parent)),
  moveCollection: (world, { parent, ...params }) =>
    world.call(collections.moveCollection, 'admin', { params, body: { parent } }),
  deleteCollection: (world, params) => world.call(collections.deleteCollection, 'admin', { params }),
  setCollectionLevel: (world, { role, ...params }) =>
    world.call(collections.updateCollection, 'admin', { params, ...levelOf(role) }),
  makeSpace: (world, { parent }) => world.call(spaces.createSpace, 'admin', put(parent)),
  moveSpace: (world, { parent, ...params }) =>
    world.call(spaces.moveSpace, 'admin', { params, body: { parent } }),
  setSpaceLevel: (world, { role, ...params }) =>
    world.call(spaces.updateSpace, 'admin', { params, ...levelOf(role) }),
  deleteAndRestore: async (world, params) => {
    await world.call(spaces.deleteSpace, 'admin', { params });
    if (params.one % 2 === 0) await world.call(spaces.restoreSpace, 'admin', { params });
  },
  copySpace: (world, params) => checkCopy(world, params.spaceId),
  showSpace: (world, { spaceId, ...params }) =>
    world.call(addSiteSpace, 'admin', { params, body: { spaceId } }),
  hideSpace: async (world, { siteId, one }) => {
    const siteSpaceId = chosen(await idsOf(world, listSiteSpaces, { siteId }), one);
    await world.call(deleteSiteSpace, 'admin', { params: { siteId, siteSpaceId } });
  },
  permit: (world, { on, role, userId, ...params }) =>
    world.call(on.setPermissions, 'admin', { params, body: { role, users: [userId] } }),
  permitTeam: (world, { on, role, teamId, ...params }) =>
    world.call(on.setPermissions, 'admin', { params, body: { role, teams: [teamId] } }),
  withdraw: async (world, { on, one, ...params }) => {
    const { items } = await world.call(on.listUserPermissions, 'admin', { params });
    const userId = chosen(items, one)?.user.id;
    await world.call(on.removeUserPermission, 'admin', { params: { ...params, userId } });
  },
  withdrawTeam: (world, { on, ...params }) => world.call(on.removeTeamPermission, 'admin', { params }),
  joinTeam: (world, { userId, ...params }) =>
    world.call(updateTeamMembers, 'admin', { params, body: { add: [userId] } }),
  leaveTeam: (world, { userId, ...params }) =>
    world.call(updateTeamMembers, 'admin', { params, body: { remove: [userId] } }),
  replaceTeam: async (world, params) => {
    await world.call(teams.deleteTeam, 'admin', { params });
    await world.call(teams.createTeam, 'admin', { body: { title: 'Team', members: [params.userId] } });
  },
  setRole: (world, { role, ...params }) =>
    world.call(members.updateMember, 'admin', { params, body: { role: role === 'admin' ? null : role } }),
  disable: (world, params) =>
    world.call(members.updateMember, 'admin', { params, body: { disabled: params.one % 2 === 0 } }),
  replaceMember: async (world, { who, role, ...params }) => {
    await world.call(members.deleteMember, 'admin', { params });
    await world.call(members.inviteMembers, 'admin', { body: { emails: [`${who}@acme.test`], role } });
  },
} satisfies Record<string, Act>;

const anyStep: fc.Arbitrary<Step> = fc.record({
  action: fc.oneof(
    fc.constantFrom(...(Object.keys(actions) as (keyof typeof actions)[])),
    fc.constantFrom('permit', 'permitTeam', 'joinTeam'),
  ),
  who: fc.constantFrom(...people),
  role: fc.option(fc.constantFrom(...roles), { freq: 2 }),
  one: fc.nat(20),
  other: fc.nat(20),
});

function chosen<T>(all: readonly T[], at: number): T {
  return all[at % all.length]!;
}

async function idsOf(world: PeopleWorld, operation: Operation, params: object = {}): Promise<string[]> {
  const answer: unknown = await world.call(operation, 'admin', { params, ...everything });
  return (answer as { items: Item[] }).items.map(({ id }) => id);
}

/** Copies a space and checks that nobody can open only the copy. */
async function checkCopy(world: PeopleWorld, spaceId: string): Promise<void> {
  const copy = await world.call(spaces.duplicateSpace, 'admin', { params: { spaceId } });
  const before = await readersOf(world, spaceId);
  const gained = (await readersOf(world, copy.id)).filter((user) => !before.includes(user));
  expect(gained, 'who can open only the copy').toEqual([]);
}

async function readersOf(world: PeopleWorld, spaceId: string): Promise<string[]> {
  const params = { spaceId };
  const { items } = await world.call(onSpace.listEffectivePermissions, 'admin', { params, ...everything });
  return items.map(({ user }) => user.id);
}

/** Creates two nested collections, three spaces, two sites and a team. */
async function furnish(world: PeopleWorld): Promise<void> {
  const outer = await world.call(collections.createCollection, 'admin', put(null));
  const inner = await world.call(collections.createCollection, 'admin', put(outer.id));
  const made: string[] = [];
  for (const parent of [null, outer.id, inner.id])
    made.push((await world.call(spaces.createSpace, 'admin', put(parent))).id);
  await world.call(sites.createSite, 'admin', { body: { title: 'Docs', spaces: made.slice(1) } });
  await world.call(sites.createSite, 'admin', { body: { title: 'Help', spaces: made } });
  await world.call(teams.createTeam, 'admin', { body: { title: 'Team', members: [] } });
}

async function take(world: PeopleWorld, { action, who, role, one, other }: Step): Promise<void> {
  const found = await idsOf(world, collections.listCollections);
  const act: Act = actions[action];
  await act(world, {
    userId: world.user(who),
    who,
    role,
    teamId: chosen(await idsOf(world, teams.listTeams), 0),
    spaceId: chosen(await idsOf(world, spaces.listSpaces), one),
    collectionId: chosen(found, one),
    siteId: chosen(await idsOf(world, sites.listSites), other),
    parent: chosen([...found, null], other),
    one,
    on: chosen([onSpace, onCollection, onSite], other),
  });
}

/** Compares what each list says about a person with what the person can do. */
async function checkPerson(
  world: PeopleWorld,
  who: Person,
  spaceIds: readonly string[],
  requests: ReadonlyMap<string, string>,
): Promise<void> {
  const userId = world.user(who);
  const api = embeddedApi(forgetful(world.core), world.credential(who));
  const attempt = async (
    operation: Operation,
    params: object,
    more: object = {},
  ): Promise<{ reason: string; answer: unknown }> => {
    try {
      const input = { params: { organizationId: world.org, ...params }, ...more };
      return { reason: 'done', answer: await api.call(operation, input) };
    } catch (error) {
      if (error instanceof Problem) return { reason: error.reason, answer: { items: [] } };
      throw error;
    }
  };
  const seenIn = async (operation: Operation, key = 'id', query: object = {}) => {
    const { answer } = await attempt(operation, {}, { query: { ...everything.query, ...query } });
    return (answer as { items: Record<string, string>[] }).items.map((item) => item[key]!).sort();
  };
  const member = await world.call(members.getMember, 'admin', { params: { userId } });
  const { items } = await world.call(members.listMemberSpaces, 'admin', {
    params: { userId },
    ...everything,
  });
  const listed = new Map(items.map(({ space, permission }) => [space.id, permission]));
  expect(member.spaces).toBe(listed.size);
  const opened = member.disabled ? [] : [...listed.keys()].sort();
  expect(await seenIn(spaces.listSpaces)).toEqual(opened);
  expect(await seenIn(listOrganizationChangeRequests, 'space', { status: ['draft'] })).toEqual(opened);
  for (const spaceId of spaceIds) {
    const shown = await world.call(onSpace.listEffectivePermissions, 'admin', {
      params: { spaceId },
      ...everything,
    });
    const role = shown.items.find(({ user }) => user.id === userId)?.permission ?? null;
    expect(role).toBe(listed.get(spaceId) ?? null);
    const explained = await world.call(explainAccess, 'admin', {
      params: { userId },
      query: { space: spaceId },
    });
    expect([explained.role, explained.disabled]).toEqual([role, member.disabled]);
    const may = (level: Role) =>
      !member.disabled && role !== null && roles.indexOf(role) <= roles.indexOf(level);
    const ends: [Role, string][] = [];
    for (const [level, operation, body, params] of [
      ['comment', comments.createComment, { body: { markdown: 'Hi.' } }],
      ['edit', createChangeRequest, {}],
      ['review', submitReview, { status: 'approved' }, { changeRequestId: requests.get(spaceId) }],
      ['admin', spaces.updateSpace, { title: 'Other' }],
    ] as const)
      ends.push([level, (await attempt(operation, { spaceId, ...params }, { body })).reason]);
    const hidden = role === null || member.disabled ? 'not-found' : 'forbidden';
    expect(ends).toEqual(ends.map(([level]) => [level, may(level) ? 'done' : hidden]));
    const { reason, answer } = await attempt(spaces.getSpace, { spaceId });
    expect(reason).toBe(may('read') ? 'done' : 'not-found');
    if (reason === 'done')
      expect(answer).toMatchObject({
        permissions: Object.fromEntries(
          (['comment', 'edit', 'review', 'admin'] as const).map((level) => [level, may(level)]),
        ),
      });
  }
  for (const [key, list, get, on] of [
    ['collectionId', collections.listCollections, collections.getCollection, onCollection],
    ['siteId', sites.listSites, sites.getSite, onSite],
  ] as const) {
    const visible: string[] = [];
    for (const id of await idsOf(world, list)) {
      const params = { [key]: id };
      const allowed = await world.call(on.listEffectivePermissions, 'admin', { params, ...everything });
      const isListed = !member.disabled && allowed.items.some(({ user }) => user.id === userId);
      expect((await attempt(get, params)).reason).toBe(isListed ? 'done' : 'not-found');
      if (isListed) visible.push(id);
    }
    expect(await seenIn(list)).toEqual(visible.sort());
  }
}

it('listed permissions are the effective ones, and copies open for nobody else, after any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), async (steps) => {
      const world = await createPeopleWorld();
      await furnish(world);
      for (const step of steps)
        await take(world, step).catch((error: unknown) => {
          if (!(error instanceof Problem)) throw error;
        });
      for (const id of await idsOf(world, spaces.listSpaces)) await checkCopy(world, id);
      const spaceIds = await idsOf(world, spaces.listSpaces);
      const requests = new Map<string, string>();
      for (const spaceId of spaceIds)
        requests.set(
          spaceId,
          (await world.call(createChangeRequest, 'admin', { params: { spaceId }, body: {} })).id,
        );
      for (const who of people) await checkPerson(world, who, spaceIds, requests);
    }),
    { numRuns: 40 },
  );
});
