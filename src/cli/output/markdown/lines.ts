import { displayWidth, firstCluster, headOf } from '../width.ts';
import type { Style } from '../style.ts';

/** A piece of text with one style. Its text is safe to show. */
export interface Span {
  readonly text: string;
  readonly styles: readonly Style[];
}
/** One line of the screen. */
export type Line = readonly Span[];

/** Returns a span of text in some styles. */
export function span(text: string, ...styles: Style[]): Span {
  return { text, styles };
}

/** Returns the width of a line on a terminal, in columns. */
export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** Wraps spans into lines of this width, at spaces and between CJK characters where possible. */
export function wrapSpans(spans: readonly Span[], width: number): Line[] {
  return splitLines(spans).flatMap((line) => {
    const text = line.map((one) => one.text).join('');
    return slicesOf(line, rangesOf(text, Math.max(1, width)));
  });
}

/** Adds `first` before the first line and `rest` before the others. */
export function prefixed(lines: readonly Line[], first: Line, rest: Line): Line[] {
  return lines.map((line, index) => [...(index === 0 ? first : rest), ...line]);
}

/** Splits spans at the line breaks in their text. */
function splitLines(spans: readonly Span[]): Line[] {
  let line: Span[] = [];
  const lines = [line];
  for (const { text, styles } of spans)
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push((line = []));
      if (part !== '') line.push({ text: part, styles });
    }
  return lines;
}

/** Returns the start and end of each line of a text, without the spaces between them. */
function rangesOf(text: string, width: number): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (let start = 0; ;) {
    // A window, so that a long text is not measured again for every line.
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

/** Whether a line may break before this character without a space. */
function isWide(text: string, at: number): boolean {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return displayWidth(character) === 2 && !/[、。，．！？：；）」』】〕》〉]/.test(character);
}

/** Returns the parts of a line for each of the ranges, which are sorted. */
function slicesOf(spans: Line, ranges: readonly (readonly [start: number, end: number])[]): Line[] {
  let [first, offset] = [0, 0];
  return ranges.map(([start, end]) => {
    // Spans before this range are not needed any more.
    for (let one = spans[first]; one !== undefined && offset + one.text.length <= start; one = spans[++first])
      offset += one.text.length;
    const slice: Span[] = [];
    let [index, at] = [first, offset];
    for (let one = spans[index]; one !== undefined && at < end; one = spans[++index]) {
      const text = one.text.slice(Math.max(0, start - at), end - at);
      if (text !== '') slice.push({ ...one, text });
      at += one.text.length;
    }
    return slice;
  });
}
