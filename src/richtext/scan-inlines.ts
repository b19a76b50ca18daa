/** A place in a text that leads somewhere else. */
export interface ScannedLink {
  /** As CommonMark reads it: without backslashes and entities, percent-encoding left alone. */
  readonly href: string;
  /** Line of the text where it begins, from 1. */
  readonly line: number;
  readonly kind: 'link' | 'image' | 'url' | 'html' | 'tag' | 'include';
}

/** What is found: a link, or the use of a reference whose definition may come later. */
export type Found = ScannedLink & { readonly label?: string };

interface Bracket {
  readonly at: number;
  readonly line: number;
  readonly image: boolean;
}

/** Longer targets are data in disguise, such as `data:` images, and are no links. */
const longestHref = 2048;
/** CommonMark: a label has fewer than 1,000 characters, and a target at most 32 open parentheses. */
const longestLabel = 999;
const deepestParentheses = 32;
const longestTag = 4096;
/** Brackets that are open at once; nobody writes as many. */
const mostBrackets = 1000;

const [
  newline,
  bang,
  quote,
  apostrophe,
  open,
  close,
  less,
  greater,
  openBracket,
  backslash,
  closeBracket,
  backtick,
  brace,
] = [...'\n!"\'()<>[\\]`{'].map((each) => each.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** Reads the links of one block of text (a paragraph, an item, a row). Every character is looked at a bounded number of times. */
export class InlineScanner {
  readonly found: Found[] = [];
  readonly #text: string;
  /** What a content-ref tag points to: the same link inside it counts once. */
  #shown: string | undefined;
  /** The next "%}", looked for once for all tags that come before it. */
  #tagEnd = -1;
  /** Where the comment that was found last ends. */
  #commentEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  scan(start: number, end: number, firstLine: number): void {
    const text = this.#text;
    const brackets: Bracket[] = [];
    // Brackets below this depth hold a link already, and a link holds no other.
    let dead = 0;
    let lastBracket = -1;
    let line = firstLine;
    let runs: Map<number, number> | undefined;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > 123 || (code > 96 && code < 123)) continue;
      if (code === newline) line++;
      else if (code === backslash) {
        if (text.charCodeAt(at + 1) !== newline) at++;
      } else if (code === backtick) {
        const length = runLength(text, at, end);
        runs ??= lastRuns(text, at, end);
        const closer = (runs.get(length) ?? -1) > at ? closingRun(text, at + length, end, length) : at;
        line += newlines(text, at, closer);
        at = closer + length - 1;
      } else if (code === openBracket) {
        const image = text.charCodeAt(at - 1) === bang && text.charCodeAt(at - 2) !== backslash;
        if (brackets.length < mostBrackets) brackets.push({ at, line, image });
        lastBracket = at;
      } else if (code === closeBracket) {
        const bracket = brackets.pop();
        if (bracket === undefined) continue;
        const isDead = !bracket.image && brackets.length < dead;
        dead = Math.min(dead, brackets.length);
        const plain = lastBracket === bracket.at;
        lastBracket = at;
        const next = isDead ? undefined : this.#behindText(at, end, bracket, plain);
        if (next === undefined) continue;
        if (!bracket.image) dead = brackets.length;
        line += newlines(text, at, next);
        at = next;
      } else if (code === less) {
        const next = this.#angle(at, end, line);
        line += newlines(text, at, next);
        at = next;
      } else if (code === brace && text.charCodeAt(at + 1) === 37) at = this.#tag(at, end, line);
    }
  }

  /** What follows the "]" of a link's text; gives the last character of the link, or undefined where it is none. */
  #behindText(
    at: number,
    end: number,
    { at: from, line, image }: Bracket,
    plain: boolean,
  ): number | undefined {
    const text = this.#text;
    const kind = image ? 'image' : 'link';
    const next = text.charCodeAt(at + 1);
    if (next === open && at + 1 < end) {
      const target = readTarget(text, at + 2, end);
      if (target === undefined) return undefined;
      this.#add(target.href, line, kind);
      return target.at;
    }
    if (next === openBracket && at + 1 < end) {
      const label = readLabel(text, at + 1, end);
      const behind = label === undefined ? 0 : text.charCodeAt(label.at + 1);
      if (label !== undefined && behind !== open && behind !== openBracket) {
        if (label.label !== '') this.found.push({ href: '', line, kind, label: label.label });
        else if (plain) this.#reference(from, at, line, kind);
        return label.at;
      }
    }
    if (plain) this.#reference(from, at, line, kind);
    return plain ? at : undefined;
  }

  #reference(from: number, at: number, line: number, kind: 'link' | 'image'): void {
    if (at - from - 1 > longestLabel) return;
    const label = this.#text.slice(from + 1, at);
    // Most brackets are tasks, footnotes or plain text.
    if (label.trim() !== '' && !label.startsWith('^')) this.found.push({ href: '', line, kind, label });
  }

  #add(href: string, line: number, kind: ScannedLink['kind']): void {
    if (kind === 'link' && href === this.#shown) {
      this.#shown = undefined;
      return;
    }
    if (href.length <= longestHref) this.found.push({ href, line, kind });
  }

  /** A "<": a comment, an autolink, or a tag of HTML with its attributes; gives its last character, or the "<" itself. */
  #angle(at: number, end: number, line: number): number {
    const text = this.#text;
    if (text.startsWith('<!--', at)) {
      if (this.#commentEnd < at + 4) this.#commentEnd = text.indexOf('-->', at + 4);
      if (this.#commentEnd === -1) this.#commentEnd = Number.MAX_SAFE_INTEGER;
      return this.#commentEnd + 3 > end ? at : this.#commentEnd + 2;
    }
    const uri = matchAt(/<([a-z][a-z0-9+.-]{1,31}:[^\s<>]{0,2048})>/iy, text, at);
    if (uri !== undefined && at + uri[0].length <= end) {
      this.#add(uri[1]!, line, 'url');
      return at + uri[0].length - 1;
    }
    const name = matchAt(/<[a-z][a-z0-9-]{0,63}/iy, text, at);
    if (name === undefined) return at;
    const limit = Math.min(end, at + longestTag);
    const targets: string[] = [];
    for (let next = at + name[0].length; next < limit;) {
      const attribute = matchAt(
        /[\s/]{0,200}([a-z_:@][\w:.@-]{0,200})(?:\s{0,20}=\s{0,20}(?:"([^"]{0,4096})"|'([^']{0,4096})'|([^\s"'=<>`]{1,2048})))?/iy,
        text,
        next,
      );
      if (attribute !== undefined) {
        const [all, attributeName, ...values] = attribute;
        const value = values.find((each) => each !== undefined);
        const isTarget =
          /^(?:href|src|data-ref|poster)$/i.test(attributeName!) ||
          (/^srcset$/i.test(attributeName!) && !/,|\s[\d.]{1,9}[wx]\s*$/.test(value ?? ''));
        if (value !== undefined && isTarget) targets.push(value);
        next += all.length;
        continue;
      }
      const last = matchAt(/[\s/]{0,200}>/y, text, next);
      if (last === undefined || next + last[0].length > limit) return at;
      for (const target of targets) this.#add(decodeEntities(target.trim()), line, 'html');
      return next + last[0].length - 1;
    }
    return at;
  }

  /** A `{% tag %}` of GitBook; gives its last character, or the "{" itself. */
  #tag(at: number, end: number, line: number): number {
    if (this.#tagEnd < at) this.#tagEnd = this.#text.indexOf('%}', at);
    if (this.#tagEnd === -1) this.#tagEnd = Number.MAX_SAFE_INTEGER;
    if (this.#tagEnd + 2 > end || this.#tagEnd - at > longestTag) return at;
    const tag = /^-?[ \t]*([@\w/-]+)([^\n]*)$/.exec(this.#text.slice(at + 2, this.#tagEnd));
    if (tag === null) return at;
    const [, name, rest] = tag;
    if (name === 'endcontent-ref') this.#shown = undefined;
    const target =
      name === 'include'
        ? /^\s*["']([^"']+)["']/.exec(rest!)
        : /(?:^|\s)(?:url|page|src)="([^"]+)"/.exec(rest!);
    if (target !== null) {
      this.#add(target[1]!, line, name === 'include' ? 'include' : 'tag');
      if (name === 'content-ref') this.#shown = target[1]!;
    }
    return this.#tagEnd + 1;
  }
}

/** Reads `href "title")`; gives where the ")" is. */
export function readTarget(
  text: string,
  start: number,
  end: number,
): { href: string; at: number } | undefined {
  const destination = readDestination(text, skipBlanks(text, start, end), end);
  if (destination === undefined) return undefined;
  const behind = skipBlanks(text, destination.at, end);
  const code = text.charCodeAt(behind);
  if (behind < end && code === close) return { href: destination.href, at: behind };
  if (behind === destination.at || behind >= end || (code !== quote && code !== apostrophe && code !== open))
    return undefined;
  const title = endOfTitle(text, behind + 1, end, code === open ? close : code);
  const last = title === undefined ? end : skipBlanks(text, title + 1, end);
  return last < end && text.charCodeAt(last) === close ? { href: destination.href, at: last } : undefined;
}

/** Reads `<href>` or `href`; gives the place behind it. */
export function readDestination(
  text: string,
  start: number,
  end: number,
): { href: string; at: number } | undefined {
  let depth = 0;
  const angled = text.charCodeAt(start) === less;
  const from = angled ? start + 1 : start;
  for (let at = from; at <= end; at++) {
    const code = at === end ? newline : text.charCodeAt(at);
    if (code === backslash && at + 1 < end && text.charCodeAt(at + 1) > 32) at++;
    else if (angled) {
      if (code === greater) return { href: decodeText(text.slice(from, at)), at: at + 1 };
      if (code === newline || code === less) return undefined;
    } else if (code <= 32 || code === 127 || (code === close && depth === 0))
      return depth === 0 ? { href: decodeText(text.slice(from, at)), at } : undefined;
    else if (code === open && ++depth > deepestParentheses) return undefined;
    else if (code === close) depth--;
  }
  return undefined;
}

/** Reads `[label]` without brackets in it; gives where the "]" is. */
function readLabel(text: string, start: number, end: number): { label: string; at: number } | undefined {
  const label = matchAt(/\[((?:[^[\]\\]|\\.){0,999})\]/sy, text, start);
  return label === undefined || start + label[0].length > end
    ? undefined
    : { label: label[1]!.trim(), at: start + label[0].length - 1 };
}

/** The form in which two spellings of a label are the same. */
export function sameLabel(label: string): string {
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

function runLength(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === backtick) at++;
  return at - start;
}

/** Where the last run of backticks of each length begins: a run that is its own last is closed by none. */
function lastRuns(text: string, start: number, end: number): Map<number, number> {
  const runs = new Map<number, number>();
  for (let at = text.indexOf('`', start); at !== -1 && at < end; at = text.indexOf('`', at)) {
    const length = runLength(text, at, end);
    runs.set(length, at);
    at += length;
  }
  return runs;
}

function closingRun(text: string, start: number, end: number, wanted: number): number {
  for (let at = text.indexOf('`', start); ; at = text.indexOf('`', at)) {
    const length = runLength(text, at, end);
    if (length === wanted) return at;
    at += length;
  }
}

function newlines(text: string, start: number, end: number): number {
  let count = 0;
  // A search for the next newline would go to the end of a long line each time.
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === newline) count++;
  return count;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function decodeText(text: string): string {
  return decodeEntities(text.includes('\\') ? text.replace(/\\([!-/:-@[-`{-~])/g, '$1') : text);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#x20': ' ',
  '#32': ' ',
};

function decodeEntities(text: string): string {
  return text.includes('&')
    ? text.replace(/&(#?\w{1,8});/g, (all, name: string) => entities[name.toLowerCase()] ?? all)
    : text;
}
