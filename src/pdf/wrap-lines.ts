import { directionOf, mirrorBrackets, orderVisually, splitByDirection, type Direction } from './bidi.ts';
import { costs } from './budget.ts';
import type { Picture } from './engine.ts';
import type { Fonts, Run } from './fonts.ts';
import { parseLength, type Span } from './spans.ts';

interface Part {
  readonly span: Span;
  readonly runs: readonly Run[];
  readonly width: number;
  readonly direction: Direction;
}

export interface Piece extends Part {
  /** Distance from the left of the line, in points. */
  readonly x: number;
}

export interface Line {
  readonly pieces: readonly Piece[];
  readonly width: number;
  /** The height including the leading. */
  readonly height: number;
  /** Distance from the top of the line. */
  readonly baseline: number;
}

interface WrapOptions {
  readonly width: number;
  readonly leading: number;
  /** The font size of an empty line. */
  readonly size: number;
  /** Whether spaces are kept and lines are always left-to-right, as in code (default false). */
  readonly isCode?: boolean;
  /** Called with the effort of each span and each word. */
  readonly spend?: (effort: number) => void;
}

interface Token extends Part {
  readonly kind: 'word' | 'space' | 'break';
  readonly canBreakBefore: boolean;
  readonly isWide: boolean;
}

const wide =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303F\\uFF00-\\uFFEF]';
/** Characters that must not start a line. */
const closing =
  '[\\u3001\\u3002\\uFF0C\\uFF0E\\uFF1A\\uFF1B\\uFF01\\uFF1F\\uFF09\\u300D\\u300F\\u3011\\u300B\\u3009\\u2019\\u201D]';
/** Characters that must not end a line. */
const opening = '[\\uFF08\\u300C\\u300E\\u3010\\u300A\\u3008]';
const separator = '[/?&=_.,:;-]';
const letter = `(?:(?!${wide})[^ \\t\\n])`;
/** Longer words are measured in parts, because the time for shaping grows faster than their length. */
const maxPartLength = 100;
const letters = `${letter}{1,${maxPartLength}}`;
const tokenPattern = new RegExp(
  `\\n|[ \\t]{1,200}|${opening}{0,20}${wide}${closing}{0,20}|${letters}?(?:${separator}{1,4}(?=[^ \\t\\n/?&=_.,:;-]{4})|(?=[ \\t\\n]|${wide}|$))|${letters}`,
  'gu',
);
const startsClosing = new RegExp(`^${closing}`, 'u');
const endsSeparator = new RegExp(`${separator}$`);
const endsOpening = new RegExp(`${opening}$`, 'u');
const hasWide = new RegExp(wide, 'u');

/**
 * Maximum number of tokens of one word and of characters of one line, so that an endless one does not block. Some have no width.
 */
const maxTokensPerWord = 200;
const maxCharactersPerLine = 2_000;
/** Maximum number of tokens that are measured to find the width of a column. */
const maxMeasuredTokens = 200;
const maxPictureWidth = 220;
/** Maximum height of a picture that has its own size, in points. */
const maxPictureHeight = 300;

/** Wraps spans into lines, one by one. Only a word that is longer than a line is broken. */
export function* wrapLines(spans: Iterable<Span>, fonts: Fonts, options: WrapOptions): Generator<Line> {
  const { width: maxWidth, isCode = false } = options;
  let pieces: Piece[] = [];
  let x = 0;
  let characters = 0;
  let base: Direction;
  let isFirst = true;
  const endLine = (): Line => {
    if (!isCode) while (isSpace(pieces.at(-1))) pieces.pop();
    const line = createLine(orderVisually(pieces, base), options);
    pieces = [];
    x = 0;
    characters = 0;
    isFirst = false;
    return line;
  };
  const add = (part: Part): void => {
    pieces.push({ ...part, x });
    x += part.width;
    // A picture has no runs.
    characters += 1 + part.runs.reduce((sum, { text }) => sum + text.length, 0);
  };
  for (const word of groupWords(tokensOf(spans, fonts, options))) {
    const [first] = word;
    // The first word determines the direction of the text.
    if (!isCode) base ??= first.direction;
    if (first.kind === 'break') {
      yield endLine();
      continue;
    }
    if (characters >= maxCharactersPerLine) yield endLine();
    if (first.kind === 'space') {
      if (x > 0 || isCode) add(first);
      continue;
    }
    const width = word.reduce((sum, token) => sum + token.width, 0);
    if (x > 0 && x + width > maxWidth && (width <= maxWidth || x > maxWidth * 0.6)) yield endLine();
    for (const token of word) {
      if (characters >= maxCharactersPerLine) yield endLine();
      if (x + token.width <= maxWidth || token.span.picture !== undefined) add(token);
      else
        for (const part of splitToken(token, fonts, () => maxWidth - x)) {
          if (part === 'break') yield endLine();
          else add(part);
        }
    }
  }
  if (pieces.length > 0 || isFirst) yield endLine();
}

/** Measures the longest word and the longest line of a text, or of its start. */
export function measureText(
  spans: Iterable<Span>,
  fonts: Fonts,
  spend: (effort: number) => void,
): { word: number; line: number } {
  let [longestWord, longestLine, word, line, count] = [0, 0, 0, 0, 0];
  for (const { kind, isWide, width } of tokensOf(spans, fonts, { width: Infinity, spend })) {
    // A line may break between any two Chinese characters.
    word = kind === 'word' ? (isWide ? 0 : word) + width : 0;
    line = kind === 'break' ? 0 : line + width;
    longestWord = Math.max(longestWord, word);
    longestLine = Math.max(longestLine, line);
    if (++count >= maxMeasuredTokens) break;
  }
  return { word: longestWord, line: longestLine };
}

