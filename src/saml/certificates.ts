import { X509Certificate } from 'node:crypto';
import { Problem } from '../errors/problem.ts';

/** A certificate that signatures may be checked with. */
export interface Certificate {
  readonly pem: string;
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** SHA-256, as bytes in hexadecimal with colons between them. */
  readonly fingerprint: string;
}

const hint =
  'Give the signing certificate of the identity provider, as PEM or as the bare base64 in its metadata; several one after the other, as PEM.';
const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;

/** Reads one certificate, as PEM or bare base64, or several as PEM. Throws `invalid-input` with nothing of the text in it. */
export function readCertificates(text: string): Certificate[] {
  const blocks = [...text.matchAll(block)];
  if (blocks.length === 0) return [readCertificate(text)];
  if (blocks.some(([, label]) => label !== 'CERTIFICATE'))
    throw wrong('The text holds something else than certificates, such as a key.');
  if (blocks.length > 10) throw wrong('There are more than 10 certificates.');
  return blocks.map(([, , body]) => readCertificate(body!));
}

/** Whether a time lies in the years of a certificate. */
export function isInForce({ validFrom, validTo }: Certificate, now: number): boolean {
  return validFrom <= now && now <= validTo;
}

/** A certificate in a few words: whose it is, until when, and how its fingerprint begins. */
export function describeCertificate(
  { subject, validFrom, validTo, fingerprint }: Certificate,
  now: number,
): string {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const years =
    validTo < now
      ? `expired on ${day(validTo)}`
      : validFrom > now
        ? `valid from ${day(validFrom)} to ${day(validTo)}`
        : `valid until ${day(validTo)}`;
  return `${subject}, ${years}, SHA-256 ${fingerprint.slice(0, 23)}…`;
}

function readCertificate(text: string): Certificate {
  const body = text.replace(/\s+/g, '');
  if (body.length === 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) throw wrong('This is no certificate.');
  const pem = `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  const certificate = parse(pem);
  const key = certificate.publicKey;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  // The signature methods that XML signatures are checked with here are those of RSA.
  if (key.asymmetricKeyType !== 'rsa')
    throw wrong(
      `The key of the certificate is of the kind ${key.asymmetricKeyType ?? 'unknown'}, and only RSA is taken.`,
    );
  if (bits < 2048 || bits > 8192)
    throw wrong(`The key of the certificate has ${bits} bits; it takes 2048 to 8192.`);
  const { subject, validFrom, validTo, fingerprint256: fingerprint } = certificate;
  return {
    pem,
    subject: subject.replaceAll('\n', ', '),
    validFrom: Date.parse(validFrom),
    validTo: Date.parse(validTo),
    fingerprint,
  };
}

function parse(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw wrong('This is no X.509 certificate.');
  }
}

function wrong(message: string): Problem {
  return new Problem('invalid-input', message, {
    hint,
    violations: [{ path: '/body/certificate', message }],
  });
}
