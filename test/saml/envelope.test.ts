import { expect, it } from 'vitest';
import { checkEnvelope, findAnsweredRequest } from '../../src/saml/envelope.ts';
import { Idp, now, service, type Says } from './idp.ts';

const idp = new Idp();
const limits = { maxBytes: 100_000, maxElements: 1000, maxAttributes: 1000, strict: true };
const expected = { service, issuer: idp.entityID, inResponseTo: '_request', now };
const check = (xml: string) => checkEnvelope(xml, limits, expected);
const around = (inner: string, says: Says = {}) => check(idp.around(inner, says));
const assertion = (more = '', says: Says = {}) =>
  idp.assertion(says).replace('</saml:Assertion>', `${more}</saml:Assertion>`);
const signed = (algorithm: string) =>
  `<Signature><SignedInfo><SignatureMethod Algorithm="${algorithm}"/></SignedInfo></Signature>`;
const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

it('findAnsweredRequest finds the request ID without parsing, in either kind of quotes', () => {
  expect(findAnsweredRequest(idp.response())).toBe('_request');
  expect(findAnsweredRequest(idp.response({ outerInResponseTo: null, inResponseTo: '_one' }))).toBe('_one');
  expect(findAnsweredRequest(`<a InResponseTo = '_two'>`)).toBe('_two');
  expect(findAnsweredRequest(idp.response({ inResponseTo: null }))).toBe('');
  expect(findAnsweredRequest(`<a InResponseTo="${'x'.repeat(513)}">`)).toBe('');
});

it('the response and its assertion must answer the same request', () => {
  around(assertion());
  around(assertion(), { outerInResponseTo: null });
  expect(() => around(assertion(), { outerInResponseTo: '_other' })).toThrow('names two different requests');
  expect(() => around(assertion('', { inResponseTo: '_other' }))).toThrow('answer different requests');
});

it.each([
  ['beside the first', `${assertion()}${assertion()}`],
  ['in the first', assertion(assertion())],
  ['in another element', `${assertion()}<Extensions>${assertion()}</Extensions>`],
  [
    'in an element with the name that the parser uses for texts',
    `${assertion()}<a><_>${assertion()}</_>text</a>`,
  ],
  ['in the first of two elements', `${assertion()}<Object>${assertion()}</Object><Object/>`],
  ['in the last of two elements', `${assertion()}<Object/><Object><a>${assertion()}</a></Object>`],
  ['only in the wrong place', `<Extensions>${assertion()}</Extensions>`],
])('a response is refused if it has an assertion %s', (_place, inner) => {
  expect(() => around(inner)).toThrow('The SAML response does not have exactly one assertion.');
});

it('every signature must use a secure algorithm', () => {
  around(signed(sha256) + assertion(signed(sha256)));
  for (const inner of [
    signed(sha1) + assertion(),
    assertion(signed(sha1)),
    assertion(signed(sha256) + signed(sha1)),
    assertion(signed(sha1) + signed(sha256)),
  ])
    expect(() => around(inner)).toThrow('signed with an algorithm that is not supported');
});

it('a response for another address is refused, and one without an address is accepted', () => {
  around(assertion(), { destination: null });
  expect(() => around(assertion(), { destination: `${service.acsURL}/` })).toThrow(
    expect.objectContaining({
      message: 'The SAML response was sent to another address.',
      hint: `Set the ACS URL and the destination at the identity provider to ${service.acsURL}.`,
    }),
  );
});

it('every issuer in the response must be the provider', () => {
  const issuer = `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${idp.entityID}</saml:Issuer>`;
  check(idp.around(assertion()).replace(issuer, ''));
  check(idp.around(assertion()).replace(issuer, `<Issuer> ${idp.entityID} </Issuer>${issuer}`));
  const wrong = [
    '<Issuer>https://other.test/</Issuer>',
    '<Issuer/>',
    `<Issuer><a>${idp.entityID}</a></Issuer>`,
  ];
  for (const one of wrong)
    for (const xml of [
      idp.around(assertion()).replace(issuer, one),
      idp.around(assertion()).replace(issuer, issuer + one),
      idp.around(assertion(one)),
      idp.around(assertion(`<Advice><a>${one}</a></Advice>`)),
      idp.around(`<Extensions>${one}</Extensions>${assertion()}`),
    ])
      expect(() => check(xml)).toThrow('names another identity provider');
});

it.each<[string, Says, string]>([
  ['another issuer', { issuer: 'https://other.test/' }, 'names another identity provider'],
  ['another audience', { audience: 'https://other.test/' }, 'for another audience'],
  ['another recipient', { recipient: 'https://other.test/' }, 'for another recipient'],
  ['an old time', { issued: now - 3_600_000 }, 'too old'],
  ['no expiry time', { subjectEnd: null }, 'no time when it expires'],
])('an assertion with %s is refused before its signature is checked', (_, says, message) => {
  expect(() => around(assertion('', says))).toThrow(message);
});
