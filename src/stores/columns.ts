import type { TableLayout } from './layout.ts';

/** Returns the column of a field. The prefix avoids a clash with the columns `data` and `number`. */
export function columnOf(table: TableLayout, field: number): string {
  return field === 0 ? 'id' : `"k_${table.fields[field]}"`;
}

/** Returns the columns of all indexed fields except the ID. */
export function keyColumns(table: TableLayout): readonly string[] {
  return table.fields.slice(1).map((_, at) => columnOf(table, at + 1));
}
