import { endOfItemMark, LineScanner, matchAt } from './line-scanner.ts';
import { isDelimiterRow } from './syntax.ts';

/** The reason why a text is expensive to read, as a part of a message. */
type Cause =
  | 'its length'
  | 'its paragraphs, headings and list items'
  | 'the cells of its tables'
  | 'its marks, links and tags'
  | 'its link references and footnotes';

const blocks: Cause = 'its paragraphs, headings and list items';
const marks: Cause = 'its marks, links and tags';
const cells: Cause = 'the cells of its tables';

/** Measured costs in microseconds. Each microsecond also stands for about 100 bytes of memory. */
const price = {
  line: 38,
  hardBreak: 30,
  blank: 14,
  block: 130,
  container: 125,
  level: 20,
  blankLevel: 1.5,
  row: 60,
  cell: 75,
  head: 225,
  section: 120,
  character: 0.3,
  wordCharacter: 1.4,
  link: 130,
  address: 60,
  tag: 80,
  textOfTag: 350,
  htmlTag: 22,
  sign: 15,
};
/** Costs of work for each pair: of labels and definitions, of ends of quotes and earlier events, and of lines. */
const pairPrice = {
  marks: 0.11,
  labels: 0.01,
  events: 0.045,
  lazyLines: 0.1,
  searches: 0.05,
  tagText: 0.002,
};
/** Costs of characters that split a text into pieces. */
const piecePrices: Readonly<Record<string, number>> = {
  '*': 30,
  _: 30,
  '~': 30,
  '`': 30,
  '[': 30,
  ']': 30,
  '!': 10,
  '<': 60,
  '&': 20,
  '\\': 20,
  $: 20,
  '@': 70,
};

/** The open containers at the start of a line, as far as they are known without parsing. */
interface OpenContainers {
  readonly quotes: number;
  /** The column of the content of the innermost item or footnote; the column of its mark if the mark is alone on its line. */
  readonly column: number;
  readonly item: number;
  readonly depth: number;
}

/** The paragraph that the following lines may belong to. */
interface Paragraph {
  lines: number;
  length: number;
  /** The number of columns, if it became a table. */
  columns: number;
  isLazy: boolean;
  isPlain: boolean;
  marks: number;
  /** The number of open brackets. */
  brackets: number;
  /** The number of constructs whose end the parser searches in all of the following text. */
  searches: number;
  /** Lengths of the runs of backticks. The parser searches each length once. */
  readonly ticks: Set<number>;
}

/**
 * Estimates the time that the parser takes for each cause of cost, in microseconds, in one pass over the lines of a text. Stops
 * when the sum exceeds `maxCost`.
 */
export function estimateCosts(text: string, maxCost: number): ReadonlyMap<Cause, number> {
  const meter = new Meter(text);
  for (const lines = new LineScanner(text); meter.sum <= maxCost && lines.advance();)
    meter.take(text.slice(lines.start, lines.end));
  return meter.end();
}

class Meter {
  sum = 0;
  readonly #costs = new Map<Cause, number>();
  readonly #perCharacter: number;
  /** The number of parser events before a line. Some operations copy all of them. */
  #events = 0;
  #open: OpenContainers = { quotes: 0, column: 0, item: -1, depth: 0 };
  #paragraph = newParagraph();

