import { readFileSync } from 'node:fs';
import type { AnswerFields } from './answer-fields.ts';

/**
 * Reads the rows of docs/fields.md: the names of fields by object. A field that ends in `.*` stands for all fields below it.
 * With `changedBy`, only rows with this text in the last column are returned.
 */
export function readTable(changedBy?: string): Map<string, string[]> {
  const rows = new Map<string, string[]>();
  let owner = '';
  for (const line of readPage()) {
    const heading = /^## (\S+)$/.exec(line)?.[1];
    if (heading !== undefined) owner = heading;
    const cells = line.split(' | ');
    const names = line.startsWith('| `')
      ? [...(cells[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name)
      : [];
    if (names.length === 0) continue;
    if (cells.length !== 3 || cells.some((cell) => cell.replaceAll('|', '').trim() === ''))
      throw new Error(`not three cells: ${line}`);
    if (changedBy !== undefined && cells[2] !== `${changedBy} |`) continue;
    rows.set(owner, [...(rows.get(owner) ?? []), ...(names as string[])]);
  }
  return rows;
}

/** Returns whether a row names a field, directly or with `*`. */
export function covers(row: string, field: string): boolean {
  if (row === '*') return true;
  return row.endsWith('.*')
    ? field.startsWith(row.slice(0, -1)) || field === row.slice(0, -2)
    : row === field;
}

/** Returns the fields of an object that have no fields below them. Each must have a row. */
export function leavesOf(fields: AnswerFields, owner: string): string[] {
  const all = [...(fields.get(owner) ?? [])];
  return all.filter((field) => !all.some((other) => other.startsWith(`${field}.`)));
}

/** Returns the names of operations in the last column. */
export function operationsInTable(): string[] {
  return readPage().flatMap((line) =>
    [...(line.split(' | ')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
  );
}

function readPage(): string[] {
  return readFileSync(new URL('../../docs/fields.md', import.meta.url), 'utf8').split('\n');
}
