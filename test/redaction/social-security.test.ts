import { expect, it } from 'vitest';
import { createRedactor } from '../../src/redaction/create-redactor.ts';
import { findSocialSecurityNumbers } from '../../src/redaction/social-security.ts';

const redact = (text: string) => createRedactor(['password']).redactText(text);

it.each([
  ['ssn number is 7883', 'ssn number is [password]'],
  ['ssn is 7883', 'ssn is [password]'],
  ['My last four digits SSN number is 7883.', 'My last four digits SSN number is [password].'],
  ['my last 4 digits ssn number 3658', 'my last 4 digits ssn number [password]'],
  [
    'ssn no 9281, ssn num 2987, ssn no. is 3060',
    'ssn no [password], ssn num [password], ssn no. is [password]',
  ],
  ['SSN number: 7883', 'SSN number: [password]'],
  ['SSN (last four): 7883', 'SSN (last four): [password]'],
  ['ssn ending in 7883', 'ssn ending in [password]'],
  ['the wrong ssn it was 6597', 'the wrong ssn it was [password]'],
  [
    'last four of my social security number are 7883',
    'last four of my social security number are [password]',
  ],
  ['My social is 7883', 'My social is [password]'],
  ['their social security number ends with 7883', 'their social security number ends with [password]'],
  ['7883 are the last four of my SSN', '[password] are the last four of my SSN'],
  ['Hello\n5687 ssn\nThanks', 'Hello\n[password] ssn\nThanks'],
  ['SSN number is 123-45-6789', 'SSN number is [password]'],
  ['ssn number 36589675 and social is 555555555', 'ssn number [password] and social is [password]'],
])('redacts a social security number: %s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

it.each([
  'ticket number is 7883',
  'my order number is 7883',
  'the last four digits of my card are 8465',
  'my last 4 digit account number is 5746',
  'The SSN number is 1000 characters long',
  'the ssn number field of form 4506',
  'SSN-1234 is a ticket',
  'Social security 1935 was a law',
  'our social media account has 4000 followers',
  'social number 1234 is a post',
  'the ssn number is wrong since 2024',
  'lessn number is 7883',
  'ssn number is 78831 and 1,234',
  'version ssn number is 1234.5',
])('does not redact other numbers: %s', (text) => {
  expect(redact(text)).toBe(text);
});

it('takes time linear in the length of the text', () => {
  for (const text of [
    'ssn '.repeat(50_000),
    `ssn number${' '.repeat(200_000)}7`,
    '7883 are the last four '.repeat(9000),
  ])
    expect(findSocialSecurityNumbers(text)).toEqual([]);
});