  constructor(text: string) {
    this.#perCharacter = text.includes('@') ? price.wordCharacter : price.character;
    this.#add(
      'its link references and footnotes',
      pairPrice.labels * countOf(text, /\]:/g) * countOf(text, /\]/g),
    );
    this.#add(marks, price.section * countOf(text, /<\/?(?:details|summary)/gi));
  }

  take(line: string): void {
    const openers = openersOf(line, 100);
    const isBlank = openers.rest === line.length && openers.items === 0;
    if (isBlank || openers.items > 0) this.#endParagraph();
    this.#add(
      'its length',
      (isBlank ? price.blank : price.line) +
        (line.endsWith('  ') ? price.hardBreak : 0) +
        line.length * this.#perCharacter,
    );
    const isLeft = mayLeave(openers, this.#open, isBlank);
    this.#takeOpeners(openers, isLeft, isBlank);
    if (!isBlank) this.#takeContent(line, openers, isLeft);
  }

  end(): ReadonlyMap<Cause, number> {
    this.#endParagraph();
    return this.#costs;
  }

  #add(cause: Cause, cost: number): void {
    this.sum += cost;
    this.#costs.set(cause, (this.#costs.get(cause) ?? 0) + cost);
  }

  #takeOpeners({ quotes, items, indent, column }: Openers, isLeft: boolean, isBlank: boolean): void {
    const opened = quotes + items;
    const outer = this.#open.depth;
    const depth = isBlank && opened === 0 ? outer : opened + Math.min(outer, indent >> 1);
    if (isLeft) this.#add(blocks, pairPrice.events * this.#events);
    this.#add(blocks, opened * price.container + depth * (isBlank ? price.blankLevel : price.level));
    this.#events += 4 + 8 * opened;
    if (isLeft || items > 0) this.#open = { quotes, column, item: items === 1 ? indent : -1, depth };
    else if (opened > 0) this.#open = { ...this.#open, quotes, depth };
  }

  #takeContent(line: string, openers: Openers, isLeft: boolean): void {
    const paragraph = this.#paragraph;
    const first = line.charAt(openers.rest);
    const isUnderline =
      paragraph.lines > 0 &&
      (first === '=' || first === '-') &&
      /^(?:=+|-+)[ \t]*$/.test(line.slice(openers.rest));
    if (isUnderline) this.#add(blocks, pairPrice.events * this.#events);
    // A line that starts with punctuation may be a block of its own, and so may the next line.
    const isPlain = /[^!-/:-@[-`{-~]/.test(first || '-');
    if (!isPlain || !paragraph.isPlain || isUnderline) {
      this.#add(blocks, price.block);
      this.#events += 8;
    }
    paragraph.isPlain = isPlain;
    paragraph.isLazy ||= isLeft && paragraph.lines > 0;
    if (paragraph.isLazy) this.#add(blocks, pairPrice.lazyLines * paragraph.lines);
    const { cost, pipes } = markupOf(line, openers, paragraph);
    this.#add(marks, cost);
    this.#takeRow(line, pipes + 1);
    paragraph.lines++;
    paragraph.length += line.length;
  }

  /** Adds the cost of a row of a table. It has all the cells of its header. */
  #takeRow(line: string, count: number): void {
    const paragraph = this.#paragraph;
    if (paragraph.columns > 0) this.#add(cells, price.row + price.cell * Math.max(paragraph.columns, count));
    else if (paragraph.lines > 0 && isDelimiterRow(line)) {
      this.#add(cells, price.row + price.head * count);
      paragraph.columns = count;
    }
  }

  #endParagraph(): void {
    const { marks: count, searches, ticks, length } = this.#paragraph;
    this.#add(marks, pairPrice.marks * count ** 2 + pairPrice.searches * (searches + ticks.size) * length);
    this.#paragraph = newParagraph();
  }
}

function newParagraph(): Paragraph {
  return {
    lines: 0,
    length: 0,
    columns: 0,
    isLazy: false,
    isPlain: false,
    marks: 0,
    brackets: 0,
    searches: 0,
    ticks: new Set(),
  };
}

/** Whether a quote, a list or a footnote may end before the line. The next item of the same list ends nothing. */
function mayLeave({ quotes, indent, isItem }: Openers, open: OpenContainers, isBlank: boolean): boolean {
  if (quotes !== open.quotes) return quotes < open.quotes;
  return !isBlank && indent < open.column && !(isItem && indent === open.item);
}

/** The marks of quotes, list items and footnotes at the start of a line. The parser opens a container for each. */
interface Openers {
  /** The number of quotes before everything else. */
  readonly quotes: number;
  /** The number of list items and footnotes after those quotes, and of quotes in them. */
  readonly items: number;
  /** The maximum number of blanks before a mark. */
  readonly gap: number;
  /** The indentation after those quotes, in columns. */
  readonly indent: number;
  /** The column of the content of the innermost item, counted after those quotes; 0 if there is no item. */
  readonly column: number;
  /** Whether a list item with content starts after those quotes. */
  readonly isItem: boolean;
  /** The position of the content. */
  readonly rest: number;
}

const noOpeners: Openers = {
  quotes: 0,
  items: 0,
  gap: 0,
  indent: 0,
  column: 0,
  isItem: false,
  rest: 0,
};

/** Parses the marks at the start of a line, and stops soon after `max` of them. */
export function openersOf(line: string, max: number): Openers {
  if (!/[\t >*+\-\d[]/.test(line.charAt(0))) return noOpeners;
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

/** Returns the position after the mark of a list item or a footnote; -1 if there is none. */
function endOfMark(line: string, from: number): number {
  if (line[from] === '[') {
    const end = line[from + 1] === '^' ? line.slice(from, from + 1100).indexOf(']:') : -1;
    return end === -1 ? -1 : from + end + 2;
  }
  const end = endOfItemMark(line, from);
  return end !== -1 && /^[ \t]?$/.test(line.charAt(end)) && !isRule(line, from) ? end : -1;
}

/** Whether the rest of a line is a thematic break: three or more equal marks. */
function isRule(line: string, from: number): boolean {
  let count = 0;
  for (let at = from; at < line.length; at++) {
    if (line[at] === line[from]) count++;
    else if (line[at] !== ' ' && line[at] !== '\t') return false;
  }
  return count > 2;
}

/** For each ASCII code, 1 if `markupOf` skips the character, otherwise 0. It also skips all other characters. */
const isPlain = Uint8Array.from({ length: 128 }, (_, code) =>
  '|(/.%-#'.includes(String.fromCharCode(code)) || String.fromCharCode(code) in piecePrices ? 0 : 1,
);

/** Returns the costs of the pieces of a line. Counts possible marks of emphasis and links in the paragraph. */
function markupOf(
  line: string,
  openers: Openers,
  paragraph: Paragraph,
): { readonly cost: number; readonly pipes: number } {
  if (isHtmlBlock(line, openers))
    return { cost: price.htmlTag * countOf(line, /</g), pipes: countOf(line, /\|/g) };
  let cost = 0;
  let pipes = 0;
  let tags = 0;
  for (let at = 0; at < line.length; at++) {
    if (isPlain[line.charCodeAt(at)] !== 0) continue;
    const character = line.charAt(at);
    const previous = line.charAt(at - 1);
    if (character === '|') pipes++;
    else if (character === '(' && previous === ']') cost += price.link;
    else if (
      (character === '/' && previous === ':') ||
      (character === '.' && (previous === 'w' || previous === 'W'))
    )
      cost += price.address;
    else if (character === '%' && previous === '{') tags++;
    else if ((character === '-' || character === '#') && (previous === ' ' || previous === '\t'))
      cost += price.sign;
    const piece = piecePrices[character];
    if (piece !== undefined && (character !== previous || !/[*_~`]/.test(character))) {
      cost += piece;
      countMark(character, paragraph);
    }
  }
  for (const run of line.match(/`+/g) ?? []) paragraph.ticks.add(run.length);
  if (line.includes('<!') || line.includes('<?')) paragraph.searches += searchesIn(line);
  // "_" inside a word is not a mark.
  if (line.includes('_')) paragraph.marks += countOf(line, /(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}_])/gu);
  if (tags > 0) cost += tags * (price.tag + pairPrice.tagText * line.length);
  if (tags > 0 && hasTextBehindTag(line, openers.rest)) cost += price.textOfTag;
  return { cost, pipes };
}

const htmlBlock = /<\/?(?:table|thead|tbody|tr|t[dh]|div|figure|figcaption|ul|ol|li|p)[\s>]/iy;

/**
 * Whether a line starts a block of HTML, regardless of the line before. Its content is not parsed as Markdown, except in details.
 */
function isHtmlBlock(line: string, { items, indent, rest }: Openers): boolean {
  if (items > 0 || indent > 3 || matchAt(htmlBlock, line, rest) === undefined) return false;
  return !/<\/?(?:details|summary)/i.test(line);
}

/**
 * Adds the cost of a character. A closing bracket without an opening one, and a possible URL, make the parser search the whole
 * paragraph. A character that is not a mark has a lower cost.
 */
function countMark(character: string, paragraph: Paragraph): void {
  if (character === ']' && paragraph.brackets > 0) paragraph.brackets--;
  else if (/[*~[\]@]/.test(character)) paragraph.marks++;
  else if (character !== '_') paragraph.marks += 1 / 8;
  if (character === '[') paragraph.brackets++;
}

/** Counts comments and similar constructs that do not end on their line. */
function searchesIn(line: string): number {
  let count = 0;
  for (const [start, end] of [
    ['<!--', '-->'],
    ['<![', ']]>'],
    ['<!', '>'],
    ['<?', '?>'],
  ] as const)
    count += line.slice(line.lastIndexOf(end) + 1).split(start).length - 1;
  return count;
}

function hasTextBehindTag(line: string, from: number): boolean {
  return line.startsWith('{%', from) && line.slice(line.indexOf('%}', from) + 2).trim() !== '';
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
