import { diffLines } from './diff-lines.ts';

type Sign = ' ' | '-' | '+';
/** A line of a diff, with its sign as in patches. */
export interface DiffLine {
  readonly sign: Sign;
  /** With its line end, if it has one. */
  readonly text: string;
}

/** A group of changed lines with their context. `start` counts lines from 1. */
export interface Hunk {
  readonly before: readonly [start: number, count: number];
  readonly after: readonly [start: number, count: number];
  readonly lines: readonly DiffLine[];
}

const signs = { same: ' ', removed: '-', added: '+' } as const;

/** Compares two texts. Each hunk includes `context` unchanged lines around its changes. */
export function hunksOf(before: string, after: string, context: number): Hunk[] {
  const lines = diffLines(before, after).flatMap(({ type, lines: texts }) =>
    texts.map((text): DiffLine => ({ sign: signs[type], text })),
  );
  const hunks: Hunk[] = [];
  const line = { before: 0, after: 0 };
  let end = 0;
  for (let change = nextChange(lines, 0); change < lines.length; change = nextChange(lines, end)) {
    const start = Math.max(end, change - context);
    skip(line, lines.slice(end, start));
    end = change;
    for (let next = change; next < lines.length && next - end <= 2 * context; next = nextChange(lines, end))
      end = next + 1;
    end = Math.min(lines.length, end + context);
    const [first, second] = [line.before, line.after];
    const inside = lines.slice(start, end);
    skip(line, inside);
    hunks.push({
      before: rangeOf(first, line.before),
      after: rangeOf(second, line.after),
      lines: inside,
    });
  }
  return hunks;
}

function nextChange(lines: readonly DiffLine[], from: number): number {
  let at = from;
  while (lines[at]?.sign === ' ') at++;
  return at;
}

/** Advances the line numbers of both sides. */
function skip(line: { before: number; after: number }, lines: readonly DiffLine[]): void {
  for (const { sign } of lines) {
    if (sign !== '+') line.before++;
    if (sign !== '-') line.after++;
  }
}

/** Returns the first line and the line count of a side. If the side is empty, the first line is the line before it. */
function rangeOf(from: number, to: number): [start: number, count: number] {
  return [to > from ? from + 1 : from, to - from];
}

/** Counts the added and removed lines. */
export function countHunks(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: Sign) => lines.filter((line) => line.sign === sign).length;
  return { added: count('+'), removed: count('-') };
}
