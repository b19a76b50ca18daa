import { diffLines } from '../../richtext/diff-lines.ts';
import { escapeControls } from './escape-controls.ts';
import type { Styler, Style } from './style.ts';

type Sign = ' ' | '-' | '+';
interface DiffLine {
  readonly sign: Sign;
  /** With its line end, where it has one. */
  readonly text: string;
}

/** Lines that lie together, and where they begin on both sides. */
export interface Hunk {
  readonly before: readonly [start: number, count: number];
  readonly after: readonly [start: number, count: number];
  readonly lines: readonly DiffLine[];
}

const signs = { same: ' ', removed: '-', added: '+' } as const;
const noEnd = '\\ No newline at end of file';

/** The hunks between two texts, each with so many unchanged lines around it. */
export function hunksOf(before: string, after: string, context: number): Hunk[] {
  const lines = diffLines(before, after).flatMap(({ type, lines: some }) =>
    some.map((text): DiffLine => ({ sign: signs[type], text })),
  );
  const hunks: Hunk[] = [];
  const at = { before: 0, after: 0 };
  let done = 0;
  for (let next = nextChange(lines, 0); next < lines.length;) {
    const start = Math.max(done, next - context);
    let end = next;
    for (
      let change = next;
      change < lines.length && change - end <= 2 * context;
      change = nextChange(lines, end)
    )
      end = change + 1;
    const stop = Math.min(lines.length, end + context);
    move(at, lines, done, start);
    const [first, then] = [at.before, at.after];
    move(at, lines, start, stop);
    hunks.push({
      before: [numberOf(first, at.before), at.before - first],
      after: [numberOf(then, at.after), at.after - then],
      lines: lines.slice(start, stop),
    });
    done = stop;
    next = nextChange(lines, stop);
  }
  return hunks;
}

/** How many lines hunks add and remove. */
export function countHunks(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  const count = (sign: Sign) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
  return { added: count('+'), removed: count('-') };
}

/** Hunks as `patch` and `git apply` read them, byte for byte. */
export function patchText(hunks: readonly Hunk[]): string {
  return hunks
    .map(
      (hunk) =>
        `${headOf(hunk)}\n${hunk.lines.map(({ sign, text }) => `${sign}${text.endsWith('\n') ? text : `${text}\n${noEnd}\n`}`).join('')}`,
    )
    .join('');
}

/** Hunks for a terminal: colored, nothing in them that it obeys, and what differs within a line marked. */
export function drawHunks(hunks: readonly Hunk[], ink: Styler): string {
  return hunks.map((hunk) => `${ink(headOf(hunk), ['cyan'])}\n${drawLines(hunk.lines, ink)}`).join('');
}

function drawLines(lines: readonly DiffLine[], ink: Styler): string {
  let text = '';
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed.length, '+');
    const isPaired = removed.length > 0 && removed.length === added.length;
    removed.forEach(
      (line, index) => (text += drawLine(line, 'red', ink, isPaired ? added[index] : undefined)),
    );
    added.forEach(
      (line, index) => (text += drawLine(line, 'green', ink, isPaired ? removed[index] : undefined)),
    );
    at += removed.length + added.length;
    if (removed.length + added.length === 0) text += drawLine(lines[at++]!, undefined, ink);
  }
  return text;
}

function drawLine({ sign, text }: DiffLine, color: Style | undefined, ink: Styler, other?: DiffLine): string {
  const line = text.replace(color === undefined ? /\r?\n$/ : /\n$/, '');
  const end = text.endsWith('\n') ? '\n' : `\n${ink(noEnd, ['dim'])}\n`;
  if (color === undefined) return ` ${shown(line)}${end}`;
  const [from, to] = other === undefined ? [0, 0] : differing(line, other.text.replace(/\n$/, ''));
  const middle = from < to ? ink(shown(line.slice(from, to)), [color, 'inverse']) : '';
  return `${ink(sign + shown(line.slice(0, from)), [color])}${middle}${ink(shown(line.slice(Math.max(from, to))), [color])}${end}`;
}

/** The part of a line that the other one does not have, where most of the line is the same. */
function differing(line: string, other: string): [from: number, to: number] {
  const least = Math.min(line.length, other.length);
  let head = 0;
  while (head < least && line[head] === other[head]) head++;
  let tail = 0;
  while (tail < least - head && line[line.length - 1 - tail] === other[other.length - 1 - tail]) tail++;
  // Never through a character of two units.
  if (head > 0 && /[\uD800-\uDBFF]/.test(line[head - 1]!)) head--;
  if (tail > 0 && /[\uDC00-\uDFFF]/.test(line[line.length - tail]!)) tail--;
  return head + tail < least / 3 ? [0, 0] : [head, line.length - tail];
}

function shown(text: string): string {
  return escapeControls(text.replaceAll('\t', '    '));
}

function runOf(lines: readonly DiffLine[], from: number, sign: Sign): DiffLine[] {
  let end = from;
  while (lines[end]?.sign === sign) end++;
  return lines.slice(from, end);
}

function headOf({ before, after }: Hunk): string {
  const side = ([start, count]: readonly [number, number]) =>
    count === 1 ? `${start}` : `${start},${count}`;
  return `@@ -${side(before)} +${side(after)} @@`;
}

/** The number of the first line of a side that goes from `from` to `to`; the one in front of it where the side has none. */
function numberOf(from: number, to: number): number {
  return to > from ? from + 1 : from;
}

function nextChange(lines: readonly DiffLine[], from: number): number {
  let at = from;
  while (at < lines.length && lines[at]!.sign === ' ') at++;
  return at;
}

function move(
  at: { before: number; after: number },
  lines: readonly DiffLine[],
  from: number,
  to: number,
): void {
  for (let index = from; index < to; index++) {
    if (lines[index]!.sign !== '+') at.before++;
    if (lines[index]!.sign !== '-') at.after++;
  }
}
