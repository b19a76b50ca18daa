import { endOfItemMark } from './line-scanner.ts';

/** The marks of quotes, list items and footnotes that a line begins with. */
export interface Openers {
  /** Quotes in front of everything else. */
  readonly quotes: number;
  /** What is opened behind them. */
  readonly items: number;
  /** The most blanks in front of a mark. */
  readonly gap: number;
  /** Columns of blanks behind those quotes. */
  readonly indent: number;
  /** Where the content of the innermost item begins, in columns behind those quotes; 0 where there is no item. */
  readonly column: number;
  /** Whether an item of a list with something in it begins behind those quotes. */
  readonly isItem: boolean;
  /** The place of the content. */
  readonly rest: number;
}

/** Follows the marks a line begins with, hardly more than `max` of them. */
export function openersOf(line: string, max: number): Openers {
  const found = { quotes: 0, items: 0, gap: 0, indent: 0, column: 0, isItem: false };
  let [at, column, base] = [0, 0, 0];
  const skipBlanks = (limit: number) => {
    const from = column;
    for (; column - from < limit && (line[at] === ' ' || line[at] === '\t'); at++)
      column += line[at] === '\t' ? 4 - (column % 4) : 1;
    return column - from;
  };
  for (;;) {
    const [from, start] = [at, column];
    const gap = skipBlanks(Infinity);
    if (found.items === 0) found.indent = column - base;
    else found.column = start + (gap > 4 || at === line.length ? 1 : gap) - base;
    const mark = line[at];
    const end = mark === '>' ? at + 1 : endOfMark(line, at);
    if (end === -1 || found.quotes + found.items > max) return { ...found, rest: at };
    found.gap = Math.max(found.gap, at - from);
    column += end - at;
    at = end;
    if (mark === '>' && found.items === 0 && gap < 4) {
      found.quotes++;
      skipBlanks(1);
      base = column;
    } else {
      if (found.items === 0)
        found.isItem = mark !== '>' && mark !== '[' && /[^ \t]/.test(line.slice(at, at + 99));
      found.items++;
    }
  }
}

/** The place behind the mark of a list item or a footnote, or -1 where there is none. */
function endOfMark(line: string, from: number): number {
  if (line[from] === '[') {
    const end = line[from + 1] === '^' ? line.slice(from, from + 1100).indexOf(']:') : -1;
    return end === -1 ? -1 : from + end + 2;
  }
  const end = endOfItemMark(line, from);
  return end !== -1 && /^(?:[ \t]|$)/.test(line.charAt(end)) && !isRule(line, from) ? end : -1;
}

/** Whether the rest of a line is three or more of the mark that makes a line across the page. */
function isRule(line: string, from: number): boolean {
  let count = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === line[from]) count++;
    else if (line[at] !== ' ' && line[at] !== '\t') return false;
  }
  return count > 2;
}
