import { escapeControls } from './escape-controls.ts';

/** Formats a value for programs: strings unchanged, '' for null, objects as compact JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Formats a value on one line, with escaped control characters and a dash for null. */
export function lineText(value: unknown): string {
  return value === undefined || value === null ? '-' : escapeControls(cellText(value));
}

const timestamp = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;

/** Formats a value for people on one line: ticks for booleans, times to the minute, and lists of words separated by commas. */
export function displayText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? '-' : value.map(displayText).join(', ');
  const date = typeof value === 'string' ? timestamp.exec(value) : null;
  return date ? `${date[1]} ${date[2]}Z` : lineText(value);
}

/** Removes the time of day from the result of `displayText` for a time. */
export function dayOf(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) \d\d:\d\dZ$/, '$1');
}

/** From the lowest to the highest bar. */
const bars = '▁▂▃▅▇';

/** Draws counts as a sparkline, relative to the largest count. */
export function sparkline(counts: readonly number[]): string {
  const max = Math.max(1, ...counts);
  return counts.map((count) => bars.charAt(Math.ceil((count / max) * (bars.length - 1)))).join('');
}
