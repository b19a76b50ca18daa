import { isProblem, Problem } from '../errors/problem.ts';
import type { SourceRecord, InputFormat } from './source-record.ts';
import { readLines } from './read-lines.ts';
import type { SourceStream } from './source-stream.ts';
import { refuseBinary } from './utf8.ts';

interface ReadOptions {
  readonly file: string;
  /** Default: detected from the beginning of the file. */
  readonly format: InputFormat | undefined;
  readonly onColumns: (columns: readonly string[]) => void;
}

/**
 * Yields the records of a file of any format in groups.
 *
 * @throws Problem(usage) if the format is unclear, and the problems of its reader
 */
export async function* readRecords(
  reading: SourceStream,
  { file, format, onColumns }: ReadOptions,
): AsyncGenerator<SourceRecord[]> {
  if (format === undefined && otherFormats.test(file)) throw unknownFormat(file);
  const { chunks, found } =
    format === undefined
      ? await detectFormat(reading.chunks, file)
      : { chunks: reading.chunks, found: format };
  if (found === 'ndjson') return yield* readLines(chunks, { file, ...reading.start });
  if (found === 'json') {
    const { readJson } = await import('./read-json.ts');
    return yield* readJson(chunks, file);
  }
  if (found === 'yaml') {
    const { readYaml } = await import('./read-yaml.ts');
    const records = readYaml(chunks, file);
    return yield* format === undefined ? asFormat(records, file) : records;
  }
  const { readCsv } = await import('./read-csv.ts');
  yield* readCsv(chunks, { file, delimiter: found === 'tsv' ? '\t' : undefined, onColumns });
}

/** Extensions of files in which there are no records. */
const otherFormats = /\.(?:md|mdx|markdown|html?|pdf|docx?|xlsx?|xml)$/i;

function unknownFormat(file: string, cause?: unknown): Problem {
  return new Problem(
    'invalid-input',
    `${file === '-' ? 'Standard input' : file} was not recognized as NDJSON, JSON, YAML or CSV.`,
    { hint: 'Name the format with --format ndjson, json, yaml, csv or tsv, or give another file.', cause },
  );
}

/** Yields the records of YAML that was only detected. If the first of them is not valid, the file is probably no YAML. */
async function* asFormat(
  records: AsyncGenerator<SourceRecord[]>,
  file: string,
): AsyncGenerator<SourceRecord[]> {
  let isFirst = true;
  try {
    for await (const some of records) {
      isFirst = false;
      yield some;
    }
  } catch (error) {
    throw isFirst && isProblem(error, 'invalid-input') ? unknownFormat(file, error) : error;
  }
}

/** The characters of a file after which no more is read to detect its format. */
const maxStart = 65_536;

/** Detects NDJSON, JSON and YAML, but not CSV. @throws Problem(usage) if the format is unclear */
async function detectFormat(
  chunks: AsyncIterable<Buffer>,
  file: string,
): Promise<{ chunks: AsyncIterable<Buffer>; found: InputFormat }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Buffer[] = [];
  const decoder = new TextDecoder();
  let start = '';
  // Reads until the first character shows JSON, or the first line that is no comment is complete.
  while (start.length < maxStart && !/^[[{]|\n/.test(withoutComments(start.trimStart()))) {
    const next = await iterator.next();
    if (next.done === true) break;
    if (seen.length === 0) refuseBinary(next.value, file);
    seen.push(next.value);
    start += decoder.decode(next.value, { stream: true });
  }
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield* seen;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { chunks: rest(), found: formatIn(start.trimStart(), file) };
}

function formatIn(start: string, file: string): InputFormat {
  if (start.startsWith('[')) return 'json';
  if (start.startsWith('{') || start === '') return 'ndjson';
  if (/^(?:---|- |[\w"'-]{1,100}:(?:\s|$))/.test(withoutComments(start))) return 'yaml';
  // NDJSON with an invalid first line, which is then reported like any other invalid record.
  if (/^[^\n]{0,4000}\n\s*\{/.test(start)) return 'ndjson';
  throw unknownFormat(file);
}

/** A text without the lines of YAML comments at its beginning. */
function withoutComments(text: string): string {
  return text.replace(/^(?:#[^\n]*\n\s*)+/, '');
}
