import { createHash } from 'node:crypto';
import { entityTagOf } from '../../contract/entity-tag.ts';

/** Encoded JSON. */
export interface EncodedJson {
  /** The pieces of the UTF-8 text. Each has its own memory, so that it can be transferred to another thread. */
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly etag: string;
}

/** Size of a piece in bytes: large enough for few pieces, and small enough to save memory. */
const pieceSize = 256 * 1024;

/**
 * Encodes a value as JSON, item by item for its lists, so that a large answer is never additionally in memory as one text. Pieces
 * have at most 256 KiB.
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
  // Copies the last piece, so that it takes no unused memory.
  endPiece(piece.slice(0, size));
  return { pieces, etag: entityTagOf(hash) };
}

/** Whether a value is an object that contains a list of objects, which may be long. */
function hasLists(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((field) => Array.isArray(field) && typeof field[0] === 'object')
  );
}
