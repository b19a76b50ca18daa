import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { isRecord } from '../../contract/values.ts';
import { compareTexts } from '../../core/keys.ts';
import type { Row, Table } from '../../core/store.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import {
  BackupHashes,
  fileSource,
  newerBackup,
  parseHeader,
  type BackupFacts,
  type BackupHeader,
  type BackupSource,
} from './format.ts';
import type { RowBatch } from './stored-rows.ts';

/** Maximum bytes of rows that are yielded together, unless one row is larger. */
const batchBytes = 1 << 20;

/** Maximum bytes of the first line, which usually has about 200, and of a row, which has some MiB at most. */
const maxBytes = { header: 1 << 16, row: 1 << 29 };

/** Maximum bytes of an arriving backup that are passed on together, unless one row is larger. */
const arrivingBytes = 1 << 18;

/**
 * Yields the rows of a backup file, compressed or not, and returns its header and summary. Do not trust the rows before the end
 * is reached.
 *
 * @throws Problem(invalid-input) for a file that is damaged, written by a newer docsctl, or not a backup
 */
export async function* readBackup(
  path: string,
  tables: readonly Table[],
): AsyncGenerator<RowBatch, BackupFacts> {
  const reader = new BackupReader(fileSource(path), tables);
  for await (const line of linesOf(path)) {
    const batch = reader.take(line);
    if (batch !== undefined) yield batch;
  }
  return reader.end();
}

/**
 * Yields the bytes of an arriving backup unchanged, checks all hashes, and returns its header and summary. The end of the backup
 * is yielded only after everything was checked.
 *
 * @throws the Problems of the source, also for a backup without its end; Problem(invalid-input) for one of a newer docsctl
 */
export async function* verifyArriving(
  chunks: AsyncIterable<Uint8Array>,
  source: BackupSource,
  tables: readonly Table[],
): AsyncGenerator<Uint8Array, BackupFacts> {
  const reader = new BackupReader(source, tables);
  let [lines, bytes]: [Buffer[], number] = [[], 0];
  for await (const line of splitLines(chunks, source)) {
    reader.take(line);
    lines.push(line);
    bytes += line.length;
    if (bytes < arrivingBytes) continue;
    yield Buffer.concat(lines);
    [lines, bytes] = [[], 0];
  }
  const facts = reader.end();
  yield Buffer.concat(lines);
  return facts;
}

/** Reads a whole backup, checks all hashes, and returns its header and summary. @throws Problem(invalid-input) */
export async function verifyBackup(path: string, tables: readonly Table[]): Promise<BackupFacts> {
  const batches = readBackup(path, tables);
  for (;;) {
    const { done, value } = await batches.next();
    if (done === true) return value;
  }
}

class BackupReader {
  readonly #source: BackupSource;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #hashes = new BackupHashes();
  #header: BackupHeader | undefined;
  #facts: BackupFacts | undefined;
  #table: Table | undefined;
  #lastTable = '';
  #lastId = '';
  #count = 0;
  #rows: Row[] = [];
  #bytes = 0;

