import { getOrInsert, isRecord, truncate } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { attributesOf, childrenOf, textOf, type XmlElement } from './xml.ts';

/** The user that an assertion signs in. Times are milliseconds since 1970. */
export interface SignedInUser {
  readonly email: string;
  readonly displayName: string | undefined;
  readonly assertionId: string;
  readonly inResponseTo: string;
  /** From then on the assertion is too old to be used again. */
  readonly acceptedUntil: number;
  /** When the identity provider ends the session, if it says so. */
  readonly sessionEndsAt: number | undefined;
}

export interface ExpectedAssertion {
  readonly service: { readonly acsURL: string; readonly entityID: string };
  readonly issuer: string;
  /** The request that was made here. */
  readonly inResponseTo: string;
  readonly now: number;
}

const maxClockSkew = 2 * 60 * 1000;
const maxAge = 10 * 60 * 1000;

/**
 * Reads an assertion whose signature was checked (SAML 2.0 profiles, section 4.1.4.3).
 *
 * @throws Problem(forbidden) if it is not for this service, this request and this time
 */
export function readAssertion(document: unknown, expected: ExpectedAssertion): SignedInUser {
  const assertion = isRecord(document) ? document['Assertion'] : undefined;
  if (!isRecord(assertion)) return refuse('The SAML response has no assertion.');
  const checked = checkAssertion(assertion, expected);
  return { ...readIdentity(assertion, onlyChild(onlyChild(assertion, 'Subject'), 'NameID')), ...checked };
}

/**
 * Checks that an assertion is for this service, this request and this time.
 *
 * @throws Problem(forbidden)
 */
