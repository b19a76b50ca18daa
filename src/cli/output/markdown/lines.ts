import { displayWidth, firstCluster, headOf } from '../width.ts';
import type { Style } from '../style.ts';

/** A run of text that looks the same. Its text is safe to show. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}
/** One line of the screen. */
export type Line = readonly Span[];

export function span(text: string, ...styles: Style[]): Span {
  return { text, styles };
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Spans as lines no wider than the width, broken at spaces and between CJK characters, else where it must be. */
export function wrapSpans(spans: readonly Span[], width: number): Line[] {
  return splitLines(spans).flatMap((line) => {
    const text = line.map((each) => each.text).join('');
    return slicesOf(line, rangesOf(text, Math.max(1, width)));
  });
}

/** Lines behind a prefix: `first` in front of the first one, `rest` in front of the others. */
export function prefixed(lines: readonly Line[], first: Line, rest: Line): Line[] {
  return lines.map((line, index) => [...(index === 0 ? first : rest), ...line]);
}

/** Breaks spans at the line breaks in their text. */
function splitLines(spans: readonly Span[]): Line[] {
  const lines: Span[][] = [[]];
  for (const { text, styles } of spans)
    text.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1)!.push({ text: part, styles });
    });
  return lines;
}

/** Where the lines of a text begin and end; blanks between them belong to none. */
function rangesOf(text: string, width: number): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (let start = 0; ;) {
    // A window, so that a long text is not measured anew for every line.
    const window = text.slice(start, start + width * 40);
    const length = headOf(window, width).length || firstCluster(window).length;
    const limit = start + length;
    if (limit >= text.length) return [...ranges, [start, text.length]];
    const space = text[limit] === ' ' || isWide(text, limit) ? limit : text.lastIndexOf(' ', limit);
    const cut = space > start && text.slice(start, space).trim() !== '' ? space : limit;
    ranges.push([start, start + text.slice(start, cut).trimEnd().length]);
    start = cut;
    while (text[start] === ' ') start++;
  }
}

/** Whether a line may break in front of this character although there is no space. */
function isWide(text: string, at: number): boolean {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return displayWidth(character) === 2 && !/[、。，．！？：；）」』】〕》〉]/.test(character);
}

/** The parts of a line that lie in each of the ranges, which are in order. */
function slicesOf(spans: Line, ranges: readonly (readonly [start: number, end: number])[]): Line[] {
  let [first, before] = [0, 0];
  return ranges.map(([start, end]) => {
    while (first < spans.length && before + spans[first]!.text.length <= start)
      before += spans[first++]!.text.length;
    const part: Span[] = [];
    for (
      let index = first, at = before;
      index < spans.length && at < end;
      at += spans[index++]!.text.length
    ) {
      const { text, styles } = spans[index]!;
      const piece = text.slice(Math.max(0, start - at), end - at);
      if (piece !== '') part.push({ text: piece, styles });
    }
    return part;
  });
}
