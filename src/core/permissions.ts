import type { Level } from '../contract/operation.ts';
import type { Role } from '../contract/shapes.ts';
import { collections, type CollectionRow } from './rows/spaces.ts';
import type { ReadTransaction } from './store.ts';

/** The role that a caller acts with; null for guests, who may do nothing that requires a role. */
export type EffectiveRole = Role | null;

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

/**
 * Returns the role of a member for a space or collection: its default level, else the default level of the nearest
 * collection around it, else the role in the organization. Administrators and guests keep their role. `maxRole` is the
 * limit of the token.
 */
export async function contentRole(
  view: ReadTransaction,
  member: EffectiveRole,
  maxRole: EffectiveRole,
  content: { readonly parent: string | null; readonly defaultLevel: Role | 'inherit' | null },
): Promise<EffectiveRole> {
  if (member === null || maxRole === null || member === 'admin') return minRole(member, maxRole);
  let current: typeof content | CollectionRow | undefined = content;
  for (let depth = 0; current !== undefined && depth < 64; depth++) {
    const { defaultLevel, parent }: typeof content = current;
    if (defaultLevel !== null && defaultLevel !== 'inherit') return minRole(defaultLevel, maxRole);
    current = parent === null ? undefined : await view.get(collections, parent);
  }
  return minRole(member, maxRole);
}
