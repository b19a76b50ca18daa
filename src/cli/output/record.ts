import Table from 'cli-table3';
import { chunk } from '../../contract/values.ts';
import { displayText } from './cell.ts';
import { displayWidth, wrap } from './width.ts';
import type { Theme } from './style.ts';

const borders =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right ' +
  'right-mid middle';
const noBorders = Object.fromEntries(borders.split(' ').map((name) => [name, '']));
/** cli-table3 takes quadratic time in rows and cubic time in the lines of a cell, so it gets few rows of one line each. */
const maxRows = 50;

/** Formats one object for a terminal: a name and its value per line. Long values are wrapped in their column. */
export function recordText(
  fields: readonly (readonly [title: string, value: unknown])[],
  width: number,
  theme: Theme,
): string {
  const named = fields.map(([title, value]) => ({ name: displayText(title), text: displayText(value) }));
  const nameWidth = named.reduce((max, { name }) => Math.max(max, displayWidth(name)), 0) + 2;
  const rows = named.flatMap(({ name, text }) =>
    wrap(text, Math.max(20, width - nameWidth)).map((line, nth) => [
      nth === 0 ? theme.title(name) : '',
      line,
    ]),
  );
  let text = '';
  for (const part of chunk(rows, maxRows)) {
    const table = new Table({
      chars: noBorders,
      colWidths: [nameWidth],
      style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [], compact: true },
    });
    table.push(...part);
    text += `${table.toString().replace(/ +$/gm, '')}\n`;
  }
  return text;
}