function isSpace(piece: Piece | undefined): boolean {
  if (piece === undefined || piece.span.picture !== undefined) return false;
  return piece.runs.every(({ text }) => text.trim() === '');
}

/** Groups tokens that no line break may separate. */
function* groupWords(tokens: Iterable<Token>): Generator<readonly [Token, ...Token[]]> {
  let word: [Token, ...Token[]] | undefined;
  for (const token of tokens) {
    const isJoined = word?.[0].kind === 'word' && token.kind === 'word' && !token.canBreakBefore;
    if (word !== undefined && isJoined && word.length < maxTokensPerWord) {
      word.push(token);
      continue;
    }
    if (word !== undefined) yield word;
    word = [token];
  }
  if (word !== undefined) yield word;
}

function* tokensOf(
  spans: Iterable<Span>,
  fonts: Fonts,
  { width, isCode = false, spend }: Pick<WrapOptions, 'width' | 'isCode' | 'spend'>,
): Generator<Token> {
  for (const span of spans) {
    spend?.(costs.span);
    if (span.picture !== undefined) {
      yield pictureToken(span, span.picture, width);
      continue;
    }
    let before = '';
    for (const [match] of span.text.matchAll(tokenPattern))
      for (const text of splitByDirection(match)) {
        spend?.(1 + text.length);
        yield textToken(text, before, span, { fonts, isCode });
        before = text;
      }
  }
}

function pictureToken(span: Span, picture: Picture, maxWidth: number): Token {
  const { original, size } = span;
  const ratio = picture.height / picture.width;
  const wanted =
    original === undefined
      ? Math.min(picture.width, maxPictureWidth)
      : (parseLength(original.width, maxWidth) ?? picture.width);
  const maxHeight = original === undefined ? size * 1.6 : maxPictureHeight;
  const width = Math.min(wanted, maxWidth, maxHeight / ratio);
  return { span, runs: [], width, kind: 'word', canBreakBefore: true, isWide: false, direction: undefined };
}

function textToken(
  text: string,
  before: string,
  span: Span,
  { fonts, isCode }: { fonts: Fonts; isCode: boolean },
): Token {
  const kind = text === '\n' ? 'break' : /^[ \t]/.test(text) ? 'space' : 'word';
  const isWide = hasWide.test(text);
  const isCut = before.length >= maxPartLength && !endsSeparator.test(before);
  const canStart = isWide ? !startsClosing.test(text) : before !== '' && !isCut && !/^[ \t\n]/.test(before);
  const direction = kind === 'word' ? directionOf(text) : undefined;
  const shown = isCode ? text : text.replace(/[ \t]+/g, ' ');
  const runs = kind === 'break' ? [] : visualRuns(shown, direction, fonts, span);
  return {
    span,
    runs,
    width: runs.reduce((sum, run) => sum + run.width, 0) * span.size,
    kind,
    canBreakBefore: canStart && !endsOpening.test(before),
    isWide,
    direction,
  };
}

function visualRuns(text: string, direction: Direction, fonts: Fonts, { face }: Span): readonly Run[] {
  return direction === 'rtl' ? fonts.runs(mirrorBrackets(text), face).toReversed() : fonts.runs(text, face);
}

/** Splits a token into parts that fit into the remaining space of each line. */
function* splitToken(
  { span, direction, runs }: Token,
  fonts: Fonts,
  roomLeft: () => number,
): Generator<Part | 'break'> {
  const { face, size } = span;
  const inOrder = direction === 'rtl' ? runs.toReversed() : runs;
  let text = '';
  let width = 0;
  const createPart = (): Part => ({
    span,
    runs: fonts.runs(text, face),
    width: fonts.width(text, face, size),
    direction,
  });
  for (const character of inOrder.map((run) => run.text).join('')) {
    const more = fonts.width(character, face, size);
    if (width + more > roomLeft() && (text !== '' || roomLeft() < more)) {
      if (text !== '') yield createPart();
      yield 'break';
      text = '';
      width = 0;
    }
    text += character;
    width += more;
  }
  if (text !== '') yield createPart();
}

/** Merges pieces of one span, so that a line is drawn in few steps and words are copied with their spaces. */
function mergePieces(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  let x = 0;
  for (const piece of pieces) {
    const last = merged.at(-1);
    // A space after right-to-left text would move to its other side.
    const isRtl = last?.direction === 'rtl' || piece.direction === 'rtl';
    if (last?.span === piece.span && piece.span.picture === undefined && !isRtl)
      merged[merged.length - 1] = {
        ...last,
        runs: mergeRuns(last.runs, piece.runs),
        width: last.width + piece.width,
      };
    else merged.push({ ...piece, x });
    x += piece.width;
  }
  return merged;
}

function mergeRuns(runs: readonly Run[], more: readonly Run[]): readonly Run[] {
  const last = runs.at(-1);
  const [next, ...rest] = more;
  if (last === undefined || last.font !== next?.font) return [...runs, ...more];
  const run = { ...last, text: last.text + next.text, width: last.width + next.width };
  return [...runs.slice(0, -1), run, ...rest];
}

function createLine(words: readonly Piece[], { leading, size }: WrapOptions): Line {
  const pieces = mergePieces(words);
  let tallest = size;
  for (const { span, width } of pieces) {
    tallest = Math.max(tallest, span.size);
    if (span.picture !== undefined)
      tallest = Math.max(tallest, (width * span.picture.height) / span.picture.width / leading + 1);
  }
  const height = tallest * leading;
  const last = pieces.at(-1);
  return {
    pieces,
    width: last === undefined ? 0 : last.x + last.width,
    height,
    baseline: height / 2 + Math.min(tallest, size * 1.3) * 0.36,
  };
}
