/**
 * The kind of a line of Markdown. `code` lines are between a `fence` and a `fence-end`; `indented` is code without fences. A
 * `comment` and `raw` HTML (`<pre>`, `<script>`, `<style>`, `<textarea>`) last until the line with their end.
 */
export type LineKind = 'text' | 'blank' | 'indented' | 'fence' | 'code' | 'fence-end' | 'comment' | 'raw';

interface Fence {
  readonly mark: number;
  readonly length: number;
  /** The number of quote marks that each of its lines must have. */
  readonly quotes: number;
  /** The column of the content of the enclosing list item, 0 for none. A line that starts before it ends both. */
  readonly column: number;
  /** The last column at which its closing fence may start. Further right, it is code. */
  readonly maxColumn: number;
}

const [tab, carriageReturn, space, less, greater, backtick, tilde] = [9, 13, 32, 60, 62, 96, 126] as const;

/**
 * Iterates over the lines of a Markdown text and distinguishes code, comments and raw HTML from text, without building a tree. It
 * agrees with CommonMark if lines in a list or a quote have their marks. It allocates nothing per line, and takes linear time for
 * any text. The fields describe the current line; positions are offsets into `text`.
 */
export class LineScanner {
  readonly text: string;
  kind: LineKind = 'blank';
  /** The line number, from 1. */
  number = 0;
  start = 0;
  /** The end of the line, before its line ending. */
  end = 0;
  /** The start of the content, after indentation and the marks of quotes and list items, in any order. */
  content = 0;
  /** The indentation of the line in columns. A tab advances to the next multiple of four. */
  indent = 0;
  /** The number of quote marks before the content. */
  quotes = 0;
  /** The column of the content of the last list item that starts on the line; 0 if there is none. */
  itemColumn = 0;

  #next = 0;
  #contentColumn = 0;
  /** The column of the content of the list item or footnote that the line may belong to; 0 for none. */
  #listColumn = 0;
  #isParagraph = false;
  #fence: Fence | undefined;
  /** The end of the line after a comment or raw HTML. */
  #htmlEnd = 0;
  #htmlKind: 'comment' | 'raw' = 'comment';

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the line is a fence or between two fences. */
  get isFenced(): boolean {
    return this.kind === 'code' || this.kind === 'fence' || this.kind === 'fence-end';
  }

  /** Advances to the next line and classifies it. Returns false at the end of the text. */
  next(): boolean {
    if (!this.advance()) return false;
    this.classify();
    return true;
  }

  /** Advances to the next line without classifying it: `kind` does not change, and no construct starts or ends. */
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

  /** Classifies the line. Callers of `advance` do not call it for lines of a construct that only they know. */
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
    // With another backtick after it, it is inline code.
    for (let at = content + length; mark === backtick && at < end; at++)
      if (text.charCodeAt(at) === backtick) return false;
    const column = this.#contentColumn >= this.#listColumn ? this.#listColumn : 0;
    this.#fence = { mark, length, quotes: this.quotes, column, maxColumn: this.#contentColumn + 3 };
    return true;
  }

  /** Whether the line belongs to the quotes and the list item that contain a fence. */
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
    // The mark of an item, or of another quote, is code here.
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

/** Returns the position after `-`, `*`, `+`, `1.` or `1)`, regardless of what follows; -1 if there is no such mark. */
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

/** Matches a sticky pattern at a position. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** Counts how often a character repeats from a position on. */
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
