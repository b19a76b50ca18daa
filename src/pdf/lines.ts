import type { Fonts, Run } from './fonts.ts';
import { directionOf, inSight, mirrored, oneWay, type Direction } from './order.ts';
import type { Span } from './spans.ts';
import { costs } from './work.ts';

/** A piece of a line: text of one span, at a place. */
interface Piece {
  readonly span: Span;
  readonly runs: readonly Run[];
  /** From the left of the line, in points. */
  readonly x: number;
  readonly width: number;
  readonly direction: Direction;
}

export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
  /** Of the whole line, with its leading. */
  readonly height: number;
  /** From the top of the line. */
  readonly baseline: number;
}

export interface Wrapping {
  readonly width: number;
  readonly leading: number;
  /** The size that an empty line has. */
  readonly size: number;
  /** Blanks count, as in code. */
  readonly exact?: boolean;
  /** Is told the effort of what is broken. */
  readonly spend?: (effort: number) => void;
}

interface Atom {
  readonly span: Span;
  readonly runs: readonly Run[];
  readonly width: number;
  readonly kind: 'word' | 'blank' | 'break';
  /** A line may end in front of it. */
  readonly free: boolean;
  readonly isWide: boolean;
  readonly direction: Direction;
}
type Part = Pick<Atom, 'span' | 'runs' | 'width' | 'direction'>;

const wide =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303F\\uFF00-\\uFFEF]';
/** Marks that no line begins with. */
const closing =
  '[\\u3001\\u3002\\uFF0C\\uFF0E\\uFF1A\\uFF1B\\uFF01\\uFF1F\\uFF09\\u300D\\u300F\\u3011\\u300B\\u3009\\u2019\\u201D]';
const opening = '[\\uFF08\\u300C\\u300E\\u3010\\u300A\\u3008]';
/** Longer words are measured in parts: to shape a text costs more than its length. */
const longest = 100;
const separator = '[/?&=_.,:;-]';
const letter = `(?:(?!${wide})[^ \\t\\n])`;
const tokens = new RegExp(
  `\\n|[ \\t]{1,200}|${opening}{0,20}${wide}${closing}{0,20}|${letter}{1,${longest}}?(?:${separator}{1,4}(?=[^ \\t\\n/?&=_.,:;-]{4})|(?=[ \\t\\n]|${wide}|$))|${letter}{1,${longest}}`,
  'gu',
);
/** Words of a line that hang together, and pieces of a line: no reader sees more, and nothing waits for them without end. */
const mostTogether = 200;
const mostPieces = 2_000;
const startsClosing = new RegExp(`^${closing}`, 'u');
const endsOpening = new RegExp(`${opening}$`, 'u');
const isWide = new RegExp(wide, 'u');

/** Breaks spans into lines of a width, one by one; words too long for a line are broken where it ends. */
export function* eachLine(spans: Iterable<Span>, fonts: Fonts, wrapping: Wrapping): Generator<Line> {
  let pieces: Piece[] = [];
  let x = 0;
  let base: Direction;
  let isFirst = true;
  const flush = (): Line => {
    while (
      wrapping.exact !== true &&
      pieces.at(-1)?.span.picture === undefined &&
      pieces.at(-1)?.runs.every(({ text }) => text.trim() === '') === true
    )
      pieces.pop();
    const line = lineOf(inSight(pieces, base), wrapping);
    pieces = [];
    x = 0;
    isFirst = false;
    return line;
  };
  const add = (part: Part) => {
    pieces.push({ ...part, x });
    x += part.width;
  };
  const atoms = eachAtom(spans, fonts, wrapping);
  let next = atoms.next().value;
  while (next !== undefined) {
    const first = next;
    next = atoms.next().value;
    // The first word tells which way a text runs; code runs from left to right.
    if (wrapping.exact !== true) base ??= first.direction;
    if (pieces.length >= mostPieces) yield flush();
    if (first.kind === 'break') {
      yield flush();
      continue;
    }
    if (first.kind === 'blank') {
      if (x > 0 || wrapping.exact === true) add(first);
      continue;
    }
    const word = [first];
    for (; next?.kind === 'word' && !next.free && word.length < mostTogether; next = atoms.next().value)
      word.push(next);
    const width = word.reduce((sum, atom) => sum + atom.width, 0);
    if (x > 0 && x + width > wrapping.width && (width <= wrapping.width || x > wrapping.width * 0.6))
      yield flush();
    for (const atom of word) {
      if (x + atom.width <= wrapping.width || atom.span.picture !== undefined) add(atom);
      else
        for (const part of partsOf(atom, fonts, () => wrapping.width - x)) {
          if (part === 'break') yield flush();
          else add(part);
        }
    }
  }
  if (pieces.length > 0 || isFirst) yield flush();
}

/** The lines of a text that is known to be short. */
export function breakLines(spans: readonly Span[], fonts: Fonts, wrapping: Wrapping): Line[] {
  return [...eachLine(spans, fonts, wrapping)];
}

/** So many words tell how wide a column wants to be. */
const measured = 200;

