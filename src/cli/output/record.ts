import Table from 'cli-table3';
import { displayText } from './cell.ts';
import { displayWidth, wrap } from './width.ts';
import type { Theme } from './style.ts';

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
/** cli-table3 takes quadratic time in rows and cubic in the lines of a cell, so it is given few rows of one line each. */
const rowsAtOnce = 50;

/** One object on a terminal: a name and its value a line, long values wrapped in their own column. */
export function recordText(
  fields: readonly (readonly [title: string, value: unknown])[],
  width: number,
  paint: Theme,
): string {
  const names = fields.map(([title]) => displayText(title));
  const named = names.reduce((most, name) => Math.max(most, displayWidth(name)), 0) + 2;
  const rows = fields.flatMap(([, value], index) =>
    wrap(displayText(value), Math.max(20, width - named)).map((line, nth) => [
      nth === 0 ? paint.title(names[index]!) : '',
      line,
    ]),
  );
  let text = '';
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const table = new Table({
      chars: borderless,
      colWidths: [named],
      style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [], compact: true },
    });
    table.push(...rows.slice(start, start + rowsAtOnce));
    text += `${table.toString().replace(/ +$/gm, '')}\n`;
  }
  return text;
}
