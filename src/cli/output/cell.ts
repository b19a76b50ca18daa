import { escapeControls } from './escape-controls.ts';

/** A value for programs: strings as they are, nothing for null, objects as compact JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A value on one line, with control characters escaped and a dash for null. */
export function lineText(value: unknown): string {
  return value === undefined || value === null ? '-' : escapeControls(cellText(value));
}

const timestamp = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;

/** A value for people: on one line, with ticks for booleans, times cut to the minute, and lists of words as such. */
export function displayText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? '-' : value.map(displayText).join(', ');
  const date = typeof value === 'string' ? timestamp.exec(value) : null;
  return date ? `${date[1]} ${date[2]}Z` : lineText(value);
}

/** Leaves out the time of what displayText makes of a time. */
export function dayOf(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) \d\d:\d\dZ$/, '$1');
}

/** From the lowest to the highest. */
const bars = '▁▂▃▅▇';

/** Draws counts as a line of bars, as high as they are relative to the greatest. */
export function sparkline(counts: readonly number[]): string {
  const max = Math.max(1, ...counts);
  return counts.map((count) => bars.charAt(Math.ceil((count / max) * (bars.length - 1)))).join('');
}
