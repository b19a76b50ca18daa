import type { MergeRulesValue, RichDocumentValue, Role } from '../../contract/shapes.ts';
import { table } from '../store.ts';

export interface OrganizationRow {
  readonly id: string;
  readonly title: string;
  readonly createdAt: string;
  readonly emailDomains: readonly string[];
  readonly hostname: string;
  readonly defaultRole: Role | null;
  readonly defaultContent: { readonly type: 'site'; readonly site: string } | null;
  readonly logo: string | null;
  readonly sso: boolean;
  readonly ai: boolean;
  readonly inviteLinks: boolean;
  readonly mergeRules: MergeRulesValue;
  readonly instructions?: {
    readonly document: RichDocumentValue;
    readonly updatedAt: string;
    readonly updatedBy: string;
  };
}
export const organizations = table<OrganizationRow>()('organizations', {
  all: { on: [] },
  byHostname: { on: ['hostname'], unique: true },
});

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly photoURL?: string;
  readonly createdAt: string;
}
export const users = table<UserRow>()('users', { byEmail: { on: ['email'], unique: true } });

export interface MemberRow {
  /** `<organization>.<user>`: see memberId. */
  readonly id: string;
  readonly organization: string;
  readonly user: string;
  readonly role: Role | null;
  readonly disabled: boolean;
  readonly joinedAt: string;
  readonly lastSeenAt: string | null;
  /** Set with lastSeenAt, so that an index can hold only those who were seen. */
  readonly seen?: 1;
  readonly sso: boolean;
  /** Kept from the user for search and order. */
  readonly displayName: string;
  readonly email: string;
  readonly teams: number;
}
export const members = table<MemberRow>()('members', {
  byJoined: { on: ['organization'], by: ['joinedAt'] },
  bySeen: { on: ['organization', 'seen'], by: ['lastSeenAt'] },
  byName: { on: ['organization'], by: ['displayName'] },
  byRole: { on: ['organization', 'role'], by: ['joinedAt'] },
  byUser: { on: ['user'] },
});
export function memberId(organization: string, user: string): string {
  return `${organization}.${user}`;
}

export interface TokenRow {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  /** Null: good in every organization of its user. */
  readonly organization: string | null;
  /** The most it may do; "guest" for none at all. */
  readonly role: Role | 'guest';
  readonly name: string | null;
  /** May make organizations for others. */
  readonly operator: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}
export const tokens = table<TokenRow>()('tokens', {
  byHash: { on: ['hash'], unique: true },
  byOrganization: { on: ['organization'], by: ['createdAt'] },
  byUser: { on: ['user'] },
});

/** The answer to a write that carried an Idempotency-Key, kept 24 hours. */
export interface AnswerRow {
  readonly id: string;
  readonly request: string;
  readonly body: unknown;
  readonly expiresAt: string;
}
export const answers = table<AnswerRow>()('answers', { byExpiry: { on: [], by: ['expiresAt'] } });

/** One row, "store": who owns an embedded store. */
export interface SettingRow {
  readonly id: string;
  readonly administrator: string;
}
export const settings = table<SettingRow>()('settings', {});
