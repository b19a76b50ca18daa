import { term } from '../terminal.ts';

/** A value as a program wants it: strings as they are, nothing for null, objects as compact JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The same on one line that nothing in it can leave, with a dash for nothing. */
export function lineText(value: unknown): string {
  return value === undefined || value === null ? '-' : term(cellText(value));
}

const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;

/** The same for a person's eye: ticks, short dates. */
export function shownText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const date = typeof value === 'string' ? moment.exec(value) : null;
  return date ? `${date[1]} ${date[2]}Z` : lineText(value);
}
