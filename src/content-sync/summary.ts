import type { Warning } from './folder.ts';
import { decodeHtml } from '../richtext/html.ts';
import type { PageSource } from '../content/computed-source.ts';
import { addressOfComputed, readComputed, titleOfComputed } from '../content/read-computed.ts';
import { Problem } from '../errors/problem.ts';
import { parseYaml } from '../richtext/yaml.ts';
import { toSlug } from '../content/slugs.ts';
import { unescapeMarkdown } from './resolve-link.ts';
import { truncate } from '../contract/values.ts';

/** An entry of a table of contents: a page or link, or a title without a target that groups the entries below it. */
export interface SummaryEntry {
  readonly kind: 'group' | 'page';
  readonly title: string;
  /** The title in the table of contents, if it is different. */
  readonly linkTitle?: string;
  /** The target of the page or link, as written in the source; undefined for a group. */
  readonly target?: string;
  /** The source of generated pages. `target` is its address. */
  readonly computed?: PageSource;
  /** The slug that the table of contents or the folder gives it, if any. */
  readonly slug?: string;
  readonly line: number;
  readonly children: SummaryEntry[];
}

interface OpenItem {
  readonly indent: number;
  readonly children: SummaryEntry[];
}

/** The lines read so far of a code fence in a list item. */
interface OpenFence {
  readonly mark: string;
  readonly line: number;
  readonly indent: number;
  readonly lines: string[];
}

/** Maximum length of a fence in a table of contents, in characters. */
const maxFence = 10_000;

/** Parses the YAML between two fences; undefined if it is not a source of pages. */
function readFence({ lines }: OpenFence): PageSource | undefined {
  const text = lines.join('\n');
  if (text.length > maxFence) return undefined;
  try {
    return readComputed(parseYaml(text, 'The item'));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  }
}

const maxEntries = 20_000;
/** The most characters of a link title (official limit). */
export const maxLinkTitle = 100;

/**
 * Parses SUMMARY.md: "##" starts a group, a rule ends it, list items are pages, and their indentation nests them. It also accepts
 * mdBook's form: a link outside a list is a page, a second "#" starts a group, and an item may have no link.
 */
export function readSummary(text: string, file: string): { entries: SummaryEntry[]; warnings: Warning[] } {
  const reader = new SummaryReader(file);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    reader.read(line, index + 1);
    if (reader.isFull) break;
  }
  return { entries: reader.entries(), warnings: reader.warnings };
}

