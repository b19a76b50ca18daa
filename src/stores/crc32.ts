import { crc32 as ofNode } from 'node:zlib';
import { once } from '../contract/once.ts';

/**
 * Texts up to about this many bytes are summed without zlib. From about 6,000 bytes, V8 would optimize the loop in another
 * thread, which takes as long as loading zlib.
 */
const maxOwnBytes = 4000;
let ownBytes = 0;

/** The remainders of x⁸ to x³² of each byte, by the polynomial of IEEE 802.3: one table after the other. */
const tables = once(() => {
  const table = new Int32Array(4 * 256);
  for (let bit = 128, crc = 1; bit > 0; bit >>= 1) {
    crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    for (let byte = 0; byte < 256; byte += 2 * bit) table[byte + bit] = crc ^ table[byte]!;
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256]!;
    table[at] = table[before & 255]! ^ (before >>> 8);
  }
  return table;
});

/**
 * Returns the CRC-32 of a text in UTF-8. Long texts use zlib. Loading zlib takes milliseconds, so commands that read few rows do
 * without it.
 */
export function crc32(text: string): number {
  ownBytes += text.length;
  return ownBytes > maxOwnBytes ? ofNode(text) : crc32OfBytes(Buffer.from(text));
}

/** Returns the CRC-32 of bytes without zlib. */
export function crc32OfBytes(bytes: Uint8Array): number {
  const table = tables();
  const whole = bytes.length & ~3;
  let crc = -1;
  let at = 0;
  for (; at < whole; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      table[768 + (crc & 255)]! ^
      table[512 + ((crc >>> 8) & 255)]! ^
      table[256 + ((crc >>> 16) & 255)]! ^
      table[crc >>> 24]!;
  }
  for (; at < bytes.length; at++) crc = table[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
