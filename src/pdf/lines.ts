import type { Fonts, Run } from './fonts.ts';
import type { Span } from './spans.ts';

/** A piece of a line: text of one span, at a place. */
export interface Piece {
  readonly span: Span;
  readonly runs: readonly Run[];
  /** From the left of the line, in points. */
  readonly x: number;
  readonly width: number;
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
}

interface Atom {
  readonly span: Span;
  readonly runs: readonly Run[];
  readonly width: number;
  readonly kind: 'word' | 'blank' | 'break';
  /** A line may end in front of it. */
  readonly free: boolean;
  readonly isWide: boolean;
}

const wide = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303F\\uFF00-\\uFFEF]';
/** Marks that no line begins with. */
const closing = '[\\u3001\\u3002\\uFF0C\\uFF0E\\uFF1A\\uFF1B\\uFF01\\uFF1F\\uFF09\\u300D\\u300F\\u3011\\u300B\\u3009\\u2019\\u201D]';
const opening = '[\\uFF08\\u300C\\u300E\\u3010\\u300A\\u3008]';
const tokens = new RegExp(`\\n|[ \\t]+|${opening}*${wide}${closing}*|(?:(?!${wide})[^ \\t\\n])+?(?:[/?&=_.,:;-]{1,4}(?=[^ \\t\\n/?&=_.,:;-]{4})|(?=[ \\t\\n]|${wide}|$))`, 'gu');
/** Longer words are measured in parts: to shape a text costs more than its length. */
const longest = 100;
const startsClosing = new RegExp(`^${closing}`, 'u');
const endsOpening = new RegExp(`${opening}$`, 'u');
const isWide = new RegExp(wide, 'u');

/** Breaks spans into lines of a width; words too long for a line are broken where it ends. */
export function breakLines(spans: readonly Span[], fonts: Fonts, wrapping: Wrapping): Line[] {
  const lines: Line[] = [];
  let pieces: Piece[] = [];
  let x = 0;
  const flush = () => {
    while (wrapping.exact !== true && pieces.at(-1)?.span.picture === undefined && pieces.at(-1)?.runs.every(({ text }) => text.trim() === '') === true) pieces.pop();
    lines.push(lineOf(pieces, wrapping));
    pieces = [];
    x = 0;
  };
  const add = ({ span, runs, width }: Pick<Atom, 'span' | 'runs' | 'width'>) => {
    pieces.push({ span, runs, x, width });
    x += width;
  };
  const atoms = spans.flatMap((span) => atomsOf(span, fonts, wrapping));
  for (let index = 0; index < atoms.length;) {
    const first = atoms[index]!;
    index++;
    if (first.kind === 'break') {
      flush();
      continue;
    }
    if (first.kind === 'blank') {
      if (x > 0 || wrapping.exact === true) add(first);
      continue;
    }
    const word = [first];
    while (atoms[index]?.kind === 'word' && !atoms[index]!.free) word.push(atoms[index++]!);
    const width = word.reduce((sum, atom) => sum + atom.width, 0);
    if (x > 0 && x + width > wrapping.width && (width <= wrapping.width || x > wrapping.width * 0.6)) flush();
    for (const atom of word) {
      if (x + atom.width <= wrapping.width || atom.span.picture !== undefined) add(atom);
      else for (const part of partsOf(atom, fonts, () => wrapping.width - x)) (part === 'break' ? flush : () => add(part))();
    }
  }
  if (pieces.length > 0 || lines.length === 0) flush();
  return lines;
}

/** The width of the longest word, and of the text when nothing is broken. */
export function widthsOf(spans: readonly Span[], fonts: Fonts): { readonly least: number; readonly most: number } {
  let [least, most, word, line] = [0, 0, 0, 0];
  for (const atom of spans.flatMap((span) => atomsOf(span, fonts, { width: Infinity, leading: 1, size: span.size }))) {
    // Words are broken inside only where a column is too narrow for them, but between all characters of Chinese.
    word = atom.kind === 'word' ? (atom.isWide ? 0 : word) + atom.width : 0;
    line = atom.kind === 'break' ? 0 : line + atom.width;
    least = Math.max(least, word);
    most = Math.max(most, line);
  }
  return { least, most };
}

function atomsOf(span: Span, fonts: Fonts, { width, exact }: Wrapping): Atom[] {
  if (span.picture !== undefined) {
    const scale = Math.min(1, Math.min(width, 220) / span.picture.width);
    const height = Math.min(span.picture.height * scale, Math.max(span.size * 1.6, 11));
    return [{ span, runs: [], width: Math.min((span.picture.width / span.picture.height) * height, 220), kind: 'word', free: true, isWide: false }];
  }
  let before = '';
  return (span.text.match(tokens) ?? []).flatMap(inParts).map((token) => {
    const shown = exact === true ? token : token.replace(/[ \t]+/g, ' ');
    const kind = token === '\n' ? 'break' : /^[ \t]/.test(token) ? 'blank' : 'word';
    const wideToken = isWide.test(token);
    const mayStart = wideToken ? !startsClosing.test(token) : before !== '' && !/^[ \t\n]/.test(before);
    const free = kind === 'word' && mayStart && !endsOpening.test(before);
    before = token;
    const runs = kind === 'break' ? [] : fonts.runs(shown, span.face);
    return { span, runs, width: runs.reduce((sum, run) => sum + run.width, 0) * span.size, kind, free, isWide: wideToken };
  });
}

function inParts(token: string): string[] {
  return token.length <= longest ? [token] : (token.match(new RegExp(`[^]{1,${longest}}`, 'gu')) ?? []);
}

/** A word in parts that fit what is left of each line. */
function* partsOf(atom: Atom, fonts: Fonts, room: () => number): Generator<Pick<Atom, 'span' | 'runs' | 'width'> | 'break'> {
  const { span } = atom;
  const characters = [...atom.runs.map(({ text }) => text).join('')];
  let part = '';
  let width = 0;
  const made = () => ({ span, runs: fonts.runs(part, span.face), width: fonts.width(part, span.face, span.size) });
  for (const character of characters) {
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
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last === undefined || last.span !== piece.span || piece.span.picture !== undefined) {
      found.push(piece);
      continue;
    }
    const [run, next, ...others] = [last.runs.at(-1), ...piece.runs];
    const isSame = run !== undefined && next !== undefined && run.font === next.font;
    const runs = isSame ? [...last.runs.slice(0, -1), { ...run, text: run.text + next.text, width: run.width + next.width }, ...others] : [...last.runs, ...piece.runs];
    found[found.length - 1] = { ...last, runs, width: last.width + piece.width };
  }
  return found;
}

function lineOf(given: readonly Piece[], { leading, size }: Wrapping): Line {
  const pieces = joined(given);
  const pictures = pieces.filter(({ span }) => span.picture !== undefined);
  const tallest = Math.max(size, ...pieces.map(({ span }) => span.size), ...pictures.map(({ span, width }) => (width * span.picture!.height) / span.picture!.width / leading + 1));
  const height = tallest * leading;
  const last = pieces.at(-1);
  return { pieces, width: last === undefined ? 0 : last.x + last.width, height, baseline: height / 2 + Math.min(tallest, size * 1.3) * 0.36 };
}
