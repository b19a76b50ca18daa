import type { IndexSpec, Key, Row, Table } from '../core/store.ts';
import { Problem } from '../errors/problem.ts';

/** An index of a table, with the places of its fields among the table's keys. */
export interface IndexLayout {
  readonly name: string;
  readonly on: readonly number[];
  /** Ends with 0, the id. */
  readonly place: readonly number[];
  readonly unique: boolean;
}

/** What a driver keeps of a row beside its JSON. */
export interface TableLayout {
  readonly name: string;
  /** The fields that some index holds; the first is `id`. */
  readonly fields: readonly string[];
  readonly indexes: ReadonlyMap<string, IndexLayout>;
  /** The fields that are searched, with their weights; none where the table cannot be searched. */
  readonly words: readonly (readonly [field: string, weight: number])[];
}

/** The keys of one row, in the order of `fields`. */
export type Keys = readonly [string, ...Key[]];

export function layoutOf(table: Table): TableLayout {
  const specs = Object.entries(table.indexes);
  const fields = [
    'id',
    ...new Set(
      specs.flatMap(([, spec]) => [...spec.on, ...(spec.by ?? [])]).filter((field) => field !== 'id'),
    ),
  ];
  const words = Object.entries(table.words ?? {});
  for (const name of [
    table.name,
    ...fields,
    ...Object.keys(table.indexes),
    ...words.map(([field]) => field),
  ]) {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name))
      throw new Error(`"${name}" cannot name a table, a field or an index.`);
  }
  return {
    name: table.name,
    fields,
    indexes: new Map(specs.map(([name, spec]) => [name, layOutIndex(name, spec, fields)])),
    words,
  };
}

export function layoutsOf(tables: readonly Table[]): ReadonlyMap<string, TableLayout> {
  return new Map(tables.map((table) => [table.name, layoutOf(table)]));
}

export function keysOf(table: TableLayout, row: Row): Keys {
  const values = row as unknown as Record<string, unknown>;
  const keys = table.fields.map((field) => toKey(values[field], field));
  if (typeof keys[0] !== 'string' || keys[0] === '') throw new Error(`A row of "${table.name}" has no id.`);
  return keys as unknown as Keys;
}

/** The texts of the fields that are searched; what is no text counts as an empty one. */
export function textsOf(table: TableLayout, row: Row): readonly string[] {
  const values = row as unknown as Record<string, unknown>;
  return table.words.map(([field]) => (typeof values[field] === 'string' ? values[field] : ''));
}

/** The values that the index groups by. */
export function groupOf(index: IndexLayout, keys: Keys): readonly Key[] {
  return index.on.map((at) => keys[at] as Key);
}

/** Where the row stands within its group. */
export function positionIn(index: IndexLayout, keys: Keys): readonly Key[] {
  return index.place.map((at) => keys[at] as Key);
}

export function sameKeys(a: Keys, b: Keys): boolean {
  return a.every((key, at) => key === b[at]);
}

function layOutIndex(name: string, spec: IndexSpec, fields: readonly string[]): IndexLayout {
  if (spec.unique === true && spec.on.length === 0)
    throw new Error(`The unique index "${name}" names no field.`);
  const places = (names: readonly string[]) => names.map((field) => fields.indexOf(field));
  return { name, on: places(spec.on), place: [...places(spec.by ?? []), 0], unique: spec.unique === true };
}

/** What an index holds for a field; refuses what the stores could not keep apart or put in the same order. */
export function toKey(value: unknown, field: string): Key {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (typeof value !== 'string')
    throw new Error(
      `The field "${field}" cannot be indexed: it is neither a string, a finite number nor null.`,
    );
  if (unstorable.test(value)) {
    throw new Problem('invalid-input', `The ${field} contains a NUL character or half of a surrogate pair.`, {
      hint: 'Remove that character and try again.',
    });
  }
  return value;
}

// SQLite ends a text at NUL and has no bytes for a lone surrogate.
const unstorable = /[\0\p{Surrogate}]/u;
