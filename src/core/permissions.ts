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
export function minRole(one: EffectiveRole, other: EffectiveRole): EffectiveRole {
  return rankOf(one) <= rankOf(other) ? one : other;
}

/**
 * Returns the role of a member over a space or collection: the nearest default level up the chain of collections, else the role in
 * the organization. Administrators remain administrators, guests remain guests, and the role of the token is a maximum.
 */
export async function contentRole(
  view: ReadTransaction,
  member: EffectiveRole,
  cap: EffectiveRole,
  content: { readonly parent: string | null; readonly defaultLevel: Role | 'inherit' | null },
): Promise<EffectiveRole> {
  if (member === null || cap === null || member === 'admin') return minRole(member, cap);
  let at: typeof content | CollectionRow | undefined = content;
  for (let depth = 0; at !== undefined && depth < 64; depth++) {
    if (at.defaultLevel !== null && at.defaultLevel !== 'inherit') return minRole(at.defaultLevel, cap);
    at = at.parent === null ? undefined : await view.get(collections, at.parent);
  }
  return minRole(member, cap);
}
