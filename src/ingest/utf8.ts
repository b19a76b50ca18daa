import { isUtf8 } from 'node:buffer';
import { Problem } from '../errors/problem.ts';

/** Passes chunks on. @throws Problem(invalid-input) at the first chunk that is not UTF-8 text */
export async function* checkUtf8(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of chunks) {
    const isWide =
      first && ((chunk[0] === 0xff && chunk[1] === 0xfe) || (chunk[0] === 0xfe && chunk[1] === 0xff));
    first = false;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const completeLength = wholeCharacters(bytes);
    if (isWide || !isUtf8(bytes.subarray(0, completeLength))) throw notText(file, isWide);
    rest = bytes.subarray(completeLength);
    yield chunk;
  }
  if (rest.length > 0) throw notText(file, false);
}

/** Returns the number of bytes before a character that is cut off at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes.readUInt8(bytes.length - back);
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function notText(file: string, isWide: boolean): Problem {
  return new Problem('invalid-input', `${file === '-' ? 'Standard input' : file} is not UTF-8 text.`, {
    hint: `Convert it first: \`iconv -f ${isWide ? 'UTF-16' : 'WINDOWS-1252'} -t UTF-8\``,
  });
}
