import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import {
  describeCertificate,
  findMissingSettings,
  isValidAt,
  readCertificates,
  warnOfCertificates,
} from '../../src/saml/certificates.ts';
import { bare, makeCertificate, pem, rsa } from './certificate-maker.ts';

const pair = rsa();
const one = makeCertificate(pair, { name: 'one', from: '2020-01-01T00:00:00Z', to: '2030-01-01T00:00:00Z' });
const two = makeCertificate(pair, { name: 'two' });

const fingerprintOf = (text: string): string =>
  createHash('sha256')
    .update(Buffer.from(bare(text), 'base64'))
    .digest('hex')
    .toUpperCase()
    .replace(/..(?=.)/g, '$&:');

describe('certificates', () => {
  it.each([
    ['PEM', one],
    ['PEM with CRLF line breaks', one.replaceAll('\n', '\r\n')],
    [
      'PEM on long lines, with text around',
      `Bag Attributes\n${one.replace(/([A-Za-z0-9+/])\n(?=[A-Za-z0-9+/=])/g, '$1')}\nend`,
    ],
    ['bare base64', bare(one)],
    ['bare base64 on many lines', ` ${bare(one).replace(/.{20}/g, '$&\n\t')} `],
  ])('are read from %s', (_, text) => {
    expect(readCertificates(text)).toEqual([
      {
        pem: one,
        subject: 'CN=one',
        validFrom: Date.UTC(2020, 0),
        validTo: Date.UTC(2030, 0),
        fingerprint: fingerprintOf(one),
      },
    ]);
  });

  it('are refused with a hint at @FILE if the text is a file name', () => {
    expect(() => readCertificates('certs/okta.pem')).toThrow(
      expect.objectContaining({ hint: 'To read it from the file, write @certs/okta.pem.' }),
    );
  });

  it('are read from one text, each with its period of validity', () => {
    const found = readCertificates(one + two);
    expect(found.map(({ subject }) => subject)).toEqual(['CN=one', 'CN=two']);
    expect(found.map((certificate) => isValidAt(certificate, Date.UTC(2035, 0)))).toEqual([false, true]);
    expect(found.map((certificate) => isValidAt(certificate, Date.UTC(2019, 0)))).toEqual([false, false]);
  });

  it.each([
    [2025, 'valid until 2030-01-01'],
    [2031, 'expired on 2030-01-01'],
    [2019, 'valid from 2020-01-01 to 2030-01-01'],
  ])('are described in short form, in %d', (year, years) => {
    const [certificate] = readCertificates(one);
    expect(describeCertificate(certificate!, Date.UTC(year, 0))).toBe(
      `CN=one, ${years}, SHA-256 ${fingerprintOf(one).slice(0, 23)}…`,
    );
  });

  it.each([
    ['2029-12-02T00:00:00Z', []],
    ['2029-12-02T00:00:00.001Z', ['warning: the certificate of CN=one expires on 2030-01-01.']],
    ['2030-01-01T00:00:00Z', ['warning: the certificate of CN=one expires on 2030-01-01.']],
    [
      '2030-01-01T00:00:00.001Z',
      ['warning: the certificate of CN=one expired on 2030-01-01: people cannot sign in with it.'],
    ],
    ['2020-01-01T00:00:00Z', []],
    ['2019-12-31T23:59:59Z', ['warning: the certificate of CN=one is not valid before 2020-01-01.']],
  ])('warn 30 days before they expire: at %s', (time, warnings) => {
    expect(warnOfCertificates(readCertificates(one), Date.parse(time))).toEqual(warnings);
  });

  it.each([
    ['empty', ' '],
    ['a word', 'canary'],
    ['a web page', '<html>canary</html>'],
    ['base64 of something else', Buffer.from('canary').toString('base64')],
    ['PEM of something else', pem(Buffer.from('canary').toString('base64'))],
    ['half of a certificate', one.slice(0, 400)],
    ['a PEM certificate that is cut off', pem(bare(one).slice(0, 400))],
    ['a private key', pair.privateKey.export({ type: 'pkcs8', format: 'pem' })],
    [
      'a certificate with a private key',
      one + String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    ],
    ['a public key', pair.publicKey.export({ type: 'spki', format: 'pem' })],
    ['too many', one.repeat(11)],
    ['a certificate with a short key', makeCertificate(rsa(1024))],
    [
      'a certificate with an elliptic curve key',
      makeCertificate(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    ],
  ])('are refused if the text is %s', (_, text) => {
    const act = (): unknown => readCertificates(String(text));
    expect(act).toThrow(Problem);
    expect(act).not.toThrow(/canary|MII/);
  });
});

const now = Date.parse('2026-01-05T10:00:00Z');
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
])('findMissingSettings returns exactly the missing settings (%#)', (settings, missing) =>
  expect(findMissingSettings(settings, now)).toEqual(missing),
);
