import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { checkAssertion, refuse, type ExpectedAssertion } from './assertion.ts';
import { attributesOf, childrenOf, readXml, textOf, type XmlElement, type XmlLimits } from './xml.ts';

/** RSA with SHA-2, and its digests. SHA-1 has been broken since 2017. */
const algorithms: ReadonlySet<string | undefined> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/**
 * Finds the request that a response says it answers, without parsing the response; "" if it names none. An ID of a request
 * needs no entities.
 */
export function findAnsweredRequest(xml: string): string {
  const [, double, single] =
    /\sInResponseTo\s{0,9}=\s{0,9}(?:"([\w.-]{1,512})"|'([\w.-]{1,512})')/.exec(xml) ?? [];
  return double ?? single ?? '';
}

/**
 * Checks all of a response that can be checked before its signature. None of it needs to be signed, so it can be a reason to
 * refuse but not to accept: what surrounds the assertion, that all name one request and one issuer, and what the assertion
 * says of its issuer, audience, recipient and times.
 *
 * @throws Problem(invalid-input) if the text is no SAML response
 * @throws Problem(forbidden) if no honest response looks like this
 */
export function checkEnvelope(xml: string, limits: XmlLimits, expected: ExpectedAssertion): void {
  const { acsURL } = expected.service;
  const [response] = childrenOf(readXml(xml, limits), 'Response');
  if (response === undefined) throw new Problem('invalid-input', 'The text is not a SAML response.');
  if ((attributesOf(response)['Destination'] ?? acsURL) !== acsURL)
    refuse(
      'The SAML response was sent to another address.',
      `Set the ACS URL and the destination at the identity provider to ${acsURL}.`,
    );
  checkStatus(response);
  if (childrenOf(response, 'EncryptedAssertion').length > 0)
    refuse(
      'Encrypted assertions are not supported.',
      'Turn off the encryption of assertions at the identity provider; the connection is encrypted anyway.',
    );
  // A second assertion at any other place could be mistaken for the signed one.
  const [assertion, another] = childrenOf(response, 'Assertion');
  if (assertion === undefined || another !== undefined || checkElements(response, expected.issuer) !== 1)
    refuse('The SAML response does not have exactly one assertion.');
  if ((attributesOf(response)['InResponseTo'] ?? expected.inResponseTo) !== expected.inResponseTo)
    refuse('The SAML response names two different requests that it answers.');
  checkAssertion(assertion, expected);
}

/** Follows a path of names to the first element there; an element without attributes if there is none. */
function findFirst(element: XmlElement, ...path: string[]): XmlElement {
  return path.reduce((parent, name) => childrenOf(parent, name)[0] ?? {}, element);
}

function checkStatus(response: XmlElement): void {
  const code = attributesOf(findFirst(response, 'Status', 'StatusCode'))['Value'] ?? '';
  if (code === 'urn:oasis:names:tc:SAML:2.0:status:Success') return;
  const [, word] = /:status:([A-Za-z]{1,40})$/.exec(code) ?? [];
  refuse(`The identity provider did not let you sign in${word === undefined ? '' : ` (${word})`}.`);
}

/** Checks the algorithms of all signatures and the issuers at any depth, and counts the assertions there. */
function checkElements(response: XmlElement, issuer: string): number {
  let assertions = 0;
  const waiting: unknown[] = [response];
  while (waiting.length > 0) {
    const element = waiting.pop();
    if (Array.isArray(element)) waiting.push(...(element as unknown[]));
    else if (isRecord(element)) {
      for (const name of ['SignatureMethod', 'DigestMethod'])
        for (const method of childrenOf(element, name))
          if (!algorithms.has(attributesOf(method)['Algorithm']))
            refuse(
              'The SAML response is signed with an algorithm that is not supported.',
              'Make the identity provider sign with RSA and SHA-256.',
            );
      for (const one of childrenOf(element, 'Issuer'))
        if (textOf(one) !== issuer)
          refuse(
            'The SAML response names another identity provider.',
            'Check that the entity ID is the same on both sides.',
          );
      assertions += childrenOf(element, 'Assertion').length;
      waiting.push(...Object.values(element));
    }
  }
  return assertions;
}
