import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roles, type Role } from '../../src/contract/shapes.ts';
import { noGrants, type Grant, type Grants } from '../../src/core/grants.ts';
import {
  can,
  contentRole,
  decideRole,
  explainRole,
  minRole,
  seesAll,
  type EffectiveRole,
  type RoleLevel,
} from '../../src/core/permissions.ts';
import { siteSpaces } from '../../src/core/rows/site-spaces.ts';
import { collections, type SpaceRow } from '../../src/core/rows/spaces.ts';
import type { ReadTransaction, Table } from '../../src/core/store.ts';

it('can and minRole rank the roles in their listed order', () => {
  const levels = [...roles].reverse();
  for (const [rank, role] of levels.entries()) {
    expect(levels.map((level) => can(role, level))).toEqual(levels.map((_, other) => other <= rank));
    for (const [other, lower] of levels.entries())
      expect(minRole(role, lower)).toBe(levels[Math.min(rank, other)]);
    expect(minRole(role, null)).toBeNull();
    expect(minRole(null, role)).toBeNull();
    expect(can(null, role)).toBe(false);
  }
  for (const level of ['any', 'caller', 'member'] as const) expect(can(null, level)).toBe(true);
});

describe('contentRole', () => {
  /** A chain of collections: c1 is in c2, c2 in c3, and so on. Only the last one has a default level. */
  const chain = (length: number, defaultLevel: string): ReadTransaction =>
    ({
      get: async (table: Table, id: string) => {
        expect(table).toBe(collections);
        const at = Number(id.slice(1));
        return at < length
          ? { id, parent: `c${at + 1}`, defaultLevel: 'inherit' }
          : { id, parent: null, defaultLevel };
      },
    }) as unknown as ReadTransaction;
  const content = { id: 's', state: 'live', parent: 'c1', defaultLevel: null } as SpaceRow;
  const role = (view: ReadTransaction, memberRole: EffectiveRole, maxRole: EffectiveRole) =>
    contentRole(view, { memberRole, maxRole, grants: noGrants }, content);

  it('uses the nearest default level, inherited through at most 63 collections', async () => {
    expect(await role(chain(1, 'edit'), 'read', 'admin')).toBe('edit');
    expect(await role(chain(63, 'edit'), 'read', 'admin')).toBe('edit');
    expect(await role(chain(64, 'edit'), 'read', 'admin')).toBe('read');
  });

  it('is limited by the token, keeps the role of administrators, and is null for guests', async () => {
    expect(await role(chain(1, 'edit'), 'read', 'comment')).toBe('comment');
    expect(await role(chain(1, 'read'), 'admin', 'create')).toBe('create');
    expect(await role(chain(1, 'edit'), null, 'admin')).toBeNull();
    expect(await role(chain(1, 'edit'), 'read', null)).toBeNull();
  });
});

describe('decideRole', () => {
  const space = { type: 'space', id: 's' } as const;
  const collection = { type: 'collection', id: 'c' } as const;
  const decide = (
    memberRole: EffectiveRole,
    levels: readonly Partial<RoleLevel>[],
    maxRole: Role = 'admin',
  ) =>
    decideRole(
      { memberRole, maxRole },
      levels.map((level) => ({ users: [], teams: [], ...level })),
    );

  it.each<[string, EffectiveRole, Partial<RoleLevel>[], EffectiveRole, string]>([
    ['the role in the organization if no level has a role', 'comment', [{}, {}], 'comment', 'organization'],
    [
      'the permission of the member before those of teams',
      'read',
      [{ users: [{ ...space, role: 'comment' }], teams: [{ ...space, role: 'create', team: 't' }] }],
      'comment',
      'user',
    ],
    [
      'the highest team',
      'read',
      [
        {
          teams: [
            { ...space, role: 'edit', team: 't' },
            { ...space, role: 'review', team: 'u' },
          ],
        },
      ],
      'review',
      'team',
    ],
    [
      'the permission of a team before the default level',
      'read',
      [{ teams: [{ ...space, role: 'read', team: 't' }], defaultLevel: { ...space, role: 'edit' } }],
      'read',
      'team',
    ],
    [
      'the nearest level, even if its role is lower',
      'create',
      [{}, { defaultLevel: { ...collection, role: 'read' } }],
      'read',
      'default',
    ],
    [
      'a near default level before a distant permission',
      'read',
      [{ defaultLevel: { ...space, role: 'comment' } }, { users: [{ ...collection, role: 'create' }] }],
      'comment',
      'default',
    ],
    ['no access', 'create', [{ users: [{ ...space, role: null }] }], null, 'user'],
    [
      'nothing for guests from a default level',
      null,
      [{ defaultLevel: { ...space, role: 'edit' } }, { users: [{ ...collection, role: 'create' }] }],
      null,
      'default',
    ],
    ['the permission of a guest', null, [{}, { users: [{ ...collection, role: 'edit' }] }], 'edit', 'user'],
    ['admin for administrators', 'admin', [{ users: [{ ...space, role: null }] }], 'admin', 'organization'],
  ])('chooses %s', (_, memberRole, levels, role, kind) => {
    const decision = decide(memberRole, levels);
    expect([decision.role, decision.reason.kind]).toEqual([role, kind]);
  });

  it('is limited by the token, which is then the reason', () => {
    const { role, reason, overridden } = decide(
      'create',
      [{ defaultLevel: { ...space, role: 'review' } }],
      'read',
    );
    expect([role, reason, overridden.map(({ kind }) => kind)]).toEqual([
      'read',
      { kind: 'token', role: 'read' },
      ['default', 'organization'],
    ]);
  });
});

