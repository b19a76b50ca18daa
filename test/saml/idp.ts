import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { makeCertificate, rsa, type Pair } from './certificate-maker.ts';

const SAML = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SAMLP = 'urn:oasis:names:tc:SAML:2.0:protocol';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

export const now = Date.parse('2026-01-05T10:00:00Z');
export const service = {
  acsURL: 'http://localhost:8080/saml/saml_1/acs',
  startURL: 'http://localhost:8080/saml/saml_1/start',
  entityID: 'http://localhost:8080/saml/saml_1/metadata',
};

/** The contents of a response. The defaults are those of a valid response. */
export interface Says {
  readonly id?: string;
  readonly email?: string;
  readonly nameFormat?: string;
  readonly issuer?: string;
  readonly audience?: string | null;
  readonly recipient?: string;
  readonly destination?: string | null;
  readonly method?: string;
  /** The answered request, as named by the subject and by the surrounding response. */
  readonly inResponseTo?: string | null;
  readonly outerInResponseTo?: string | null;
  readonly issued?: number;
  readonly notBefore?: number;
  readonly notOnOrAfter?: number;
  readonly subjectEnd?: string | null;
  readonly sessionEnd?: number;
  readonly status?: string;
  /** XML of attributes. */
  readonly attributes?: string;
  /** Replaces the statement that the person signed in. */
  readonly statement?: string;
  /** XML before and after the assertion. */
  readonly before?: string;
  readonly after?: string;
}

const iso = (time: number): string => new Date(time).toISOString();
const minutes = 60_000;

export function attribute(name: string, ...values: string[]): string {
  return `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`;
}

/** A test identity provider, with a key and certificate of its own. */
export class Idp {
  readonly entityID = 'https://idp.test/metadata';
  readonly ssoURL = 'https://idp.test/sso';
  readonly pair: Pair;
  readonly certificate: string;

  constructor(certificate: Parameters<typeof makeCertificate>[1] = {}, pair = rsa()) {
    this.pair = pair;
    this.certificate = makeCertificate(pair, certificate);
  }

  get provider() {
    return { entityID: this.entityID, ssoURL: this.ssoURL, certificate: this.certificate };
  }

  assertion(says: Says = {}, to = service): string {
    const {
      id = '_assertion',
      email = 'ana@acme.test',
      nameFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      issuer = this.entityID,
      audience = to.entityID,
    } = says;
    const {
      recipient = to.acsURL,
      method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      inResponseTo = '_request',
      issued = now,
      attributes = '',
      sessionEnd,
    } = says;
    const { notBefore = issued - minutes, notOnOrAfter = issued + 5 * minutes } = says;
    const subjectEnd = says.subjectEnd === undefined ? iso(notOnOrAfter) : says.subjectEnd;
    const restriction =
      audience === null
        ? ''
        : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`;
    const data = `${inResponseTo === null ? '' : ` InResponseTo="${inResponseTo}"`}${subjectEnd === null ? '' : ` NotOnOrAfter="${subjectEnd}"`}`;
    const statement = `<saml:AuthnStatement AuthnInstant="${iso(issued)}"${sessionEnd === undefined ? '' : ` SessionNotOnOrAfter="${iso(sessionEnd)}"`}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
    return (
      `<saml:Assertion xmlns:saml="${SAML}" ID="${id}" Version="2.0" IssueInstant="${iso(issued)}"><saml:Issuer>${issuer}</saml:Issuer>` +
      `<saml:Subject><saml:NameID Format="${nameFormat}">${email}</saml:NameID><saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData Recipient="${recipient}"${data}/></saml:SubjectConfirmation></saml:Subject>` +
      `<saml:Conditions NotBefore="${iso(notBefore)}" NotOnOrAfter="${iso(notOnOrAfter)}">${restriction}</saml:Conditions>${says.statement ?? statement}` +
      `${attributes === '' ? '' : `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`}</saml:Assertion>`
    );
  }

  /** Returns a response that contains the assertion, signed or not. */
  around(assertion: string, says: Says = {}, to = service): string {
    const {
      destination = to.acsURL,
      status = 'Success',
      issuer = this.entityID,
      before = '',
      after = '',
    } = says;
    const answers =
      says.outerInResponseTo === undefined
        ? says.inResponseTo === undefined
          ? '_request'
          : says.inResponseTo
        : says.outerInResponseTo;
    return (
      `<samlp:Response xmlns:samlp="${SAMLP}" ID="_response" Version="2.0" IssueInstant="${iso(says.issued ?? now)}"${destination === null ? '' : ` Destination="${destination}"`}${answers === null ? '' : ` InResponseTo="${answers}"`}>` +
      `<saml:Issuer xmlns:saml="${SAML}">${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${status}"/></samlp:Status>${before}${assertion}${after}</samlp:Response>`
    );
  }

  /** Signs the first element with the given name. */
  sign(
    xml: string,
    name: 'Assertion' | 'Response',
    {
      algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
    } = {},
  ): string {
    const signer = new SignedXml({
      privateKey: this.pair.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      signatureAlgorithm: algorithm,
      canonicalizationAlgorithm: exclusive,
    });
    const path = `(//*[local-name(.)='${name}'])[1]`;
    signer.addReference({
      xpath: path,
      transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive],
      digestAlgorithm: digest,
    });
    signer.computeSignature(xml, {
      location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    });
    return signer.getSignedXml();
  }

  /** Returns a valid response whose assertion is signed. */
  response(says: Says = {}, to = service): string {
    return this.around(this.sign(this.assertion(says, to), 'Assertion'), says, to);
  }
}

export function encode(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

/** Returns what an identity provider reads from the URL of a sign-in. */
export function readRedirect(location: string): {
  readonly id: string;
  readonly relayState: string;
  readonly xml: string;
} {
  const { searchParams } = new URL(location);
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString();
  return { id: /\bID="([^"]+)"/.exec(xml)![1]!, relayState: searchParams.get('RelayState')!, xml };
}

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
