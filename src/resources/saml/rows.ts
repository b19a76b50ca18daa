import type { Role } from '../../contract/shapes.ts';
import { table } from '../../core/store.ts';

export interface SamlProviderRow {
  readonly id: string;
  readonly organization: string;
  readonly label: string;
  readonly ssoURL: string | null;
  readonly entityID: string | null;
  /** One certificate or several, as they were given. */
  readonly certificate: string | null;
  readonly defaultTeam: string | null;
  /** Of members that it makes; null for guests. */
  readonly defaultRole: Role | null;
  readonly createdAt: string;
}
export const samlProviders = table<SamlProviderRow>()('saml_providers', {
  byOrganization: { on: ['organization'], by: ['createdAt'] },
  byEntityId: { on: ['organization', 'entityID'] },
});

/** Where a program on the same machine waits for a sign-in, and what only it can prove to have made. */
export interface SamlReturn {
  readonly redirect: string;
  readonly state: string;
  /** SHA-256 of the verifier, as base64url. */
  readonly challenge: string;
}

/** An assertion that let somebody in, or the request that it answered: neither is taken again while it would be valid. */
export interface SamlUsedRow {
  /** Digest of the provider, and of the id of either. */
  readonly id: string;
  readonly expiresAt: string;
}
export const samlUsed = table<SamlUsedRow>()('saml_assertions', { byExpiry: { on: [], by: ['expiresAt'] } });

/** What a program on the same machine changes into a token, once. */
export interface SamlCodeRow {
  /** Digest of the code. */
  readonly id: string;
  readonly provider: string;
  readonly user: string;
  readonly challenge: string;
  /** When the token that it gives ends. */
  readonly sessionEndsAt: string;
  readonly expiresAt: string;
}
export const samlCodes = table<SamlCodeRow>()('saml_codes', { byExpiry: { on: [], by: ['expiresAt'] } });
