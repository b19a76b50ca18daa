import { createHash, hash, type Hash } from 'node:crypto';
import { isObject } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { storeVersion } from '../version.ts';

/**
 * A backup is NDJSON. The first line is the header, an object. Then each table that has rows is `["table",NAME]`, a line
 * with the JSON of each row in the order of the IDs, and `["end",NAME,ROWS,SHA256,CHAIN]`. The last line is
 * `["total",TABLES,ROWS,KEYS,CHAIN]`. Only the header differs between two backups of the same rows.
 */
export const backupFormat = 'docsctl-backup';

/** Raise it when older versions of docsctl cannot read the lines of a backup. */
export const backupVersion = 1;

export interface BackupHeader {
  readonly format: typeof backupFormat;
  readonly version: number;
  /** The version of the rows. See `storeVersion`. */
  readonly store: number;
  readonly docsctl: string;
  /** ISO time of the snapshot. */
  readonly createdAt: string;
  /** SHA-256 of the JSON of the other fields. */
  readonly sha256: string;
}

export interface BackupSummary {
  readonly rows: number;
  readonly tables: readonly TableSummary[];
  /** Fingerprints of the keys that secrets in the rows are sealed with, sorted. */
  readonly keys: readonly string[];
  /** SHA-256 over all tables, their numbers of rows and their hashes, and the keys. */
  readonly sha256: string;
}

export interface BackupFacts {
  readonly header: BackupHeader;
  readonly summary: BackupSummary;
}

/** One table of a backup. `sha256` is the hash of the lines of its rows. */
interface TableSummary {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

export class BackupHashes {
  readonly #tables: TableSummary[] = [];
  #chain = hash('sha256', `${backupFormat} ${backupVersion}`);
  #hash: Hash = createHash('sha256');

  /** Adds lines of rows of the current table, each with its line feed. */
  add(lines: string | Uint8Array): void {
    this.#hash.update(lines);
  }

  /** Ends a table. Returns its last line. */
  endTable(name: string, rows: number): string {
    const table = { name, rows, sha256: this.#hash.digest('hex') };
    this.#hash = createHash('sha256');
    this.#tables.push(table);
    this.#chain = hash('sha256', JSON.stringify([this.#chain, name, rows, table.sha256]));
    return JSON.stringify(['end', name, rows, table.sha256, this.#chain]);
  }

  /** Ends the backup. Returns its last line and its summary. */
  end(keys: readonly string[]): { readonly line: string; readonly summary: BackupSummary } {
    const rows = this.#tables.reduce((sum, table) => sum + table.rows, 0);
    const sha256 = hash('sha256', JSON.stringify([this.#chain, keys]));
    return {
      line: JSON.stringify(['total', this.#tables.length, rows, keys, sha256]),
      summary: { rows, tables: this.#tables, keys, sha256 },
    };
  }
}

/** Returns the first line of a backup. */
export function formatHeader(docsctl: string, createdAt: string): string {
  const fields = { format: backupFormat, version: backupVersion, store: storeVersion, docsctl, createdAt };
  return JSON.stringify({ ...fields, sha256: hash('sha256', JSON.stringify(fields)) });
}

export interface BackupSource {
  /** The name in error messages, such as the path. */
  readonly name: string;
  readonly foreign: () => Problem;
  /** Returns the Problem for a damaged backup. `why` is the end of its sentence. */
  readonly damaged: (why: string) => Problem;
}

/** Returns a file as the source of a backup. */
export function fileSource(path: string): BackupSource {
  return {
    name: path,
    foreign: () =>
      new Problem('invalid-input', `The file ${path} is not a docsctl backup.`, {
        hint: 'Give a file that `docsctl store backup` wrote.',
      }),
    damaged: (why) =>
      new Problem('invalid-input', `The backup ${path} is damaged: ${why}. Nothing was restored.`, {
        hint: 'Use another copy of the file, or an older backup.',
      }),
  };
}

/** Reads the first line of a backup. @throws the Problems of the source; Problem(invalid-input) if a newer docsctl wrote it */
export function parseHeader({ name, foreign, damaged }: BackupSource, line: string): BackupHeader {
  const { sha256, ...fields } = parseJson(line) as Partial<BackupHeader>;
  if (fields.format !== backupFormat) throw foreign();
  if (sha256 !== hash('sha256', JSON.stringify(fields))) throw damaged('its first line was changed');
  if (fields.version !== backupVersion || Number(fields.store) > storeVersion)
    throw newerBackup(name, fields.docsctl);
  return { ...fields, sha256 } as BackupHeader;
}

/** Returns the Problem for a backup that this version of docsctl cannot read. */
export function newerBackup(path: string, version = 'a newer version'): Problem {
  return new Problem(
    'invalid-input',
    `The backup ${path} was written by docsctl ${version}, which is newer.`,
    {
      hint: 'Update docsctl to the version that wrote it, or a later one.',
    },
  );
}

function parseJson(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
