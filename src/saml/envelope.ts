import { Problem } from '../errors/problem.ts';
import { attributeOf, childrenOf, readXml, type XmlElement, type XmlLimits } from './xml.ts';

/** What a response says around its assertion. It may be unsigned, so it can only be a reason to refuse. */
export interface Envelope {
  readonly inResponseTo: string | undefined;
}

const success = 'urn:oasis:names:tc:SAML:2.0:status:Success';
/** RSA with SHA-2, and its digests; SHA-1 has been broken since 2017. */
const algorithms = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);

/** Reads what is around the assertion of a response, and refuses what no honest one has. */
export function readEnvelope(
  xml: string,
  limits: XmlLimits,
  { acsURL }: { readonly acsURL: string },
): Envelope {
  const root = readXml(xml, limits);
  const names = Object.keys(root).filter((name) => name !== '#text');
  const [response, more] = childrenOf(root, 'Response');
  if (response === undefined || more !== undefined || names.length !== 1)
    throw new Problem('invalid-input', 'This is no SAML response.');
  const destination = attributeOf(response, 'Destination');
  if (destination !== undefined && destination !== acsURL)
    throw refused('The answer was sent to another address.');
  checkStatus(response);
  if (childrenOf(response, 'EncryptedAssertion').length > 0)
    throw refused(
      'The assertion is encrypted, which is not taken.',
      'Switch encryption of assertions off at the identity provider; the connection is encrypted.',
    );
  // One in its place, and none anywhere else: a second one is there to be taken for the first.
  if (childrenOf(response, 'Assertion').length !== 1 || checkInside(response) !== 1)
    throw refused('The answer does not have exactly one assertion.');
  return { inResponseTo: attributeOf(response, 'InResponseTo') ?? requestOf(response) };
}

/** The request that the subject of the assertion names. */
function requestOf(response: XmlElement): string | undefined {
  let element: XmlElement | undefined = response;
  for (const name of ['Assertion', 'Subject', 'SubjectConfirmation', 'SubjectConfirmationData'])
    element = element === undefined ? undefined : childrenOf(element, name)[0];
  return element === undefined ? undefined : attributeOf(element, 'InResponseTo');
}

function checkStatus(response: XmlElement): void {
  const [status] = childrenOf(response, 'Status');
  const [code] = status === undefined ? [] : childrenOf(status, 'StatusCode');
  const value = code === undefined ? undefined : attributeOf(code, 'Value');
  if (value === success) return;
  const word = /:status:([A-Za-z]{1,40})$/.exec(value ?? '')?.[1];
  throw refused(`The identity provider did not let you sign in${word === undefined ? '' : ` (${word})`}.`);
}

/** Checks the algorithms of every signature, and counts the assertions at any depth. */
function checkInside(response: XmlElement): number {
  let assertions = 0;
  const waiting: unknown[] = [response];
  while (waiting.length > 0) {
    const element = waiting.pop();
    if (Array.isArray(element)) waiting.push(...(element as unknown[]));
    else if (typeof element === 'object' && element !== null) {
      for (const method of [
        ...childrenOf(element as XmlElement, 'SignatureMethod'),
        ...childrenOf(element as XmlElement, 'DigestMethod'),
      ]) {
        if (!algorithms.has(attributeOf(method, 'Algorithm') ?? ''))
          throw refused(
            'The answer is signed by an algorithm that is not taken.',
            'Set the identity provider to RSA with SHA-256.',
          );
      }
      assertions += childrenOf(element as XmlElement, 'Assertion').length;
      waiting.push(...Object.values(element));
    }
  }
  return assertions;
}

function refused(message: string, hint?: string): Problem {
  return new Problem('forbidden', message, { hint });
}
