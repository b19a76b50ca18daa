import { isUtf8 } from 'node:buffer';
import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { maxRecordBytes, maxRecordText, type SourceRecord } from './source-record.ts';

/** Where a reader is in a file. */
export interface ReadFrom {
  readonly file: string;
  readonly bytes: number;
  readonly line: number;
}

/** The records of NDJSON, some at a time. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  { file, bytes, line }: ReadFrom,
): AsyncGenerator<SourceRecord[]> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let end = bytes;
  let at = line;
  for await (const chunk of chunks) {
    const stop = chunk.lastIndexOf(0x0a) + 1;
    if (stop > 0) {
      const lines = linesOf(
        restLength === 0 ? chunk.subarray(0, stop) : Buffer.concat([...rest, chunk.subarray(0, stop)]),
      );
      [rest, restLength] = [[], 0];
      const entries: SourceRecord[] = [];
      for (const one of lines) {
        end += one.size;
        const entry = entryOf(file, ++at, one, end);
        if (entry !== undefined) entries.push(entry);
      }
      if (entries.length > 0) yield entries;
    }
    if (stop < chunk.length) {
      rest.push(chunk.subarray(stop));
      restLength += chunk.length - stop;
      if (restLength > maxRecordBytes)
        throw new Problem(
          'too-large',
          `${file === '-' ? 'Standard input' : file} has a line of more than ${maxRecordText} (line ${at + 1}).`,
          {
            hint: 'Each line is one conversation.',
          },
        );
    }
  }
  if (restLength === 0) return;
  const [last] = linesOf(Buffer.concat(rest));
  const entry = entryOf(file, at + 1, last!, end + restLength);
  if (entry !== undefined) yield [entry];
}

interface Line {
  readonly text: string;
  /** Bytes, with the end of the line. */
  readonly size: number;
  readonly isBroken: boolean;
}

/** Lines that are whole, decoded at once: one by one takes longer than parsing them. */
function linesOf(bytes: Buffer): Line[] {
  const text = bytes.toString('utf8');
  const lines: Line[] = [];
  if (text.includes('\ufffd') && !isUtf8(bytes)) {
    for (let from = 0; from < bytes.length;) {
      const stop = bytes.indexOf(0x0a, from);
      const own = bytes.subarray(from, stop < 0 ? bytes.length : stop + 1);
      lines.push({ text: own.toString('utf8'), size: own.length, isBroken: !isUtf8(own) });
      from += own.length;
    }
    return lines;
  }
  const isPlain = text.length === bytes.length;
  for (let from = 0; from < text.length;) {
    const stop = text.indexOf('\n', from);
    const own = text.slice(from, stop < 0 ? text.length : stop + 1);
    lines.push({ text: own, size: isPlain ? own.length : Buffer.byteLength(own), isBroken: false });
    from += own.length;
  }
  return lines;
}

function entryOf(
  file: string,
  line: number,
  { text: given, isBroken }: Line,
  end: number,
): SourceRecord | undefined {
  const text = line === 1 && given.startsWith('\ufeff') ? given.slice(1) : given;
  if (isBroken) return { file, line, end, value: text.slice(0, 1000), problem: 'is not UTF-8 text' };
  return /\S/.test(text) ? parseRecord(file, line, text, end) : undefined;
}

/** A record of one JSON text. */
export function parseRecord(file: string, line: number, text: string, end: number): SourceRecord {
  try {
    if (text.length > 4096) checkDepth(text, { depth: 64, nodes: 100_000 });
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { file, line, end, value };
    return { file, line, end, value, problem: 'is not an object' };
  } catch (error) {
    return {
      file,
      line,
      end,
      value: text.slice(0, 1000),
      problem:
        error instanceof Problem
          ? error.message
          : `is not valid JSON: ${(error as Error).message.slice(0, 200).replace(/\s+/g, ' ')}`,
    };
  }
}
