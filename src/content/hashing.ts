import { hash } from 'node:crypto';

/** SHA-256 of a text or of bytes, as 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** The hash of a file in the API; a text with the same bytes has another one. */
export function hashOfFile(bytes: Uint8Array): string {
  return sha256(Buffer.concat([Buffer.from('bytes\0'), bytes]));
}

/** The object id that git gives a file, so that a folder is compared without reading its texts back. */
export function gitOid(data: string | Uint8Array): string {
  if (typeof data === 'string') return hash('sha1', `blob ${Buffer.byteLength(data)}\0${data}`);
  return hash('sha1', Buffer.concat([Buffer.from(`blob ${data.length}\0`), data]));
}
