/** Numbers as a short text: one byte each, relative to the greatest of them. */
export function pack(values: Float32Array): string {
  let most = 0;
  for (const value of values) most = Math.max(most, Math.abs(value));
  const bytes = new Uint8Array(4 + values.length);
  new DataView(bytes.buffer).setFloat32(0, most / 127);
  for (let at = 0; most > 0 && at < values.length; at++)
    bytes[4 + at] = Math.round((values[at]! / most) * 127) & 0xff;
  return Buffer.from(bytes.buffer).toString('base64');
}

/** What `pack` made, as numbers again. */
export function unpack(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64');
  const step = bytes.readFloatBE(0);
  const values = new Float32Array(bytes.length - 4);
  const signed = new Int8Array(bytes.buffer, bytes.byteOffset + 4, values.length);
  for (let at = 0; at < values.length; at++) values[at] = signed[at]! * step;
  return values;
}
