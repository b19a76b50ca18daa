import { type MeasuredVector, measureVector } from './text-vectors.ts';

/** Writes a vector as a short text: one byte for each number, relative to the greatest. */
export function packVector(values: Float32Array): string {
  let greatest = 0;
  for (const value of values) greatest = Math.max(greatest, Math.abs(value));
  const bytes = new Uint8Array(4 + values.length);
  new DataView(bytes.buffer).setFloat32(0, greatest / 127);
  for (let at = 0; greatest > 0 && at < values.length; at++)
    bytes[4 + at] = Math.round((values[at]! / greatest) * 127) & 0xff;
  return Buffer.from(bytes.buffer).toString('base64');
}

/** Reads what `packVector` wrote; numbers are rounded to 1/127 of the greatest. */
export function unpackVector(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const step = bytes.readFloatBE(0);
  const values = new Float32Array(bytes.length - 4);
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset + 4, values.length);
  for (let at = 0; at < values.length; at++) values[at] = signed[at]! * step;
  return values;
}

/** Unpacks the vector of each row object once, for as long as the object is in memory. */
export class VectorCache {
  readonly #known = new WeakMap<object, MeasuredVector>();

  of(row: { readonly vector: string }): MeasuredVector {
    let vector = this.#known.get(row);
    if (vector === undefined) this.#known.set(row, (vector = measureVector(unpackVector(row.vector))));
    return vector;
  }
}
