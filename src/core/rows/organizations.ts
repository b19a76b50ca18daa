import type {
  MergeRulesValue,
  RichDocumentValue,
  Role,
  organizationTypes,
  plans,
  trialStatuses,
} from '../../contract/shapes.ts';
import { audited } from '../audit/audited.ts';
import { table } from '../store.ts';

/** A trial of a plan. `count` is the number of trials that the organization has had. */
interface Trial {
  readonly status: (typeof trialStatuses)[number];
  readonly count: number;
  readonly endDate?: string;
  readonly decision?: 'downgrade';
}

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
  /** The type of organization that the operator of the server has set. */
  readonly type?: (typeof organizationTypes)[number];
  readonly plan?: (typeof plans)[number];
  readonly trial?: Trial;
  /** Set with the first permission on a space, collection or site. If absent, permissions are not read. */
  readonly hasPermissions?: true;
  readonly instructions?: {
    readonly document: RichDocumentValue;
    readonly updatedAt: string;
    readonly updatedBy: string;
  };
  /** Days that audit events are kept; absent for the default. */
  readonly auditDays?: number;
}
export const organizations = audited(
  table<OrganizationRow>()('organizations', {
    all: { on: [] },
    byHostname: { on: ['hostname'], unique: true },
  }),
  {
    type: 'organization',
    label: 'title',
    fields: [
      'title',
      'hostname',
      'emailDomains',
      'defaultRole',
      'defaultContent',
      'logo',
      'sso',
      'ai',
      'inviteLinks',
      'mergeRules',
      'auditDays',
    ],
    sizes: ['instructions'],
  },
);

/** A person, who may be a member of several organizations. */
export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  readonly photoURL?: string;
  readonly createdAt: string;
}
export const users = audited(table<UserRow>()('users', { byEmail: { on: ['email'], unique: true } }), {
  type: 'user',
  label: 'email',
  fields: ['email', 'displayName', 'photoURL'],
  secondary: true,
});

export interface MemberRow {
  /** See `memberId`. */
  readonly id: string;
  readonly organization: string;
  readonly user: string;
  readonly role: Role | null;
  readonly disabled: boolean;
  readonly joinedAt: string;
  readonly lastSeenAt: string | null;
  /** 1 if `lastSeenAt` is set. Used by the index `bySeen`, which must not contain the others. */
  readonly seen?: 1;
  readonly sso: boolean;
  /** The name of the user, copied to sort and search members. */
  readonly displayName: string;
  readonly email: string;
  readonly teams: number;
}
export const members = audited(
  table<MemberRow>()('members', {
    byJoined: { on: ['organization'], by: ['joinedAt'] },
    bySeen: { on: ['organization', 'seen'], by: ['lastSeenAt'] },
    byName: { on: ['organization'], by: ['displayName'] },
    byRole: { on: ['organization', 'role'], by: ['joinedAt'] },
    byUser: { on: ['user'] },
  }),
  { type: 'member', id: 'user', label: 'email', fields: ['email', 'displayName', 'role', 'disabled', 'sso'] },
);
/** Returns the ID of the membership of a user in an organization. */
export function memberId(organization: string, user: string): string {
  return `${organization}.${user}`;
}

export interface TokenRow {
  readonly id: string;
  readonly hash: string;
  readonly user: string;
  /** The only organization that the token is valid in; null for all organizations of its user. */
  readonly organization: string | null;
  /** The highest role that the token may use; "guest" for none. */
  readonly role: Role | 'guest';
  readonly name: string | null;
  /** Whether the token may create organizations for other users. */
  readonly operator: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** The SAML provider that started the session of the token, or of the token that created it. Absent for other tokens. */
  readonly provider?: string;
  /** A digest of the identity provider and of the certificate that signed the sign-in. Absent in older sessions. */
  readonly signer?: string;
  /** Whether a token of a session created it. It ends with the provider like the session, but does not count as a sign-in. */
  readonly isDerived?: true;
}
export const tokens = audited(
  table<TokenRow>()('tokens', {
    byHash: { on: ['hash'], unique: true },
    byOrganization: { on: ['organization'], by: ['createdAt'] },
    byUser: { on: ['user'] },
    byProvider: { on: ['provider'] },
  }),
  {
    type: 'token',
    label: 'name',
    describe: ({ user }) => ['token of ', { table: users, id: user }],
    fields: ['name', 'user', 'organization', 'role', 'operator', 'provider', 'expiresAt'],
  },
);

/** The answer to a write with an idempotency key, kept for 24 hours. `request` is the hash of the request. */
interface AnswerRow {
  readonly id: string;
  readonly request: string;
  readonly body: unknown;
  readonly expiresAt: string;
}
export const answers = table<AnswerRow>()('answers', { byExpiry: { on: [], by: ['expiresAt'] } });

/**
 * A table with one row, "store". `administrator` is the user that the owner of an embedded store acts as. `publicUrl` and
 * `sitesUrl` are where the latest server of the store showed the API and its sites. `blobs` is the blob storage with the bytes of
 * large files, once there is one.
 */
export interface SettingRow {
  readonly id: string;
  readonly administrator: string;
  readonly publicUrl?: string;
  readonly sitesUrl?: string;
  readonly blobs?: string;
}
export const settings = table<SettingRow>()('settings', {});
