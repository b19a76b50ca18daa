/** The object ID of the type text, which is the same in every database. */
const textType = 25;
/** Bytes before the elements: dimensions, flags, type, and the size and lower bound of the one dimension. */
const headerSize = 20;

/**
 * Returns texts as an array of PostgreSQL in binary form. In text form, every quote in the JSON of a row would have to be
 * escaped.
 */
export function textArray(values: readonly (string | number)[]): Buffer {
  const texts = values.map(String);
  const sizes = texts.map((text) => Buffer.byteLength(text));
  const array = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + 4 + size, headerSize));
  let at = 0;
  for (const number of [1, 0, textType, texts.length, 1]) at = array.writeInt32BE(number, at);
  for (const [index, text] of texts.entries()) {
    at = array.writeInt32BE(sizes[index] as number, at);
    at += array.write(text, at);
  }
  return array;
}
