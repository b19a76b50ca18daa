import type { MergeRulesValue, Role } from '../../contract/shapes.ts';
import { table } from '../store.ts';

export interface CollectionRow {
  readonly id: string;
  readonly organization: string;
  readonly title: string;
  readonly description?: string;
  readonly parent: string | null;
  readonly defaultLevel: Role | 'inherit' | null;
  /** Fractional place among the collections and spaces of its parent. */
  readonly position: string;
  readonly createdAt: string;
}
export const collections = table<CollectionRow>()('collections', {
  byOrganization: { on: ['organization'] },
  byParent: { on: ['organization', 'parent'], by: ['position'] },
});

export interface SpaceRow {
  readonly id: string;
  readonly organization: string;
  readonly title: string;
  readonly emoji: string;
  readonly icon?: string;
  readonly visibility: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt: string | null;
  /** "live" or "deleted"; lists show the live ones. */
  readonly state: 'live' | 'deleted';
  readonly editMode: 'live' | 'locked';
  readonly mergeRules: MergeRulesValue;
  readonly parent: string | null;
  readonly position: string;
  readonly language?: string;
  readonly revision: string;
  /**
   * Where the words of its content lag behind: they are those of the revision `at`, null for none, and on the way to
   * those of `to` they have come as far as the entry `after`. Absent: they are those of `revision`.
   */
  readonly words?: { readonly at: string | null; readonly to?: string; readonly after?: string };
  readonly defaultLevel: Role | 'inherit' | null;
  readonly comments: number;
  readonly changeRequests: number;
  readonly changeRequestsOpen: number;
  readonly changeRequestsDraft: number;
}
export const spaces = table<SpaceRow>()('spaces', {
  byOrganization: { on: ['organization', 'state'] },
  byParent: { on: ['organization', 'parent', 'state'], by: ['position'] },
  byDeletion: { on: ['state'], by: ['deletedAt'] },
});
