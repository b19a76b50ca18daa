import { LineScanner } from './line-scanner.ts';
import { countOf, markupOf, type Marks } from './markup.ts';
import { openersOf, type Openers } from './openers.ts';
import { isDelimiterRow } from './syntax-gfm.ts';

/** What makes a text dear to read, in the words of a message. */
export type Cause =
  | 'its length'
  | 'its paragraphs, headings and list items'
  | 'the cells of its tables'
  | 'its marks, links and tags'
  | 'its link references and footnotes';

/** Microseconds, measured; each also stands for about 100 bytes. */
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
};
/** Prices of what the parser does again for each pair: labels and definitions, ends of quotes and what stands before them, lines. */
const pair = { marks: 0.11, labels: 0.01, events: 0.045, lazyLines: 0.1, searches: 0.05 };

const blocks: Cause = 'its paragraphs, headings and list items';

/** What is open when a line begins, as far as that can be known without parsing. */
interface Before {
  readonly quotes: number;
  /** Where the content of the innermost item or footnote begins, and where its mark stands if it is alone on its line. */
  readonly column: number;
  readonly item: number;
  readonly depth: number;
}

/**
 * About how long the parser takes for each kind of things in a text, in one pass over its lines and before any parser
 * sees it; it ends where the sum is more than `most`.
 */
export function costsOf(text: string, maxCost: number): ReadonlyMap<Cause, number> {
  const meter = new Meter(text);
  for (const lines = new LineScanner(text); meter.sum <= maxCost && lines.advance();)
    meter.take(text.slice(lines.start, lines.end));
  return meter.end();
}

class Meter {
  sum = 0;
  readonly #costs = new Map<Cause, number>();
  readonly #perCharacter: number;
  /** What the parser has made before a line; some of what it does copies all of it. */
  #events = 0;
  #before: Before = { quotes: 0, column: 0, item: -1, depth: 0 };
  #paragraph = newParagraph();

  constructor(text: string) {
    this.#perCharacter = text.includes('@') ? price.wordCharacter : price.character;
    this.#add(
      'its link references and footnotes',
      pair.labels * countOf(text, /\]:/g) * countOf(text, /\]/g),
    );
    this.#add('its marks, links and tags', price.section * countOf(text, /<\/?(?:details|summary)/gi));
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
    const isLeft = leaves(openers, this.#before, isBlank);
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
    const depth =
      isBlank && opened === 0 ? this.#before.depth : opened + Math.min(this.#before.depth, indent >> 1);
    if (isLeft) this.#add(blocks, pair.events * this.#events);
    this.#add(blocks, opened * price.container + depth * (isBlank ? price.blankLevel : price.level));
    this.#events += 4 + 8 * opened;
    if (isLeft || items > 0) this.#before = { quotes, column, item: items === 1 ? indent : -1, depth };
    else if (opened > 0) this.#before = { ...this.#before, quotes, depth };
  }

  #takeContent(line: string, openers: Openers, isLeft: boolean): void {
    const paragraph = this.#paragraph;
    const from = openers.rest;
    const isUnderline =
      paragraph.lines > 0 &&
      (line[from] === '=' || line[from] === '-') &&
      /^(?:=+|-+)[ \t]*$/.test(line.slice(from));
    if (isUnderline) this.#add(blocks, pair.events * this.#events);
    // A line that begins with a sign may be a block of its own, and so may what follows it.
    const isPlain = /[^!-/:-@[-`{-~]/.test(line[from] ?? '-');
    if (!isPlain || !paragraph.isPlain || isUnderline) {
      this.#add(blocks, price.block);
      this.#events += 8;
    }
    paragraph.isPlain = isPlain;
    paragraph.isLazy ||= isLeft && paragraph.lines > 0;
    if (paragraph.isLazy) this.#add(blocks, pair.lazyLines * paragraph.lines);
    const { cost, pipes } = markupOf(line, openers, paragraph);
    this.#add('its marks, links and tags', cost);
    this.#takeRow(line, pipes + 1);
    paragraph.lines++;
    paragraph.length += line.length;
  }

  /** Each row of a table has all the cells of its header. */
  #takeRow(line: string, cells: number): void {
    const paragraph = this.#paragraph;
    if (paragraph.columns > 0)
      this.#add('the cells of its tables', price.row + price.cell * Math.max(paragraph.columns, cells));
    else if (paragraph.lines > 0 && isDelimiterRow(line)) {
      this.#add('the cells of its tables', price.row + price.head * cells);
      paragraph.columns = cells;
    }
  }

  #endParagraph(): void {
    const { marks, searches, ticks, length } = this.#paragraph;
    this.#add(
      'its marks, links and tags',
      pair.marks * marks ** 2 + pair.searches * (searches + ticks.size) * length,
    );
    this.#paragraph = newParagraph();
  }
}

function newParagraph(): {
  lines: number;
  length: number;
  columns: number;
  isLazy: boolean;
  isPlain: boolean;
} & Marks {
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
function leaves({ quotes, indent, isItem }: Openers, before: Before, isBlank: boolean): boolean {
  if (quotes !== before.quotes) return quotes < before.quotes;
  return !isBlank && indent < before.column && !(isItem && indent === before.item);
}
