import { createHash } from 'node:crypto';
import { isRecord } from '../contract/values.ts';

/** Values of fields are plain JSON. Three things in them stand for others; the names keep out of the way of what people write. */
export interface Reference {
  readonly 'docsctl:ref': string;
}

/** The number of a lookup of the manifest: what it finds takes its place before anything is compared. */
export interface LookupMark {
  readonly 'docsctl:lookup': number;
}

/** Where a secret comes from, and its keyed hash once a lock is at hand; never the secret. */
export interface SecretMark {
  readonly 'docsctl:secret': string;
  readonly hash?: string;
}

export function isReference(value: unknown): value is Reference {
  return isRecord(value) && typeof value['docsctl:ref'] === 'string';
}

export function isLookup(value: unknown): value is LookupMark {
  return isRecord(value) && typeof value['docsctl:lookup'] === 'number';
}

export function isSecret(value: unknown): value is SecretMark {
  return isRecord(value) && typeof value['docsctl:secret'] === 'string';
}

/** The same value with its marks replaced; `replace` may give a mark back. */
export function replaceMarks(
  value: unknown,
  replace: (mark: Reference | LookupMark | SecretMark) => unknown,
): unknown {
  if (isReference(value) || isLookup(value) || isSecret(value)) return replace(value);
  if (Array.isArray(value)) return value.map((item) => replaceMarks(item, replace));
  if (!isRecord(value)) return value;
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, inner] of Object.entries(value)) copy[name] = replaceMarks(inner, replace);
  return copy;
}

/** Whether any part of a value is a secret. */
export function holdsSecret(value: unknown): boolean {
  let found = false;
  replaceMarks(value, (mark) => {
    found ||= isSecret(mark);
    return mark;
  });
  return found;
}

/** The addresses that a value refers to. */
export function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  replaceMarks(value, (mark) => {
    if (isReference(mark)) found.push(mark['docsctl:ref']);
    return mark;
  });
  return found;
}

/** Puts ids where addresses stand; an address without an id yet stays. */
export function withIds(value: unknown, idOf: (address: string) => string | undefined): unknown {
  return replaceMarks(value, (mark) => (isReference(mark) ? (idOf(mark['docsctl:ref']) ?? mark) : mark));
}

/** Whether two values mean the same. Nothing and null are the same: both say that there is none. */
export function isSame(one: unknown, other: unknown, how?: 'set' | 'text'): boolean {
  if (how === 'text' && typeof one === 'string' && typeof other === 'string')
    return plainText(one) === plainText(other);
  if (how === 'set' && Array.isArray(one) && Array.isArray(other))
    return canonical(asSet(one)) === canonical(asSet(other));
  return canonical(one) === canonical(other);
}

/** A short fingerprint, to see later whether something is still the same. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex').slice(0, 24);
}

/** JSON with sorted keys and without empty fields; the source of a secret is not part of its value. */
export function canonical(value: unknown): string {
  return JSON.stringify(sorted(value ?? null));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sorted(item ?? null));
  if (!isRecord(value)) return value;
  if (isSecret(value) && value.hash !== undefined) return { hash: value.hash };
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
