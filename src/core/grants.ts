import type { Role } from '../contract/shapes.ts';
import { permissions, type ContentType, type PermissionRow } from './rows/permissions.ts';
import { teamMembers } from './rows/teams.ts';
import { collectRows, type ReadTransaction } from './store.ts';

/** The permissions of a person on one space, collection or site. A null role takes inherited access away. */
export interface Grant {
  /** The permission of the person; undefined if there is none. */
  readonly user?: Role | null;
  readonly teams: readonly { readonly team: string; readonly role: Role | null }[];
}

/** The permissions of a person and of their teams in one organization. */
export interface Grants {
  /** By the ID of the space, collection or site. */
  readonly byContent: ReadonlyMap<string, Grant>;
  /** Whether there is a permission on a site. The spaces of the site inherit it. */
  readonly hasSites: boolean;
  /** Whether a permission takes access away. */
  readonly hasDenials: boolean;
  /** The IDs of the content of each kind that the caller can open at most, see `listInstalledOn` (default: all). */
  readonly installedOn?: Partial<Record<ContentType, ReadonlySet<string>>> | undefined;
}

/** The grants of a person without any permission. */
export const noGrants: Grants = { byContent: new Map(), hasSites: false, hasDenials: false };

/** Reads the permissions of a person and of their teams, with one indexed read for each. */
export async function loadGrants(
  view: ReadTransaction,
  organization: string,
  user: string,
  isInTeams: boolean,
): Promise<Grants> {
  const rows = await collectRows(view, permissions, 'bySubject', [organization, user]);
  if (isInTeams)
    for (const { team } of await collectRows(view, teamMembers, 'byUser', [organization, user]))
      rows.push(...(await collectRows(view, permissions, 'bySubject', [organization, team])));
  return grantsOf(rows);
}

/** Reads the permissions of one team. */
export async function loadTeamGrants(
  view: ReadTransaction,
  organization: string,
  team: string,
): Promise<Grants> {
  return grantsOf(await collectRows(view, permissions, 'bySubject', [organization, team]));
}

function grantsOf(rows: readonly PermissionRow[]): Grants {
  if (rows.length === 0) return noGrants;
  const byContent = new Map<string, Grant>();
  for (const { content, kind, subject, role } of rows) {
    const grant = byContent.get(content) ?? { teams: [] };
    byContent.set(
      content,
      kind === 'user'
        ? { ...grant, user: role }
        : { ...grant, teams: [...grant.teams, { team: subject, role }] },
    );
  }
  return {
    byContent,
    hasSites: rows.some(({ type }) => type === 'site'),
    hasDenials: rows.some(({ role }) => role === null),
  };
}
