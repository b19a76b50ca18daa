import { createHash } from 'node:crypto';
import { entityTagOf } from '../../contract/entity-tag.ts';

/** JSON that is encoded already. */
export interface EncodedJson {
  /** Its UTF-8. Each piece has memory of its own, so that it can be given away. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly etag: string;
}

/** Bytes of a piece: so many that there are few pieces, and so few that one costs little memory. */
const pieceSize = 256 * 1024;

/**
 * Encodes the JSON of a value, the items of its lists one by one, so that a large answer is never in memory as one text as well.
 * Pieces have at most 256 KiB.
 */
export function encodeJson(value: unknown): EncodedJson {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const encoder = new TextEncoder();
  const hash = createHash('sha256');
  let piece = new Uint8Array(pieceSize);
  let size = 0;
  const endPiece = (bytes: Uint8Array<ArrayBuffer>): void => {
    hash.update(bytes);
    pieces.push(bytes);
  };
  const add = (text: string): void => {
    for (let rest = text; ;) {
      const { read, written } = encoder.encodeInto(rest, piece.subarray(size));
      size += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      endPiece(piece.subarray(0, size));
      piece = new Uint8Array(pieceSize);
      size = 0;
    }
  };
  const write = (part: unknown): void => {
    if (Array.isArray(part)) {
      add('[');
      for (const [index, item] of part.entries()) {
        if (index > 0) add(',');
        write(item);
      }
      return add(']');
    }
    if (!hasLists(part)) return add(JSON.stringify(part) ?? 'null');
    let separator = '{';
    for (const [name, field] of Object.entries(part)) {
      if (field === undefined) continue;
      add(`${separator}${JSON.stringify(name)}:`);
      write(field);
      separator = ',';
    }
    add('}');
  };
  write(value);
  // The last piece takes no more memory than it needs.
  endPiece(piece.slice(0, size));
  return { pieces, etag: entityTagOf(hash) };
}

/** Whether a value is an object with a field that lists objects, which may be many. */
function hasLists(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((field) => Array.isArray(field) && typeof field[0] === 'object')
  );
}
