import { columnOf } from '../columns.ts';
import type { IndexLayout, TableLayout } from '../layout.ts';

/** The names of the tables and columns of a store, quoted and with the schema. They do not depend on settings of the session. */
export class Names {
  readonly schema: string;
  readonly meta: string;
  readonly counts: string;

  constructor(schema: string) {
    this.schema = `"${schema}"`;
    this.meta = `${this.schema}."docsctl_meta"`;
    this.counts = `${this.schema}."docsctl_counts"`;
  }

  table({ name }: TableLayout): string {
    return `${this.schema}."${name}"`;
  }
}

/** The columns of the full-text search: stems, their weighted counts, the number of words, and the stems of each field. */
export function wordColumns(table: TableLayout): readonly string[] {
  if (table.words.length === 0) return [];
  return ['w_stems', 'w_counts', 'w_length', ...table.words.map(([field]) => stemsColumn(field))];
}

/** Returns the column with the stems of a searched field, in order. */
export function stemsColumn(field: string): string {
  return `"w_${field}"`;
}

/** Returns the condition for the rows of a group, whose values are the first parameters. */
export function inGroup(table: TableLayout, index: IndexLayout): string {
  return index.on.map((field, at) => `${columnOf(table, field)} = $${at + 1}`).join(' AND ') || 'true';
}
