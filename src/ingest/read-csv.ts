import { Parser, type CsvError } from 'csv-parse';
import { plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { maxRecordBytes, maxRecordText, type SourceRecord } from './source-record.ts';
import { checkUtf8 } from './utf8.ts';

const maxColumns = 1000;

interface Row {
  readonly cells: readonly string[];
  readonly end: number;
}

interface CsvOptions {
  readonly file: string;
  /** Default: a comma, a semicolon or a tab, whichever is most frequent in the first line. */
  readonly delimiter: string | undefined;
  /** Receives the names of the columns before any row. */
  readonly onColumns: (columns: readonly string[]) => void;
}

/**
 * Yields the rows of CSV (RFC 4180) in groups. Each row becomes an object with the names in the first line as its keys; of
 * columns with the same name, it has the last. Rows without text, and a line such as "sep=;" before the names, are skipped.
 *
 * @throws Problem(invalid-input) for invalid column names, and at a misplaced quote, because the rows after it are unclear;
 * Problem(too-large) for a row above `maxRecordBytes`
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  { file, delimiter, onColumns }: CsvOptions,
): AsyncGenerator<SourceRecord[]> {
  let columns: readonly string[] | undefined;
  let line = 1;
  const lines = new LineEnds();
  const toRecords = (rows: readonly Row[]): SourceRecord[] =>
    rows.flatMap(({ cells, end }) => {
      const begin = line;
      line += lines.countTo(end);
      if (columns !== undefined)
        return cells.every((cell) => cell === '') ? [] : [toRecord(file, begin, end, columns, cells)];
      if (begin === 1 && cells[0]?.toLowerCase() === 'sep=' && cells.length === 2) return [];
      columns = checkColumns(withoutEmptyEnd(cells, 0), file);
      // Some programs number the rows in a column without a name.
      onColumns(columns.filter((name) => name !== ''));
      return [];
    });
  for await (const rows of readRows(lines.watch(checkUtf8(chunks, file)), file, delimiter)) {
    const records = toRecords(rows);
    if (records.length > 0) yield records;
  }
}

/** Removes empty cells after the last column, which spreadsheets write. */
function withoutEmptyEnd(cells: readonly string[], min: number): readonly string[] {
  const length = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  return cells.slice(0, Math.max(min, length));
}

function toRecord(
  file: string,
  line: number,
  end: number,
  columns: readonly string[],
  row: readonly string[],
): SourceRecord {
  const cells = row.length > columns.length ? withoutEmptyEnd(row, columns.length) : row;
  const value = Object.create(null) as Record<string, string>;
  for (const [at, column] of columns.entries()) {
    const cell = cells[at];
    if (cell !== undefined) value[column] = cell;
  }
  const record = { file, line, end, value };
  if (cells.length === columns.length) return record;
  return {
    ...record,
    problem: `the row has ${plural(cells.length, 'cell')}, and there are ${columns.length} columns`,
  };
}

function checkColumns(cells: readonly string[], file: string): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  if (columns.length > maxColumns)
    throw new Problem('too-large', `${file} has ${columns.length} columns; the limit is ${maxColumns}.`);
  return columns;
}

async function* readRows(
  chunks: AsyncIterable<Buffer>,
  file: string,
  delimiter: string | undefined,
): AsyncGenerator<Row[]> {
  let parser: Parser | undefined;
  let rows: Row[] = [];
  let done = 0;
  let written = 0;
  let failure: CsvError | undefined;
  const open = (chunk: Buffer): Parser => {
    const newParser = new Parser({
      bom: true,
      delimiter: delimiter ?? guessDelimiter(chunk),
      relax_column_count: true,
      // Rows are collected here, because the stream loses the rows before an error.
      on_record: (cells: string[], info) => {
        // The declared type of `info` is the one for fields, but csv-parse passes the one for records.
        const { bytes } = info as unknown as { bytes: number };
        rows.push({ cells, end: bytes });
        done = bytes;
        return null;
      },
    });
    newParser.on('error', () => {});
    return newParser;
  };
  /** Waits for a call with a callback, and keeps the first error. */
  const waitFor = (call: (callback: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve) =>
      call((error) => resolve(void (failure ??= (error as CsvError | null | undefined) ?? undefined))),
    );
  const take = (): Row[] => {
    const taken = rows;
    rows = [];
    return taken;
  };
  for await (const chunk of chunks) {
    parser ??= open(chunk);
    const openParser = parser;
    written += chunk.length;
    await waitFor((callback) => openParser.write(chunk, callback));
    if (rows.length > 0) yield take();
    if (failure !== undefined) throw brokenQuote(file, failure);
    if (written - done > maxRecordBytes)
      throw new Problem(
        'too-large',
        `${file} has a row of more than ${maxRecordText}, or a quote that is not closed.`,
        { hint: 'Look for a quote that is never closed.' },
      );
  }
  if (parser === undefined) return;
  const openParser = parser;
  await waitFor((callback) => openParser.end(callback));
  if (rows.length > 0) yield take();
  if (failure !== undefined) throw brokenQuote(file, failure);
}

function guessDelimiter(chunk: Buffer): string {
  const [line = ''] = chunk.toString('utf8', 0, 65_536).split(/[\r\n]/, 1);
  // The line that tells Excel the delimiter.
  const told = /^\ufeff?sep=(.)$/i.exec(line)?.[1];
  if (told !== undefined) return told;
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const count = (mark: string) => bare.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function brokenQuote(file: string, error: CsvError): Problem {
  const line = (error as unknown as { lines?: number }).lines;
  const what = error.code.includes('QUOTE_NOT_CLOSED')
    ? 'a quote that is not closed'
    : 'a quote in the wrong place';
  return new Problem('invalid-input', `${file}${line === undefined ? '' : `:${line}`} has ${what}.`, {
    hint: 'Enclose the cell in quotes, and double each quote inside it, such as "a ""b"" c".',
  });
}

/** Counts the lines of chunks. The count of csv-parse is not used, because it counts CRLF within a cell twice. */
class LineEnds {
  readonly #chunks: Buffer[] = [];
  /** The offset of the first chunk, and the offset up to which lines are counted. */
  #begin = 0;
  #counted = 0;

  /** Yields the chunks, and stores them until their lines are counted. */
  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#chunks.push(chunk);
      yield chunk;
    }
  }

  /** Returns the number of line ends from the previous offset up to this one. */
  countTo(end: number): number {
    let count = 0;
    for (;;) {
      const [chunk] = this.#chunks;
      if (chunk === undefined || this.#counted >= end) return count;
      const stop = Math.min(end - this.#begin, chunk.length);
      for (
        let at = chunk.indexOf(0x0a, this.#counted - this.#begin);
        at >= 0 && at < stop;
        at = chunk.indexOf(0x0a, at + 1)
      )
        count++;
      this.#counted = this.#begin + stop;
      if (stop < chunk.length) return count;
      this.#begin += chunk.length;
      this.#chunks.shift();
    }
  }
}
