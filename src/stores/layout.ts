import { getOrInsert } from '../contract/values.ts';
import type { IndexSpec, Key, Row, Table } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';

/** An index of a table. Fields are given as positions in `TableLayout.fields`. */
export interface IndexLayout {
  readonly name: string;
  /** The fields that a query fixes. */
  readonly on: readonly number[];
  /** The fields that order the rows. The last one is 0, the ID. */
  readonly place: readonly number[];
  readonly unique: boolean;
  /** Whether the numbers of rows of its groups are not stored. */
  readonly small: boolean;
}

/** The layout of a table: the fields that a driver stores in addition to the JSON of each row. */
export interface TableLayout {
  readonly name: string;
  /** All fields of the indexes. The first is `id`. */
  readonly fields: readonly string[];
  readonly indexes: ReadonlyMap<string, IndexLayout>;
  /** The fields that can be searched, with their weights. Empty for a table without search. */
  readonly words: readonly (readonly [field: string, weight: number])[];
}

/** The values of the fields of one row, in the order of `TableLayout.fields`. */
export type Keys = readonly [string, ...Key[]];

/** Returns the Problem of an upgrade that would make a key unique although several rows have it. */
export function sharedKeyProblem(store: string, { name }: TableLayout, cause: unknown): Problem {
  return new Problem(
    'store-failed',
    `The store ${store} cannot be upgraded to this version: rows of "${name}" share a key that must be unique.`,
    {
      hint: 'Change one of these rows with the version of docsctl that wrote the store, then try again.',
      cause,
    },
  );
}

/** Returns the layout of a table. @throws Error if a name in the declaration is not a plain identifier */
export function layoutOf(table: Table): TableLayout {
  const fields = ['id'];
  const indexes = new Map<string, IndexLayout>();
  // Plain loops are faster than destructuring, and every command on a store lays out all tables.
  for (const name of Object.keys(table.indexes)) {
    checkName(name);
    indexes.set(name, layOutIndex(name, table.indexes[name]!, fields));
  }
  const words = Object.entries(table.words ?? {});
  checkName(table.name);
  for (const field of fields) checkName(field);
  for (const [field] of words) checkName(field);
  return { name: table.name, fields, indexes, words };
}

function checkName(name: string): void {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
    throw new Error(`"${name}" cannot name a table, a field or an index.`);
}

const known = new WeakMap<readonly Table[], ReadonlyMap<string, TableLayout>>();

/** Returns the layouts of tables by name. All stores of the same tables share them. */
export function layoutsOf(tables: readonly Table[]): ReadonlyMap<string, TableLayout> {
  return getOrInsert(known, tables, () => new Map(tables.map((table) => [table.name, layoutOf(table)])));
}

/** Returns the keys of a row. @throws Problem(invalid-input) for a text that cannot be indexed */
export function keysOf(table: TableLayout, row: Row): Keys {
  const values = row as unknown as Record<string, unknown>;
  const keys = table.fields.map((field) => toKey(values[field], field));
  if (typeof keys[0] !== 'string' || keys[0] === '') throw new Error(`A row of "${table.name}" has no id.`);
  return keys as unknown as Keys;
}

/** Returns a row and its keys from its JSON; undefined if it is not JSON, or has no keys that can be indexed. */
export function parseRow(
  table: TableLayout,
  text: string,
): { readonly row: Row; readonly keys: Keys } | undefined {
  try {
    const row = JSON.parse(text) as Row;
    return { row, keys: keysOf(table, row) };
  } catch {
    return undefined;
  }
}

/** Returns the texts of the fields that can be searched. Any other value counts as an empty text. */
export function textsOf(table: TableLayout, row: Row): readonly string[] {
  const values = row as unknown as Record<string, unknown>;
  return table.words.map(([field]) => (typeof values[field] === 'string' ? values[field] : ''));
}

/** Returns the values of `on` in an index. Rows with equal values form a group. */
export function groupOf(index: IndexLayout, keys: Keys): readonly Key[] {
  return index.on.map((at) => keys[at] as Key);
}

/** Returns the position of a row within its group. */
export function positionIn(index: IndexLayout, keys: Keys): readonly Key[] {
  return index.place.map((at) => keys[at] as Key);
}

/** Whether two rows have the same keys. */
export function sameKeys(a: Keys, b: Keys): boolean {
  return a.every((key, at) => key === b[at]);
}

/** Lays out an index, and adds its new fields to `fields`. */
function layOutIndex(name: string, spec: IndexSpec, fields: string[]): IndexLayout {
  if (spec.unique === true && spec.on.length === 0)
    throw new Error(`The unique index "${name}" names no field.`);
  const on = spec.on.map((field) => positionOf(field, fields));
  const place = (spec.by ?? []).map((field) => positionOf(field, fields));
  place.push(0);
  return { name, on, place, unique: spec.unique === true, small: spec.small === true };
}

/** Returns the position of a field, and adds it at the end if it is new. */
function positionOf(field: string, fields: string[]): number {
  const at = fields.indexOf(field);
  return at === -1 ? fields.push(field) - 1 : at;
}

/**
 * Returns the key of an index for the value of a field.
 *
 * @throws Problem(invalid-input) for a text that SQLite would cut off or change; Error for a value that cannot be indexed
 */
export function toKey(value: unknown, field: string): Key {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (typeof value !== 'string')
    throw new Error(
      `The field "${field}" cannot be indexed: it is neither a string, a finite number nor null.`,
    );
  // SQLite ends a text at NUL, and UTF-8 has no bytes for a lone surrogate.
  if (!value.isWellFormed() || value.includes('\0')) {
    throw new Problem('invalid-input', `The ${field} contains a NUL character or half of a surrogate pair.`, {
      hint: 'Remove that character and try again.',
    });
  }
  return value;
}
