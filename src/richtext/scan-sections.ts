import { convertDialects } from './dialects.ts';
import { LineScanner, type LineKind } from './line-scanner.ts';
import { operationAnchor } from './operation-anchor.ts';
import { headingText, idInBraces, plainText, tidy } from './plain-text.ts';
import { attributesOf, splitTagLine } from './tags.ts';
import { truncate } from '../contract/values.ts';

/** A part of a page under one heading or operation, or a piece of a long part. The first part may have no heading. */
interface Section {
  readonly title: string;
  /** The anchor of the heading or operation; '' without one. */
  readonly anchor: string;
  /** Plain text, including code. */
  readonly body: string;
}

/** Approximate maximum length of a body, in characters. Longer ones are split into pieces. */
const maxBody = 4000;
/** Maximum number of headings of a page. Later ones are text. */
const maxHeadings = 2000;

/**
 * Splits Markdown at its headings, and at the operations that `describeBlocks` describes. Takes linear time and builds no tree,
 * so that it is fast even for large documentation.
 */
export function scanSections(given: string): Section[] {
  const markdown = convertDialects(given);
  const text = markdown.includes(';base64,')
    ? markdown.replace(/data:[\w/+.-]{1,80};base64,[\w+/=]*/g, 'data:')
    : markdown;
  const lines = new LineScanner(text);
  const splitter = new Splitter();
  while (lines.next()) {
    splitter.take(lines.kind, text.slice(lines.start, lines.end));
    const isTag = lines.kind === 'text' && text.startsWith('{%', lines.content);
    if (isTag) splitter.takeTag(text.slice(lines.content, lines.end));
  }
  return splitter.end();
}

interface OpenOperation {
  /** The name of its tag. */
  readonly name: string;
  readonly anchor: string;
  readonly heading: Pick<Section, 'title' | 'anchor'>;
}

class Splitter {
  readonly #sections: Section[] = [];
  readonly #anchors = new AnchorNames();
  #heading: Pick<Section, 'title' | 'anchor'> = { title: '', anchor: '' };
  /** The lines of the piece that are not converted to plain text yet. Either all of them are code, or none. */
  #lines: string[] = [];
  #isCode = false;
  #plain = '';
  /** The length of the piece so far, in characters of Markdown. */
  #length = 0;
  #pieces = 0;
  #headings = 0;
  #isComment = false;
  /** The operation whose tag is on the previous line. */
  #next: OpenOperation | undefined;
  #open: OpenOperation | undefined;

  /** Takes the tag at the start of a line. Text after an operation belongs to the heading above the operation. */
  takeTag(line: string): void {
    const [tag] = splitTagLine(line);
    if (typeof tag !== 'object' || !/^(?:openapi(?:-operation|-webhook)?|swagger)$/.test(tag.name)) return;
    if (!tag.isClosing) {
      const { method = 'post', path = '', name = path } = attributesOf(tag.argument) ?? {};
      const anchor = operationAnchor(method, name);
      this.#next = { name: tag.name, anchor, heading: this.#heading };
    } else if (tag.name === this.#open?.name) {
      this.#endPiece();
      this.#heading = this.#open.heading;
      this.#open = undefined;
    }
  }

  take(kind: LineKind, line: string): void {
    const isCode = kind === 'code';
    if (kind === 'fence' || isCode !== this.#isCode) this.#flush();
    this.#isCode = isCode;
    if (isCode) return this.#append(line);
    if (kind === 'fence' || kind === 'fence-end') return;
    if (kind !== 'comment') return this.#takeText(line);
    const close = line.indexOf('-->');
    // The text after the end of a comment over several lines counts. A comment on one line is removed with other HTML.
    if (close !== -1) this.#takeText(this.#isComment ? line.slice(close + 3) : line);
    this.#isComment = close === -1;
  }

  end(): Section[] {
    this.#close();
    return this.#sections;
  }

  #takeText(line: string): void {
    const operation = this.#next;
    this.#next = undefined;
    const [, named] = (operation && /^[\s>]*\*\*(.+)\*\*\s*$/.exec(line)) ?? [];
    if (operation !== undefined && named !== undefined) {
      this.#close();
      this.#heading = { title: titleOf(named), anchor: operation.anchor };
      this.#open = operation;
      return;
    }
    // Headings in the description of an operation are below the second level.
    if (this.#open !== undefined && belowSecond.test(line))
      return this.#append(line.replace(belowSecond, ''));
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

  /** Splits a line that is longer than a piece. Otherwise a full piece ends after its last line. */
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

  /** Ends a section. A section without text has its title only, unless it already has pieces. */
  #close(): void {
    this.#endPiece();
    this.#pieces = 0;
  }

  #begin(heading: string): void {
    this.#close();
    this.#open = undefined;
    this.#headings += 1;
    this.#heading = this.#anchors.name(heading.slice(0, maxBody));
  }
}

/** Matches the marks of a heading below the second level. */
const belowSecond = /^[\s>]*#{3,6}[ \t]+/;

/** Matches the anchor that GitBook writes after a heading. */
const anchorBehind = /<a href="#([^"<>]+)" id="\1"><\/a>\s*$/;
/** Matches the id of an HTML heading. */
const idOfHtml = /^ *<h[1-6]\s[^<>]*?\b(?:id|name)="([^"<>]+)"/i;

/** Assigns anchors to the headings of one page in order, and makes them unique. */
export class AnchorNames {
  readonly #anchors = new Map<string, number>();

  /**
   * Returns the title of a heading and its anchor on the page: its id, or one made from its words. Other anchors in the heading
   * do not count.
   */
  name(text: string): Pick<Section, 'title' | 'anchor'> {
    const explicit = (anchorBehind.exec(text) ?? idOfHtml.exec(text) ?? idInBraces.exec(text))?.[1];
    const title = titleOf(text.replace(idInBraces, ''));
    return { title, anchor: this.free(explicit ?? anchorSlug(title)) };
  }

  /** Whether the page already has this anchor. */
  has(anchor: string): boolean {
    return this.#anchors.has(anchor);
  }

  /** Numbers equal anchors like GitHub: the first has no number, the next have 1, 2 and so on. */
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

/** Returns the words of the Markdown or HTML of a title, at most 255 characters. */
export function titleOf(heading: string): string {
  return truncate(tidy(headingText(heading)).replace(/\n/g, ' '), 255);
}

/** Returns the anchor for the words of a heading. */
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

/** Returns the text of an ATX heading on a line; undefined if it is none. */
export function readHeading(line: string): string | undefined {
  const atx = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/.exec(line);
  if (atx !== null) return (atx[1] ?? '').replace(/(?:^|[ \t])#+[ \t]*$/, '');
  return /^ *<h[1-6][\s>]/i.test(line) && /<\/h[1-6]>\s*$/i.test(line) ? line : undefined;
}

/** Whether a line is an underline that makes the paragraph before it a heading. */
export function isUnderline(line: string): boolean {
  return /^ {0,3}(?:=+|-+)[ \t]*$/.test(line);
}

/** Whether a line can become a heading by an underline below it. */
export function isParagraph(line: string): boolean {
  return line.trim() !== '' && !/^(?:\s*(?:[-*+]|\d{1,9}[.)])\s|\s*[>|<]|\s*\{%| {4}|\t)/.test(line);
}
