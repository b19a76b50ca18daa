import { Problem } from '../errors/problem.ts';
import { attributesOf, childrenOf, textOf, type Parsed } from './parsed.ts';
import { readPerson } from './person.ts';
import { isRecord } from '../contract/values.ts';

/** Whom an assertion lets in, and until when it could be shown again. */
export interface SignedIn {
  readonly email: string;
  readonly displayName: string | undefined;
  readonly assertionId: string;
  readonly inResponseTo: string;
  /** Milliseconds since 1970: after that the assertion is too old anyway. */
  readonly uselessAfter: number;
  /** When the identity provider ends the session; undefined where it does not say. */
  readonly sessionEndsAt: number | undefined;
}

export interface Expected {
  readonly service: { readonly acsURL: string; readonly entityID: string };
  readonly issuer: string;
  /** As the response around it says; it may say nothing. */
  readonly inResponseTo: string | undefined;
  readonly now: number;
}

/** How far the clocks of both sides may be apart, and how old an assertion may get; milliseconds. */
const skew = 2 * 60 * 1000;
const longestAge = 10 * 60 * 1000;

/** Reads an assertion whose signature was checked. Throws `forbidden` where it is not for this service, this request and this time. */
export function readAssertion(document: unknown, { service, issuer, inResponseTo, now }: Expected): SignedIn {
  const assertion = isRecord(document) && isRecord(document['Assertion']) ? document['Assertion'] : undefined;
  if (assertion === undefined) throw refused('The answer has no assertion.');
  const { ID: id, IssueInstant: issued } = attributesOf(assertion);
  if (id === undefined || id === '') throw refused('The assertion has no ID.');
  if (textOf(only(assertion, 'Issuer')) !== issuer)
    throw refused('The assertion is of another identity provider.', 'Compare its entityID on both sides.');
  const issuedAt = timeOf(issued);
  if (issuedAt > now + skew)
    throw refused('The assertion is of a time to come.', 'Set the clocks of both sides.');
  if (issuedAt + longestAge + skew <= now)
    throw refused('The assertion is too old.', 'Try again from the start.');
  checkConditions(only(assertion, 'Conditions'), service.entityID, now);
  const subject = only(assertion, 'Subject');
  const request = confirm(subject, service.acsURL, now);
  if (inResponseTo !== undefined && inResponseTo !== request)
    throw refused('The answer and its assertion answer different requests.');
  const statements = childrenOf(assertion, 'AuthnStatement');
  if (statements.length === 0) throw refused('The assertion does not say that somebody signed in.');
  const ends = statements
    .flatMap((statement) => attributesOf(statement)['SessionNotOnOrAfter'] ?? [])
    .map(timeOf);
  if (ends.some((end) => end <= now - skew))
    throw refused('The session at the identity provider is over.', 'Try again from the start.');
  const person = readPerson(
    only(subject, 'NameID'),
    childrenOf(assertion, 'AttributeStatement').flatMap((statement) => childrenOf(statement, 'Attribute')),
  );
  return {
    ...person,
    assertionId: id,
    inResponseTo: request,
    uselessAfter: issuedAt + longestAge + skew,
    sessionEndsAt: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

function checkConditions(conditions: Parsed, audience: string, now: number): void {
  checkTimes(attributesOf(conditions), now);
  const restrictions = childrenOf(conditions, 'AudienceRestriction');
  // Every one of them has to hold, and in each one audience is enough.
  const isForUs = restrictions.every((restriction) =>
    childrenOf(restriction, 'Audience').some((one) => textOf(one) === audience),
  );
  if (restrictions.length === 0 || !isForUs)
    throw refused(
      'The assertion is for another audience.',
      `Set the audience at the identity provider to ${audience}.`,
    );
}

/** The request that a bearer of the assertion answers, where it names this service and is not over. */
function confirm(subject: Parsed, acsURL: string, now: number): string {
  const problems: Problem[] = [];
  for (const confirmation of childrenOf(subject, 'SubjectConfirmation')) {
    if (attributesOf(confirmation)['Method'] !== 'urn:oasis:names:tc:SAML:2.0:cm:bearer') continue;
    const [data] = childrenOf(confirmation, 'SubjectConfirmationData');
    const {
      Recipient: recipient,
      NotOnOrAfter: end,
      InResponseTo: request,
      ...more
    } = data === undefined ? ({} as Record<string, string>) : attributesOf(data);
    try {
      if (recipient !== acsURL)
        throw refused(
          'The assertion is for another recipient.',
          `Set the recipient at the identity provider to ${acsURL}.`,
        );
      if (end === undefined) throw refused('The assertion has no end.');
      checkTimes({ ...more, NotOnOrAfter: end }, now);
      if (request === undefined || request === '')
        throw refused(
          'The assertion answers no request.',
          'Begin at the start URL of the provider: `docsctl sso list` shows it.',
        );
      return request;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(error);
    }
  }
  throw problems[0] ?? refused('The assertion is not one for whoever bears it.');
}

function checkTimes({ NotBefore: from, NotOnOrAfter: to }: Record<string, string>, now: number): void {
  if (from !== undefined && timeOf(from) > now + skew)
    throw refused('The assertion is not valid yet.', 'Set the clocks of both sides.');
  if (to !== undefined && timeOf(to) <= now - skew)
    throw refused('The assertion has expired.', 'Try again from the start.');
}

function timeOf(text: string | undefined): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text ?? '')
    ? Date.parse(text!)
    : Number.NaN;
  if (Number.isNaN(time)) throw refused('The assertion has a time that is none.');
  return time;
}

/** The one child element of a name. */
function only(element: Parsed, name: string): Parsed {
  const [child, more] = childrenOf(element, name);
  if (child === undefined || more !== undefined)
    throw refused(`The assertion does not have exactly one ${name}.`);
  return child;
}

function refused(message: string, hint?: string): Problem {
  return new Problem('forbidden', message, { hint });
}
