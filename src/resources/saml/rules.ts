import { isoTime } from '../../core/clock.ts';
import { samlProviders, type SamlProviderRow } from './rows.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { findMissingSettings, readCertificates } from '../../saml/certificates.ts';
import type { IdentityProvider, ServiceUrls } from '../../saml/service-provider.ts';
import { teams } from '../teams/rows.ts';

/** What stands in answers where an address is not set: the API needs a URL there. */
export const noAddress = 'about:blank';

/** The settings of a provider as they are sent. */
export interface ProviderBody {
  readonly label?: string;
  readonly entityID?: string;
  readonly certificate?: string;
  readonly ssoURL?: string;
  readonly defaultTeam?: string | null;
  readonly defaultRole?: SamlProviderRow['defaultRole'];
}

type Settings = Pick<
  SamlProviderRow,
  'label' | 'entityID' | 'certificate' | 'ssoURL' | 'defaultTeam' | 'defaultRole'
>;

/** What of a body is stored, checked: empty texts are taken for "none". */
export async function readSettings(
  view: ReadTransaction,
  organization: string,
  { ssoURL, entityID, certificate, defaultTeam, ...more }: ProviderBody,
): Promise<Partial<Settings>> {
  if (certificate !== undefined && certificate.trim() !== '') readCertificates(certificate);
  if (typeof defaultTeam === 'string' && (await view.get(teams, defaultTeam))?.organization !== organization)
    throw notFound('team', defaultTeam);
  return {
    ...more,
    ...(ssoURL === undefined ? {} : { ssoURL: readAddress(ssoURL) }),
    ...(entityID === undefined ? {} : { entityID: entityID.trim() === '' ? null : entityID.trim() }),
    ...(certificate === undefined ? {} : { certificate: certificate.trim() === '' ? null : certificate }),
    ...(defaultTeam === undefined ? {} : { defaultTeam }),
  };
}

function readAddress(text: string): string | null {
  if (text === noAddress) return null;
  const wrong = (message: string): Problem =>
    invalid(
      '/body/ssoURL',
      message,
      'Give the sign-in address of the identity provider, such as https://idp.example.com/sso.',
    );
  if (!/^https?:/i.test(text) || !URL.canParse(text))
    throw wrong('The address for signing in is no http or https URL.');
  const { username, password, hash } = new URL(text);
  if (username !== '' || password !== '') throw wrong('The address for signing in holds a name or password.');
  if (hash !== '') throw wrong('The address for signing in has a part behind "#".');
  return text;
}

/** The provider of an organization with an id. */
export async function providerOf(
  view: ReadTransaction,
  organization: string,
  id: string,
): Promise<SamlProviderRow> {
  const row = await view.get(samlProviders, id);
  if (row === undefined || row.organization !== organization) throw notFound('SAML provider', id);
  return row;
}

/** The identity provider behind a row; undefined where something is missing or no certificate is in force. */
export function identityProviderOf(row: SamlProviderRow, now: string): IdentityProvider | undefined {
  const { entityID, ssoURL, certificate } = row;
  return findMissingSettings(row, Date.parse(now)).length === 0
    ? { entityID: entityID!, ssoURL: ssoURL!, certificate: certificate! }
    : undefined;
}

/** Refuses the entity id of another provider of the organization: of two that stand for one directory, which one lets people in with what would be chance. */
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
  const message = `The provider "${other.label}" (${other.id}) of this organization has this entity id.`;
  throw new Problem('conflict', message, {
    violations: [{ path: '/body/entityID', message }],
    hint: `Change that one, \`docsctl saml update ${other.id}\`, or delete it first.`,
  });
}

/** The addresses of a provider here. */
export function serviceOf(url: (path: string) => string, id: string): ServiceUrls {
  return {
    acsURL: url(`/saml/${id}/acs`),
    startURL: url(`/saml/${id}/start`),
    entityID: url(`/saml/${id}/metadata`),
  };
}

/** So much later than a time, both as ISO. */
export function later(now: string, milliseconds: number): string {
  return isoTime(Date.parse(now) + milliseconds);
}
