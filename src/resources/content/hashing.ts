import { createHash } from 'node:crypto';

/** SHA-256 of a text or of bytes, as 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The id git gives a file with these bytes, so that a folder can be compared without reading texts back. */
export function gitOid(data: Uint8Array): string {
  return createHash('sha1').update(`blob ${data.length}\0`).update(data).digest('hex');
}
