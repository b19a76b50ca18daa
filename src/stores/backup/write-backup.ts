import { keyOfSealed } from '../../core/secrets.ts';
import type { ReadTransaction, Row, Table } from '../../core/store.ts';
import { BackupHashes, formatHeader, type BackupSummary } from './format.ts';
import { inBackupOrder, storedRows, toPortable } from './stored-rows.ts';

export interface BackupOrigin {
  readonly version: string;
  /** ISO time. */
  readonly createdAt: string;
}

/** Yields the lines of a backup of all tables, about 1 MB at a time, and returns its summary. */
export async function* writeBackup(
  view: ReadTransaction,
  tables: readonly Table[],
  { version, createdAt }: BackupOrigin,
  onRows: (count: number) => void = () => {},
): AsyncGenerator<string, BackupSummary> {
  const hashes = new BackupHashes();
  const keys = new Set<string>();
  yield `${formatHeader(version, createdAt)}\n`;
  for (const table of inBackupOrder(tables)) {
    let count = 0;
    for await (const rows of storedRows(view, table)) {
      if (rows.length === 0) continue;
      if (count === 0) yield `${JSON.stringify(['table', table.name])}\n`;
      const lines = rows.map((row) => `${JSON.stringify(toPortable(table, row))}\n`).join('');
      hashes.add(lines);
      count += rows.length;
      for (const row of rows) for (const key of sealingKeys(table, row)) keys.add(key);
      yield lines;
      onRows(rows.length);
    }
    if (count > 0) yield `${hashes.endTable(table.name, count)}\n`;
  }
  const { line, summary } = hashes.end([...keys].sort());
  yield `${line}\n`;
  return summary;
}

/** Returns the summary that a backup of the rows would have, without writing one. */
export async function summarizeRows(view: ReadTransaction, tables: readonly Table[]): Promise<BackupSummary> {
  const lines = writeBackup(view, tables, { version: '', createdAt: '' });
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) return value;
  }
}

/** Returns the fingerprints of the keys with which the secrets of a row are sealed. */
export function sealingKeys({ audit }: Table, row: Row): readonly string[] {
  if (audit === undefined || audit === 'request' || !('secrets' in audit)) return [];
  const values = row as unknown as Record<string, unknown>;
  return (audit.secrets ?? []).flatMap((field) => keyOfSealed(values[field]) ?? []);
}
