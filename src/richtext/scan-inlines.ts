import { xmlEntities } from './html.ts';
import { matchAt, runLength } from './line-scanner.ts';

/** A link in a text. */
export interface ScannedLink {
  /** The decoded target as in CommonMark: without backslashes and entities, but percent-encoded. */
  readonly href: string;
  /** The line where it starts, from 1. */
  readonly line: number;
  readonly kind: 'link' | 'image' | 'url' | 'html' | 'tag' | 'include';
}

/** A link, or a use of a reference whose definition may come later. */
type FoundLink = ScannedLink & { readonly label?: string };

interface Bracket {
  readonly at: number;
  readonly line: number;
  readonly kind: 'link' | 'image';
}

/** Maximum length of a target, in characters. Longer ones are data, such as `data:` images. */
const maxHref = 2048;
/** In CommonMark, a label has fewer than 1,000 characters, and a target at most 32 open parentheses. */
const maxLabel = 999;
const maxParentheses = 32;
const maxTag = 4096;
/** Maximum number of brackets that are open at the same time. */
const maxBrackets = 1000;

const [newline, bang, quote, percent, apostrophe, open, close, less, greater] = [
  10, 33, 34, 37, 39, 40, 41, 60, 62,
] as const;
const [openBracket, backslash, closeBracket, backtick, brace] = [91, 92, 93, 96, 123] as const;

const autolink = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2048})>/iy;
const tagName = /<[a-z][a-z0-9-]{0,63}/iy;
const tagEnd = /[\s/]{0,200}>/y;
const attribute =
  /[\s/]{0,200}([a-z_:@][\w:.@-]{0,200})(?:\s{0,20}=\s{0,20}(?:"([^"]{0,4096})"|'([^']{0,4096})'|([^\s"'=<>`]{1,2048})))?/iy;

