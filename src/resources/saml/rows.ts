import type { Role } from '../../contract/shapes.ts';
import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

export interface SamlProviderRow {
  readonly id: string;
  readonly organization: string;
  readonly label: string;
  readonly ssoURL: string | null;
  readonly entityID: string | null;
  /** One or more certificates, as in the request. */
  readonly certificate: string | null;
  readonly defaultTeam: string | null;
  /** The role of new members; null for guests. */
  readonly defaultRole: Role | null;
  readonly createdAt: string;
}
export const samlProviders = audited(
  table<SamlProviderRow>()('saml_providers', {
    byOrganization: { on: ['organization'], by: ['createdAt'] },
    byEntityId: { on: ['organization', 'entityID'] },
  }),
  {
    type: 'saml-provider',
    label: 'label',
    fields: ['label', 'ssoURL', 'entityID', 'defaultTeam', 'defaultRole'],
    secrets: ['certificate'],
  },
);

/** A program on the same machine, or a browser, that waits for a sign-in, with a challenge that only it can answer. */
export interface SamlReturn {
  readonly redirect: string;
  readonly state: string;
  /** SHA-256 of the verifier in base64url (RFC 7636). */
  readonly challenge: string;
}

/** A used assertion, or the request that it answered. Neither is accepted again while it would be valid. */
interface SamlUsedRow {
  /** A digest of the provider and the id of the assertion, or of the id of the request. */
  readonly id: string;
  readonly expiresAt: string;
}
export const samlUsed = table<SamlUsedRow>()('saml_assertions', { byExpiry: { on: [], by: ['expiresAt'] } });

/** A code that a program on the same machine exchanges for a token, once. */
interface SamlCodeRow {
  /** A digest of the code. */
  readonly id: string;
  readonly provider: string;
  readonly user: string;
  readonly challenge: string;
  /** The signer of the sign-in; see `signerOf`. */
  readonly signer?: string;
  readonly sessionEndsAt: string;
  readonly expiresAt: string;
}
export const samlCodes = table<SamlCodeRow>()('saml_codes', { byExpiry: { on: [], by: ['expiresAt'] } });
