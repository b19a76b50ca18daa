import { X509Certificate } from 'node:crypto';
import { invalid, type Problem } from '../errors/problem.ts';

/** A certificate that signatures are checked with. Times are milliseconds since 1970. */
export interface Certificate {
  readonly pem: string;
  readonly subject: string;
  readonly validFrom: number;
  readonly validTo: number;
  /** SHA-256, as hexadecimal bytes with colons between them. */
  readonly fingerprint: string;
}

/** The settings of a provider that its identity provider determines; null if not set. */
type ProviderSettings = Readonly<Record<'ssoURL' | 'entityID' | 'certificate', string | null>>;
type MissingSetting = keyof ProviderSettings | 'certificate in force';

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;

/**
 * Reads one certificate as PEM or bare base64, or up to 10 certificates as PEM. Only RSA keys of 2048 to 8192 bits are
 * accepted, because XML signatures are checked with RSA methods only.
 *
 * @throws Problem(invalid-input) that quotes nothing of the text
 */
export function readCertificates(text: string): Certificate[] {
  const blocks = [...text.matchAll(block)];
  if (blocks.length === 0) return [readCertificate(text)];
  if (blocks.some(([, label]) => label !== 'CERTIFICATE'))
    throw wrong('The text contains something other than certificates, such as a key.');
  if (blocks.length > 10) throw wrong('The text contains more than 10 certificates.');
  return blocks.map(([, , body = '']) => readCertificate(body));
}

/** Whether a certificate is valid at a time, in milliseconds since 1970. */
export function isValidAt({ validFrom, validTo }: Certificate, time: number): boolean {
  return validFrom <= time && time <= validTo;
}

/** Describes a certificate in one line: its subject, its validity and the beginning of its fingerprint. */
export function describeCertificate(certificate: Certificate, now: number): string {
  const { subject, validFrom, validTo, fingerprint } = certificate;
  let validity = `valid until ${formatDay(validTo)}`;
  if (validTo < now) validity = `expired on ${formatDay(validTo)}`;
  else if (validFrom > now) validity = `valid from ${formatDay(validFrom)} to ${formatDay(validTo)}`;
  return `${subject}, ${validity}, SHA-256 ${fingerprint.slice(0, 23)}…`;
}

/** Warns of certificates that are not valid now or expire within 30 days. */
export function warnOfCertificates(certificates: readonly Certificate[], now: number): string[] {
  const soon = now + 30 * 24 * 60 * 60 * 1000;
  return certificates.flatMap(({ subject, validFrom, validTo }) => {
    if (validTo < now)
      return [
        `warning: the certificate of ${subject} expired on ${formatDay(validTo)}: people cannot sign in with it.`,
      ];
    if (validFrom > now)
      return [`warning: the certificate of ${subject} is not valid before ${formatDay(validFrom)}.`];
    return validTo < soon ? [`warning: the certificate of ${subject} expires on ${formatDay(validTo)}.`] : [];
  });
}

/** Lists what a provider lacks before anybody can sign in. */
export function findMissingSettings(
  { ssoURL, entityID, certificate }: ProviderSettings,
  now: number,
): MissingSetting[] {
  const missing: MissingSetting[] = [];
  if (ssoURL === null) missing.push('ssoURL');
  if (entityID === null) missing.push('entityID');
  if (certificate === null) missing.push('certificate');
  else if (!readCertificates(certificate).some((one) => isValidAt(one, now)))
    missing.push('certificate in force');
  return missing;
}

function readCertificate(text: string): Certificate {
  const body = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) {
    const file = /^[\w./-]+\.(?:pem|crt|cer|cert)$/i.exec(text.trim())?.[0];
    throw wrong('The text is not a certificate.', file && `To read it from the file, write @${file}.`);
  }
  const pem = `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  const { subject, validFrom, validTo, fingerprint256, publicKey } = parseCertificate(pem);
  const { asymmetricKeyType: type = 'unknown', asymmetricKeyDetails } = publicKey;
  if (type !== 'rsa')
    throw wrong(`The key of the certificate has the type ${type}, but only RSA keys are supported.`);
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < 2048 || bits > 8192)
    throw wrong(`The key of the certificate has ${bits} bits, but 2048 to 8192 are required.`);
  return {
    pem,
    subject: subject.replaceAll('\n', ', '),
    validFrom: Date.parse(validFrom),
    validTo: Date.parse(validTo),
    fingerprint: fingerprint256,
  };
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw wrong('The text is not an X.509 certificate.');
  }
}

function formatDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function wrong(
  message: string,
  hint = 'Use the signing certificate of the identity provider, as PEM or as the base64 text in its metadata. Several certificates must be PEM.',
): Problem {
  return invalid('/body/certificate', message, hint);
}
