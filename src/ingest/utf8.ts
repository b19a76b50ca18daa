import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import { shellWord } from '../contract/shell-word.ts';
import { Problem } from '../errors/problem.ts';
import { formatFromName } from './source-record.ts';

/** Passes chunks on. @throws Problem(invalid-input) at the first chunk that is not UTF-8 text */
export async function* checkUtf8(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let first = true;
  for await (const chunk of chunks) {
    if (first) refuseBinary(chunk, file);
    first = false;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const completeLength = wholeCharacters(bytes);
    if (!isUtf8(bytes.subarray(0, completeLength))) throw notText(file, false);
    rest = bytes.subarray(completeLength);
    yield chunk;
  }
  if (rest.length > 0) throw notText(file, false);
}

/**
 * Checks the first chunk of a file. @throws Problem(invalid-input) if it begins like a compressed file, or like UTF-16: with its
 * byte order mark, or with a character of two bytes
 */
export function refuseBinary(chunk: Buffer, file: string): void {
  const [first, second] = chunk;
  if (first === 0x1f && second === 0x8b) throw compressed(file);
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark || first === 0 || second === 0) throw notText(file, true);
}

function compressed(file: string): Problem {
  const name = file === '-' ? 'Standard input' : file;
  const format = formatFromName(file.replace(/\.gz$/i, '')) ?? 'FORMAT';
  return new Problem('invalid-input', `${name} is compressed.`, {
    hint:
      file === '-'
        ? 'Decompress it first with `gunzip`.'
        : `Decompress it: \`gunzip < ${shellWord(file)} | docsctl conversations ingest -f - --format ${format}\``,
  });
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

/** Returns the Problem for a file that is not UTF-8 text; "-" is standard input. `isWide` says that it is UTF-16. */
export function notText(file: string, isWide: boolean): Problem {
  const isStdin = file === '-';
  const files = isStdin ? '' : ` ${shellWord(file)} > ${shellWord(`utf-8${extname(file)}`)}`;
  return new Problem('invalid-input', `${isStdin ? 'Standard input' : file} is not UTF-8 text.`, {
    hint: `${isWide ? 'Convert it' : 'If its encoding is Windows-1252, convert it'} first${isStdin ? ' with' : ':'} \`iconv -f ${isWide ? 'UTF-16' : 'WINDOWS-1252'} -t UTF-8${files}\`.`,
  });
}
