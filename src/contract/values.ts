/** Whether a value is an object with named properties: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object or an array, so that its members can be read by key. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns the value if it has named properties, otherwise an empty object. */
export function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Returns the value that an object itself has under a key: not that of a prototype, such as under "constructor". */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

type UndefinedKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** The result type of `defined`: properties that may be undefined become optional. */
type Defined<T> = {
  [K in Exclude<keyof T, UndefinedKeys<T>>]: T[K];
} & { [K in UndefinedKeys<T>]?: Exclude<T[K], undefined> };

/** Copies an object without its undefined properties, so that absent values have no key. */
export function defined<const T extends object>(members: T): Defined<T> {
  const result: Partial<T> = {};
  for (const key in members) if (members[key] !== undefined) result[key] = members[key];
  return result as Defined<T>;
}

/** Returns an object; undefined if it has no properties. */
export function unlessEmpty<T extends object>(members: T): T | undefined {
  return Object.keys(members).length === 0 ? undefined : members;
}

/** Returns a text with a capital first letter. */
export function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** Returns a count with its noun: `1 page`, `3 pages`, `2 statuses` if the plural is given. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/**
 * Formats a number of bytes, rounded up: `10 MiB`, `2 MB`, `64 KiB`, `100 bytes`. Uses the unit in which `limit` is a round
 * number (default: the number itself).
 */
export function sizeText(bytes: number, limit = bytes): string {
  const base = limit % 1000 === 0 ? 1000 : 1024;
  let [size, power] = [bytes, 0];
  for (; size >= base && power < 3; power++) size /= base;
  if (power === 0) return plural(bytes, 'byte');
  return `${Math.ceil(size * 10) / 10} ${' KMG'.charAt(power)}${base === 1000 ? 'B' : 'iB'}`;
}

/** Lists the first names and counts the rest: `a, b and 3 more`. */
export function listSome(names: readonly string[], max = 5, separator = ', '): string {
  const rest = names.length - max;
  return `${names.slice(0, max).join(separator)}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Joins names with "and": `a, b and c`. */
export function joinAnd(names: readonly string[]): string {
  return joinLast(names, 'and');
}

/** Joins names with "or": `a, b or c`. */
export function joinOr(names: readonly string[]): string {
  return joinLast(names, 'or');
}

function joinLast(names: readonly string[], word: string): string {
  const first = names.slice(0, -1).join(', ');
  return `${first}${first === '' ? '' : ` ${word} `}${names.at(-1) ?? ''}`;
}

/** Whether a text has at most `max` characters. Like JSON Schema, this counts code points, and not UTF-16 code units. */
export function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/** Returns the start of a text: at most `max` UTF-16 code units, without splitting a surrogate pair. */
export function truncate(text: string, max: number): string {
  return text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}

/** Cuts a text that is longer than `max` UTF-16 code units, and ends it with an ellipsis. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${truncate(text, max - 1)}…`;
}

/** Decodes percent-encoding; undefined if a percent sign is not followed by a valid encoding, or the bytes are not UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returns the pages of a tree, parents first. */
export function flattenPages<P extends { readonly pages?: readonly P[] }>(pages: readonly P[]): P[] {
  return pages.flatMap((page) => [page, ...flattenPages(page.pages ?? [])]);
}

/** Splits a list into parts of `size` items; the last part may be shorter. */
export function chunk<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

interface Entries<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** Returns the value of a key. If the map has none, it gets the value that `make` returns. Hot loops do this without a closure. */
export function getOrInsert<K, V>(map: Entries<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Groups items by a key, in the order in which the keys and the items come. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns all texts in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