/** Finds the links of one block of text (a paragraph, an item, a row). It looks at each character a limited number of times. */
export class InlineScanner {
  readonly found: FoundLink[] = [];
  readonly #text: string;
  /** The target of an open content-ref tag. A link inside with the same target does not count again. */
  #shown: string | undefined;
  /** The position of the next "%}". It is searched once for all tags before it. */
  #tagEnd = -1;
  /** The end of the comment that was found last. */
  #commentEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  scan(start: number, end: number, firstLine: number): void {
    const text = this.#text;
    const brackets: Bracket[] = [];
    // Brackets below this depth already contain a link, and links cannot be nested.
    let usedDepth = 0;
    let lastBracket = -1;
    let line = firstLine;
    let runs: Map<number, number> | undefined;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      // Letters start nothing, and most characters are letters.
      if (code > 123 || (code > 96 && code < 123)) continue;
      let last = at;
      if (code === newline) line++;
      else if (code === backslash) {
        if (text.charCodeAt(at + 1) !== newline) at++;
      } else if (code === backtick) {
        const length = runLength(text, at, end, backtick);
        runs ??= lastRuns(text, at, end);
        const closer = (runs.get(length) ?? -1) > at ? closingRun(text, at + length, end, length) : at;
        last = closer + length - 1;
      } else if (code === openBracket) {
        const isImage = text.charCodeAt(at - 1) === bang && text.charCodeAt(at - 2) !== backslash;
        if (brackets.length < maxBrackets) brackets.push({ at, line, kind: isImage ? 'image' : 'link' });
        lastBracket = at;
      } else if (code === closeBracket) {
        const bracket = brackets.pop();
        if (bracket === undefined) continue;
        const isUsed = bracket.kind === 'link' && brackets.length < usedDepth;
        usedDepth = Math.min(usedDepth, brackets.length);
        const isPlain = lastBracket === bracket.at;
        lastBracket = at;
        const linkEnd = isUsed ? undefined : this.#behindText(at, end, bracket, isPlain);
        if (linkEnd === undefined) continue;
        if (bracket.kind === 'link') usedDepth = brackets.length;
        last = linkEnd;
      } else if (code === less) last = this.#angle(at, end, line);
      else if (code === brace && text.charCodeAt(at + 1) === percent) {
        at = this.#tag(at, end, line);
        continue;
      }
      for (; at < last; at++) if (text.charCodeAt(at) === newline) line++;
    }
  }

  /** Parses the text after the "]" of a link. Returns the position of its last character; undefined if it is not a link. */
  #behindText(at: number, end: number, bracket: Bracket, isPlain: boolean): number | undefined {
    const text = this.#text;
    const { line, kind } = bracket;
    const next = at + 1 < end ? text.charCodeAt(at + 1) : -1;
    if (next === open) {
      const target = readTarget(text, at + 2, end);
      if (target !== undefined) this.#add(target.href, line, kind);
      return target?.at;
    }
    if (next === openBracket) {
      const label = readLabel(text, at + 1, end);
      const behind = label === undefined ? open : text.charCodeAt(label.at + 1);
      if (label !== undefined && behind !== open && behind !== openBracket) {
        if (label.label !== '') this.found.push({ href: '', line, kind, label: label.label });
        else if (isPlain) this.#addReference(at, bracket);
        return label.at;
      }
    }
    if (!isPlain) return undefined;
    this.#addReference(at, bracket);
    return at;
  }

  #addReference(end: number, { at, line, kind }: Bracket): void {
    if (end - at - 1 > maxLabel) return;
    const label = this.#text.slice(at + 1, end);
    // Most other brackets are tasks, footnotes or plain text.
    if (label.trim() !== '' && !label.startsWith('^')) this.found.push({ href: '', line, kind, label });
  }

  #add(href: string, line: number, kind: ScannedLink['kind']): void {
    if (kind === 'link' && href === this.#shown) this.#shown = undefined;
    else if (href.length <= maxHref) this.found.push({ href, line, kind });
  }

  /** Parses a comment, an autolink or an HTML tag. Returns the position of its last character, or of the "<". */
  #angle(at: number, end: number, line: number): number {
    const text = this.#text;
    if (text.startsWith('<!--', at)) {
      if (this.#commentEnd < at + 4) this.#commentEnd = indexOrEnd(text, '-->', at + 4);
      return this.#commentEnd + 3 > end ? at : this.#commentEnd + 2;
    }
    const [url, address = ''] = matchAt(autolink, text, at) ?? [];
    if (url !== undefined && at + url.length <= end) {
      this.#add(address, line, 'url');
      return at + url.length - 1;
    }
    const [name] = matchAt(tagName, text, at) ?? [];
    if (name === undefined) return at;
    const limit = Math.min(end, at + maxTag);
    const targets: string[] = [];
    for (let next = at + name.length; next < limit;) {
      const [all, key, ...values] = matchAt(attribute, text, next) ?? [];
      if (all !== undefined && key !== undefined) {
        const value = values.find((each) => each !== undefined);
        if (value !== undefined && isTarget(key, value)) targets.push(value);
        next += all.length;
        continue;
      }
      const [rest] = matchAt(tagEnd, text, next) ?? [];
      if (rest === undefined || next + rest.length > limit) return at;
      for (const target of targets) this.#add(decodeEntities(target.trim()), line, 'html');
      return next + rest.length - 1;
    }
    return at;
  }

  /** Parses a `{% tag %}` of GitBook. Returns the position of its last character, or of the "{". */
  #tag(at: number, end: number, line: number): number {
    if (this.#tagEnd < at) this.#tagEnd = indexOrEnd(this.#text, '%}', at);
    if (this.#tagEnd + 2 > end || this.#tagEnd - at > maxTag) return at;
    const tag = /^-?[ \t]*([@\w/-]+)([^\n]*)$/.exec(this.#text.slice(at + 2, this.#tagEnd));
    if (tag === null) return at;
    const [, name, rest = ''] = tag;
    if (name === 'endcontent-ref') this.#shown = undefined;
    const isInclude = name === 'include';
    const [, target] =
      (isInclude ? /^\s*["']([^"']+)["']/ : /(?:^|\s)(?:url|page|src)="([^"]+)"/).exec(rest) ?? [];
    if (target !== undefined) {
      this.#add(target, line, isInclude ? 'include' : 'tag');
      if (name === 'content-ref') this.#shown = target;
    }
    return this.#tagEnd + 1;
  }
}

