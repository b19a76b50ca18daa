import { describe, expect, it } from 'vitest';
import { readCertificates } from '../../src/saml/certificates.ts';
import { readIdpMetadata } from '../../src/saml/metadata.ts';
import { bare, makeCertificate, rsa } from './certificate-maker.ts';

const now = Date.parse('2026-01-05T10:00:00Z');
const pair = rsa();
const old = makeCertificate(pair, { name: 'old', to: '2025-06-01T00:00:00Z' });
const current = makeCertificate(pair, { name: 'current', to: '2026-01-20T00:00:00Z' });
const next = makeCertificate(pair, { name: 'next', from: '2026-02-01T00:00:00Z' });
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

const key = (certificate: string, use = ' use="signing"'): string =>
  `<md:KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n ${bare(certificate)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
const sso = (binding = redirect, location = 'https://idp.test/sso?a=1&amp;b=2'): string =>
  `<md:SingleSignOnService Binding="${binding}" Location="${location}"/>`;
const idp = (inside = key(current) + sso(), id = 'https://idp.test/', more = ''): string =>
  `<md:EntityDescriptor entityID="${id}"><md:IDPSSODescriptor${more}>${inside}</md:IDPSSODescriptor></md:EntityDescriptor>`;
const root = (inside: string): string =>
  `<?xml version="1.0"?><!-- made for a test --><md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${inside}</md:EntitiesDescriptor>`;
const read = (text: string, entityID?: string) => readIdpMetadata(text, { entityID, now });
const subjects = (text: string): string[] => readCertificates(text).map(({ subject }) => subject);

describe('metadata of an identity provider', () => {
  it('contains its entity ID, sign-in URL and certificate', () => {
    const { certificate, ...more } = read(idp());
    expect(more).toEqual({
      entityID: 'https://idp.test/',
      ssoURL: 'https://idp.test/sso?a=1&b=2',
      notes: ['warning: the certificate of CN=current expires on 2026-01-20.'],
    });
    expect(certificate).toBe(current);
  });

  it('can have several certificates; valid ones come first, and duplicates are omitted', () => {
    const text = idp(
      key(old) +
        key(next, '') +
        key(current) +
        key(current) +
        key(makeCertificate(pair, { name: 'encryption' }), ' use="encryption"') +
        sso(),
    );
    const { certificate, notes } = read(`\ufeff${text}`);
    expect(subjects(certificate)).toEqual(['CN=current', 'CN=next', 'CN=old']);
    expect(notes).toEqual([
      'warning: the certificate of CN=current expires on 2026-01-20.',
      'warning: the certificate of CN=next is not valid before 2026-02-01.',
      'warning: the certificate of CN=old expired on 2025-06-01: people cannot sign in with it.',
    ]);
  });

  it('is reduced to the certificates that a provider can store', () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      key(makeCertificate(pair, { name: `n${index}`, to: `20${40 + index}-01-01T00:00:00Z` })),
    ).join('');
    const { certificate } = read(idp(many + sso()));
    expect(certificate.length).toBeLessThanOrEqual(10_000);
    expect(subjects(certificate)[0]).toBe('CN=n11');
  });

  it('can describe several providers, of which one must be named', () => {
    const text = root(
      idp() +
        `<md:EntitiesDescriptor>${idp(undefined, 'https://two.test/')}</md:EntitiesDescriptor><md:EntityDescriptor entityID="https://sp.test/"><md:SPSSODescriptor/></md:EntityDescriptor>`,
    );
    expect(read(text, 'https://two.test/').entityID).toBe('https://two.test/');
    expect(() => read(text)).toThrow('2 identity providers');
    expect(() => read(text, 'https://sp.test/')).toThrow('no identity provider "https://sp.test/"');
    expect(read(root(idp())).entityID).toBe('https://idp.test/');
  });

  it('causes a note if it wants signed requests', () => {
    const notesWith = (value: string): string =>
      read(idp(undefined, undefined, ` WantAuthnRequestsSigned="${value}"`)).notes.join();
    for (const yes of ['true', '1']) expect(notesWith(yes)).toContain('docsctl does not sign them');
    for (const no of ['false', '0', '']) expect(notesWith(no)).not.toContain('signed');
  });

  it('that is not well-formed is refused with line and column', () => {
    expect(() =>
      read(idp().replace('<md:KeyDescriptor', '\n  <md:KeyDescriptor').replace('</md:KeyInfo>', '')),
    ).not.toThrow();
    expect(() => read('<a>\n  <b>\n</a>')).toThrow('not well-formed at line 3, column 1: </a> ends <b>');
    expect(() => read('<a>\n  <b\n  <c/></a>')).toThrow('not well-formed at line 2, column 3.');
    expect(() => read('<a>\n\n <!-- </a>')).toThrow(
      'the markup that begins at line 3, column 2 is never closed',
    );
    expect(() => read('<a/>\n <!DOCTYPE a>')).toThrow('DOCTYPE at line 2, column 2');
  });

  it.each([
    [
      'metadata of a service provider',
      '<EntityDescriptor entityID="x"><SPSSODescriptor/></EntityDescriptor>',
      'not describe an identity provider',
    ],
    ['a web page', '<html><body>Log in</body></html>', 'not describe an identity provider'],
    ['a text that is not XML', '{"a":1}', 'well-formed'],
    ['empty', '', 'well-formed'],
    ['metadata without an entity ID', idp(undefined, ''), 'no entityID'],
    ['metadata with an entity ID of 1025 characters', idp(undefined, 'x'.repeat(1025)), '1024 characters'],
    [
      'metadata without an address for redirects',
      idp(key(current) + sso('urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST')),
      'HTTP-Redirect',
    ],
    ['metadata without a signing certificate', idp(sso()), 'no signing certificate'],
    ['metadata with an invalid certificate', idp(key('AAAA') + sso()), 'not an X.509 certificate'],
    ['a DOCTYPE', `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${idp()}`, 'DOCTYPE'],
    ['too many levels', '<a>'.repeat(100), '64 levels'],
    ['too many elements', `<a>${'<b/>'.repeat(100_001)}</a>`, '100000 elements'],
    ['too many bytes', `<a>${' '.repeat(4 * 2 ** 20)}</a>`, 'larger than 4096 KiB'],
  ])('is refused if it is %s', (_, text, says) => expect(() => read(text)).toThrow(says));
});
