import { Problem } from '../errors/problem.ts';
import type { SourceRecord, InputFormat } from './source-record.ts';
import { readLines } from './read-lines.ts';
import type { SourceStream } from './source-stream.ts';

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
    return yield* readYaml(chunks, file);
  }
  const { readCsv } = await import('./read-csv.ts');
  yield* readCsv(chunks, { file, delimiter: found === 'tsv' ? '\t' : undefined, onColumns });
}

/** Detects NDJSON, JSON and YAML, but not CSV. @throws Problem(usage) if the format is unclear */
async function detectFormat(
  chunks: AsyncIterable<Buffer>,
  file: string,
): Promise<{ chunks: AsyncIterable<Buffer>; found: InputFormat }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Buffer[] = [];
  let start = '';
  // Reads until the first character shows JSON, or the first line is complete.
  while (!/^[[{]|\n/.test(start) && start.length < 4096 && seen.length < 64) {
    const next = await iterator.next();
    if (next.done === true) break;
    seen.push(next.value);
    start = Buffer.concat(seen)
      .toString('utf8', 0, 65_536)
      .replace(/^\ufeff/, '')
      .trimStart();
  }
  const rest = async function* (): AsyncGenerator<Buffer> {
    yield* seen;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  };
  return { chunks: rest(), found: formatIn(start, file) };
}

function formatIn(start: string, file: string): InputFormat {
  if (start.startsWith('[')) return 'json';
  if (start.startsWith('{') || start === '') return 'ndjson';
  if (/^(?:---|#|- |[\w"'-]{1,100}:(?:\s|$))/.test(start)) return 'yaml';
  // NDJSON with an invalid first line, which is then reported like any other invalid record.
  if (/^[^\n]{0,4000}\n\s*\{/.test(start)) return 'ndjson';
  throw new Problem('usage', `The format of ${file === '-' ? 'standard input' : file} is unknown.`, {
    hint: 'Add --format csv, tsv, ndjson, json or yaml.',
  });
}
