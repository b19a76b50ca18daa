import { Parser, type CsvError } from 'csv-parse';
import { Problem } from '../errors/problem.ts';
import { maxRecordBytes, maxRecordText, type SourceRecord } from './source-record.ts';
import { checkUtf8 } from './utf8.ts';

/** Columns that a table has at most. */
const maxColumns = 1000;

interface Row {
  readonly cells: readonly string[];
  readonly end: number;
}

interface CsvOptions {
  readonly file: string;
  /** Undefined: a comma, a semicolon or a tab, whichever the first line has most of. */
  readonly delimiter: string | undefined;
  /** Told the names of the columns before any row. */
  readonly onColumns: (columns: readonly string[]) => void;
}

/** The rows of CSV (RFC 4180) as objects by the names in the first line, some at a time. A broken quote ends it: nothing behind can be trusted. */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  { file, delimiter, onColumns }: CsvOptions,
): AsyncGenerator<SourceRecord[]> {
  let columns: readonly string[] | undefined;
  let line = 1;
  const lines = new LineEnds();
  const entriesOf = (rows: readonly Row[]): SourceRecord[] =>
    rows.flatMap(({ cells, end }) => {
      const begin = line;
      line += lines.countTo(end);
      if (columns !== undefined)
        return cells.length === 1 && cells[0] === '' ? [] : [entryOf(file, begin, end, columns, cells)];
      columns = checkColumns(cells, file);
      onColumns(columns);
      return [];
    });
  for await (const rows of readRows(lines.watch(checkUtf8(chunks, file)), file, delimiter)) {
    const entries = entriesOf(rows);
    if (entries.length > 0) yield entries;
  }
}

function entryOf(
  file: string,
  line: number,
  end: number,
  columns: readonly string[],
  cells: readonly string[],
): SourceRecord {
  const value = Object.create(null) as Record<string, string>;
  for (let at = 0; at < columns.length && at < cells.length; at++) value[columns[at]!] = cells[at]!;
  if (cells.length === columns.length) return { file, line, end, value };
  return {
    file,
    line,
    end,
    value,
    problem: `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and there are ${columns.length} columns`,
  };
}

function checkColumns(cells: readonly string[], file: string): readonly string[] {
  const columns = cells.map((cell) => cell.trim());
  if (columns.length > maxColumns)
    throw new Problem('too-large', `${file} has ${columns.length} columns; at most ${maxColumns} are taken.`);
  const empty = columns.findIndex((name) => name === '');
  if (empty >= 0)
    throw new Problem('invalid-input', `${file} has no name for column ${empty + 1} in its first line.`, {
      hint: 'The first line of CSV is the names of the columns.',
    });
  const seen = new Set<string>();
  for (const name of columns) {
    if (seen.has(name))
      throw new Problem('invalid-input', `${file} has two columns "${name.slice(0, 100)}".`, {
        hint: 'Give one of them another name.',
      });
    seen.add(name);
  }
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
    const made = new Parser({
      bom: true,
      delimiter: delimiter ?? delimiterOf(chunk),
      relax_column_count: true,
      // Rows go by here and not through the stream, so that those before a fault are not lost with it.
      on_record: (cells: string[], info) => {
        // The types have the info of a field here; it is that of the dataset.
        const { bytes } = info as unknown as { bytes: number };
        rows.push({ cells, end: bytes });
        done = bytes;
        return null;
      },
    });
    made.on('error', () => {});
    return made;
  };
  const step = (run: (called: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve) =>
      run((error) => resolve(void (failure ??= (error as CsvError | null | undefined) ?? undefined))),
    );
  const take = (): Row[] => {
    const taken = rows;
    rows = [];
    return taken;
  };
  for await (const chunk of chunks) {
    parser ??= open(chunk);
    const into = parser;
    written += chunk.length;
    await step((called) => into.write(chunk, called));
    if (rows.length > 0) yield take();
    if (failure !== undefined) throw broken(file, failure);
    if (written - done > maxRecordBytes)
      throw new Problem(
        'too-large',
        `${file} has a row of more than ${maxRecordText}, or a quote that is not closed.`,
        { hint: 'Look for a quote that stands alone.' },
      );
  }
  if (parser === undefined) return;
  const into = parser;
  await step((called) => into.end(called));
  if (rows.length > 0) yield take();
  if (failure !== undefined) throw broken(file, failure);
}

/** Whichever of the usual ones the first line has most of. */
function delimiterOf(chunk: Buffer): string {
  const [line = ''] = chunk.toString('utf8', 0, 65_536).split(/[\r\n]/, 1);
  const bare = line.replaceAll(/"[^"]*"/g, '');
  const count = (mark: string) => bare.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function broken(file: string, error: CsvError): Problem {
  const line = (error as unknown as { lines?: number }).lines;
  const what = error.code.includes('QUOTE_NOT_CLOSED')
    ? 'a quote that is not closed'
    : 'a quote where none may be';
  return new Problem('invalid-input', `${file}${line === undefined ? '' : `:${line}`} has ${what}.`, {
    hint: 'In CSV a cell with a quote in it is quoted, and the quote is written twice; what stood before was taken.',
  });
}

/** Counts the lines of what goes by: csv-parse counts an end of two characters in a cell twice. */
class LineEnds {
  readonly #chunks: Buffer[] = [];
  /** Where the first chunk begins, and how far has been counted. */
  #begin = 0;
  #counted = 0;

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#chunks.push(chunk);
      yield chunk;
    }
  }

  /** The ends of lines from the place asked for before up to a later one. */
  countTo(end: number): number {
    let count = 0;
    while (this.#chunks.length > 0 && this.#counted < end) {
      const chunk = this.#chunks[0]!;
      const stop = Math.min(end - this.#begin, chunk.length);
      for (
        let at = chunk.indexOf(0x0a, this.#counted - this.#begin);
        at >= 0 && at < stop;
        at = chunk.indexOf(0x0a, at + 1)
      )
        count++;
      this.#counted = this.#begin + stop;
      if (stop < chunk.length) break;
      this.#begin += chunk.length;
      this.#chunks.shift();
    }
    return count;
  }
}
