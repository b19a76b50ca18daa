import { X509Certificate } from 'node:crypto';

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;

/** Why a text is no certificate, as PEM or bare base64, or several as PEM; nothing of the text is in the answer. An empty one is none. */
export function wrongWithCertificate(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const blocks = [...text.matchAll(block)];
  if (blocks.some(([, label]) => label !== 'CERTIFICATE'))
    return 'holds something else than certificates, such as a key';
  const bodies = blocks.length === 0 ? [text] : blocks.map(([, , body]) => body!);
  return bodies.every(isCertificate)
    ? undefined
    : 'is no X.509 certificate; give the signing certificate of the identity provider, as PEM or as the bare base64 in its metadata';
}

function isCertificate(body: string): boolean {
  const base64 = body.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false;
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).raw.length > 0;
  } catch {
    return false;
  }
}