/** Whether an HTML attribute is a link. A `srcset` counts if it has one address. */
function isTarget(name: string, value: string): boolean {
  if (/^srcset$/i.test(name)) return !/,|\s[\d.]{1,9}[wx]\s*$/.test(value);
  return /^(?:href|src|data-ref|poster)$/i.test(name);
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at === -1 ? Number.MAX_SAFE_INTEGER : at;
}

interface Target {
  readonly href: string;
  readonly at: number;
}

/** Parses `href "title")`. Returns the position of the ")". */
function readTarget(text: string, start: number, end: number): Target | undefined {
  const destination = readDestination(text, skipBlanks(text, start, end), end);
  if (destination === undefined) return undefined;
  const { href } = destination;
  const behind = skipBlanks(text, destination.at, end);
  const code = behind < end ? text.charCodeAt(behind) : -1;
  if (code === close) return { href, at: behind };
  if (behind === destination.at || (code !== quote && code !== apostrophe && code !== open)) return undefined;
  const title = endOfTitle(text, behind + 1, end, code === open ? close : code);
  const last = title === undefined ? end : skipBlanks(text, title + 1, end);
  return last < end && text.charCodeAt(last) === close ? { href, at: last } : undefined;
}

/** Parses `<href>` or `href`. Returns the position after it. */
export function readDestination(text: string, start: number, end: number): Target | undefined {
  let depth = 0;
  const isAngled = text.charCodeAt(start) === less;
  const from = isAngled ? start + 1 : start;
  for (let at = from; at <= end; at++) {
    const code = at === end ? newline : text.charCodeAt(at);
    if (code === backslash && at + 1 < end && text.charCodeAt(at + 1) > 32) at++;
    else if (isAngled) {
      if (code === greater) return { href: decodeText(text.slice(from, at)), at: at + 1 };
      if (code === newline || code === less) return undefined;
    } else if (code <= 32 || code === 127 || (code === close && depth === 0))
      return depth === 0 ? { href: decodeText(text.slice(from, at)), at } : undefined;
    else if (code === open && ++depth > maxParentheses) return undefined;
    else if (code === close) depth--;
  }
  return undefined;
}

/** Parses `[label]` without nested brackets. Returns the position of the "]". */
function readLabel(text: string, start: number, end: number): { label: string; at: number } | undefined {
  const [all, label] = matchAt(/\[((?:[^[\]\\]|\\.){0,999})\]/sy, text, start) ?? [];
  return all === undefined || label === undefined || start + all.length > end
    ? undefined
    : { label: label.trim(), at: start + all.length - 1 };
}

/** Normalizes a label, so that differences in case and whitespace do not matter. */
export function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

function endOfTitle(text: string, start: number, end: number, last: number): number | undefined {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === last) return at;
    else if (last === close && code === open) return undefined;
  }
  return undefined;
}

function skipBlanks(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && (text.charCodeAt(at) === 32 || (text.charCodeAt(at) >= 9 && text.charCodeAt(at) <= 13)))
    at++;
  return at;
}

/** Returns the start of the last run of backticks of each length. The last run of a length has no closing run. */
function lastRuns(text: string, start: number, end: number): Map<number, number> {
  const runs = new Map<number, number>();
  for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at)) {
    const length = runLength(text, at, end, backtick);
    runs.set(length, at);
    at += length;
  }
  return runs;
}

function closingRun(text: string, start: number, end: number, wanted: number): number {
  for (let at = text.indexOf('`', start); ; at = text.indexOf('`', at)) {
    const length = runLength(text, at, end, backtick);
    if (length === wanted) return at;
    at += length;
  }
}

function decodeText(text: string): string {
  return decodeEntities(text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text);
}

const entities = new Map([...xmlEntities, ['#39', "'"], ['#x20', ' '], ['#32', ' ']]);

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#?\w{1,8});/g, (all, name: string) => entities.get(name.toLowerCase()) ?? all);
}
