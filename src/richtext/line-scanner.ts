/**
 * The kind of a line of Markdown. Lines of `code` stand between a `fence` and a `fence-end`, `indented` is code without
 * them; a `comment` and `raw` HTML (`<pre>`, `<script>`, `<style>`, `<textarea>`) last to the line of their end.
 */
export type LineKind = 'text' | 'blank' | 'indented' | 'fence' | 'code' | 'fence-end' | 'comment' | 'raw';

interface Fence {
  readonly mark: number;
  readonly length: number;
  /** Marks of quotes that each of its lines has. */
  readonly quotes: number;
  /** Where the content of the list item around it begins, 0 for none: a line in front of that column ends both. */
  readonly column: number;
  /** The last column that its end may be in: further right, it is code. */
  readonly maxColumn: number;
}

const [tab, carriageReturn, space, less, greater, backtick, tilde] = [9, 13, 32, 60, 62, 96, 126] as const;

/**
 * Walks over the lines of a Markdown text and tells code, comments and raw HTML from text, for everything that needs
 * no tree. Agrees with CommonMark where a line in a list or a quote says that it belongs there, allocates nothing for a
 * line, and takes time that grows with the length of the text whatever it holds.
 *
 * The fields describe the current line; places are offsets into `text`.
 */
export class LineScanner {
  readonly text: string;
  kind: LineKind = 'blank';
  /** From 1. */
  number = 0;
  start = 0;
  /** In front of the line ending. */
  end = 0;
  /** Behind indentation and the marks of quotes and list items, in any order. */
  content = 0;
  /** Columns of blanks in front of everything else; a tab goes to the next multiple of four. */
  indent = 0;
  /** Marks of quotes in front of the content. */
  quotes = 0;
  /** Where the content of the last list item begins that the line opens, in columns; 0 where it opens none. */
  itemColumn = 0;

  #next = 0;
  #contentColumn = 0;
  /** Where the content of the list item or footnote begins that the line may belong to; 0 for none. */
  #listColumn = 0;
  #isParagraph = false;
  #fence: Fence | undefined;
  /** The line behind a comment or raw HTML. */
  #htmlEnd = 0;
  #htmlKind: 'comment' | 'raw' = 'comment';

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the line is a fence or stands between two. */
  get isFenced(): boolean {
    return this.kind === 'code' || this.kind === 'fence' || this.kind === 'fence-end';
  }

  /** Goes to the next line and classifies it; false at the end of the text. */
  next(): boolean {
    if (!this.advance()) return false;
    this.classify();
    return true;
  }

  /** Goes to the next line without classifying it: `kind` stays, and nothing begins or ends. */
  advance(): boolean {
    const { text } = this;
    const start = this.#next;
    if (start >= text.length) return false;
    const newline = text.indexOf('\n', start);
    let end = newline === -1 ? text.length : newline;
    this.#next = end + 1;
    if (end > start && text.charCodeAt(end - 1) === carriageReturn) end--;
    this.number++;
    this.start = start;
    this.end = end;
    this.#readMarks(start, end);
    return true;
  }

  /** Sets the kind of the line. Callers of `advance` skip it for lines of a construct that only they know. */
  classify(): void {
    this.kind = this.#kindOf();
    this.#isParagraph = this.kind === 'text';
  }

