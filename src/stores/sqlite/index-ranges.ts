import type { Key } from '../../core/store.ts';
import type { IndexLayout, TableLayout } from '../layout.ts';
import type { Page } from '../rows.ts';
import { columnOf } from '../columns.ts';
import { indexName, limitParameter, tableName } from './names.ts';

/** A query for the rows of one range of an index, in order. Its last parameter, the limit, is not in `values`. */
interface IndexRange {
  readonly sql: string;
  readonly values: readonly Key[];
}

/**
 * Yields the ranges of an index after a position, nearest first. Each range is one seek, so late pages cost the same as the
 * first. A single condition over all columns would make SQLite scan all rows with the same first column, or skip nulls.
 */
export function* indexRanges(table: TableLayout, index: IndexLayout, page: Page): Generator<IndexRange> {
  const group = index.on.map((field) => `${columnOf(table, field)} IS ?`);
  const columns = index.place.map((field) => columnOf(table, field));
  const select = (conditions: readonly string[], from: number, values: readonly Key[]): IndexRange => {
    const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
    const order = columns.slice(from).map((column) => (page.descending ? `${column} DESC` : column));
    return {
      sql: `SELECT data, checksum FROM ${tableName(table)} INDEXED BY ${indexName(table, index.name)}${where} ORDER BY ${order.join(', ')} ${limitParameter}`,
      values,
    };
  };
  if (page.after === undefined) {
    yield select(group, 0, page.equals);
    return;
  }
  for (let depth = columns.length - 1; depth >= 0; depth -= 1) {
    const column = columns[depth] as string;
    const value = page.after[depth] as Key;
    const fixed = [...group, ...columns.slice(0, depth).map((name) => `${name} IS ?`)];
    const values = [...page.equals, ...page.after.slice(0, depth)];
    if (page.descending) {
      if (value === null) continue;
      yield select([...fixed, `${column} < ?`], depth, [...values, value]);
      if (index.place[depth] !== 0) yield select([...fixed, `${column} IS NULL`], depth, values);
    } else if (value === null) {
      yield select([...fixed, `${column} IS NOT NULL`], depth, values);
    } else {
      yield select([...fixed, `${column} > ?`], depth, [...values, value]);
    }
  }
}
