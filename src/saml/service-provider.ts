import type * as NodeSaml from '@node-saml/node-saml';
import { Problem } from '../errors/problem.ts';
import { readAssertion, type SignedInUser } from './assertion.ts';
import { isValidAt, readCertificates, type Certificate } from './certificates.ts';
import { checkEnvelope, findAnsweredRequest } from './envelope.ts';

export interface ServiceUrls {
  readonly acsURL: string;
  readonly startURL: string;
  readonly entityID: string;
}

export interface IdentityProvider {
  readonly entityID: string;
  readonly ssoURL: string;
  readonly certificate: string;
}

export interface AuthnRequest {
  readonly id: string;
  readonly relayState: string;
}

interface UnverifiedResponse {
  readonly xml: string;
  /** The request that it claims to answer; "" if it names none. */
  readonly inResponseTo: string;
}

interface VerifiedUser extends SignedInUser {
  /** The certificate whose key signed the response. */
  readonly certificate: Certificate;
}

const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** Real responses are under 50 KB. Each element and attribute costs time before a forged signature is detected. */
const responseLimits = { maxBytes: 192 * 1024, maxElements: 400, maxAttributes: 1200, strict: true };

/** Creates the address at the identity provider that a browser is sent to, with an AuthnRequest of this id. */
export async function createSignInUrl(
  service: ServiceUrls,
  provider: IdentityProvider,
  { id, relayState }: AuthnRequest,
): Promise<string> {
  const { SAML } = await loadNodeSaml();
  const config = createConfig(service, provider, [provider.certificate]);
  return new SAML({ ...config, generateUniqueId: () => id }).getAuthorizeUrlAsync(relayState, undefined, {});
}

/** Creates the metadata that an identity provider reads about the service. */
export async function createServiceMetadata({ acsURL, entityID }: ServiceUrls, id: string): Promise<string> {
  const { generateServiceProviderMetadata } = await loadNodeSaml();
  return generateServiceProviderMetadata({
    issuer: entityID,
    callbackUrl: acsURL,
    identifierFormat: emailFormat,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${id}`,
  });
}

/**
 * Decodes a response and finds the request that it claims to answer, without parsing it.
 *
 * @throws Problem(too-large), Problem(invalid-input)
 */
export function decodeResponse(encoded: string): UnverifiedResponse {
  const xml = decodeBase64(encoded);
  return { xml, inResponseTo: findAnsweredRequest(xml) };
}

/**
 * Verifies a response and returns the user that it signs in. node-saml checks the signature and returns only what was
 * signed; everything else is checked here, against the given clock (milliseconds since 1970). This costs time, so callers
 * first check that the request was begun here, and what can be checked without the signature comes first.
 *
 * @throws Problem(invalid-input) if it is no SAML response
 * @throws Problem(forbidden) if the response is not to be trusted
 */
export async function verifyResponse(
  service: ServiceUrls,
  provider: IdentityProvider,
  { xml, inResponseTo }: UnverifiedResponse,
  now: number,
): Promise<VerifiedUser> {
  const certificates = readCertificates(provider.certificate).filter((one) => isValidAt(one, now));
  if (certificates.length === 0)
    throw new Problem('forbidden', 'The certificate of the identity provider is expired or not valid yet.', {
      hint: 'Ask an administrator to set the new certificate: `docsctl saml update PROVIDER --certificate @new.pem`.',
    });
  const expected = { service, issuer: provider.entityID, inResponseTo, now };
  checkEnvelope(xml, responseLimits, expected);
  let verified: { readonly assertion: unknown; readonly signer: Certificate } | undefined;
  try {
    verified = await findAssertion(service, provider, xml, certificates);
  } catch {
    // The messages of node-saml quote the response, so they are shown to nobody.
    throw new Problem(
      'forbidden',
      'The SAML response is not signed by the identity provider, was changed on its way, or is for another service.',
      {
        hint: 'Start the sign-in again. If it fails again, check that the certificate and the audience are the same on both sides.',
      },
    );
  }
  const { assertion, signer } = verified;
  return { ...readAssertion(assertion, expected), certificate: signer };
}

/** Returns the signed assertion, and the certificate that it was verified with. @throws Error if there is none */
async function findAssertion(
  service: ServiceUrls,
  provider: IdentityProvider,
  xml: string,
  certificates: readonly Certificate[],
): Promise<{ readonly assertion: unknown; readonly signer: Certificate }> {
  const { SAML } = await loadNodeSaml();
  // Encoded again from the text that was checked, so that both parsers read the same text.
  const SAMLResponse = Buffer.from(xml).toString('base64');
  const verify = async (accepted: readonly Certificate[]): Promise<unknown> => {
    const pems = accepted.map(({ pem }) => pem);
    const { profile } = await new SAML(createConfig(service, provider, pems)).validatePostResponseAsync({
      SAMLResponse,
    });
    return profile?.getAssertion?.();
  };
  // A forged response is refused after one attempt. Only for one that is signed, the signer is looked for.
  const assertion = await verify(certificates);
  for (const signer of certificates.slice(0, -1)) {
    const found = await verify([signer]).catch(() => undefined);
    if (found !== undefined) return { assertion: found, signer };
  }
  return { assertion, signer: certificates.at(-1) as Certificate };
}

/** Loads node-saml, which only a sign-in needs. */
async function loadNodeSaml(): Promise<typeof NodeSaml> {
  const loaded: typeof NodeSaml & { default?: typeof NodeSaml } = await import('@node-saml/node-saml');
  // In a bundle, all exports of a CommonJS package are under `default`.
  return loaded.default ?? loaded;
}

function createConfig(
  { acsURL, entityID }: ServiceUrls,
  provider: IdentityProvider,
  idpCert: string[],
): NodeSaml.SamlConfig {
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
    // -1 leaves the times to us, because node-saml would check them against the clock of the machine.
    acceptedClockSkewMs: -1,
  };
}

function decodeBase64(encoded: string): string {
  const body = encoded.replace(/\s+/g, '');
  if (body.length > responseLimits.maxBytes * (4 / 3) + 4)
    throw new Problem('too-large', `The SAML response is larger than ${responseLimits.maxBytes >> 10} KiB.`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) throw new Problem('invalid-input', 'SAMLResponse is not base64.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(body, 'base64'));
  } catch {
    throw new Problem('invalid-input', 'SAMLResponse is not UTF-8 text.');
  }
}
