import { createHash } from 'node:crypto';
import type { Key } from '../../core/store.ts';

/**
 * Maximum bytes of a text in an index. PostgreSQL refuses index entries of more than 2,704 bytes, and an index has up to five
 * columns.
 */
const maxBytes = 480;

/**
 * Returns a key as text. The texts sort by byte like the keys: null, then numbers, then texts. Long texts are cut and end in
 * their hash, so they stay different, but long texts with the same start sort by hash.
 */
export function encodeKey(key: Key): string {
  if (key === null) return '';
  if (typeof key === 'number') return `n${orderedHex(key)}`;
  // No character has more than 3 bytes per unit of its length.
  if (key.length * 3 <= maxBytes || Buffer.byteLength(key) <= maxBytes) return `s${key}`;
  const start = Buffer.from(key).subarray(0, maxBytes - 70);
  return `s${cutToCharacters(start)}\u{10ffff}${createHash('sha256').update(key).digest('hex')}`;
}

/** Removes an incomplete character at the end of a text in UTF-8. */
function cutToCharacters(bytes: Buffer): string {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end -= 1;
  const lead = bytes[end - 1] ?? 0;
  const length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return bytes.subarray(0, end - 1 + length <= bytes.length ? end - 1 + length : end - 1).toString();
}

/** Returns 16 hexadecimal digits that sort like the numbers. */
function orderedHex(number: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(number);
  if (((bytes[0] as number) & 0x80) === 0) bytes[0] = (bytes[0] as number) | 0x80;
  else for (let at = 0; at < 8; at += 1) bytes[at] = ~(bytes[at] as number) & 0xff;
  return bytes.toString('hex');
}