class SummaryReader {
  readonly warnings: Warning[] = [];
  /** Whether the maximum number of entries is reached. */
  isFull = false;
  readonly #file: string;
  readonly #entries: SummaryEntry[] = [];
  /** Entries without a target. They are left out if they have no children. */
  readonly #labels = new Set<SummaryEntry>();
  /** The list for entries without an open parent item: the entries of the group, or the top-level entries. */
  #top = this.#entries;
  #open: OpenItem[] = [];
  #count = 0;
  #hasHeading = false;
  #isComment = false;
  #fence: OpenFence | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  read(raw: string, line: number): void {
    const content = raw.slice(0, 8192).trim();
    if (this.#fence !== undefined) {
      if (content === this.#fence.mark) this.#endFence(this.#fence);
      else this.#fence.lines.push(raw);
      return;
    }
    const [, mark] = /^(?:[*+-]|\d{1,9}[.)])[ \t]+(`{3,}|~{3,})[ \t]*ya?ml$/i.exec(content) ?? [];
    if (mark !== undefined && !this.#isComment)
      this.#fence = { mark, line, indent: indentWidth(raw), lines: [] };
    else if (this.#isComment || content.startsWith('<!--')) this.#isComment = !content.includes('-->');
    else if (!this.#hasHeading && this.#entries.length === 0 && content.startsWith('# '))
      this.#hasHeading = true;
    else if (content === '' || content === '#' || isDefinition(content)) return;
    else if (isRule(content)) [this.#top, this.#open] = [this.#entries, []];
    else if (content.startsWith('#')) this.#addGroup(content, line);
    else this.#addItem(content, indentWidth(raw), line);
  }

  entries(some: readonly SummaryEntry[] = this.#entries): SummaryEntry[] {
    return some.flatMap((entry) => {
      const children = this.entries(entry.children);
      if (children.length > 0 || !this.#labels.has(entry)) return [{ ...entry, children }];
      this.#warn(entry.line, 'this entry has no link to a page and is skipped');
      return [];
    });
  }

  #warn(line: number, message: string): void {
    this.warnings.push({ file: this.#file, line, rule: 'summary', message });
  }

  /** Whether there may be one more entry. */
  #hasRoom(line: number): boolean {
    this.isFull = ++this.#count > maxEntries;
    if (this.isFull) this.#warn(line, `is skipped: at most ${maxEntries} pages are imported`);
    return !this.isFull;
  }

  /** Closes the items that cannot contain an item with this indentation. */
  #closeItems(indent: number): void {
    this.#open = this.#open.slice(0, this.#open.findLastIndex((outer) => outer.indent < indent) + 1);
  }

  #endFence(fence: OpenFence): void {
    const { line, indent } = fence;
    const computed = readFence(fence);
    this.#fence = undefined;
    if (computed === undefined) return this.#warn(line, 'this block is not a source of pages and is skipped');
    if (!this.#hasRoom(line)) return;
    this.#closeItems(indent);
    const title = titleOfComputed(computed);
    const target = addressOfComputed(computed);
    const siblings = this.#open.at(-1)?.children ?? this.#top;
    siblings.push({ kind: 'page', title, target, computed, line, children: [] });
  }

  #addGroup(content: string, line: number): void {
    if (!this.#hasRoom(line)) return;
    this.#hasHeading = true;
    const heading = readGroupHeading(content.replace(/^#+/, ''));
    const group: SummaryEntry = { kind: 'group', ...heading, line, children: [] };
    this.#entries.push(group);
    [this.#top, this.#open] = [group.children, []];
  }

  #addItem(content: string, indent: number, line: number): void {
    const isAlone = content.startsWith('[');
    const item = readItem(isAlone ? `* ${content}` : content);
    if (item === undefined || (isAlone && item.target === undefined))
      return this.#warn(line, 'this line is not a link to a page and is skipped');
    if (!this.#hasRoom(line)) return;
    if (isAlone) this.#open = [];
    else this.#closeItems(indent);
    if (this.#open.length >= 15) {
      this.#warn(line, 'is nested too deep and is moved up one level');
      this.#open.pop();
    }
    const kind = item.target === undefined ? 'group' : 'page';
    const entry: SummaryEntry = { kind, ...item, line, children: [] };
    if (kind === 'group') this.#labels.add(entry);
    (this.#open.at(-1)?.children ?? this.#top).push(entry);
    if (!isAlone) this.#open.push({ indent, children: entry.children });
  }
}

/** Parses the item `* [title](target "link title")`, or an item with only a title, such as `* [title](#anchor)`. */
function readItem(content: string): { title: string; target?: string; linkTitle?: string } | undefined {
  const mark = /^(?:[*+-]|\d{1,9}[.)])[ \t]+/.exec(content)?.[0];
  if (mark === undefined) return undefined;
  const text = content.slice(mark.length).trim();
  const middle = findTitleEnd(text);
  if (middle === -1) return plainTitle(text) === '' ? undefined : { title: plainTitle(text) };
  const rest = text.slice(middle + 2).trim();
  const end = rest.startsWith('<') ? rest.indexOf('>') : findTargetEnd(rest);
  if (end === -1) return undefined;
  const target = unescapeMarkdown(rest.startsWith('<') ? rest.slice(1, end) : rest.slice(0, end).trim());
  const title = plainTitle(text.slice(1, middle));
  if (/^(?:[?#]|$)/.test(target)) return title === '' ? undefined : { title };
  const linkTitle = /^>?[ \t]+["'(](.+)["')][ \t]*\)/.exec(rest.slice(end))?.[1];
  const shown = linkTitle === undefined ? '' : truncate(plainTitle(linkTitle), maxLinkTitle);
  return {
    title: title || truncate(target, 255),
    target,
    ...(shown === '' || shown === title ? {} : { linkTitle: shown }),
  };
}

/** Returns the index of the first unescaped "](" of `[title](`, or -1. */
function findTitleEnd(text: string): number {
  if (!text.startsWith('[')) return -1;
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ']' && text[at + 1] === '(') return at;
  }
  return -1;
}

/**
 * Returns the end of the target of a link: at a title, or at an unmatched ")". Spaces in the target are accepted, because they
 * are a common mistake.
 */
function findTargetEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (/^[ \t]+["'(]/.test(text.slice(at, at + 99))) return at;
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && depth-- === 0) return at;
  }
  return -1;
}

/** Parses the heading of a group. An anchor after its title, `<a href="#api" id="api"></a>`, sets its slug. */
function readGroupHeading(text: string): { title: string; slug?: string } {
  const [anchor = '', id = ''] = /<a\s[^<>]*\bid="([^"<>]{1,100})"[^<>]*>\s*<\/a>\s*$/.exec(text) ?? [];
  const title = plainTitle(text.slice(0, text.length - anchor.length)) || 'Untitled';
  return { title, ...(id !== '' && toSlug(id) === id ? { slug: id } : {}) };
}

/** Returns a title without the marks, entities and backslashes of Markdown; at most 255 characters. */
function plainTitle(text: string): string {
  return text
    .replace(
      /\\([!-/:-@[-`{-~])|[`*]+|&#?\w{1,8};/g,
      (whole, escaped?: string) => escaped ?? (whole.startsWith('&') ? decodeHtml(whole) : ''),
    )
    .trim()
    .slice(0, 255)
    .toWellFormed();
}

function isRule(content: string): boolean {
  return /^([-*_])(\s*\1){2,}$/.test(content) || content === '--';
}

/** Whether a line is `[name]: target`. It is not shown and often used as a comment. */
function isDefinition(content: string): boolean {
  return /^\[[^\]]{1,999}\]:/.test(content);
}

function indentWidth(line: string): number {
  const indent = line.slice(0, line.search(/[^ \t]|$/));
  return indent.replaceAll('\t', '    ').length;
}
