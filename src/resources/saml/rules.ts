import { createHash } from 'node:crypto';
import { tokens } from '../../core/rows/organizations.ts';
import { samlProviders, type SamlProviderRow } from './rows.ts';
import { collectRows, getOwned, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { defined } from '../../contract/values.ts';
import { invalid, Problem } from '../../errors/problem.ts';
import { findMissingSettings, readCertificates, type Certificate } from '../../saml/certificates.ts';
import type { IdentityProvider, ServiceUrls } from '../../saml/service-provider.ts';
import { teams } from '../../core/rows/teams.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** The value of a missing address in responses, because the API requires a URL. */
export const noAddress = 'about:blank';

interface ProviderBody {
  readonly label?: string;
  readonly entityID?: string;
  readonly certificate?: string;
  readonly ssoURL?: string;
  readonly defaultTeam?: string | null;
  readonly defaultRole?: SamlProviderRow['defaultRole'];
}

/** Checks the settings in a request and converts them to fields of a row. Empty texts become null. */
export async function readSettings(
  view: ReadTransaction,
  organization: string,
  { ssoURL, entityID, certificate, defaultTeam, ...more }: ProviderBody,
): Promise<Partial<Omit<SamlProviderRow, 'id' | 'organization' | 'createdAt'>>> {
  if (certificate !== undefined && certificate.trim() !== '') readCertificates(certificate);
  if (typeof defaultTeam === 'string') await getOwned(view, teams, defaultTeam, { organization }, 'team');
  return defined({
    ...more,
    ssoURL: ssoURL === undefined ? undefined : readAddress(ssoURL),
    entityID: entityID?.trim() === '' ? null : entityID?.trim(),
    certificate: certificate?.trim() === '' ? null : certificate,
    defaultTeam,
  });
}

function readAddress(text: string): string | null {
  if (text === noAddress) return null;
  const wrong = (message: string): Problem =>
    invalid(
      '/body/ssoURL',
      message,
      'Use the sign-in address of the identity provider, such as https://idp.example.com/sso.',
    );
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) throw wrong('The sign-in address is not an http or https URL.');
  const { username, password, hash } = url;
  if (username !== '' || password !== '')
    throw wrong('The sign-in address must not contain a user name or password.');
  if (hash !== '') throw wrong('The sign-in address must not contain a fragment ("#").');
  return text;
}

/** Reads a provider of an organization. @throws Problem(not-found) */
export function providerOf(
  view: ReadTransaction,
  organization: string,
  id: string,
): Promise<SamlProviderRow> {
  return getOwned(view, samlProviders, id, { organization }, 'SAML provider');
}

/** Returns the identity provider of a row; undefined if a setting is missing or no certificate is valid. */
export function identityProviderOf(row: SamlProviderRow, now: string): IdentityProvider | undefined {
  const { entityID, ssoURL, certificate } = row;
  if (entityID === null || ssoURL === null || certificate === null) return undefined;
  return findMissingSettings(row, Date.parse(now)).length === 0
    ? { entityID, ssoURL, certificate }
    : undefined;
}

/**
 * Checks that no other provider of the organization has an entity id. Otherwise, it would be random which of the two signs people
 * in.
 *
 * @throws Problem(conflict)
 */
export async function checkEntityId(
  view: ReadTransaction,
  organization: string,
  entityID: string | null | undefined,
  own?: string,
): Promise<void> {
  if (entityID === null || entityID === undefined) return;
  const [other] = (
    await view.find(samlProviders, { index: 'byEntityId', equals: [organization, entityID], limit: 2 })
  ).filter(({ id }) => id !== own);
  if (other === undefined) return;
  const message = `The provider "${other.label}" (${other.id}) of this organization already has this entity ID.`;
  throw new Problem('conflict', message, {
    violations: [{ path: '/body/entityID', message }],
    hint: `Change that provider, for example with \`docsctl saml update ${other.id} --metadata FILE\`, or delete it with \`docsctl saml delete ${other.id}\`.`,
  });
}

/**
 * Returns the signer that sessions store: a digest of an identity provider and the certificate that signed a sign-in. It has the
 * same length for every entity ID and address.
 */
export function signerOf(
  { entityID, ssoURL }: Pick<IdentityProvider, 'entityID' | 'ssoURL'>,
  { fingerprint }: Certificate,
): string {
  return createHash('sha256').update(`${entityID}\n${ssoURL}\n${fingerprint}`).digest('hex');
}

/** Returns the signers that a provider trusts, with their certificates; none if it has no entity ID, address or certificate. */
export function signersOf({ entityID, ssoURL, certificate }: SamlProviderRow): Map<string, Certificate> {
  if (entityID === null || ssoURL === null || certificate === null) return new Map();
  return new Map(readCertificates(certificate).map((one) => [signerOf({ entityID, ssoURL }, one), one]));
}

/**
 * Ends the sessions that a provider started and no longer trusts, with the tokens that were created in them: all sessions if the
 * provider is deleted, otherwise those with a removed signer. Sessions without a signer all end if any signer was removed.
 */
export async function endSessions(
  tx: WriteTransaction,
  before: SamlProviderRow,
  after: SamlProviderRow | undefined,
): Promise<void> {
  const trusted = after === undefined ? new Map<string, Certificate>() : signersOf(after);
  const old = [...signersOf(before).keys()];
  if (after !== undefined && old.every((signer) => trusted.has(signer))) return;
  for (const { id, signer } of await collectRows(tx, tokens, 'byProvider', [before.id]))
    if (signer === undefined || !trusted.has(signer)) await tx.remove(tokens, id);
}

/** Returns the URLs of the service for a provider. */
export function serviceUrls(url: (path: string) => string, id: string): ServiceUrls {
  return {
    acsURL: url(`/saml/${id}/acs`),
    startURL: url(`/saml/${id}/start`),
    entityID: url(`/saml/${id}/metadata`),
  };
}
