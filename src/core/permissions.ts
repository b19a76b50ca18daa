import type { Level } from '../contract/operation.ts';
import { roles, type Role } from '../contract/shapes.ts';
import { collections, type CollectionRow } from './rows/content.ts';
import type { Reading } from './store.ts';

/** A caller's power at a place: a role, or null for a guest, who may do nothing that asks for one. */
export type Power = Role | null;

const rank: Record<string, number> = Object.fromEntries(
  roles.map((role, index) => [role, roles.length - index]),
);

function rankOf(power: Power): number {
  return power === null ? 0 : rank[power]!;
}

/** Whether a power reaches a level. */
export function can(power: Power, level: Level): boolean {
  if (level === 'any' || level === 'caller' || level === 'member') return true;
  return rankOf(power) >= rank[level]!;
}

export function lesser(one: Power, other: Power): Power {
  return rankOf(one) <= rankOf(other) ? one : other;
}

/**
 * The power of a member over content: the nearest default level up the chain of collections, else the role in the
 * organization. Administrators stay so, guests stay guests; a token never does more than its own role.
 */
export async function contentPower(
  view: Reading,
  member: Power,
  cap: Power,
  content: { readonly parent: string | null; readonly defaultLevel: Role | 'inherit' | null },
): Promise<Power> {
  if (member === null || cap === null || member === 'admin') return lesser(member, cap);
  let at: typeof content | CollectionRow | undefined = content;
  for (let depth = 0; at !== undefined && depth < 64; depth++) {
    if (at.defaultLevel !== null && at.defaultLevel !== 'inherit') return lesser(at.defaultLevel, cap);
    at = at.parent === null ? undefined : await view.get(collections, at.parent);
  }
  return lesser(member, cap);
}
