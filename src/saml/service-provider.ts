import type { SamlConfig } from '@node-saml/node-saml';
import { Problem } from '../errors/problem.ts';
import { isInForce, readCertificates } from './certificates.ts';
import { loadNodeSaml } from './node-saml.ts';
import { readEnvelope } from './envelope.ts';
import { readAssertion, type SignedIn } from './assertion.ts';

/** The three addresses of the service that an identity provider is told. */
export interface Service {
  readonly acsURL: string;
  readonly startURL: string;
  readonly entityID: string;
}

/** An identity provider that is set up completely. */
export interface IdentityProvider {
  readonly entityID: string;
  readonly ssoURL: string;
  readonly certificate: string;
}

export interface AuthnRequest {
  readonly id: string;
  readonly relayState: string;
}

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** What an answer may have: real ones are under 50 KB. Each element and attribute costs time before a forged signature shows. */
const limits = { bytes: 192 * 1024, elements: 1000, attributes: 3000, plain: true };

/** The address that somebody is sent to for signing in: the identity provider's, with an AuthnRequest of this id. */
export async function signInUrl(
  service: Service,
  provider: IdentityProvider,
  { id, relayState }: AuthnRequest,
): Promise<string> {
  const { SAML } = await loadNodeSaml();
  return new SAML({
    ...configOf(service, provider, [provider.certificate]),
    generateUniqueId: () => id,
  }).getAuthorizeUrlAsync(relayState, undefined, {});
}

/** The metadata that an identity provider reads of the service. */
export async function serviceMetadata({ acsURL, entityID }: Service, id: string): Promise<string> {
  const { generateServiceProviderMetadata } = await loadNodeSaml();
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: emailFormat,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${id}`,
  });
}

/** An answer of an identity provider, as anybody may have written it. */
export interface GivenAnswer {
  readonly xml: string;
  /** The request that it says it answers. */
  readonly inResponseTo: string | undefined;
}

/** Takes an answer apart as far as no signature is needed; throws for what is none. */
export function openSamlResponse(service: Service, encoded: string): GivenAnswer {
  const xml = decode(encoded);
  return { xml, ...readEnvelope(xml, limits, service) };
}

/**
 * Who an answer of the identity provider lets in. Its signature is checked by node-saml, which gives nothing but what
 * was signed; everything else is checked here, against the clock that is given. Throws `forbidden` for what is not to be
 * trusted, with why. It costs time, so the caller looks before whether the request was begun here.
 */
export async function readSamlResponse(
  service: Service,
  provider: IdentityProvider,
  { xml, inResponseTo }: GivenAnswer,
  now: number,
): Promise<SignedIn> {
  const certificates = readCertificates(provider.certificate).filter((certificate) =>
    isInForce(certificate, now),
  );
  if (certificates.length === 0)
    throw new Problem('forbidden', 'The certificate of the identity provider is not in force.', {
      hint: 'An administrator gives the new one: docsctl saml update PROVIDER --certificate @new.pem.',
    });
  const { SAML } = await loadNodeSaml();
  const saml = new SAML(
    configOf(
      service,
      provider,
      certificates.map(({ pem }) => pem),
    ),
  );
  let assertion: unknown;
  try {
    // Again as base64 of what was checked, so that both read the same text.
    const { profile } = await saml.validatePostResponseAsync({
      SAMLResponse: Buffer.from(xml).toString('base64'),
    });
    assertion = profile?.getAssertion?.();
  } catch {
    // Why in detail is said to nobody: the text of these errors holds parts of the answer.
    throw new Problem(
      'forbidden',
      'The answer is not signed by the identity provider, or was changed on its way, or is not meant for this service.',
      {
        hint: 'Try again from the start; if it stays so, compare certificate and audience on both sides.',
      },
    );
  }
  return readAssertion(assertion, { service, issuer: provider.entityID, inResponseTo, now });
}

function configOf({ acsURL, entityID }: Service, provider: IdentityProvider, idpCert: string[]): SamlConfig {
  return {
    callbackUrl: acsURL,
    issuer: entityID,
    audience: entityID,
    entryPoint: provider.ssoURL,
    idpCert,
    idpIssuer: provider.entityID,
    identifierFormat: emailFormat,
    disableRequestedAuthnContext: true,
    // One of both is enough: a signature of the response covers the assertion in it.
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: false,
    // Times are checked here, by the clock of the caller; -1 leaves them out there.
    acceptedClockSkewMs: -1,
  };
}

function decode(encoded: string): string {
  const body = encoded.replace(/\s+/g, '');
  if (body === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(body))
    throw new Problem('invalid-input', 'SAMLResponse is not base64.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(body, 'base64'));
  } catch {
    throw new Problem('invalid-input', 'SAMLResponse is not UTF-8 text.');
  }
}
