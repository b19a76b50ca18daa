import { hash } from 'node:crypto';

/** Returns the SHA-256 of a text or of bytes as 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** Returns the hash of a file. A text with the same bytes has a different one. */
export function hashOfFile(bytes: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from('bytes\0'), bytes]));
}

/** Returns the object ID that git would assign, so that a folder can be compared without reading texts. */
export function gitOid(data: string | Uint8Array): string {
  if (typeof data === 'string') return hash('sha1', `blob ${Buffer.byteLength(data)}\0${data}`);
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${data.length}\0`), data]));
}