export function checkAssertion(
  assertion: XmlElement,
  { service, issuer, inResponseTo, now }: ExpectedAssertion,
): Omit<SignedInUser, 'email' | 'displayName'> {
  const { ID: id = '', IssueInstant: issued } = attributesOf(assertion);
  if (id === '') refuse('The assertion has no ID.');
  if (textOf(onlyChild(assertion, 'Issuer')) !== issuer)
    refuse(
      'The assertion comes from another identity provider.',
      'Check that the entity ID is the same on both sides.',
    );
  const issuedAt = parseTime(issued);
  if (issuedAt > now + maxClockSkew)
    refuse(
      'The assertion was issued in the future.',
      'Check the clocks of the server and of the identity provider.',
    );
  const acceptedUntil = issuedAt + maxAge + maxClockSkew;
  if (acceptedUntil <= now) refuse('The assertion is too old.', 'Start the sign-in again.');
  checkConditions(onlyChild(assertion, 'Conditions'), service.entityID, now);
  const subject = onlyChild(assertion, 'Subject');
  const request = readConfirmedRequest(subject, service.acsURL, now);
  if (inResponseTo !== request) refuse('The SAML response and its assertion answer different requests.');
  const statements = childrenOf(assertion, 'AuthnStatement');
  if (statements.length === 0) refuse('The assertion has no AuthnStatement, so no user signed in.');
  const ends = statements
    .flatMap((statement) => attributesOf(statement)['SessionNotOnOrAfter'] ?? [])
    .map(parseTime);
  if (ends.some((end) => end <= now - maxClockSkew))
    refuse('The session at the identity provider is over.', 'Start the sign-in again.');
  return {
    assertionId: id,
    inResponseTo: request,
    acceptedUntil,
    sessionEndsAt: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

/** @throws Problem(forbidden) always */
export function refuse(message: string, hint?: string): never {
  throw new Problem('forbidden', message, { hint });
}

function checkConditions(conditions: XmlElement, audience: string, now: number): void {
  checkTimes(attributesOf(conditions), now);
  const restrictions = childrenOf(conditions, 'AudienceRestriction');
  // Every restriction has to hold, and one audience satisfies a restriction.
  const isForUs = restrictions.every((restriction) =>
    childrenOf(restriction, 'Audience').some((one) => textOf(one) === audience),
  );
  if (restrictions.length === 0 || !isForUs)
    refuse(
      'The assertion is for another audience.',
      `Set the audience at the identity provider to ${audience}.`,
    );
}

/** Reads which request the subject answers, from the first bearer confirmation that is valid for this service. */
function readConfirmedRequest(subject: XmlElement, acsURL: string, now: number): string {
  const problems: Problem[] = [];
  for (const confirmation of childrenOf(subject, 'SubjectConfirmation')) {
    if (attributesOf(confirmation)['Method'] !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer') continue;
    const [data = {}] = childrenOf(confirmation, 'SubjectConfirmationData');
    const attributes = attributesOf(data);
    const { Recipient: recipient, NotOnOrAfter: end, InResponseTo: request = '' } = attributes;
    try {
      if (recipient !== acsURL)
        refuse(
          'The assertion is for another recipient.',
          `Set the recipient at the identity provider to ${acsURL}.`,
        );
      if (end === undefined) refuse('The assertion has no time when it expires.');
      checkTimes(attributes, now);
      if (request === '')
        refuse(
          'The assertion does not answer a request.',
          'Start at the start URL of the provider, which `docsctl sso list` shows.',
        );
      return request;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error);
    }
  }
  throw problems[0] ?? refuse('The assertion is not confirmed by the bearer method.');
}

function checkTimes({ NotBefore: from, NotOnOrAfter: to }: Record<string, string>, now: number): void {
  if (from !== undefined && parseTime(from) > now + maxClockSkew)
    refuse('The assertion is not valid yet.', 'Check the clocks of the server and of the identity provider.');
  if (to !== undefined && parseTime(to) <= now - maxClockSkew)
    refuse('The assertion has expired.', 'Start the sign-in again.');
}

function parseTime(text = ''): number {
  const isUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text);
  const time = isUtc ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? refuse('The assertion has a time that is not valid.') : time;
}

/** The lowercase names that identity providers give these attributes, in the order in which they are looked for. */
const attributeNames = {
  email: [
    'email',
    'mail',
    'emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  displayName: [
    'displayname',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'cn',
    'urn:oid:2.5.4.3',
  ],
  givenName: [
    'givenname',
    'firstname',
    'first_name',
    'urn:oid:2.5.4.42',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  ],
  surname: [
    'sn',
    'surname',
    'lastname',
    'last_name',
    'urn:oid:2.5.4.4',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  ],
};

/** ASCII only, because some other letters become ASCII when lowercased (the Kelvin sign) or look like ASCII or like nothing. */
const emailForm = /^[!#-;=?A-~]{1,64}@[A-Za-z\d.-]+\.[A-Za-z\d-]+$/;

function readIdentity(
  assertion: XmlElement,
  nameId: XmlElement,
): Pick<SignedInUser, 'email' | 'displayName'> {
  const values = new Map<string, string[]>();
  for (const statement of childrenOf(assertion, 'AttributeStatement'))
    for (const attribute of childrenOf(statement, 'Attribute')) {
      const name = (attributesOf(attribute)['Name'] ?? '').toLowerCase();
      const texts = childrenOf(attribute, 'AttributeValue').map(textOf);
      getOrInsert(values, name, () => []).push(...texts);
    }
  const first = (kind: keyof typeof attributeNames): string | undefined =>
    attributeNames[kind].flatMap((name) => values.get(name) ?? []).find((value) => value !== '');
  const fullName = [first('givenName'), first('surname')].filter((part) => part !== undefined).join(' ');
  const displayName = (first('displayName') ?? fullName).replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return { email: readEmail(nameId, values), displayName: truncate(displayName, 128) || undefined };
}

/** Reads the email from the NameID if that is declared to be one or looks like one, else from an attribute. */
function readEmail(nameId: XmlElement, values: ReadonlyMap<string, readonly string[]>): string {
  const { Format: format = '' } = attributesOf(nameId);
  const id = textOf(nameId);
  const isFree = format === '' || format.endsWith(':unspecified');
  const candidates =
    format.endsWith(':nameid-format:emailAddress') || (isFree && emailForm.test(id))
      ? [id]
      : (attributeNames.email.map((name) => values.get(name)).find((found) => found !== undefined) ?? []);
  const emails = new Set(
    candidates.map((email) => (emailForm.test(email) ? email.toLowerCase() : undefined)),
  );
  const [email] = emails;
  if (email === undefined || emails.size > 1 || email.length > 254)
    return refuse(
      'The assertion does not have exactly one email.',
      'Set the NameID at the identity provider to the email, or send it as the attribute "email".',
    );
  return email;
}

function onlyChild(element: XmlElement, name: string): XmlElement {
  const [child, more] = childrenOf(element, name);
  return child !== undefined && more === undefined
    ? child
    : refuse(`The assertion does not have exactly one ${name}.`);
}
