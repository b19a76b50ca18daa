import { expect, it } from 'vitest';
import { readEnvelope } from '../../src/saml/envelope.ts';

const limits = { maxBytes: 100_000, maxElements: 1000, maxAttributes: 1000, strict: true };
const acs = 'https://docs.example.com/acs';
const read = (inner: string, attributes = '') =>
  readEnvelope(
    `<Response ${attributes}><Status><StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></Status>${inner}</Response>`,
    limits,
    acs,
  );
const assertion = (more = '', request = '') =>
  `<Assertion><Subject><SubjectConfirmation><SubjectConfirmationData ${request}/></SubjectConfirmation></Subject>${more}</Assertion>`;
const signed = (algorithm: string) =>
  `<Signature><SignedInfo><SignatureMethod Algorithm="${algorithm}"/></SignedInfo></Signature>`;
const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';

it('the request that is answered is named by the response, else by the confirmation', () => {
  expect(read(assertion('', 'InResponseTo="_one"'))).toBe('_one');
  expect(read(assertion('', 'InResponseTo="_one"'), 'InResponseTo="_two"')).toBe('_two');
  expect(read(assertion())).toBeUndefined();
});

it.each([
  ['beside the first', `${assertion()}${assertion()}`],
  ['in the first', assertion(assertion())],
  ['in another element', `${assertion()}<Extensions>${assertion()}</Extensions>`],
  ['in the first of two elements', `${assertion()}<Object>${assertion()}</Object><Object/>`],
  ['in the last of two elements', `${assertion()}<Object/><Object><a>${assertion()}</a></Object>`],
  ['but nowhere where it belongs', `<Extensions>${assertion()}</Extensions>`],
])('a response is refused that has an assertion %s', (_place, inner) => {
  expect(() => read(inner)).toThrow('The SAML response does not have exactly one assertion.');
});

it('every signature has an algorithm that is safe', () => {
  expect(read(signed(sha256) + assertion(signed(sha256)))).toBeUndefined();
  for (const inner of [
    signed(sha1) + assertion(),
    assertion(signed(sha1)),
    assertion(signed(sha256) + signed(sha1)),
    assertion(signed(sha1) + signed(sha256)),
  ])
    expect(() => read(inner)).toThrow('signed with an algorithm that is not supported');
});

it('a response for another address is refused, and one that names none is taken', () => {
  expect(read(assertion(), `Destination="${acs}"`)).toBeUndefined();
  expect(() => read(assertion(), 'Destination="https://docs.example.com/acs/"')).toThrow(
    'The SAML response was sent to another address.',
  );
});
