import { isUtf8 } from 'node:buffer';
import { isRecord } from '../contract/values.ts';
import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { maxRecordBytes, tooLongRecord, type SourceRecord } from './source-record.ts';
import { refuseBinary } from './utf8.ts';

/** Where to start: after this many bytes and lines of a file. */
interface ReadFrom {
  readonly file: string;
  readonly bytes: number;
  readonly line: number;
}

/**
 * Yields the records of NDJSON in groups. Lines without text are skipped. A line above `maxRecordBytes` becomes a record with a
 * `problem`.
 *
 * @throws Problem(invalid-input) for UTF-16
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  { file, bytes, line }: ReadFrom,
): AsyncGenerator<SourceRecord[]> {
  let rest: Buffer[] = [];
  let restLength = 0;
  /** The beginning of a line that is too long, whose other bytes are only counted. */
  let longLine: string | undefined;
  let end = bytes;
  let at = line;
  let isStart = bytes === 0;
  for await (const given of chunks) {
    let chunk = given;
    if (isStart) refuseBinary(chunk, file);
    isStart = false;
    if (longLine !== undefined) {
      const stop = chunk.indexOf(0x0a) + 1;
      end += stop === 0 ? chunk.length : stop;
      if (stop === 0) continue;
      yield [tooLongRecord({ file, line: ++at, end }, longLine)];
      longLine = undefined;
      chunk = chunk.subarray(stop);
    }
    const stop = chunk.lastIndexOf(0x0a) + 1;
    if (stop > 0) {
      const completeLines = chunk.subarray(0, stop);
      const lines = decodeLines(restLength === 0 ? completeLines : Buffer.concat([...rest, completeLines]));
      [rest, restLength] = [[], 0];
      const records: SourceRecord[] = [];
      for (const text of lines) {
        end += text.size;
        const record = parseLine(file, ++at, text, end);
        if (record !== undefined) records.push(record);
      }
      if (records.length > 0) yield records;
    }
    if (stop < chunk.length) {
      rest.push(chunk.subarray(stop));
      restLength += chunk.length - stop;
      if (restLength > maxRecordBytes) {
        longLine = Buffer.concat(rest).toString('utf8', 0, 1000);
        end += restLength;
        [rest, restLength] = [[], 0];
      }
    }
  }
  if (longLine !== undefined) yield [tooLongRecord({ file, line: at + 1, end }, longLine)];
  if (restLength === 0) return;
  for (const last of decodeLines(Buffer.concat(rest))) {
    const record = parseLine(file, at + 1, last, end + restLength);
    if (record !== undefined) yield [record];
  }
}

interface Line {
  readonly text: string;
  /** The length in bytes, including the line end. */
  readonly size: number;
  readonly isUtf8: boolean;
}

/** Splits and decodes lines. The text is decoded as a whole, because decoding each line takes longer than parsing it. */
function decodeLines(bytes: Buffer): Line[] {
  const text = bytes.toString('utf8');
  const lines: Line[] = [];
  if (text.includes('\ufffd') && !isUtf8(bytes)) {
    for (let from = 0; from < bytes.length;) {
      const stop = bytes.indexOf(0x0a, from);
      const own = bytes.subarray(from, stop < 0 ? bytes.length : stop + 1);
      lines.push({ text: own.toString('utf8'), size: own.length, isUtf8: isUtf8(own) });
      from += own.length;
    }
    return lines;
  }
  const isPlain = text.length === bytes.length;
  for (let from = 0; from < text.length;) {
    const stop = text.indexOf('\n', from);
    const own = text.slice(from, stop < 0 ? text.length : stop + 1);
    lines.push({ text: own, size: isPlain ? own.length : Buffer.byteLength(own), isUtf8: true });
    from += own.length;
  }
  return lines;
}

function parseLine(file: string, line: number, source: Line, end: number): SourceRecord | undefined {
  const text = line === 1 && source.text.startsWith('\ufeff') ? source.text.slice(1) : source.text;
  if (!source.isUtf8)
    return { file, line, end, value: text.slice(0, 1000), problem: 'the line is not UTF-8 text' };
  return /\S/.test(text) ? parseRecord(file, line, text, end) : undefined;
}

/** Parses a record in JSON. An invalid one becomes a record with a `problem` and the first 1000 characters of its text. */
export function parseRecord(file: string, line: number, text: string, end: number): SourceRecord {
  try {
    if (text.length > 4096) checkDepth(text, { depth: 64, nodes: 100_000 });
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { file, line, end, value };
    return { file, line, end, value, problem: 'the record is not an object' };
  } catch (error) {
    return {
      file,
      line,
      end,
      value: text.slice(0, 1000),
      problem:
        error instanceof Problem
          ? error.message
          : `the line is not valid JSON: ${(error as Error).message.slice(0, 200).replace(/\s+/g, ' ')}`,
    };
  }
}
