import { listSome } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { isValidAt, readCertificates, warnOfCertificates, type Certificate } from './certificates.ts';
import { attributesOf, childrenOf, readXml, textOf, type XmlElement } from './xml.ts';

/** The settings of a provider that the metadata of its identity provider determines. */
interface IdpMetadata {
  readonly entityID: string;
  readonly ssoURL: string;
  /** Up to 10 certificates as PEM; those that are valid now come first. */
  readonly certificate: string;
  /** Warnings, as sentences. */
  readonly notes: readonly string[];
}

const maxCertificateLength = 10_000;
const maxSize = { maxBytes: 4 * 2 ** 20, maxElements: 100_000, maxAttributes: 300_000 };

/**
 * Reads SAML metadata of an identity provider, or of a federation of several, of which `entityID` chooses one. `now` is
 * in milliseconds since 1970.
 *
 * @throws Problem(invalid-input) if docsctl cannot use it
 */
export function readIdpMetadata(
  text: string,
  { entityID, now }: { entityID?: string | undefined; now: number },
): IdpMetadata {
  const root = readXml(text.replace(/^\ufeff/, ''), { ...maxSize, strict: false });
  const providers = findEntities(root).flatMap((entity) => {
    const [descriptor] = childrenOf(entity, 'IDPSSODescriptor');
    return descriptor === undefined ? [] : [{ id: attributesOf(entity)['entityID'] ?? '', descriptor }];
  });
  if (providers.length === 0)
    throw wrong(
      'The metadata does not describe an identity provider: it has no IDPSSODescriptor.',
      'Use the metadata of the identity provider (IdP), not of a service provider (SP).',
    );
  const ids = listSome(providers.map(({ id }) => id.slice(0, 200)));
  if (entityID === undefined && providers.length > 1)
    throw wrong(
      `The metadata describes ${providers.length} identity providers.`,
      `Choose one with --entity-id: ${ids}.`,
    );
  const provider = entityID === undefined ? providers[0] : providers.find(({ id }) => id === entityID);
  if (provider === undefined)
    throw wrong(
      `The metadata has no identity provider "${entityID?.slice(0, 200)}".`,
      `Choose one of ${ids}.`,
    );
  const { id, descriptor } = provider;
  if (id === '' || id.length > 1024)
    throw wrong('The metadata has no entityID, or its entityID is longer than 1024 characters.');
  const notes = /^\s*(?:true|1)\s*$/.test(attributesOf(descriptor)['WantAuthnRequestsSigned'] ?? '')
    ? [
        'warning: the metadata says that the identity provider requires signed requests, but docsctl does not sign them. If people cannot sign in, turn off this requirement at the identity provider. In Keycloak, it is "Client signature required" in the settings of the client.',
      ]
    : [];
  const ssoURL = readSsoUrl(descriptor);
  const certificates = readDescriptorCertificates(descriptor, now);
  let certificate = '';
  for (const { pem } of certificates.slice(0, 10))
    if (certificate.length + pem.length <= maxCertificateLength) certificate += pem;
  return { entityID: id, ssoURL, certificate, notes: [...notes, ...warnOfCertificates(certificates, now)] };
}

function findEntities(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const groups = [root];
  for (const group of groups) {
    for (const entity of childrenOf(group, 'EntityDescriptor')) found.push(entity);
    for (const inner of childrenOf(group, 'EntitiesDescriptor')) groups.push(inner);
  }
  return found;
}

function readSsoUrl(descriptor: XmlElement): string {
  const service = childrenOf(descriptor, 'SingleSignOnService').find(
    (one) => attributesOf(one)['Binding'] === 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
  );
  if (service === undefined)
    throw wrong(
      'The identity provider has no sign-in address for the HTTP-Redirect binding.',
      'Turn on the HTTP-Redirect binding at the identity provider; docsctl uses no other.',
    );
  return attributesOf(service)['Location'] ?? '';
}

/** Reads the signing certificates: those that are valid now first, then by how long they last. */
function readDescriptorCertificates(descriptor: XmlElement, now: number): Certificate[] {
  const texts = childrenOf(descriptor, 'KeyDescriptor')
    .filter((key) => (attributesOf(key)['use'] ?? 'signing') === 'signing')
    .flatMap((key) => childrenOf(key, 'KeyInfo'))
    .flatMap((info) => childrenOf(info, 'X509Data'))
    .flatMap((data) => childrenOf(data, 'X509Certificate'))
    .map(textOf);
  if (texts.length === 0) throw wrong('The metadata has no signing certificate.');
  return [...new Set(texts)]
    .flatMap(readCertificates)
    .sort((a, b) => Number(isValidAt(b, now)) - Number(isValidAt(a, now)) || b.validTo - a.validTo);
}

function wrong(message: string, hint?: string): Problem {
  return new Problem('invalid-input', message, { hint });
}
