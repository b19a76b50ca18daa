import { contextEnd, restLength } from './text-vectors.ts';
import { scaleBy } from './vector-math.ts';

/** Converts a vector to a short text: one byte for each number, relative to the greatest. */
export function packVector(values: Float32Array): string {
  let greatest = 0;
  for (const value of values) greatest = Math.max(greatest, Math.abs(value));
  const bytes = new Uint8Array(4 + values.length);
  new DataView(bytes.buffer).setFloat32(0, greatest / 127);
  for (let at = 0; greatest > 0 && at < values.length; at++)
    bytes[4 + at] = Math.round((values[at]! / greatest) * 127) & 0xff;
  return Buffer.from(bytes.buffer).toString('base64');
}

/** Converts a text from `packVector` back to a vector. */
export function unpackVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset + 4, bytes.length - 4);
  return scaleBy(new Float32Array(signed), bytes.readFloatBE(0));
}

/** A vector that is compared with many others. */
export interface MeasuredVector {
  readonly values: Float32Array;
  /** The length of everything after the context. */
  readonly rest: number;
}

/** Returns a vector with the length of the part after its context. */
export function measureVector(values: Float32Array): MeasuredVector {
  return { values, rest: restLength(values, contextEnd) };
}

/** Unpacks the vector of each row object once, for as long as the object is in memory. */
export class VectorCache {
  readonly #known = new WeakMap<object, MeasuredVector>();

  of(row: { vector: string }): MeasuredVector {
    let vector = this.#known.get(row);
    if (vector === undefined) this.#known.set(row, (vector = measureVector(unpackVector(row.vector))));
    return vector;
  }
}
