import { createHash } from 'node:crypto';
import { isRecord } from '../contract/values.ts';

/** A reference in the plain JSON of a field, by address. No API has members with such names. */
export interface Reference {
  readonly 'docsctl:ref': string;
}

/** A lookup in the plain JSON of a field, by its number. It is replaced before values are compared. */
export interface LookupMark {
  readonly 'docsctl:lookup': number;
}

/** Whether a value is a reference to a block (`!ref`). */
export function isReference(value: unknown): value is Reference {
  return isRecord(value) && typeof value['docsctl:ref'] === 'string';
}

/** Whether a value is a lookup of a live resource. */
export function isLookup(value: unknown): value is LookupMark {
  return isRecord(value) && typeof value['docsctl:lookup'] === 'number';
}

/** Copies a value and replaces its marks. `replace` may return the mark. */
export function replaceMarks(value: unknown, replace: (mark: Reference | LookupMark) => unknown): unknown {
  if (isReference(value) || isLookup(value)) return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceMarks(item, replace));
  if (!isRecord(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) copy[name] = replaceMarks(inner, replace);
  return copy;
}

/** Returns the addresses that a value refers to. */
export function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  replaceMarks(value, (mark) => {
    if (isReference(mark)) found.push(mark['docsctl:ref']);
    return mark;
  });
  return found;
}

/** Replaces addresses by IDs. Addresses without an ID are kept. */
export function withIds(value: unknown, idOf: (address: string) => string | undefined): unknown {
  return replaceMarks(value, (mark) => (isReference(mark) ? (idOf(mark['docsctl:ref']) ?? mark) : mark));
}

/** Whether two values are equal. Undefined and null count as equal. */
export function isSame(one: unknown, other: unknown, how?: 'set' | 'text'): boolean {
  if (how === 'text' && typeof one === 'string' && typeof other === 'string')
    return plainText(one) === plainText(other);
  if (how === 'set' && Array.isArray(one) && Array.isArray(other))
    return canonical(asSet(one)) === canonical(asSet(other));
  return canonical(one) === canonical(other);
}

/** Returns a short hash that shows later whether a value has changed. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 24);
}

/** Returns JSON with sorted keys and without undefined members. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value ?? null));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item ?? null));
  if (!isRecord(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(value).sort())
    if (value[name] !== undefined) copy[name] = sorted(value[name]);
  return copy;
}

function asSet(list: readonly unknown[]): string[] {
  return [...new Set(list.map(canonical))].sort();
}

function plainText(text: string): string {
  return text.replace(/\r\n?/g, '\n').trimEnd();
}
