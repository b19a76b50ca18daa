import { describe, expect, it } from 'vitest';
import { readCertificates } from '../../src/saml/certificates.ts';
import { Problem } from '../../src/errors/problem.ts';
import {
  decodeResponse,
  verifyResponse,
  createServiceMetadata,
  createSignInUrl,
} from '../../src/saml/service-provider.ts';
import { attribute, encode, Idp, now, readRedirect, service, type Says } from './idp.ts';

const idp = new Idp();
const other = new Idp();
const minute = 60_000;
const certificateOf = ({ certificate }: Idp) => readCertificates(certificate)[0]!;
const readEncoded = async (encoded: string, time = now, provider = idp.provider) =>
  verifyResponse(service, provider, decodeResponse(encoded), time);
const read = (xml: string, time = now, provider = idp.provider) => readEncoded(encode(xml), time, provider);

async function refusal(work: Promise<unknown>): Promise<Problem> {
  const outcome = await work.then(
    (value) => new Error(`let in: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof Problem) return outcome;
  throw outcome;
}

describe('a valid SAML response', () => {
  it.each([
    ['with a signed assertion', idp.response()],
    ['that is signed as a whole', idp.sign(idp.around(idp.assertion()), 'Response')],
    ['where both are signed', idp.sign(idp.response(), 'Response')],
    [
      'with SHA-512',
      idp.around(
        idp.sign(idp.assertion(), 'Assertion', {
          algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
          digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
        }),
      ),
    ],
    ['with an XML declaration', `<?xml version="1.0" encoding="UTF-8"?>${idp.response()}`],
    ['without a destination', idp.response({ destination: null })],
    ['that names its request only in the assertion', idp.response({ outerInResponseTo: null })],
  ])('is accepted: %s', async (_, xml) => {
    expect(await read(xml)).toEqual({
      email: 'ana@acme.test',
      displayName: undefined,
      assertionId: '_assertion',
      inResponseTo: '_request',
      acceptedUntil: now + 12 * minute,
      sessionEndsAt: undefined,
      certificate: certificateOf(idp),
    });
  });

  it('can be signed by any of several certificates, if it is valid at the current time', async () => {
    const old = new Idp({ to: '2025-01-01T00:00:00Z' });
    const certificate = old.certificate + other.certificate + idp.certificate;
    for (const signer of [idp, other])
      expect(await read(signer.response(), now, { ...idp.provider, certificate })).toMatchObject({
        email: 'ana@acme.test',
        certificate: certificateOf(signer),
      });
    expect((await refusal(read(old.response(), now, { ...idp.provider, certificate }))).reason).toBe(
      'forbidden',
    );
    expect(await refusal(read(old.response(), now, old.provider))).toMatchObject({
      reason: 'forbidden',
      message: expect.stringContaining('is expired or not valid yet'),
    });
  });

  it.each<[string, Says, object]>([
    ['the NameID', { email: ' Ana@ACME.test ' }, { email: 'ana@acme.test' }],
    [
      'a NameID without a format',
      { nameFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified' },
      { email: 'ana@acme.test' },
    ],
    [
      'an attribute if the NameID is not an email',
      {
        email: 'x7',
        nameFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        attributes: attribute('mail', 'bo@acme.test'),
      },
      { email: 'bo@acme.test' },
    ],
    [
      'a long attribute name',
      {
        email: 'x@7.x',
        nameFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
        attributes: attribute(
          'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
          'Bo@acme.test',
        ),
      },
      { email: 'bo@acme.test' },
    ],
    ['a display name', { attributes: attribute('displayName', 'Ana &lt;b&gt;') }, { displayName: 'Ana <b>' }],
    [
      'a name in two parts',
      { attributes: attribute('givenName', 'Ana') + attribute('sn', 'Ek') },
      { displayName: 'Ana Ek' },
    ],
    ['a session with an end', { sessionEnd: now + minute }, { sessionEndsAt: now + minute }],
  ])('identifies the person by %s', async (_, says, person) =>
    expect(await read(idp.response(says))).toMatchObject(person),
  );

  it.each<[string, Says]>([
    ['no email', { email: 'ana', nameFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' }],
    ['an invalid email', { email: 'ana@acme' }],
    [
      'two',
      {
        email: 'x',
        nameFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        attributes: attribute('email', 'a@acme.test', 'b@acme.test'),
      },
    ],
    ['an email with two at signs', { email: 'ana@acme.test@evil.test' }],
    ['a character that becomes a letter in lower case', { email: '\u212Aate@acme.test' }],
    ['a character that looks like another letter', { email: '\u0430na@acme.test' }],
    ['an invisible character', { email: 'ana@acme.test\u200B' }],
    ['a control character', { email: 'ana\u0085@acme.test' }],
    ['XML elements in the email', { email: '<saml:x>ana@acme.test</saml:x>' }],
  ])('needs exactly one email, and is refused with %s', async (_, says) =>
    expect((await refusal(read(idp.response(says)))).message).toContain('exactly one'),
  );
});

describe('a SAML response for another purpose or time', () => {
  it.each<[string, Says, string]>([
    ['another audience', { audience: 'https://other.test' }, 'audience'],
    ['no audience', { audience: null }, 'another audience'],
    [
      'an audience that only begins with the right one',
      { audience: `${service.entityID}.evil.test` },
      'audience',
    ],
    ['another recipient', { recipient: 'https://other.test/acs' }, 'another recipient'],
    ['another destination', { destination: 'https://other.test/acs' }, 'another address'],
    ['another issuer', { issuer: 'https://other.test' }, 'another identity provider'],
    ['an expiry time in the past', { notOnOrAfter: now - 3 * minute }, 'expired'],
    ['a start time in the future', { notBefore: now + 3 * minute }, 'not valid yet'],
    [
      'an expiry time of the subject in the past',
      { subjectEnd: new Date(now - 3 * minute).toISOString() },
      'expired',
    ],
    ['no expiry time of the subject', { subjectEnd: null }, 'no time when it expires'],
    ['an expiry time that is not a time', { subjectEnd: 'tomorrow' }, 'a time that is not valid'],
    [
      'an expiry time in another format',
      { subjectEnd: '2026-01-05T12:00:00+01:00' },
      'a time that is not valid',
    ],
    ['an issue time in the future', { issued: now + 3 * minute, notBefore: now }, 'issued in the future'],
    ['an issue time long ago', { issued: now - 20 * minute, notOnOrAfter: now + minute }, 'too old'],
    ['a session that has ended', { sessionEnd: now - 3 * minute }, 'is over'],
    ['no request', { inResponseTo: null, outerInResponseTo: null }, 'does not answer a request'],
    ['two requests', { outerInResponseTo: '_another' }, 'different requests'],
    [
      'another confirmation method',
      { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' },
      'bearer method',
    ],
    ['no sign-in', { statement: '' }, 'no AuthnStatement'],
    ['a failed sign-in', { status: 'AuthnFailed' }, 'AuthnFailed'],
  ])('is refused: %s', async (_, says, says2) => {
    for (const xml of [idp.response(says), idp.sign(idp.around(idp.assertion(says), says), 'Response')]) {
      const problem = await refusal(read(xml));
      expect(problem.reason).toBe('forbidden');
      expect(`${problem.message} ${problem.hint}`).toContain(says2);
      expect(JSON.stringify(problem)).not.toContain('ana@');
    }
  });

  it('is refused by the minute, with two minutes of tolerance for clocks', async () => {
    const says = { issued: now, notOnOrAfter: now + 5 * minute };
    expect(await read(idp.response(says), now + 7 * minute - 1)).toMatchObject({ email: 'ana@acme.test' });
    expect((await refusal(read(idp.response(says), now + 7 * minute))).message).toContain('expired');
    expect(await read(idp.response({ issued: now }), now - 2 * minute)).toMatchObject({
      email: 'ana@acme.test',
    });
    expect(
      (await refusal(read(idp.response({ issued: now, notBefore: now - minute }), now - 2 * minute - 1)))
        .message,
    ).toContain('issued in the future');
    // The maximum age is ten minutes, plus two minutes of tolerance.
    const old = { issued: now, notOnOrAfter: now + 60 * minute };
    expect(await read(idp.response(old), now + 12 * minute - 1)).toMatchObject({ email: 'ana@acme.test' });
    expect((await refusal(read(idp.response(old), now + 12 * minute))).message).toContain('too old');
    const session = { sessionEnd: now + minute };
    expect(await read(idp.response(session), now + 3 * minute - 1)).toMatchObject({ email: 'ana@acme.test' });
    expect((await refusal(read(idp.response(session), now + 3 * minute))).message).toContain('is over');
    const begins = { issued: now, notBefore: now + 5 * minute };
    expect(await read(idp.response(begins), now + 3 * minute)).toMatchObject({ email: 'ana@acme.test' });
    expect((await refusal(read(idp.response(begins), now + 3 * minute - 1))).message).toContain(
      'not valid yet',
    );
  });
});

describe('a forged SAML response', () => {
  const evil = { id: '_evil', email: 'boss@acme.test' };
  const honest = idp.sign(idp.assertion(), 'Assertion');
  const evilAssertion = idp.assertion(evil);
  const signature = /<(?:ds:)?Signature[\s\S]*<\/(?:ds:)?Signature>/.exec(honest)![0];
  const unsigned = honest.replace(signature, '');
  const signedWhole = idp.sign(idp.around(idp.assertion()), 'Response');
  const wholeSignature = /<(?:ds:)?Signature[\s\S]*<\/(?:ds:)?Signature>/.exec(signedWhole)![0];
  const wholeUnsigned = signedWhole.replace(wholeSignature, '');
  const signedInfo = /<(?:ds:)?SignedInfo>[\s\S]*<\/(?:ds:)?SignedInfo>/;
  const otherIssuer =
    '<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://other.test/</saml:Issuer>';
  const inside = (assertion: string, more: string): string =>
    assertion.replace('</saml:Assertion>', `${more}</saml:Assertion>`);
  const behindIssuer = (xml: string, more: string): string =>
    xml.replace('</saml:Issuer>', `</saml:Issuer>${more}`);

  it.each([
    // Signed by the provider, in an unsigned response that names another issuer.
    ['the issuer of another provider on the response', idp.around(honest, { issuer: 'https://other.test/' })],
    [
      'the issuer of another provider before the right one',
      idp.around(honest).replace('<saml:Issuer', `${otherIssuer}$&`),
    ],
    ['the issuer of another provider after the right one', behindIssuer(idp.around(honest), otherIssuer)],
    ['an empty issuer on the response', idp.around(honest, { issuer: '' })],
    ['an issuer in upper case', idp.around(honest, { issuer: idp.entityID.toUpperCase() })],
    ['an issuer with an element in it', idp.around(honest, { issuer: `${idp.entityID}<a/>` })],
    [
      'the issuer of another provider in extensions',
      idp.around(honest, { before: `<samlp:Extensions>${otherIssuer}</samlp:Extensions>` }),
    ],
    ['the issuer of another provider after the assertion', idp.around(honest, { after: otherIssuer })],
    [
      'the issuer of another provider in the signed assertion',
      idp.around(idp.sign(inside(idp.assertion(), otherIssuer), 'Assertion')),
    ],
    [
      'an assertion of another provider, in a response of this one',
      idp.around(other.sign(other.assertion({ issuer: 'https://other.test/' }), 'Assertion')),
    ],
    ['no signature', idp.around(idp.assertion())],
    ['a removed signature', idp.around(unsigned)],
    ['the key of somebody else', other.response()],
    [
      'the key of somebody else, with their certificate in it',
      other
        .response()
        .replace(
          /<\/(ds:)?SignatureValue>/,
          (end) =>
            `${end}<KeyInfo><X509Data><X509Certificate>${other.certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</X509Certificate></X509Data></KeyInfo>`,
        ),
    ],
    ['another email', idp.response().replace('ana@acme.test', 'boss@acme.test')],
    ['another email, signed as a whole', signedWhole.replace('ana@acme.test', 'boss@acme.test')],
    [
      'another digest',
      idp.response().replace(/<(ds:)?DigestValue>..../, (text) => `${text.slice(0, -4)}AAAA`),
    ],
    ['an empty signature', idp.response().replace(/<((?:ds:)?SignatureValue)>[^<]*/, '<$1>')],
    ['no references', idp.response().replace(/<(ds:)?Reference[\s\S]*<\/(ds:)?Reference>/, '')],
    [
      'SHA-1',
      idp.around(
        idp.sign(idp.assertion(), 'Assertion', {
          algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
          digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
        }),
      ),
    ],
    [
      'HMAC with the certificate as the key',
      idp
        .response()
        .replace('xmldsig-more#rsa-sha256', 'xmldsig-more#hmac-sha256')
        .replace(
          'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256',
          'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
        ),
    ],
    // The eight types of XML signature wrapping (Somorovsky and others, 2012), and some more.
    [
      'XSW1: the honest response in the signature of a forged one',
      behindIssuer(
        idp.around(evilAssertion),
        wholeSignature.replace(/<\/((?:ds:)?Signature)>$/, `<Object>${wholeUnsigned}</Object></$1>`),
      ),
    ],
    [
      'XSW2: the honest response before the signature of a forged one',
      behindIssuer(idp.around(evilAssertion), wholeUnsigned + wholeSignature),
    ],
    ['XSW3: a forged assertion before the honest one', idp.around(evilAssertion + honest)],
    ['XSW3: a forged assertion after the honest one', idp.around(honest + evilAssertion)],
    ['XSW4: the honest assertion in a forged one', idp.around(inside(evilAssertion, honest))],
    [
      'XSW5: the signature in a forged assertion, before the honest one',
      idp.around(behindIssuer(evilAssertion, signature) + unsigned),
    ],
    [
      'XSW6: the honest assertion in the signature of a forged one',
      idp.around(
        behindIssuer(evilAssertion, signature.replace(/<\/((?:ds:)?Signature)>$/, `${unsigned}</$1>`)),
      ),
    ],
    [
      'XSW7: a forged assertion in extensions',
      idp.around(honest, { before: `<samlp:Extensions>${evilAssertion}</samlp:Extensions>` }),
    ],
    [
      'XSW7: the honest assertion in extensions',
      idp.around(evilAssertion, { before: `<samlp:Extensions>${honest}</samlp:Extensions>` }),
    ],
    [
      'XSW8: the honest assertion in an object of the signature',
      idp.around(
        behindIssuer(
          evilAssertion,
          signature.replace(/<\/((?:ds:)?Signature)>$/, `<Object>${unsigned}</Object></$1>`),
        ),
      ),
    ],
    [
      'a forged assertion with the same ID',
      idp.around(behindIssuer(idp.assertion({ ...evil, id: '_assertion' }), signature), {
        after: `<x>${unsigned}</x>`,
      }),
    ],
    [
      'a forged assertion in another namespace',
      idp.around(
        idp.assertion(evil).replaceAll('saml:', 'x:').replace('xmlns:x=', 'xmlns:x="urn:x" xmlns:saml='),
        { after: honest },
      ),
    ],
    [
      'two SignedInfo elements',
      idp
        .response()
        .replace(signedInfo, (text) => text.replace(/DigestValue>..../, 'DigestValue>AAAA') + text),
    ],
    [
      'two SignedInfo elements, the false one last',
      idp
        .response()
        .replace(signedInfo, (text) => text + text.replace(/DigestValue>..../, 'DigestValue>AAAA')),
    ],
    ['a comment in the digest', idp.response().replace(/DigestValue>/, 'DigestValue><!--AAAA-->')],
    [
      'two digests',
      idp
        .response()
        .replace(/<(ds:)?DigestValue>[^<]*<\/(ds:)?DigestValue>/, '<DigestValue>AAAA</DigestValue>$&'),
    ],
    ['two references', idp.response().replace(/<(ds:)?Reference[\s\S]*<\/(ds:)?Reference>/, '$&$&')],
    ['a reference to nothing', idp.response().replace('URI="#_assertion"', 'URI="#_nothing"')],
    ['a reference to the whole text', idp.response().replace('URI="#_assertion"', 'URI=""')],
    ['a reference by a path', idp.response().replace('URI="#_assertion"', `URI="#x' or '1'='1"`)],
    [
      'no canonical form because of an invalid namespace',
      idp.around(behindIssuer(evilAssertion.replace(' ID=', ' xmlns:x="1" ID='), signature)),
    ],
    [
      'hundreds of transforms',
      idp.response().replace(/<(ds:)?Transform Algorithm="[^"]*exc-c14n#"\/>/, (text) => text.repeat(500)),
    ],
    [
      'the signature of the response in its assertion',
      idp.around(behindIssuer(evilAssertion, wholeSignature)),
    ],
    ['the signature of the assertion on the response', behindIssuer(idp.around(evilAssertion), signature)],
    [
      'a signed response that contains an unsigned one',
      behindIssuer(idp.around(evilAssertion + unsigned), wholeSignature),
    ],
    ['two signatures', idp.around(behindIssuer(honest, signature))],
    [
      'a response in a response',
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_x" Destination="${service.acsURL}">${idp.response()}</samlp:Response>`,
    ],
    ['a comment in the email', idp.response({ email: 'ana@acme.test<!---->.evil.test' })],
    [
      'a comment put into the email',
      idp.response({ email: 'ana@acme.test.evil.test' }).replace('acme.test.evil', 'acme.test<!---->.evil'),
    ],
    ['CDATA', idp.response({ email: '<![CDATA[ana@acme.test]]>' })],
    ['a processing instruction', idp.response().replace('ana@', 'ana<?x?>@')],
    ['a DOCTYPE', `<!DOCTYPE x>${idp.response()}`],
    [
      'entities',
      `<!DOCTYPE x [<!ENTITY e "boss@acme.test">]>${idp.response().replace('ana@acme.test', '&e;')}`,
    ],
    [
      'nested entities (billion laughs)',
      `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><x>&b;</x>`,
    ],
    ['an entity of a file', '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'],
    [
      'an encrypted assertion',
      idp.around('<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'),
    ],
    ['no assertion', idp.around('')],
    ['another root', '<x/>'],
    ['a response to a sign-out', idp.around('').replaceAll('samlp:Response', 'samlp:LogoutResponse')],
    ['a text that is not XML', 'hello'],
    ['64 levels and more', idp.around(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)],
    ['too many elements', idp.around(`${honest}${'<a/>'.repeat(1000)}`)],
    ['too many attributes', idp.around(`${honest}${'<a b="" c="" d="" e=""/>'.repeat(800)}`)],
    ['too many bytes', idp.around(honest, { after: `<a>${'x'.repeat(200_000)}</a>` })],
    [
      'an XSLT transform',
      idp
        .response()
        .replace(
          /<(ds:)?Transform /,
          (text) => `<Transform Algorithm="http://www.w3.org/TR/1999/REC-xslt-19991116"/>${text}`,
        ),
    ],
  ])('is refused: %s', async (_, xml) => {
    const outcome = await read(xml).then(
      (value) => value,
      (error: unknown) => error,
    );
    expect(outcome).toBeInstanceOf(Problem);
    expect(['forbidden', 'invalid-input', 'too-large']).toContain((outcome as Problem).reason);
    expect(JSON.stringify(outcome)).not.toMatch(/boss@|ana@|passwd/);
  });

  it('never signs in another person, whichever character is changed', async () => {
    const xml = idp.response();
    let refused = 0;
    for (let at = 0; at < xml.length; at += 37) {
      const changed = xml.slice(0, at) + (xml[at] === 'A' ? 'B' : 'A') + xml.slice(at + 1);
      const outcome = await read(changed).catch((error: unknown) => error);
      if (outcome instanceof Problem) refused++;
      else expect(outcome).toMatchObject({ email: 'ana@acme.test', inResponseTo: '_request' });
    }
    expect(refused).toBeGreaterThan(xml.length / 37 / 2);
  });

  it.each(['', '!', 'PHg+', Buffer.from([0xff, 0xfe]).toString('base64'), `${encode('<x/>')}%`])(
    'is refused if it is not base64 of XML: "%s"',
    async (encoded) => {
      expect((await refusal(readEncoded(encoded))).reason).toBe('invalid-input');
    },
  );
});

describe('the SAML service provider', () => {
  it('redirects to the provider with the given request ID', async () => {
    const location = await createSignInUrl(
      service,
      { ...idp.provider, ssoURL: 'https://idp.test/sso?tenant=1' },
      { id: '_id', relayState: 'relay' },
    );
    const { id, relayState, xml } = readRedirect(location);
    expect(location).toMatch(/^https:\/\/idp\.test\/sso\?tenant=1&/);
    expect([id, relayState]).toEqual(['_id', 'relay']);
    for (const part of [
      service.acsURL,
      service.entityID,
      'nameid-format:emailAddress',
      'Destination="https://idp.test/sso',
    ])
      expect(xml).toContain(part);
    // The provider decides how people sign in: with a password, a key or a certificate.
    expect(xml).not.toContain('RequestedAuthnContext');
  });

  it('is described by its metadata', async () => {
    const xml = await createServiceMetadata(service, 'saml_1');
    for (const part of [
      `entityID="${service.entityID}"`,
      `Location="${service.acsURL}"`,
      'WantAssertionsSigned="true"',
      'HTTP-POST',
    ])
      expect(xml).toContain(part);
  });
});
