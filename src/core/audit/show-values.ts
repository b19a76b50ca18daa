import { createHash } from 'node:crypto';
import { isObject, isRecord } from '../../contract/values.ts';
import type { Row } from '../store.ts';
import type { RowAudit } from './table-audit.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** The fields of a row that an event shows. */
export type ShownFields = Readonly<Record<string, unknown>>;

/** Maximum size of a value in an event: characters of a text, bytes of the JSON of another value. */
const maxSize = { text: 500, value: 2000 };

/** Events show this text instead of a secret. */
const secret = '[secret]';

/**
 * Returns the fields that differ between two states of a row, as events show them: without secrets, and with long values
 * shortened. Fields of `progress` are left out for jobs.
 */
export function showDifference(
  audit: RowAudit,
  before: Row | undefined,
  after: Row | undefined,
  isJob: boolean,
): { readonly before?: ShownFields; readonly after?: ShownFields } | undefined {
  const shown = { before: {} as Record<string, unknown>, after: {} as Record<string, unknown> };
  const [from, to] = [before, after] as readonly (Readonly<Record<string, unknown>> | undefined)[];
  for (const field of [...audit.fields, ...(audit.secrets ?? []), ...(audit.sizes ?? [])]) {
    if (isJob && audit.progress?.includes(field) === true) continue;
    const [old, value] = [from?.[field] ?? null, to?.[field] ?? null];
    if (isEqual(old, value)) continue;
    const show =
      audit.secrets?.includes(field) === true
        ? hide
        : audit.sizes?.includes(field) === true
          ? measure
          : shorten;
    shown.before[field] = show(old);
    shown.after[field] = show(value);
  }
  const isEmpty = Object.keys(shown.after).length === 0;
  if (before !== undefined && after !== undefined) return isEmpty ? undefined : shown;
  // Jobs add and remove rows that they derive, such as clusters.
  if (isJob && isEmpty) return undefined;
  return before === undefined ? { after: shown.after } : { before: shown.before };
}

/** Returns the ID of a row that events show, which is a digest if the ID is a secret. */
export function shownId({ id = 'id', secretId }: RowAudit, row: Row): string {
  const value = String((row as unknown as Record<string, unknown>)[id]);
  return secretId === true ? digest(value) : value;
}

/** Returns the name of a row that events show; undefined if it has none. */
export function shownLabel({ label }: RowAudit, row: Row): string | undefined {
  const value = label === undefined ? undefined : (row as unknown as Record<string, unknown>)[label];
  return typeof value === 'string' ? shownName(value) : undefined;
}

/** Returns a name as events show it, without secrets; undefined if it is empty. */
export function shownName(name: string): string | undefined {
  return name === '' ? undefined : shortenText(name, 200);
}

/** Returns a digest that distinguishes secrets without revealing them. */
export function digest(text: string): string {
  return createHash('sha256').update(`audit\n${text}`).digest('hex').slice(0, 16);
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (isObject(a) && isObject(b) && JSON.stringify(a) === JSON.stringify(b));
}

function hide(value: unknown): unknown {
  return value === null ? null : secret;
}

function measure(value: unknown): unknown {
  if (value === null) return null;
  return { characters: (typeof value === 'string' ? value : JSON.stringify(value)).length };
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return shortenText(value, maxSize.text);
  if (!isObject(value)) return value;
  if (JSON.stringify(value).length > maxSize.value) return measure(value);
  if (Array.isArray(value)) return value.map(shorten);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
    : value;
}

/** Tokens of users and of integrations, wherever they are. */
const tokens = /dct[li]_[\w-]{30,}/g;

function shortenText(text: string, length: number): string {
  const safe = withoutCredentials(text).replace(tokens, secret);
  return safe.length <= length ? safe : `${safe.slice(0, length).toWellFormed()}…`;
}

/** Removes the password and the query of an address, which can be secret. Other texts stay. */
function withoutCredentials(text: string): string {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return text;
  if (url.username === '' && url.password === '' && url.search === '' && url.hash === '') return text;
  url.username = url.password = url.hash = '';
  if (url.search !== '') url.search = `?${secret}`;
  return url.href;
}
