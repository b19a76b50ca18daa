import { endOfItemMark, LineScanner, matchAt } from './line-scanner.ts';
import { isDelimiterRow } from './syntax.ts';

/** The reason why a text is expensive to read, in the words of a message. */
type Cause =
  | 'its length'
  | 'its paragraphs, headings and list items'
  | 'the cells of its tables'
  | 'its marks, links and tags'
  | 'its link references and footnotes';

const blocks: Cause = 'its paragraphs, headings and list items';
const marks: Cause = 'its marks, links and tags';
const cells: Cause = 'the cells of its tables';

/** Measured microseconds; each also means about 100 bytes of memory. */
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
/** Prices of work for each pair: of labels and definitions, of ends of quotes and earlier events, of lines. */
const pairPrice = {
  marks: 0.11,
  labels: 0.01,
  events: 0.045,
  lazyLines: 0.1,
  searches: 0.05,
  tagText: 0.002,
};
/** Prices of characters that split a text into pieces. */
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

/** The containers that are open when a line begins, as far as they are known without parsing. */
interface OpenContainers {
  readonly quotes: number;
  /**
   * Where the content of the innermost item or footnote begins, and where its mark stands if it is alone on its line.
   */
  readonly column: number;
  readonly item: number;
  readonly depth: number;
}

/** The paragraph that the lines may belong to. */
interface Paragraph {
  lines: number;
  length: number;
  /** Columns of the table that it became. */
  columns: number;
  isLazy: boolean;
  isPlain: boolean;
  marks: number;
  /** Brackets that are open. */
  brackets: number;
  /** Constructs whose end the parser looks for in all of the following text. */
  searches: number;
  /** Lengths of the runs of backticks, each of which it looks for once. */
  readonly ticks: Set<number>;
}

/**
 * Estimates the microseconds that the parser takes for each cause of cost, in one pass over the lines of a text. Stops
 * where the sum is more than `maxCost`.
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
  /** The events of the parser before a line; some operations copy all of them. */
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
    // A line that begins with a sign may be a block of its own, and so may what follows it.
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

  /** Each row of a table has all the cells of its header. */
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

/** Whether a quote, a list or a footnote may end in front of the line; the next item of the same list ends nothing. */
function mayLeave({ quotes, indent, isItem }: Openers, open: OpenContainers, isBlank: boolean): boolean {
  if (quotes !== open.quotes) return quotes < open.quotes;
  return !isBlank && indent < open.column && !(isItem && indent === open.item);
}

/** The marks of quotes, list items and footnotes that a line begins with; the parser opens a container for each. */
interface Openers {
  /** Quotes in front of everything else. */
  readonly quotes: number;
  /** List items and footnotes that open after them, and quotes in those. */
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
  return end !== -1 && /^[ \t]?$/.test(line.charAt(end)) && !isRule(line, from) ? end : -1;
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

/** Sums the prices of the pieces of a line; counts possible marks of emphasis and links in the paragraph. */
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
  let previous = '';
  for (const character of line) {
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
    previous = character;
  }
  for (const run of line.match(/`+/g) ?? []) paragraph.ticks.add(run.length);
  if (line.includes('<!') || line.includes('<?')) paragraph.searches += searchesIn(line);
  // "_" inside a word marks nothing.
  if (line.includes('_')) paragraph.marks += countOf(line, /(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}_])/gu);
  if (tags > 0) cost += tags * (price.tag + pairPrice.tagText * line.length);
  if (tags > 0 && hasTextBehindTag(line, openers.rest)) cost += price.textOfTag;
  return { cost, pipes };
}

const htmlBlock = /<\/?(?:table|thead|tbody|tr|t[dh]|div|figure|figcaption|ul|ol|li|p)[\s>]/iy;

/** Whether a line begins a block of HTML whatever is before it: nothing in it is parsed as Markdown, except details. */
function isHtmlBlock(line: string, { items, indent, rest }: Openers): boolean {
  if (items > 0 || indent > 3 || matchAt(htmlBlock, line, rest) === undefined) return false;
  return !/<\/?(?:details|summary)/i.test(line);
}

/**
 * Adds the cost of a character. A closing bracket without an opening one, and a possible address, make the parser search
 * the whole paragraph. A character that is not a mark costs less, but not nothing.
 */
function countMark(character: string, paragraph: Paragraph): void {
  if (character === ']' && paragraph.brackets > 0) paragraph.brackets--;
  else if (/[*~[\]@]/.test(character)) paragraph.marks++;
  else if (character !== '_') paragraph.marks += 1 / 8;
  if (character === '[') paragraph.brackets++;
}

/** Counts comments and the like that do not end on their line. */
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
