import { crc32 } from './crc32.ts';
import { damagedStore } from '../core/damage.ts';

/** The cause of a Problem about a damaged row. Its message says what is wrong with the row. */
export class RowDamage extends Error {}

/** Returns the CRC-32 of the JSON of a row, as a signed number of 32 bits. */
export function checksumOf(text: string): number {
  return crc32(text) | 0;
}

/** Whether a value is the JSON of a row that has this checksum. In a damaged file it may not even be a text. */
export function hasChecksum(text: unknown, checksum: number | null): text is string {
  return typeof text === 'string' && checksumOf(text) === checksum;
}

/** Returns the JSON of a row after checking its checksum. @throws Problem(store-failed) */
export function verifyRow(table: string, text: unknown, checksum: number | null): string {
  if (hasChecksum(text, checksum)) return text;
  throw damagedRow(table, 'does not have its checksum');
}

/** Returns the Problem for a damaged row. */
export function damagedRow(table: string, what: string, cause?: unknown): Error {
  return damagedStore(`a row of ${table} ${what}`, new RowDamage(what, { cause }));
}
