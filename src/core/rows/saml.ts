import type { Role } from '../../contract/shapes.ts';
import { table } from '../store.ts';

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
export const samlProviders = table<SamlProviderRow>()('saml_providers', { byOrganization: { on: ['organization'], by: ['createdAt'] } });

/** Where a program on the same machine waits for a sign-in, and what only it can prove to have made. */
export interface SamlReturn {
  readonly redirect: string;
  readonly state: string;
  /** SHA-256 of the verifier, as base64url. */
  readonly challenge: string;
}

/** A sign-in that somebody began: its id is the one of the request, and answers to it are taken once. */
export interface SamlRequestRow {
  readonly id: string;
  readonly provider: string;
  readonly relayState: string;
  /** Null: the token is shown in the browser. */
  readonly return: SamlReturn | null;
  readonly expiresAt: string;
}
export const samlRequests = table<SamlRequestRow>()('saml_requests', { byProvider: { on: ['provider'], by: ['expiresAt'] }, byExpiry: { on: [], by: ['expiresAt'] } });

/** An assertion that let somebody in: never taken again while it would be valid. */
export interface SamlAssertionRow {
  /** Digest of the provider and the assertion's id. */
  readonly id: string;
  readonly expiresAt: string;
}
export const samlAssertions = table<SamlAssertionRow>()('saml_assertions', { byExpiry: { on: [], by: ['expiresAt'] } });

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
