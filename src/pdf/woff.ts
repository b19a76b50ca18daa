import { inflateSync } from 'node:zlib';

/** Where the parts of the two formats stand, in bytes: https://www.w3.org/TR/WOFF/ and the OpenType specification. */
const woff = { header: 44, entry: 20 };
const sfnt = { header: 12, entry: 16 };

/**
 * Unpacks a WOFF file (version 1.0) to the TrueType or OpenType file that it was made from. pdfkit opens such files as
 * well, but unpacks a whole table again for each glyph that it reads.
 *
 * @throws Error where the file is none, or is damaged
 */
export function unpackWoff(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file');
  const tables = file.readUInt16BE(12);
  const unpacked = Buffer.alloc(file.readUInt32BE(16));
  file.copy(unpacked, 0, 4, 8);
  unpacked.writeUInt16BE(tables, 4);
  // What older readers search the tables with.
  const power = Math.floor(Math.log2(tables));
  const searched = sfnt.entry * 2 ** power;
  unpacked.writeUInt16BE(searched, 6);
  unpacked.writeUInt16BE(power, 8);
  unpacked.writeUInt16BE(sfnt.entry * tables - searched, 10);
  let offset = sfnt.header + sfnt.entry * tables;
  for (let index = 0; index < tables; index++) {
    const from = woff.header + woff.entry * index;
    const to = sfnt.header + sfnt.entry * index;
    const start = file.readUInt32BE(from + 4);
    const packedLength = file.readUInt32BE(from + 8);
    const length = file.readUInt32BE(from + 12);
    const packed = file.subarray(start, start + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    if (table.length !== length) throw new Error('a table of the WOFF file is damaged');
    table.copy(unpacked, offset);
    file.copy(unpacked, to, from, from + 4);
    file.copy(unpacked, to + 4, from + 16, from + 20);
    unpacked.writeUInt32BE(offset, to + 8);
    unpacked.writeUInt32BE(length, to + 12);
    offset += (length + 3) & ~3;
  }
  return unpacked;
}
