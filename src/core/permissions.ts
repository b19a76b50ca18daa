import type { Level } from '../contract/operation.ts';
import type { Role } from '../contract/shapes.ts';
import type { Grants } from './grants.ts';
import type { ContentType } from './rows/permissions.ts';
import { siteSpaces } from './rows/site-spaces.ts';
import type { SiteRow } from './rows/sites.ts';
import { collections, spaces, type CollectionRow, type SpaceRow } from './rows/spaces.ts';
import { collectRows, eachRow, type ReadTransaction } from './store.ts';

/** The role that a caller acts with; null for guests, who may do nothing that requires a role. */
export type EffectiveRole = Role | null;

/** The data that decides the roles of a person on the spaces, collections and sites of an organization. */
export interface Subject {
  /** The role in the organization; null for a guest. */
  readonly memberRole: EffectiveRole;
  /** The highest role that the token may use. */
  readonly maxRole: EffectiveRole;
  readonly grants: Grants;
}

export type ContentRow = SpaceRow | CollectionRow | SiteRow;

/** Why a person has a role on a space, collection or site. `content` is where it was set. */
export type RoleReason =
  | { readonly kind: 'user' | 'default'; readonly role: EffectiveRole; readonly content: ContentPointer }
  | {
      readonly kind: 'team';
      readonly role: EffectiveRole;
      readonly content: ContentPointer;
      readonly team: string;
    }
  | { readonly kind: 'organization' | 'token'; readonly role: EffectiveRole };

interface ContentPointer {
  readonly type: ContentType;
  readonly id: string;
}

/** The permissions of a person at one level: on a space, on the sites that show it, or on a collection. */
export interface RoleLevel {
  readonly users: readonly (ContentPointer & { readonly role: EffectiveRole })[];
  readonly teams: readonly (ContentPointer & { readonly role: EffectiveRole; readonly team: string })[];
  /** The default level; absent if the level inherits. */
  readonly defaultLevel?: ContentPointer & { readonly role: Role };
}

const rank: Readonly<Record<Role, number>> = { admin: 6, create: 5, review: 4, edit: 3, comment: 2, read: 1 };

function rankOf(role: EffectiveRole): number {
  return role === null ? 0 : rank[role];
}

/** Whether a role is at least as high as a level requires. */
export function can(role: EffectiveRole, level: Level): boolean {
  if (level === 'any' || level === 'caller' || level === 'member') return true;
  return rankOf(role) >= rank[level];
}

/** Returns the lower of two roles. */
export function minRole(first: EffectiveRole, second: EffectiveRole): EffectiveRole {
  return rankOf(first) <= rankOf(second) ? first : second;
}

/** Whether a person is an administrator of the organization, with a token that may do what administrators may. */
export function isOrganizationAdmin({
  memberRole,
  maxRole,
}: Pick<Subject, 'memberRole' | 'maxRole'>): boolean {
  return can(minRole(memberRole, maxRole), 'admin');
}

/**
 * Returns the role of a person, the reason for it, and the reasons that it overrides, from the nearest level to the organization.
 * The nearest level with a setting decides: first the permission of the person, then the highest one of their teams, then the
 * default level, which gives guests nothing. Administrators of the organization keep their role. A token limits the result.
 */
export function decideRole(
  { memberRole, maxRole }: Pick<Subject, 'memberRole' | 'maxRole'>,
  levels: readonly RoleLevel[],
): { readonly role: EffectiveRole; readonly reason: RoleReason; readonly overridden: readonly RoleReason[] } {
  const organization: RoleReason = { kind: 'organization', role: memberRole };
  const found = levels.flatMap((level) => reasonsAt(level, memberRole));
  const [first = organization, ...rest] =
    memberRole === 'admin' ? [organization, ...found] : [...found, organization];
  const limit = minRole(first.role, maxRole);
  return limit === first.role
    ? { role: limit, reason: first, overridden: rest }
    : { role: limit, reason: { kind: 'token', role: maxRole }, overridden: [first, ...rest] };
}

/** Returns the reasons at one level, in the order in which they decide. */
function reasonsAt({ users, teams, defaultLevel }: RoleLevel, memberRole: EffectiveRole): RoleReason[] {
  const highestFirst = (one: { role: EffectiveRole }, other: { role: EffectiveRole }) =>
    rankOf(other.role) - rankOf(one.role);
  const pointer = ({ type, id }: ContentPointer) => ({ type, id });
  return [
    ...users
      .toSorted(highestFirst)
      .map((one): RoleReason => ({ kind: 'user', role: one.role, content: pointer(one) })),
    ...teams
      .toSorted(highestFirst)
      .map((one): RoleReason => ({ kind: 'team', role: one.role, content: pointer(one), team: one.team })),
    ...(defaultLevel === undefined
      ? []
      : [
          {
            kind: 'default',
            role: memberRole === null ? null : defaultLevel.role,
            content: pointer(defaultLevel),
          } as const,
        ]),
  ];
}

