import { convertDialects } from './dialects.ts';
import { LineScanner, type LineKind } from './line-scanner.ts';
import { headingText, plainText, tidy } from './plain-text.ts';
import { truncate } from '../contract/values.ts';

/** A part of a page under one heading, or a piece of a long part; the first may have no heading. */
interface Section {
  readonly title: string;
  /** The anchor of the heading; '' without one. */
  readonly anchor: string;
  /** Plain text, code included. */
  readonly body: string;
}

/** About the most characters of a body; a longer one comes in pieces. */
const maxBody = 4000;
/** The most headings of a page; later ones are text. */
const maxHeadings = 2000;

/**
 * Splits Markdown at its headings without building its tree. Looks at each line once, in time linear in the length of the
 * text, so that even a large documentation costs little.
 */
export function scanSections(given: string): Section[] {
  const markdown = convertDialects(given);
  const text = markdown.includes(';base64,')
    ? markdown.replace(/data:[\w/+.-]{1,80};base64,[\w+/=]*/g, 'data:')
    : markdown;
  const lines = new LineScanner(text);
  const splitter = new Splitter();
  while (lines.next()) splitter.take(lines.kind, text.slice(lines.start, lines.end));
  return splitter.end();
}

class Splitter {
  readonly #sections: Section[] = [];
  readonly #anchors = new AnchorNames();
  #heading: Pick<Section, 'title' | 'anchor'> = { title: '', anchor: '' };
  /** The lines of the piece that are not plain text yet: either all of them are code or none. */
  #lines: string[] = [];
  #isCode = false;
  #plain = '';
  /** Characters of the piece so far, in Markdown. */
  #length = 0;
  #pieces = 0;
  #headings = 0;
  #isComment = false;

  take(kind: LineKind, line: string): void {
    const isCode = kind === 'code';
    if (kind === 'fence' || isCode !== this.#isCode) this.#flush();
    this.#isCode = isCode;
    if (isCode) return this.#append(line);
    if (kind === 'fence' || kind === 'fence-end') return;
    if (kind !== 'comment') return this.#takeText(line);
    const close = line.indexOf('-->');
    // The text after a comment of several lines counts; a comment on one line is removed with other HTML.
    if (close !== -1) this.#takeText(this.#isComment ? line.slice(close + 3) : line);
    this.#isComment = close === -1;
  }

  end(): Section[] {
    this.#close();
    return this.#sections;
  }

  #takeText(line: string): void {
    const first = line.charAt(indentOf(line));
    if (this.#headings < maxHeadings && first !== '' && '#=-<'.includes(first)) {
      const before = this.#lines.at(-1);
      if (before !== undefined && isUnderline(line) && isParagraph(before)) {
        this.#lines.pop();
        return this.#begin(before);
      }
      const title = readHeading(line);
      if (title !== undefined) return this.#begin(title);
    }
    this.#append(line);
  }

  /** Cuts a line that is longer than a piece; a piece that is full ends with its line. */
  #append(line: string): void {
    for (let from = 0; from === 0 || from < line.length; from += maxBody) {
      const part = line.slice(from, from + maxBody);
      if (this.#length > 0 && this.#length + part.length > maxBody) this.#endPiece();
      this.#lines.push(part);
      this.#length += part.length + 1;
    }
  }

  #flush(): void {
    if (this.#lines.length === 0) return;
    const text = this.#lines.join('\n');
    this.#plain += (this.#plain === '' ? '' : '\n') + (this.#isCode ? text : plainText(text));
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
    this.#heading = this.#anchors.name(heading.slice(0, maxBody));
  }
}

/** The id that attributes at the end of a heading give it: `{#id}`, or `{ #id .class title="A" }` as in Python-Markdown. */
export const idInBraces = /\{:?[ \t]*#([^\s"'<>&{}]+)(?:[ \t]+(?:\.[\w-]+|[\w-]+="[^"{}\n]*"))*[ \t]*\}\s*$/;

/** The anchor that GitBook writes behind a heading. */
const anchorBehind = /<a href="#([^"<>]+)" id="\1"><\/a>\s*$/;
/** The id of a heading in HTML. */
const idOfHtml = /^ *<h[1-6]\s[^<>]*?\b(?:id|name)="([^"<>]+)"/i;

/** Names the headings of one page in their order, and keeps their anchors different. */
export class AnchorNames {
  readonly #anchors = new Map<string, number>();

  /** The title of a heading and its anchor, as on its page: its id, or one made of its words. Other anchors in it are not its own. */
  name(text: string): Pick<Section, 'title' | 'anchor'> {
    const explicit = (anchorBehind.exec(text) ?? idOfHtml.exec(text) ?? idInBraces.exec(text))?.[1];
    const shown = tidy(headingText(text.replace(idInBraces, '')));
    const title = truncate(shown.replace(/\n/g, ' '), 255);
    return { title, anchor: this.free(explicit ?? anchorSlug(title)) };
  }

  /** Whether a part of the page has this anchor. */
  has(anchor: string): boolean {
    return this.#anchors.has(anchor);
  }

  /** Numbers equal anchors as GitHub does: the first has no number, the next have 1, 2 and so on. */
  free(anchor: string): string {
    let free = anchor;
    while (this.#anchors.has(free)) {
      const number = (this.#anchors.get(anchor) ?? 0) + 1;
      this.#anchors.set(anchor, number);
      free = `${anchor}-${number}`;
    }
    this.#anchors.set(free, this.#anchors.get(free) ?? 0);
    return free;
  }
}

/** The anchor that the words of a heading make. */
export function anchorSlug(title: string): string {
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
export function readHeading(line: string): string | undefined {
  const atx = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/.exec(line);
  if (atx !== null) return (atx[1] ?? '').replace(/(?:^|[ \t])#+[ \t]*$/, '');
  return /^ *<h[1-6][\s>]/i.test(line) && /<\/h[1-6]>\s*$/i.test(line) ? line : undefined;
}

/** Whether a line makes a heading of the paragraph in front of it. */
export function isUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

/** Whether an underline below makes the line a heading. */
export function isParagraph(line: string): boolean {
  return line.trim() !== '' && !/^(?:\s*(?:[-*+]|\d{1,9}[.)])\s|\s*[>|<]|\s*\{%| {4}|\t)/.test(line);
}
