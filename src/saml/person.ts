import { Problem } from '../errors/problem.ts';
import { attributesOf, childrenOf, textOf, type Parsed } from './parsed.ts';

/** The names that identity providers give an email, in the order they are looked for; without case. */
const emailNames = [
  'email',
  'mail',
  'emailaddress',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'urn:oid:1.2.840.113549.1.9.1',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const displayNames = [
  'displayname',
  'urn:oid:2.16.840.1.113730.3.1.241',
  'http://schemas.microsoft.com/identity/claims/displayname',
  'cn',
  'urn:oid:2.5.4.3',
];
const givenNames = [
  'givenname',
  'firstname',
  'first_name',
  'urn:oid:2.5.4.42',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
];
const surnames = [
  'sn',
  'surname',
  'lastname',
  'last_name',
  'urn:oid:2.5.4.4',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
];

/** ASCII alone: of other letters some turn into those of another email in small letters (the Kelvin sign), and some look like them or like nothing. */
const emailForm = /^[!#-;=?A-~]{1,64}@[A-Za-z\d.-]+\.[A-Za-z\d-]+$/;

/** The email and name of whom an assertion speaks of: the email is the NameID where it is said to be one, else an attribute. */
export function readPerson(
  nameId: Parsed,
  attributes: readonly Parsed[],
): { readonly email: string; readonly displayName: string | undefined } {
  const values = new Map<string, readonly string[]>();
  for (const attribute of attributes) {
    const name = (attributesOf(attribute)['Name'] ?? '').toLowerCase();
    values.set(name, [...(values.get(name) ?? []), ...childrenOf(attribute, 'AttributeValue').map(textOf)]);
  }
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => values.get(name) ?? []).find((value) => value !== '');
  const name =
    first(displayNames) ??
    ([first(givenNames), first(surnames)].filter((part) => part !== undefined).join(' ') || undefined);
  return {
    email: emailOf(nameId, values),
    displayName:
      name
        ?.replace(/[\p{Cc}\p{Cf}]/gu, '')
        .trim()
        .slice(0, 128) || undefined,
  };
}

function emailOf(nameId: Parsed, values: ReadonlyMap<string, readonly string[]>): string {
  const format = attributesOf(nameId)['Format'] ?? '';
  const isEmail =
    format.endsWith(':nameid-format:emailAddress') ||
    (format === '' || format.endsWith(':unspecified') ? emailForm.test(textOf(nameId)) : false);
  const named = isEmail
    ? [textOf(nameId)]
    : (emailNames.map((name) => values.get(name)).find((found) => found !== undefined) ?? []);
  const emails = [
    ...new Set(named.map((email) => (emailForm.test(email) ? email.toLowerCase() : undefined))),
  ];
  const [email] = emails;
  if (email === undefined || emails.length > 1 || email.length > 254) {
    throw new Problem('forbidden', 'The assertion does not have exactly one email.', {
      hint: 'Set the NameID at the identity provider to the email, or send it as the attribute "email".',
    });
  }
  return email;
}
