import { escapeControls } from './escape-controls.ts';

/** A value as a program wants it: strings as they are, nothing for null, objects as compact JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The same on one line that nothing in it can leave, with a dash for nothing. */
export function lineText(value: unknown): string {
  return value === undefined || value === null ? '-' : escapeControls(cellText(value));
}

const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/;

/** The same for a person's eye: ticks, short dates. */
export function displayText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const date = typeof value === 'string' ? moment.exec(value) : null;
  return date ? `${date[1]} ${date[2]}Z` : lineText(value);
}

export const bars = ['▁', '▂', '▃', '▅', '▇'];

/** Counts as a line of bars, each as high as it is beside the greatest. */
export function sparkline(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  return counts.map((count) => bars[Math.ceil((count / most) * (bars.length - 1))]!).join('');
}