/**
 * Returns the role of a person on a space, collection or site, by the rules of `decideRole`. It reads no levels above the one
 * that decides.
 */
export async function contentRole(
  view: ReadTransaction,
  subject: Subject,
  row: ContentRow,
): Promise<EffectiveRole> {
  const { memberRole, maxRole, grants } = subject;
  if (grants.installedOn?.[typeOf(row)]?.has(row.id) === false) return null;
  const isFixed = memberRole === 'admin' || (memberRole === null && grants.byContent.size === 0);
  if (isFixed || maxRole === null) return minRole(memberRole, maxRole);
  const levels: RoleLevel[] = [];
  await eachLevel(view, grants, row, (level) => {
    levels.push(level);
    return isSet(level);
  });
  return decideRole(subject, levels).role;
}

/** Returns the role of a person on a space, collection or site, its reason, and the reasons that it overrides. */
export async function explainRole(
  view: ReadTransaction,
  subject: Subject,
  row: ContentRow,
): Promise<ReturnType<typeof decideRole>> {
  const levels: RoleLevel[] = [];
  await eachLevel(view, subject.grants, row, (level) => {
    levels.push(level);
    return false;
  });
  return decideRole(subject, levels);
}

/** Whether a person can open all spaces, collections and sites of their organization. */
export function seesAll({ memberRole, maxRole, grants }: Subject): boolean {
  if (maxRole === null || grants.installedOn !== undefined) return false;
  return memberRole === 'admin' || (memberRole !== null && !grants.hasDenials);
}

/** Returns a filter for what a person can open; undefined if that is everything. */
export function visibleTo(
  view: ReadTransaction,
  subject: Subject,
): ((row: ContentRow) => Promise<boolean>) | undefined {
  return seesAll(subject) ? undefined : async (row) => (await contentRole(view, subject, row)) !== null;
}

/** Returns the number of live spaces that a person can open. */
export async function countSpaces(
  view: ReadTransaction,
  organization: string,
  subject: Subject,
): Promise<number> {
  if (subject.memberRole === null && subject.grants.byContent.size === 0) return 0;
  const isVisible = visibleTo(view, subject);
  if (isVisible === undefined) return view.count(spaces, 'byOrganization', [organization, 'live']);
  let count = 0;
  for await (const row of eachRow(view, spaces, 'byOrganization', [organization, 'live']))
    if (await isVisible(row)) count++;
  return count;
}

function isSet({ users, teams, defaultLevel }: RoleLevel): boolean {
  return users.length > 0 || teams.length > 0 || defaultLevel !== undefined;
}

/**
 * Reads the levels that a space, collection or site inherits from: itself, the sites that show it, the collections
 * around it. `visit` returns whether to stop.
 */
async function eachLevel(
  view: ReadTransaction,
  grants: Grants,
  row: ContentRow,
  visit: (level: RoleLevel) => boolean,
): Promise<void> {
  const type = typeOf(row);
  if (visit(levelAt(grants, [{ type, id: row.id }], row)) || !('parent' in row)) return;
  if (type === 'space' && grants.hasSites && ownLevel(row) === undefined) {
    const shown = await collectRows(view, siteSpaces, 'bySpace', [row.id]);
    const ids = [...new Set(shown.map(({ site }) => site))];
    if (
      visit(
        levelAt(
          grants,
          ids.map((id) => ({ type: 'site', id })),
        ),
      )
    )
      return;
  }
  let { parent } = row;
  for (let depth = 0; parent !== null && depth < 63; depth++) {
    const collection: CollectionRow | undefined = await view.get(collections, parent);
    if (collection === undefined) return;
    if (visit(levelAt(grants, [{ type: 'collection', id: parent }], collection))) return;
    ({ parent } = collection);
  }
}

/** Returns the kind of a row. */
export function typeOf(row: ContentRow): ContentType {
  return 'siteSpaces' in row ? 'site' : 'state' in row ? 'space' : 'collection';
}

function levelAt(grants: Grants, places: readonly ContentPointer[], row?: ContentRow): RoleLevel {
  const [place] = places;
  const defaultLevel = row === undefined ? undefined : ownLevel(row);
  const found = places.flatMap((at) => {
    const grant = grants.byContent.get(at.id);
    return grant === undefined ? [] : [{ at, grant }];
  });
  return {
    users: found.flatMap(({ at, grant }) => (grant.user === undefined ? [] : [{ ...at, role: grant.user }])),
    teams: found.flatMap(({ at, grant }) => grant.teams.map((one) => ({ ...at, ...one }))),
    ...(defaultLevel === undefined || place === undefined
      ? {}
      : { defaultLevel: { ...place, role: defaultLevel } }),
  };
}

/** The default level of a space or collection; undefined if it inherits. */
export function ownLevel(row: ContentRow): Role | undefined {
  return 'defaultLevel' in row && row.defaultLevel !== null && row.defaultLevel !== 'inherit'
    ? row.defaultLevel
    : undefined;
}
