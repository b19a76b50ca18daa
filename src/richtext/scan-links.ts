import { InlineScanner, readDestination, sameLabel, type ScannedLink } from './scan-inlines.ts';

export type { ScannedLink } from './scan-inlines.ts';

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly quoted: boolean;
  /** Column of the list item that it lies in, 0 for none: a line before that column ends both. */
  readonly item: number;
}

interface Line {
  /** The first character behind indentation, the marks of quotes and of one item after the other. */
  readonly at: number;
  readonly indent: number;
  readonly quoted: boolean;
  /** Column behind the last mark of an item, 0 without one. */
  readonly item: number;
  readonly starts: boolean;
}

/**
 * Finds the links of a Markdown text without building its tree: about as fast as the text can be looked at, and in time
 * that grows with its length whatever it holds. What counts, once for each occurrence: `[text](href)`, `![alt](src)`, both
 * of a linked image, uses of reference definitions, `<https://…>`, `href`, `src`, `srcset`, `poster` and `data-ref` of HTML, and the target of
 * a GitBook tag; the link that repeats its target inside a content-ref does not count again. Code, comments and `<pre>`
 * are left out, a bare address is text, and indented blocks are left out, too, but for those that may belong to a list or a footnote.
 */
export function scanLinks(markdown: string): ScannedLink[] {
  const scanner = new InlineScanner(markdown);
  const definitions = new Map<string, string>();
  const length = markdown.length;
  let fence: Fence | undefined;
  let block = -1;
  let blockLine = 0;
  let item = 0;
  let line = 0;
  let next = 0;
  const endBlock = (at: number): void => {
    if (block !== -1) scanner.scan(block, at, blockLine);
    block = -1;
  };
  while (next < length) {
    const start = next;
    const newline = markdown.indexOf('\n', start);
    const end = newline === -1 ? length : newline;
    next = end + 1;
    line++;
    const content = readLine(markdown, start, end);
    const first = content.at >= end ? '' : markdown[content.at]!;
    const isBlank = first === '' || first === '\r';
    if (fence !== undefined) {
      const isOutside = (fence.quoted && !content.quoted) || (!isBlank && content.indent < fence.item);
      if (isOutside || closesFence(markdown, content.at, end, fence)) fence = undefined;
      if (!isOutside) continue;
    }
    if (isBlank) {
      endBlock(start);
      continue;
    }
    if (content.item > 0) item = content.item;
    else if (content.indent === 0) item = first === '[' && markdown[content.at + 1] === '^' ? 1 : 0;
    // Outside of lists and footnotes, what is set in behind a blank line is code.
    if (
      block === -1 &&
      item === 0 &&
      !content.quoted &&
      (content.indent > 3 || markdown.startsWith('\t', start))
    )
      continue;
    if (first === '`' || first === '~') {
      fence = opensFence(markdown, end, content, content.at - start >= item ? item : 0);
      if (fence !== undefined) {
        endBlock(start);
        continue;
      }
    }
    if (first === '<') {
      const behind = endOfRaw(markdown, content.at, end);
      if (behind !== undefined) {
        endBlock(start);
        line += newlinesIn(markdown, end, Math.min(behind, length));
        next = behind;
        continue;
      }
    }
    if (content.starts || '#<{|'.includes(first)) endBlock(start);
    if (block === -1 && first === '[' && readDefinition(markdown, content.at, end, definitions)) continue;
    if (block === -1) [block, blockLine] = [start, line];
  }
  endBlock(length);
  return resolved(scanner.found, definitions);
}

function readLine(text: string, start: number, end: number): Line {
  let [at, quoted, item] = [start, false, 0];
  let indent = -1;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 32 || code === 9) continue;
    if (indent === -1) indent = at - start;
    if (code === 62) quoted = true;
    else {
      const behind = endOfMark(text, at, code);
      if (behind === undefined) break;
      at = behind;
      item = at + 1 - start;
    }
  }
  return { at, indent: Math.max(indent, 0), quoted, item, starts: quoted || item > 0 };
}

/** The blank behind `-`, `*`, `+`, `1.` or `1)`; undefined where there is no such mark. */
function endOfMark(text: string, at: number, code: number): number | undefined {
  let last = at;
  if (code >= 48 && code <= 57) {
    while (last - at < 9 && text.charCodeAt(last) >= 48 && text.charCodeAt(last) <= 57) last++;
    if (text.charCodeAt(last) !== 46 && text.charCodeAt(last) !== 41) return undefined;
  } else if (code !== 45 && code !== 42 && code !== 43) return undefined;
  const behind = text.charCodeAt(last + 1);
  return behind === 32 || behind === 9 ? last + 1 : undefined;
}

function opensFence(text: string, end: number, { at, quoted }: Line, item: number): Fence | undefined {
  const mark = text[at]!;
  const length = runOf(text, at, end, mark);
  if (length < 3) return undefined;
  // With a backtick behind it, it is code inside a line.
  for (let rest = at + length; mark === '`' && rest < end; rest++) if (text[rest] === mark) return undefined;
  return { mark, length, quoted, item };
}

function closesFence(text: string, at: number, end: number, fence: Fence): boolean {
  const length = runOf(text, at, end, fence.mark);
  if (length < fence.length) return false;
  for (let rest = at + length; rest < end; rest++) if (!' \t\r'.includes(text[rest]!)) return false;
  return true;
}

function runOf(text: string, at: number, end: number, mark: string): number {
  let last = at;
  while (last < end && text[last] === mark) last++;
  return last - at;
}

const raw = /<(?:!--|(pre|script|style|textarea)(?=[\s>]|$))/iy;

/** Where to go on behind a comment or a block of raw text that begins here: at the end of the text where it never ends. */
function endOfRaw(text: string, at: number, end: number): number | undefined {
  raw.lastIndex = at;
  const match = raw.exec(text);
  if (match === null || raw.lastIndex > end) return undefined;
  const closing = match[1] === undefined ? /-->/g : new RegExp(`</${match[1]}>`, 'gi');
  closing.lastIndex = at + 4;
  const found = closing.exec(text);
  if (found === null) return text.length;
  const newline = text.indexOf('\n', found.index);
  return newline === -1 ? text.length : newline + 1;
}

const definition = /\[((?:[^[\]\\\n]|\\.){1,999})\]:/y;

/** Takes in `[label]: href`; the first definition of a label counts. */
function readDefinition(text: string, at: number, end: number, definitions: Map<string, string>): boolean {
  definition.lastIndex = at;
  const label = definition.exec(text)?.[1];
  if (label === undefined || label.startsWith('^') || label.trim() === '') return false;
  let from = at + label.length + 3;
  while (from < end && (text[from] === ' ' || text[from] === '\t')) from++;
  const target = from >= end ? undefined : readDestination(text, from, end);
  if (target === undefined || (target.href === '' && text[from] !== '<')) return false;
  const name = sameLabel(label);
  if (!definitions.has(name)) definitions.set(name, target.href);
  return true;
}

/** What was found, with the targets of references; a label that is not defined is text. */
function resolved(found: InlineScanner['found'], definitions: ReadonlyMap<string, string>): ScannedLink[] {
  const links: ScannedLink[] = [];
  for (const { href, line, kind, label } of found) {
    const target = label === undefined ? href : definitions.get(sameLabel(label));
    if (target !== undefined) links.push({ href: target, line, kind });
  }
  return links;
}

function newlinesIn(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start + 1; at < end; at++) if (text.charCodeAt(at) === 10) count++;
  return count;
}
