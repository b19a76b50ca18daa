import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Returns one ASN.1 value in DER. */
function der(tag: number, ...parts: (Buffer | readonly number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as Buffer)));
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sha256WithRsa = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b]), der(0x05));
const sha256WithEcdsa = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));

function generalizedTime(text: string): Buffer {
  return der(0x18, Buffer.from(text.replace(/[-:]|\.\d+/g, '').replace('T', '')));
}

export interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Creates a self-signed certificate without other programs. */
export function makeCertificate(
  { privateKey, publicKey }: Pair,
  { name = 'idp.test', from = '2020-01-01T00:00:00Z', to = '2040-01-01T00:00:00Z' } = {},
): string {
  const algorithm = publicKey.asymmetricKeyType === 'rsa' ? sha256WithRsa : sha256WithEcdsa;
  const subject = der(
    0x30,
    der(0x31, der(0x30, der(0x06, [0x55, 0x04, 0x03]), der(0x0c, Buffer.from(name)))),
  );
  const body = der(
    0x30,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    algorithm,
    subject,
    der(0x30, generalizedTime(from), generalizedTime(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(body).sign(privateKey);
  return pem(der(0x30, body, algorithm, der(0x03, [0], signature)).toString('base64'));
}

export function pem(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

/** Returns the base64 of a PEM without header and line breaks. */
export function bare(text: string): string {
  return text.replace(/-----[A-Z ]+-----|\s/g, '');
}

/** Key pairs of 2048 bits, which take long to generate. */
const pairs: Pair[] = [];
let taken = 0;

/** Returns a key pair. Pairs of 2048 bits are reused after eight others. */
export function rsa(bits = 2048): Pair {
  if (bits !== 2048) return generateKeyPairSync('rsa', { modulusLength: bits });
  const at = taken++ % 9;
  return (pairs[at] ??= generateKeyPairSync('rsa', { modulusLength: bits }));
}
