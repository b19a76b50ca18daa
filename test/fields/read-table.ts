import { readFileSync } from 'node:fs';
import type { AnswerFields } from './answer-fields.ts';

/** The rows of docs/fields.md: the fields that each names, by object. A field that ends in `.*` stands for all below it. */
export function readTable(): Map<string, string[]> {
  const page = readFileSync(new URL('../../docs/fields.md', import.meta.url), 'utf8');
  const rows = new Map<string, string[]>();
  let owner = '';
  for (const line of page.split('\n')) {
    const heading = /^## (\S+)$/.exec(line)?.[1];
    if (heading !== undefined) owner = heading;
    const cells = line.split(' | ');
    const names = /^\| `/.test(line) ? [...(cells[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name) : [];
    if (names.length === 0) continue;
    if (cells.length !== 3 || cells.some((cell) => cell.replaceAll('|', '').trim() === ''))
      throw new Error(`not three cells: ${line}`);
    rows.set(owner, [...(rows.get(owner) ?? []), ...(names as string[])]);
  }
  return rows;
}

/** Whether a row names a field, itself or with `*`. */
export function covers(row: string, field: string): boolean {
  if (row === '*') return true;
  return row.endsWith('.*') ? field.startsWith(row.slice(0, -1)) || field === row.slice(0, -2) : row === field;
}

/** The fields of an object that have no fields below them, which a row has to name. */
export function leavesOf(fields: AnswerFields, owner: string): string[] {
  const all = [...(fields.get(owner) ?? [])];
  return all.filter((field) => !all.some((other) => other.startsWith(`${field}.`)));
}