  constructor(source: BackupSource, tables: readonly Table[]) {
    this.#source = source;
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  /** Takes a line with its line feed. Returns a batch of rows when it is full. */
  take(bytes: Buffer): RowBatch | undefined {
    if (this.#facts !== undefined) throw this.#damaged('something follows its last line');
    const line = bytes.toString('utf8', 0, bytes.length - 1);
    if (this.#header === undefined) {
      this.#header = parseHeader(this.#source, line);
      return undefined;
    }
    if (!isUtf8(bytes)) throw this.#damaged('it is not UTF-8 text');
    const value = this.#parse(line);
    if (Array.isArray(value)) return this.#takeMark(line, value);
    return this.#takeRow(bytes, value);
  }

  end(): BackupFacts {
    if (this.#header === undefined) parseHeader(this.#source, '');
    if (this.#facts === undefined) throw this.#damaged('its end is missing');
    return this.#facts;
  }

  #takeRow(bytes: Buffer, row: unknown): RowBatch | undefined {
    const table = this.#table;
    if (table === undefined) throw this.#damaged('it has a row outside of the tables');
    if (!isRecord(row) || typeof row['id'] !== 'string' || row['id'] === '')
      throw this.#damaged(`a row of ${table.name} has no ID`);
    if (compareTexts(row['id'], this.#lastId) <= 0)
      throw this.#damaged(`the rows of ${table.name} are not in order`);
    this.#lastId = row['id'];
    this.#hashes.add(bytes);
    this.#rows.push(row as unknown as Row);
    this.#count++;
    this.#bytes += bytes.length;
    return this.#bytes < batchBytes ? undefined : this.#flush(table);
  }

  #flush(table: Table): RowBatch {
    const batch = { table, rows: this.#rows };
    this.#rows = [];
    this.#bytes = 0;
    return batch;
  }

  #takeMark(line: string, [kind, name, , keys]: readonly unknown[]): RowBatch | undefined {
    const table = this.#table;
    if (kind === 'table' && table === undefined && typeof name === 'string') {
      this.#startTable(name);
      return undefined;
    }
    if (kind === 'end' && table !== undefined) {
      if (this.#hashes.endTable(table.name, this.#count) !== line)
        throw this.#damaged(`the rows of ${table.name} do not match their hash`);
      this.#table = undefined;
      return this.#flush(table);
    }
    if (kind !== 'total' || table !== undefined || this.#header === undefined)
      throw this.#damaged('its lines are not in order');
    const { line: expected, summary } = this.#hashes.end(Array.isArray(keys) ? (keys as string[]) : []);
    if (expected !== line) throw this.#damaged('its tables do not match their hash');
    this.#facts = { header: this.#header, summary };
    return undefined;
  }

  #startTable(name: string): void {
    this.#table = this.#tables.get(name);
    if (this.#table === undefined) {
      if (/^[A-Za-z]\w*$/.test(name)) throw newerBackup(this.#source.name, this.#header?.docsctl);
      throw this.#damaged('the name of a table was changed');
    }
    if (name <= this.#lastTable) throw this.#damaged('its tables are not in order');
    this.#lastTable = name;
    this.#lastId = '';
    this.#count = 0;
  }

  #parse(line: string): unknown {
    try {
      return JSON.parse(line);
    } catch {
      throw this.#damaged('a line is not JSON');
    }
  }

  #damaged(why: string): Problem {
    return this.#source.damaged(why);
  }
}

/** Yields the lines of a file with their line feeds. @throws Problem(invalid-input) */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  try {
    yield* splitLines(await openBackup(path), fileSource(path));
  } catch (error) {
    throw asProblem(path, error);
  }
}

/** Yields lines with their line feeds, and keeps at most `maxBytes` in memory. @throws the Problems of the source */
async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  { foreign, damaged }: BackupSource,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let held = 0;
  let isFirst = true;
  for await (const bytes of chunks) {
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const end = chunk.subarray(from, at + 1);
      yield parts.length === 0 ? end : Buffer.concat([...parts, end]);
      [parts, held, isFirst] = [[], 0, false];
      from = at + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    held += chunk.length - from;
    if (isFirst && held > maxBytes.header) throw foreign();
    if (held > maxBytes.row) throw damaged('a line is too long');
  }
  if (parts.length > 0) throw isFirst ? foreign() : damaged('its last line is cut off');
}

async function openBackup(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path, 'r');
  const head = Buffer.alloc(2);
  try {
    await file.read(head, 0, 2, 0);
  } finally {
    await file.close();
  }
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
  if (head[0] !== 0x1f || head[1] !== 0x8b) return bytes;
  const unzipped = createGunzip({ chunkSize: 1 << 18 });
  bytes.on('error', (error) => unzipped.destroy(error));
  return bytes.pipe(unzipped);
}

function asProblem(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (isProblem(error) || code === undefined) return error;
  if (code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE' || code === 'ERR_STRING_TOO_LONG')
    return fileSource(path).damaged('it cannot be decompressed');
  if (code === 'ENOENT')
    return new Problem('invalid-input', `There is no backup at ${path}.`, { hint: 'Check the path.' });
  const why = code === 'EISDIR' ? 'it is a folder' : (error as Error).message;
  return new Problem('invalid-input', `The backup ${path} cannot be read: ${why}.`, {
    hint: 'Name a file that you may read.',
    cause: error,
  });
}