  #readMarks(start: number, end: number): void {
    const { text } = this;
    this.quotes = 0;
    this.itemColumn = 0;
    let [at, column, indent] = [start, 0, -1];
    for (; at < end; at++, column++) {
      const code = text.charCodeAt(at);
      if (code === space) continue;
      if (code === tab) {
        column += 3 - (column % 4);
        continue;
      }
      if (indent === -1) indent = column;
      if (code === greater) this.quotes++;
      else {
        const behind = code > greater ? -1 : endOfItemMark(text, at);
        if (behind === -1 || !isBlank(text.charCodeAt(behind))) break;
        column += behind - 1 - at;
        at = behind - 1;
        this.itemColumn = column + 2;
      }
    }
    this.content = at;
    this.#contentColumn = column;
    this.indent = Math.max(indent, 0);
  }

  #kindOf(): LineKind {
    const { text, content, end, indent } = this;
    if (this.start < this.#htmlEnd) return this.#htmlKind;
    const fence = this.#fence;
    if (fence !== undefined) {
      const isInside = this.#isInside(fence);
      const isClosed = !isInside || this.#closes(fence);
      if (isClosed) this.#fence = undefined;
      if (isInside) return isClosed ? 'fence-end' : 'code';
    }
    if (content === end) return 'blank';
    if (indent > 3 && this.#listColumn === 0 && !this.#isParagraph && this.quotes === 0) return 'indented';
    if (this.itemColumn > 0) this.#listColumn = this.itemColumn;
    else if (indent === 0) this.#listColumn = text.startsWith('[^', content) ? 1 : 0;
    const first = text.charCodeAt(content);
    if ((first === backtick || first === tilde) && this.#opensFence(first)) return 'fence';
    return first === less ? this.#opensHtml() : 'text';
  }

  #opensFence(mark: number): boolean {
    const { text, content, end } = this;
    const length = runLength(text, content, end, mark);
    if (length < 3) return false;
    // With another backtick behind it, it is code inside a line.
    for (let at = content + length; mark === backtick && at < end; at++)
      if (text.charCodeAt(at) === backtick) return false;
    const column = this.#contentColumn >= this.#listColumn ? this.#listColumn : 0;
    this.#fence = { mark, length, quotes: this.quotes, column, maxColumn: this.#contentColumn + 3 };
    return true;
  }

  /** Whether the line belongs to the quotes and the list item in which a fence stands. */
  #isInside({ quotes, column }: Fence): boolean {
    if (this.quotes < quotes) return false;
    return this.content === this.end || (quotes === 0 ? this.indent : this.#columnBehind(quotes)) >= column;
  }

  #columnBehind(quotes: number): number {
    for (let [at, column, found] = [this.start, 0, 0]; ; at++, column++) {
      const code = this.text.charCodeAt(at);
      if (code === tab) column += 3 - (column % 4);
      else if (code !== space && (code !== greater || found++ === quotes)) return column;
    }
  }

  #closes({ mark, length, quotes, maxColumn }: Fence): boolean {
    const { text, content, end } = this;
    // The mark of an item or of another quote is code.
    if (this.itemColumn > 0 || this.quotes > quotes || this.#contentColumn > maxColumn) return false;
    const run = runLength(text, content, end, mark);
    if (run < length) return false;
    let at = content + run;
    while (at < end && isBlank(text.charCodeAt(at))) at++;
    return at === end;
  }

  #opensHtml(): LineKind {
    const { text, content, end } = this;
    const [name] = matchAt(htmlStart, text, content) ?? [];
    if (name === undefined || content + name.length > end) return 'text';
    this.#htmlKind = name === '<!--' ? 'comment' : 'raw';
    const close = name === '<!--' ? text.indexOf('-->', content + 2) : indexOfRawEnd(text, content);
    const newline = close === -1 ? -1 : text.indexOf('\n', close);
    this.#htmlEnd = newline === -1 ? text.length : newline + 1;
    return this.#htmlKind;
  }
}

/** The place behind `-`, `*`, `+`, `1.` or `1)`, whatever follows; -1 where there is no such mark. */
export function endOfItemMark(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === 45 || first === 42 || first === 43) return at + 1;
  let last = at;
  while (last - at < 9 && isDigit(text.charCodeAt(last))) last++;
  const code = text.charCodeAt(last);
  return last > at && (code === 46 || code === 41) ? last + 1 : -1;
}

const htmlStart = /<(?:!--|(?:pre|script|style|textarea)(?=[\s>]|$))/iy;
const rawEnd = /<\/(?:pre|script|style|textarea)>/gi;

function indexOfRawEnd(text: string, from: number): number {
  rawEnd.lastIndex = from;
  return rawEnd.exec(text)?.index ?? -1;
}

/** Matches a sticky pattern at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** How often a character follows itself from a place on. */
export function runLength(text: string, start: number, end: number, code: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at - start;
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
