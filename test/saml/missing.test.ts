import { expect, it } from 'vitest';
import { missingOf } from '../../src/saml/missing.ts';
import { makeCertificate, rsa } from './certificate-maker.ts';

const now = Date.parse('2026-01-05T10:00:00Z');
const pair = rsa();
const [good, over, early] = [
  makeCertificate(pair),
  makeCertificate(pair, { to: '2025-01-01T00:00:00Z' }),
  makeCertificate(pair, { from: '2027-01-01T00:00:00Z' }),
];
const whole = { ssoURL: 'https://idp.test/sso', entityID: 'https://idp.test/', certificate: good };

it.each([
  [whole, []],
  [{ ...whole, certificate: over + good }, []],
  [{ ...whole, ssoURL: null }, ['ssoURL']],
  [{ ...whole, entityID: null }, ['entityID']],
  [{ ...whole, certificate: null }, ['certificate']],
  [{ ...whole, certificate: over + early }, ['certificate in force']],
  [{ ssoURL: null, entityID: null, certificate: over }, ['ssoURL', 'entityID', 'certificate in force']],
  [{ ssoURL: null, entityID: null, certificate: null }, ['ssoURL', 'entityID', 'certificate']],
])('a provider lacks what it lacks, and nothing else (%#)', (told, missing) =>
  expect(missingOf(told, now)).toEqual(missing),
);
