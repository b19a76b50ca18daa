import { plainText, tidy } from './plain-text.ts';

/** A part of a page that a heading begins, or a piece of a long one; the first may have no heading. */
export interface Section {
  readonly title: string;
  /** What a link to the heading ends with; empty where there is none. */
  readonly anchor: string;
  /** Plain text, code included. */
  readonly body: string;
}

/** About the longest body in characters; what is longer comes in pieces. */
const longest = 4000;
/** Headings of a page that count; those behind them are text. */
const mostHeadings = 2000;

interface Heading {
  readonly title: string;
  readonly anchor: string;
}

/**
 * Splits Markdown at its headings without building its tree: looks at each line once, so that it costs little for a whole
 * documentation, and takes time that grows with the length whatever the text holds.
 */
export function scanSections(markdown: string): Section[] {
  const splitter = new Splitter();
  const text = markdown.includes(';base64,')
    ? markdown.replace(/data:[\w/+.-]{1,80};base64,[\w+/=]*/g, 'data:')
    : markdown;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    splitter.line(text.slice(start, text[end - 1] === '\r' ? end - 1 : end));
    start = end + 1;
  }
  return splitter.end();
}

class Splitter {
  readonly #sections: Section[] = [];
  readonly #anchors = new Map<string, number>();
  #heading: Heading = { title: '', anchor: '' };
  /** The Markdown, and the plain text before it, of the piece that is being read. */
  #lines: string[] = [];
  #plain = '';
  #length = 0;
  #pieces = 0;
  #headings = 0;
  #fence: { readonly mark: string; readonly length: number } | undefined;
  #inComment = false;

  line(line: string): void {
    if (this.#fence !== undefined) return this.#codeLine(line, this.#fence);
    if (this.#inComment) {
      const close = line.indexOf('-->');
      if (close === -1) return;
      this.#inComment = false;
      line = line.slice(close + 3);
    }
    if ((line.includes('```') || line.includes('~~~')) && this.#opensFence(line)) return;
    const first = line.charAt(indentOf(line));
    if (this.#headings < mostHeadings && (first === '#' || first === '=' || first === '-' || first === '<')) {
      const before = this.#lines.at(-1);
      if (before !== undefined && isUnderline(line) && isParagraph(before)) {
        this.#lines.pop();
        return this.#begin(before);
      }
      const title = readHeading(line);
      if (title !== undefined) return this.#begin(title);
    }
    if (first === '<' && line.startsWith('<!--', indentOf(line)) && !line.includes('-->'))
      this.#inComment = true;
    else this.#take(line);
  }

  end(): Section[] {
    this.#close();
    return this.#sections;
  }

  #opensFence(line: string): boolean {
    const mark = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1];
    if (mark === undefined) return false;
    this.#flush();
    this.#fence = { mark: mark[0]!, length: mark.length };
    return true;
  }

  #codeLine(line: string, fence: { readonly mark: string; readonly length: number }): void {
    const rest = line.includes(fence.mark) ? line.replace(/^[\s>]+/, '').trimEnd() : '';
    if (
      rest.length >= fence.length &&
      rest.startsWith(fence.mark) &&
      rest === fence.mark.repeat(rest.length)
    ) {
      this.#addPlain(this.#lines.join('\n'));
      this.#fence = undefined;
      return;
    }
    this.#take(line);
  }

  /** Cuts a line that is longer than a piece; a piece that is full ends with its line. */
  #take(line: string): void {
    for (let from = 0; from === 0 || from < line.length; from += longest) {
      const part = line.slice(from, from + longest);
      if (this.#length > 0 && this.#length + part.length > longest) this.#endPiece();
      this.#lines.push(part);
      this.#length += part.length + 1;
    }
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    if (this.#fence === undefined) this.#addPlain(plainText(this.#lines.join('\n')));
    else this.#addPlain(this.#lines.join('\n'));
  }

  #addPlain(text: string): void {
    this.#plain += this.#plain === '' ? text : `\n${text}`;
    this.#lines = [];
  }

  #endPiece(): void {
    this.#flush();
    const body = tidy(this.#plain);
    if (body !== '' || (this.#pieces === 0 && this.#heading.title !== '')) {
      this.#sections.push({ ...this.#heading, body });
      this.#pieces += 1;
    }
    this.#plain = '';
    this.#length = 0;
  }

  /** A section without a text counts for its title, unless it has pieces already. */
  #close(): void {
    this.#endPiece();
    this.#pieces = 0;
  }

  #begin(heading: string): void {
    this.#close();
    this.#headings += 1;
    this.#heading = this.#named(heading.slice(0, longest));
  }

  #named(text: string): Heading {
    const explicit =
      /<\w[^<>]*\s(?:id|name)="([^"<>]+)"/.exec(text)?.[1] ?? /\{#([^{}\s]+)\}\s*$/.exec(text)?.[1];
    const title = tidy(plainText(text.replace(/\{#[^{}\s]+\}\s*$/, '')))
      .replace(/\n/g, ' ')
      .slice(0, 255);
    if (explicit !== undefined) {
      this.#anchors.set(explicit, this.#anchors.get(explicit) ?? 0);
      return { title, anchor: explicit };
    }
    return { title, anchor: this.#free(slug(title)) };
  }

  /** As on GitHub: the first has no number, those behind it have 1, 2 and so on. */
  #free(anchor: string): string {
    let free = anchor;
    while (this.#anchors.has(free)) {
      const number = this.#anchors.get(anchor)! + 1;
      this.#anchors.set(anchor, number);
      free = `${anchor}-${number}`;
    }
    this.#anchors.set(free, 0);
    return free;
  }
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');
}

function indentOf(line: string): number {
  let at = 0;
  while (line[at] === ' ') at++;
  return at;
}

/** The text of a line that is a heading by itself. */
function readHeading(line: string): string | undefined {
  const atx = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/.exec(line);
  if (atx !== null) return (atx[1] ?? '').replace(/(?:^|[ \t])#+[ \t]*$/, '');
  return /^ *<h[1-6][\s>]/i.test(line) && /<\/h[1-6]>\s*$/i.test(line) ? line : undefined;
}

function isUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

/** What an underline below makes a heading. */
function isParagraph(line: string): boolean {
  return line.trim() !== '' && !/^(?:\s*(?:[-*+]|\d{1,9}[.)])\s|\s*[>|<]|\s*\{%| {4}|\t)/.test(line);
}
