import type { DiffLine, Hunk } from '../../richtext/diff-hunks.ts';
import { escapeControls } from './escape-controls.ts';
import type { Style, Styler } from './style.ts';

const noEnd = '\\ No newline at end of file';

/** Writes hunks for `patch` and `git apply`, without changing any byte. */
export function patchText(hunks: readonly Hunk[]): string {
  const lineText = ({ sign, text }: DiffLine) =>
    `${sign}${text.endsWith('\n') ? text : `${text}\n${noEnd}\n`}`;
  return hunks.map((hunk) => `${headOf(hunk)}\n${hunk.lines.map(lineText).join('')}`).join('');
}

/** Draws the lines of a patch for a terminal, with control characters escaped. */
export function drawPatch(patch: string, style: Styler): string {
  const colors: readonly (readonly [RegExp, Style])[] = [
    [/^(?:#|diff --git |--- (?:"?a\/|\/dev\/null)|\+\+\+ (?:"?b\/|\/dev\/null))/, 'bold'],
    [/^@@/, 'cyan'],
    [/^-/, 'red'],
    [/^\+/, 'green'],
  ];
  return patch.replace(/[^\n]+/g, (line) => {
    const color = colors.find(([start]) => start.test(line))?.[1];
    return color === undefined ? shown(line) : style(shown(line), [color]);
  });
}

/** Draws hunks for a terminal, with escaped control characters. Changes within a line are marked. */
export function drawHunks(hunks: readonly Hunk[], style: Styler): string {
  return hunks.map((hunk) => `${style(headOf(hunk), ['cyan'])}\n${drawLines(hunk.lines, style)}`).join('');
}

function drawLines(lines: readonly DiffLine[], style: Styler): string {
  let text = '';
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed.length, '+');
    const same = removed.length + added.length === 0 ? runOf(lines, at, ' ') : [];
    const isPaired = removed.length === added.length;
    for (const line of same) text += drawLine(line, style);
    for (const [index, line] of removed.entries())
      text += drawLine(line, style, 'red', isPaired ? added[index] : undefined);
    for (const [index, line] of added.entries())
      text += drawLine(line, style, 'green', isPaired ? removed[index] : undefined);
    at += removed.length + added.length + same.length;
  }
  return text;
}

function drawLine({ sign, text }: DiffLine, style: Styler, color?: Style, other?: DiffLine): string {
  const line = text.replace(color === undefined ? /\r?\n$/ : /\n$/, '');
  const end = text.endsWith('\n') ? '\n' : `\n${style(noEnd, ['dim'])}\n`;
  if (color === undefined) return ` ${shown(line)}${end}`;
  const [from, to] = other === undefined ? [0, 0] : findDifference(line, other.text.replace(/\n$/, ''));
  if (from === to) return style(sign + shown(line), [color]) + end;
  const head = style(sign + shown(line.slice(0, from)), [color]);
  const middle = style(shown(line.slice(from, to)), [color, 'inverse']);
  return head + middle + style(shown(line.slice(to)), [color]) + end;
}

/** Returns the part of a line that differs from another line, if most of the line is equal. */
function findDifference(line: string, other: string): [from: number, to: number] {
  const length = Math.min(line.length, other.length);
  let head = 0;
  while (head < length && line[head] === other[head]) head++;
  let tail = 0;
  while (tail < length - head && line.at(-1 - tail) === other.at(-1 - tail)) tail++;
  // Do not split a surrogate pair.
  if (head > 0 && /[\uD800-\uDBFF]/.test(line.charAt(head - 1))) head--;
  if (tail > 0 && /[\uDC00-\uDFFF]/.test(line.charAt(line.length - tail))) tail--;
  return head + tail < length / 3 ? [0, 0] : [head, line.length - tail];
}

function shown(text: string): string {
  return escapeControls(text.replaceAll('\t', '    '));
}

function runOf(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): DiffLine[] {
  let end = from;
  while (lines[end]?.sign === sign) end++;
  return lines.slice(from, end);
}

function headOf({ before, after }: Hunk): string {
  const side = ([start, count]: readonly [number, number]) =>
    count === 1 ? `${start}` : `${start},${count}`;
  return `@@ -${side(before)} +${side(after)} @@`;
}
