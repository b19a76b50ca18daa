import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Row } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';
import { backupProblem, isBackup } from './failures.ts';
import type { TableLayout } from './layout.ts';
import { MemoryRows } from './memory-rows.ts';
import { isRecord } from '../contract/values.ts';
import { storeVersion } from './version.ts';

const format = 'docsctl-store';

/** Characters per chunk: large enough for few system calls, and small compared with the whole file. */
const chunkSize = 1 << 20;

export interface Contents {
  readonly rows: MemoryRows;
  /** The number of changes to the file so far. */
  readonly change: number;
}

/**
 * Yields the text of the file in chunks. It is JSON with one row per line, so that diffs are readable. At the end is a checksum
 * of everything before it.
 */
export function* formatStore(rows: MemoryRows, change: number): Generator<string> {
  let checksum = 0;
  for (const chunk of formatRows(rows, change)) {
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  yield formatEnd(checksum);
}

function formatEnd(checksum: number): string {
  return `,"crc32":"${checksum.toString(16).padStart(8, '0')}"}\n`;
}

function* formatRows(rows: MemoryRows, change: number): Generator<string> {
  let chunk = `{"format":"${format}","version":${storeVersion},"change":${change},"tables":{`;
  let tables = 0;
  for (const [name, { entries }] of rows.tables) {
    if (entries.size === 0) continue;
    chunk += `${tables === 0 ? '' : ','}\n${JSON.stringify(name)}:[`;
    let separator = '\n';
    for (const { text } of entries.values()) {
      chunk += separator + text;
      separator = ',\n';
      if (chunk.length < chunkSize) continue;
      yield chunk;
      chunk = '';
    }
    chunk += '\n]';
    tables += 1;
  }
  yield `${chunk}\n}`;
}

/**
 * Parses a file that `formatStore` wrote. Rows of unknown tables are kept.
 *
 * @throws Problem(store-failed) for a file that is damaged, of another program, or of a newer docsctl
 */
export function parseStore(path: string, bytes: Buffer, layouts: ReadonlyMap<string, TableLayout>): Contents {
  const rows = new MemoryRows();
  if (bytes.length === 0) return { rows, change: 0 };
  const file = parse(path, bytes);
  if (file['format'] !== format) throw notAStore(path, 'it is the JSON file of another program');
  const version = file['version'];
  if (typeof version === 'number' && version > storeVersion) throw newerStoreProblem(path);
  if (
    !Number.isSafeInteger(version) ||
    Number(version) < 1 ||
    !isRecord(file['tables']) ||
    !Number.isSafeInteger(file['change'])
  )
    throw notAStore(path, 'its head is damaged');
  if (!hasChecksum(file, bytes))
    throw notAStore(
      path,
      'it was changed after docsctl had written it',
      ' If you changed it yourself, remove its field crc32.',
    );
  for (const [name, list] of Object.entries(file['tables'])) {
    if (!Array.isArray(list)) throw notAStore(path, `"${name}" is not a list of rows`);
    load(path, rows, layouts.get(name) ?? { name, fields: ['id'], indexes: new Map(), words: [] }, list);
  }
  return { rows, change: file['change'] as number };
}

/** Checks the checksum at the end of a file. Only files of version 1 or 2, and files that a person has edited, have none. */
function hasChecksum(file: Readonly<Record<string, unknown>>, bytes: Buffer): boolean {
  if (!('crc32' in file)) return Object.keys(file).every((name) => fieldsWithoutChecksum.includes(name));
  const size = bytes.length - formatEnd(0).length;
  return size > 0 && bytes.toString('latin1', size) === formatEnd(crc32(bytes.subarray(0, size)));
}

const fieldsWithoutChecksum = ['format', 'version', 'change', 'tables'];

/** Returns the Problem for a store of a newer docsctl, which this version must not change. A running server answers 503. */
export function newerStoreProblem(path: string): Problem {
  return new Problem('store-failed', `The store ${path} was written by a newer version of docsctl.`, {
    hint: 'Update docsctl to the version that wrote it, or a later one.',
    retryAfter: 60,
    cause: { code: 'NEWER' },
  });
}

function load(path: string, rows: MemoryRows, table: TableLayout, list: readonly unknown[]): void {
  for (const [at, row] of list.entries()) {
    if (!isRecord(row) || typeof row['id'] !== 'string')
      throw notAStore(path, `row ${at + 1} of "${table.name}" has no id`);
    try {
      if (!rows.load(table, row as unknown as Row, JSON.stringify(row)))
        throw new Error('its id appears twice');
    } catch (cause) {
      throw notAStore(path, `row ${at + 1} of "${table.name}" is damaged: ${(cause as Error).message}`);
    }
  }
}

function parse(path: string, bytes: Buffer): Record<string, unknown> {
  if (!isUtf8(bytes)) throw notAStore(path, 'it is not UTF-8 text');
  const text = bytes.toString();
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (error) {
    throw isBackup(path) ? backupProblem(path, error) : notAStore(path, 'it is not complete JSON');
  }
  throw notAStore(path, 'it is the JSON file of another program');
}

function notAStore(path: string, why: string, advice = ''): Problem {
  return new Problem('store-failed', `The file ${path} is not a store that docsctl can use: ${why}.`, {
    hint: `Check the path. To go back to a backup, run \`docsctl store restore FILE --replace\`. To start with a new store, move the file away.${advice}`,
  });
}