/** The width of the longest word, and of the text when nothing is broken; of its beginning, where it is long. */
export function widthsOf(
  spans: Iterable<Span>,
  fonts: Fonts,
  spend: (effort: number) => void,
): { readonly least: number; readonly most: number } {
  let [least, most, word, line, count] = [0, 0, 0, 0, 0];
  for (const atom of eachAtom(spans, fonts, { width: Infinity, leading: 1, size: 1, spend })) {
    // Words are broken inside only where a column is too narrow for them, but between all characters of Chinese.
    word = atom.kind === 'word' ? (atom.isWide ? 0 : word) + atom.width : 0;
    line = atom.kind === 'break' ? 0 : line + atom.width;
    least = Math.max(least, word);
    most = Math.max(most, line);
    if (++count >= measured) break;
  }
  return { least, most };
}

function* eachAtom(spans: Iterable<Span>, fonts: Fonts, wrapping: Wrapping): Generator<Atom, undefined> {
  const { spend = () => {} } = wrapping;
  for (const span of spans) {
    spend(costs.span);
    if (span.picture === undefined) yield* atomsOf(span, fonts, wrapping);
    else yield atomOfPicture(span, span.picture, wrapping.width);
  }
}

function atomOfPicture(span: Span, picture: NonNullable<Span['picture']>, width: number): Atom {
  const scale = Math.min(1, Math.min(width, 220) / picture.width);
  const height = Math.min(picture.height * scale, Math.max(span.size * 1.6, 11));
  return {
    span,
    runs: [],
    width: Math.min((picture.width / picture.height) * height, 220),
    kind: 'word',
    free: true,
    isWide: false,
    direction: undefined,
  };
}

function* atomsOf(span: Span, fonts: Fonts, { exact, spend = () => {} }: Wrapping): Generator<Atom> {
  let before = '';
  for (const [found] of span.text.matchAll(tokens)) {
    for (const token of oneWay(found)) {
      spend(1 + token.length);
      const shown = exact === true ? token : token.replace(/[ \t]+/g, ' ');
      const kind = token === '\n' ? 'break' : /^[ \t]/.test(token) ? 'blank' : 'word';
      const wideToken = isWide.test(token);
      const mayStart = wideToken ? !startsClosing.test(token) : before !== '' && !/^[ \t\n]/.test(before);
      const free = kind === 'word' && mayStart && !endsOpening.test(before);
      before = token;
      const direction = kind === 'word' ? directionOf(token) : undefined;
      const runs = kind === 'break' ? [] : runsOf(shown, direction, fonts, span);
      yield {
        span,
        runs,
        width: runs.reduce((sum, run) => sum + run.width, 0) * span.size,
        kind,
        free,
        isWide: wideToken,
        direction,
      };
    }
  }
}

/** The runs of a word from left to right. */
function runsOf(text: string, direction: Direction, fonts: Fonts, { face }: Span): readonly Run[] {
  return direction === 'rtl' ? fonts.runs(mirrored(text), face).toReversed() : fonts.runs(text, face);
}

/** A word in parts that fit what is left of each line. */
function* partsOf(atom: Atom, fonts: Fonts, room: () => number): Generator<Part | 'break'> {
  const { span, direction, runs } = atom;
  const inOrder = direction === 'rtl' ? runs.toReversed() : runs;
  let part = '';
  let width = 0;
  const made = () => ({
    span,
    runs: fonts.runs(part, span.face),
    width: fonts.width(part, span.face, span.size),
    direction,
  });
  for (const character of inOrder.map(({ text }) => text).join('')) {
    const more = fonts.width(character, span.face, span.size);
    if (width + more > room() && (part !== '' || room() < more)) {
      if (part !== '') yield made();
      yield 'break';
      [part, width] = ['', 0];
    }
    part += character;
    width += more;
  }
  if (part !== '') yield made();
}

/** Pieces of the same look as one, so that a line is written in few strokes and its words are copied with their blanks. */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  let x = 0;
  for (const piece of pieces) {
    const last = found.at(-1);
    // What runs from right to left stays as it is: with a blank behind it, the blank would go to its other side.
    const isOne =
      last !== undefined &&
      last.span === piece.span &&
      piece.span.picture === undefined &&
      last.direction !== 'rtl' &&
      piece.direction !== 'rtl';
    if (isOne)
      found[found.length - 1] = {
        ...last,
        runs: together(last.runs, piece.runs),
        width: last.width + piece.width,
      };
    else found.push({ ...piece, x });
    x += piece.width;
  }
  return found;
}

function together(runs: readonly Run[], more: readonly Run[]): readonly Run[] {
  const [run, next, ...others] = [runs.at(-1), ...more];
  const isSame = run !== undefined && next !== undefined && run.font === next.font;
  return isSame
    ? [...runs.slice(0, -1), { ...run, text: run.text + next.text, width: run.width + next.width }, ...others]
    : [...runs, ...more];
}

function lineOf(given: readonly Piece[], { leading, size }: Wrapping): Line {
  const pieces = joined(given);
  const pictures = pieces.filter(({ span }) => span.picture !== undefined);
  const tallest = Math.max(
    size,
    ...pieces.map(({ span }) => span.size),
    ...pictures.map(({ span, width }) => (width * span.picture!.height) / span.picture!.width / leading + 1),
  );
  const height = tallest * leading;
  const last = pieces.at(-1);
  return {
    pieces,
    width: last === undefined ? 0 : last.x + last.width,
    height,
    baseline: height / 2 + Math.min(tallest, size * 1.3) * 0.36,
  };
}