/** A space in two nested collections, shown by two sites, with the levels and permissions of one person. */
interface Case {
  readonly memberRole: EffectiveRole;
  readonly maxRole: EffectiveRole;
  readonly levels: readonly (Role | 'inherit' | null)[];
  readonly grants: Readonly<Record<string, Grant>>;
}

const anyRole = fc.constantFrom(...roles, null);
const anyGrant = fc.record(
  {
    user: anyRole,
    teams: fc.array(fc.record({ team: fc.constantFrom('t', 'u'), role: anyRole }), { maxLength: 2 }),
  },
  { requiredKeys: ['teams'] },
);
const anyCase: fc.Arbitrary<Case> = fc.record({
  memberRole: anyRole,
  maxRole: anyRole,
  levels: fc.array(fc.constantFrom(...roles, 'inherit', null), { minLength: 3, maxLength: 3 }),
  grants: fc.dictionary(fc.constantFrom('space', 'siteA', 'siteB', 'inner', 'outer'), anyGrant),
});

/** Computes the role by the documented rules, independently of the code under test. */
function naiveRole({ memberRole, maxRole, levels, grants }: Case): EffectiveRole {
  const order = [null, 'read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
  const highest = (all: readonly EffectiveRole[]) =>
    order[Math.max(...all.map((role) => order.indexOf(role)))] ?? null;
  const limited = (role: EffectiveRole) =>
    order[Math.min(order.indexOf(role), order.indexOf(maxRole))] ?? null;
  if (memberRole === 'admin') return limited('admin');
  const at = (ids: readonly string[], level: Role | 'inherit' | null): EffectiveRole | undefined => {
    const found = ids.flatMap((id) => (grants[id] === undefined ? [] : [grants[id]]));
    const users = found.flatMap(({ user }) => (user === undefined ? [] : [user]));
    if (users.length > 0) return highest(users);
    const teams = found.flatMap((grant) => grant.teams.map(({ role }) => role));
    if (teams.length > 0) return highest(teams);
    if (level === 'inherit' || level === null) return undefined;
    return memberRole === null ? null : level;
  };
  const [space = null, inner = null, outer = null] = levels;
  for (const decided of [
    at(['space'], space),
    at(['siteA', 'siteB'], null),
    at(['inner'], inner),
    at(['outer'], outer),
  ])
    if (decided !== undefined) return limited(decided);
  return limited(memberRole);
}

function viewOf({ levels }: Case): ReadTransaction {
  return {
    get: async (table: Table, id: string) => {
      expect(table).toBe(collections);
      return id === 'inner'
        ? { id, parent: 'outer', defaultLevel: levels[1] }
        : { id, parent: null, defaultLevel: levels[2] };
    },
    find: async (table: Table, { after }: { after?: unknown }) => {
      expect(table).toBe(siteSpaces);
      return after === undefined
        ? ['siteA', 'siteB'].map((site) => ({ id: site, site, space: 'space' }))
        : [];
    },
  } as unknown as ReadTransaction;
}

it('contentRole agrees with the rules, and the explained reason has the effective role', async () => {
  await fc.assert(
    fc.asyncProperty(anyCase, async (one) => {
      const found = Object.entries(one.grants);
      const grants: Grants = {
        byContent: new Map(found),
        hasSites: found.some(([id]) => id.startsWith('site')),
        hasDenials: found.some(([, { user, teams }]) =>
          [user, ...teams.map(({ role }) => role)].includes(null),
        ),
      };
      const subject = { memberRole: one.memberRole, maxRole: one.maxRole, grants };
      const row = { id: 'space', state: 'live', parent: 'inner', defaultLevel: one.levels[0] } as SpaceRow;
      const role = await contentRole(viewOf(one), subject, row);
      expect(role).toBe(naiveRole(one));
      const explained = await explainRole(viewOf(one), subject, row);
      expect([explained.role, explained.reason.role]).toEqual([role, role]);
      if (seesAll(subject)) expect(role).not.toBeNull();
    }),
    { numRuns: 500 },
  );
});
