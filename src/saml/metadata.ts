import { Problem } from '../errors/problem.ts';
import { isInForce, readCertificates, type Certificate } from './certificates.ts';
import { attributeOf, childrenOf, readXml, textOf, type XmlElement } from './xml.ts';

/** What a provider needs to know of an identity provider. */
export interface IdpMetadata {
  readonly entityID: string;
  readonly ssoURL: string;
  /** One certificate or several, as PEM; those that are in force first. */
  readonly certificate: string;
  /** What somebody should know, in sentences. */
  readonly notes: readonly string[];
}

export interface MetadataChoice {
  /** Which one, where the metadata is of several. */
  readonly entityID?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const longestCertificate = 10_000;

/** Reads SAML metadata of an identity provider, or of a federation of them. */
export function readIdpMetadata(text: string, { entityID, now }: MetadataChoice): IdpMetadata {
  const root = readXml(text.replace(/^\ufeff/, ''), {
    bytes: 4 * 2 ** 20,
    elements: 100_000,
    attributes: 300_000,
    plain: false,
  });
  const all = entitiesIn(root).filter((entity) => childrenOf(entity, 'IDPSSODescriptor').length > 0);
  const ids = all.map((entity) => attributeOf(entity, 'entityID') ?? '');
  if (all.length === 0)
    throw wrong(
      'The metadata is of no identity provider: it has no IDPSSODescriptor.',
      'Ask for the metadata of the identity provider (IdP), not of a service (SP).',
    );
  const at = entityID === undefined ? 0 : ids.indexOf(entityID);
  if (at === -1)
    throw wrong(
      `The metadata has no identity provider "${entityID!.slice(0, 200)}".`,
      `It has ${shown(ids)}.`,
    );
  if (entityID === undefined && all.length > 1)
    throw wrong(
      `The metadata has ${all.length} identity providers.`,
      `Say which one with --entity-id: ${shown(ids)}.`,
    );
  const entity = all[at]!;
  const [descriptor] = childrenOf(entity, 'IDPSSODescriptor');
  const id = ids[at]!;
  if (id === '' || id.length > 1024)
    throw wrong('The metadata has no entityID, or one of more than 1024 characters.');
  const notes: string[] = [];
  if (/^\s*(?:true|1)\s*$/.test(attributeOf(descriptor!, 'WantAuthnRequestsSigned') ?? ''))
    notes.push(
      'warning: the identity provider asks for signed requests, and docsctl sends unsigned ones. Nobody can sign in until WantAuthnRequestsSigned is switched off there.',
    );
  return {
    entityID: id,
    ssoURL: ssoUrlOf(descriptor!),
    certificate: certificateOf(descriptor!, now, notes),
    notes,
  };
}

/** Every EntityDescriptor, in groups within groups as well. */
function entitiesIn(root: XmlElement): XmlElement[] {
  const found = childrenOf(root, 'EntityDescriptor');
  const groups = childrenOf(root, 'EntitiesDescriptor');
  while (groups.length > 0) {
    const group = groups.shift()!;
    for (const entity of childrenOf(group, 'EntityDescriptor')) found.push(entity);
    for (const inner of childrenOf(group, 'EntitiesDescriptor')) groups.push(inner);
  }
  return found;
}

function ssoUrlOf(descriptor: XmlElement): string {
  const services = childrenOf(descriptor, 'SingleSignOnService');
  const location = services
    .filter((service) => attributeOf(service, 'Binding') === redirect)
    .map((service) => attributeOf(service, 'Location') ?? '')[0];
  if (location === undefined)
    throw wrong(
      'The identity provider has no sign-in address for the HTTP-Redirect binding.',
      'docsctl sends people there by a redirect; switch that binding on.',
    );
  return location;
}

function certificateOf(descriptor: XmlElement, now: number, notes: string[]): string {
  const texts = childrenOf(descriptor, 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) =>
      childrenOf(key, 'KeyInfo').flatMap((info) =>
        childrenOf(info, 'X509Data').flatMap((data) => childrenOf(data, 'X509Certificate')),
      ),
    )
    .map((element) => textOf(element));
  if (texts.length === 0) throw wrong('The metadata has no certificate for signatures.');
  const certificates = [...new Set(texts)]
    .flatMap((text) => readCertificates(text))
    .toSorted((a, b) => Number(isInForce(b, now)) - Number(isInForce(a, now)) || b.validTo - a.validTo);
  notes.push(...notesOn(certificates, now));
  let kept = '';
  for (const { pem } of certificates.slice(0, 10))
    if (kept.length + pem.length <= longestCertificate) kept += pem;
  return kept;
}

/** What to say of certificates that are not in force, or not for long. */
export function notesOn(certificates: readonly Certificate[], now: number): string[] {
  const month = 30 * 24 * 60 * 60 * 1000;
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return certificates.flatMap(({ subject, validFrom, validTo }) => {
    if (validTo < now)
      return [`The certificate of ${subject} expired on ${day(validTo)}; it lets nobody sign in.`];
    if (validFrom > now) return [`The certificate of ${subject} is valid from ${day(validFrom)} on.`];
    return validTo < now + month ? [`The certificate of ${subject} expires on ${day(validTo)}.`] : [];
  });
}

function shown(ids: readonly string[]): string {
  const first = ids.slice(0, 5).map((id) => id.slice(0, 200));
  return first.join(', ') + (ids.length > 5 ? ` and ${ids.length - 5} more` : '');
}

function wrong(message: string, hint?: string): Problem {
  return new Problem('invalid-input', message, { hint });
}
