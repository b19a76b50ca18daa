import { defined } from '../contract/values.ts';
import { convertDefinitions } from './definitions.ts';
import { convertElements } from './elements.ts';
import { convertJsx } from './jsx.ts';
import { LineScanner } from './line-scanner.ts';
import { writeTag } from './tags.ts';
import { convertHighlights, mayHaveTemplates } from './templates.ts';
import { withoutScripts } from './without-scripts.ts';
import { mayHaveToolMarks, withoutIcons, withoutToolMarks } from './tool-marks.ts';

/** The styles of hints, with their names in other tools. */
const namesOfStyles = {
  info: 'note info abstract summary tldr todo seealso important question help faq example quote admonition',
  success: 'tip hint success check done',
  warning: 'warning caution attention',
  danger: 'danger error failure fail bug',
};
export const hintStyles: readonly string[] = Object.keys(namesOfStyles);
const styles: ReadonlyMap<string, string> = new Map(
  Object.entries(namesOfStyles).flatMap(([style, names]) =>
    names.split(' ').map((name) => [name, style] as const),
  ),
);
const foldable = ['details', 'dropdown'];
/** Directives of MyST that list pages. Sites show these in the table of contents. */
const listings = ['toctree', 'contents', 'tableofcontents'];
/** The first line of a directive of MyST that is a listing or code, such as ```{code-block} python. */
const directive = /^([ \t]*[`~]{3,})\{([a-z-]+)\}[ \t]*(.*)$/;
/** Names of blocks that are not hints. */
const otherContainers = [...foldable, ...listings, 'code-group'];
const codeDirectives = ['code', 'code-block', 'code-cell', 'sourcecode'];

const blockMarks = /:::|\/{3} |!!! |\?{3}|=== "|\[!|[`~]\{/;
/** A line with only `$$`. */
const formulaEnd = /^[\t >]*\$\$[\t ]*\r?$/gm;

/** Maximum levels of nested blocks. */
export const maxLevels = 20;
/** Maximum number of open containers on a line. */
const maxOpen = 100;

/** Whether docsctl converts blocks with this name, such as `:::note`. */
export function isContainer(name: string): boolean {
  return styles.has(name) || otherContainers.includes(name);
}

/**
 * Converts blocks of other Markdown dialects to those of GitBook: `:::note` of Docusaurus, VitePress and MyST, `!!! note`,
 * `/// note` and `=== "Tab"` of MkDocs, fences with `{note}` of MyST, and `> [!NOTE]` of GitHub. Blocks without an end, code and
 * formulas do not change. Marks that other tools do not show, such as `{: .wide }`, and scripts are removed.
 */
export function convertDialects(given: string, level = 0): string {
  const converted =
    level > 0
      ? given
      : convertElements(convertHighlights(convertJsx(withoutScripts(given))), (name) =>
          styles.has(name) ? name : undefined,
        );
  const text = convertDefinitions(converted);
  if (level > maxLevels) return text;
  if (!(mayHaveTemplates(text) || mayHaveToolMarks.test(text) || blockMarks.test(text))) return text;
  const result = new Conversion(text, level).convert();
  return result === text.trimEnd() ? text : result;
}

/** Parses the name and title in the first line of a MyST fence that contains Markdown, such as ```{note}. */
export function readNoteFence(line: string): readonly [name: string, title: string] | undefined {
  const [, name = '', title = ''] = /^[ \t]*[`~]{3,}\{([a-z]+)\}[ \t]*(.*)$/.exec(line) ?? [];
  return styles.has(name) || foldable.includes(name) ? [name, title.trim()] : undefined;
}

/**
 * Parses the first 1000 characters of the info string of a fence, in the notations of several tools: `js title="a.js"`, `sh
 * [npm]`, `js a.js`, `vue{1,3}`, `rust,ignore` or `{ .py linenums="1" }`. Highlighted lines are dropped.
 */
export function readFenceInfo(given: string) {
  const info = given.trim().slice(0, 1000);
  const [, syntax = /^[^\s=[]+(?!\S)/.exec(info)?.[0]] =
    /^(?:\{?\s*\.)?([\w+#.-]+)(?=[\s{,:}]|$)/.exec(info) ?? [];
  const [, quoted, single, file, title = quoted ?? single ?? file] =
    /\s(?:(?:title|filename)=(?:"([^"]+)"|'([^']+)')|(?<=\S\s+)([\w./-]*\w\.[a-z]\w{0,7})$|\[([^\]]+)\])/.exec(
      ` ${info}`,
    ) ?? [];
  const isNumbered = /[\s:](?:showLineNumbers|line-?numbers|linenums)\b(?!=["{]*false)/i.test(info);
  return defined({ syntax, title, lineNumbers: isNumbered || undefined });
}

interface Container {
  /** The colons or slashes that open and close it. */
  readonly mark: string;
  /** The index of its first line in the output. */
  readonly place: number;
  readonly marks: string;
  /** The index of the end of tabs directly before it. */
  readonly tabsEnd: number | undefined;
  readonly kind: string;
  readonly title: string;
}

class Conversion {
  readonly #lines: LineScanner;
  readonly #level: number;
  readonly #out: string[] = [];
  readonly #containers: Container[] = [];
  /** Set if the current line still has to be processed, because a block ended before it. */
  #ahead: 'advanced' | 'classified' | undefined;
  #wasQuote = false;
  /** The place and indentation of the last end of tabs, which another tab may follow. */
  #tabsEnd = { place: -2, marks: '' };
  /** The index of the last line with only colons. */
  #lastEnd: number | undefined;
  /** Whether the line may be an option of a block, such as `:class: tip` or the indented `open: true`. */
  #isOption = false;

  constructor(text: string, level: number) {
    this.#lines = new LineScanner(text);
    this.#level = level;
  }

  convert(): string {
    const lines = this.#lines;
    while (this.#ahead !== undefined || lines.advance()) {
      if (this.#ahead !== 'classified') lines.classify();
      this.#ahead = undefined;
      this.#takeLine();
      this.#wasQuote = this.#ahead === undefined && lines.quotes > 0;
    }
    return this.#out.join('\n');
  }

  #takeLine(): void {
    const lines = this.#lines;
    const [marks, content] = [this.#marks(), lines.text.slice(lines.content, lines.end)];
    if (lines.kind === 'fence' && this.#takeFence(marks)) return;
    const option = lines.indent > 3 ? /^[\w-]+:/ : /^:[\w-]+:/;
    if (this.#isOption && lines.kind === 'text' && option.test(content)) return;
    this.#isOption = false;
    const isCode = lines.kind !== 'text';
    const first = isCode ? '' : content.charAt(0);
    const isTaken =
      (first === '$' && this.#takeFormula(content)) ||
      ((first === ':' || first === '/') && this.#takeContainer(marks, content)) ||
      ((first === '!' || first === '?') && this.#takeNote(marks, content)) ||
      (first === '=' && this.#takeTabs(marks, content)) ||
      (first === '[' && this.#takeAlert(marks, content));
    if (isTaken) return;
    const line = lines.text.slice(lines.start, lines.end);
    const last = this.#out.at(-1) ?? '';
    if (!isCode && /^\s*\{:toc\}/.test(line) && /^\s*(?:[*+-]|\d+\.)\s/.test(last)) this.#out.pop();
    this.#out.push(isCode ? line : withoutToolMarks(line, last.trim() === ''));
  }

  /** Takes the lines of a formula between two lines with `$$`. They do not change. */
  #takeFormula(content: string): boolean {
    const lines = this.#lines;
    formulaEnd.lastIndex = lines.end;
    if (content.trimEnd() !== '$$' || !formulaEnd.test(lines.text)) return false;
    let isEnd = false;
    do {
      this.#out.push(lines.text.slice(lines.start, lines.end));
      isEnd = !this.#advance() || lines.text.slice(lines.content, lines.end).trimEnd() === '$$';
    } while (!isEnd);
    this.#out.push(lines.text.slice(lines.start, lines.end));
    this.#ahead = undefined;
    return true;
  }

  /** Takes `:::note Title`, `:::note[Title]`, `:::note{title="Title"}`, `:::{note}`, `/// note | Title`, and their ends. */
  #takeContainer(marks: string, content: string): boolean {
    const [, mark = '', open = '', name = '', rest = ''] =
      /^(:{3,}|\/{3,})[ \t]*(\{?)([a-z-]*)\}?(.*)$/.exec(content) ?? [];
    if (mark === '' || marks.trim() !== '') return false;
    if (name === '' && rest.trim() === '') {
      const at = this.#containers.findLastIndex((container) => container.mark === mark);
      const container = this.#containers[at];
      if (container === undefined) return false;
      this.#containers.splice(at);
      this.#close(container);
      return true;
    }
    if (name === 'code-group') return this.#takeGroup(marks, mark);
    if (listings.includes(name)) {
      if (open === '') return false;
      this.#lastEnd ??= [...this.#lines.text.matchAll(/^[ \t]*:{3,}[ \t]*$/gm)].at(-1)?.index ?? 0;
      if (this.#lines.end > this.#lastEnd) return false;
      while (this.#next() && this.#lines.text.slice(this.#lines.content, this.#lines.end).trim() !== mark);
      this.#ahead = undefined;
      return true;
    }
    const isSlash = mark.startsWith('/');
    if (!isContainer(name) && !(isSlash && name === 'tab')) return false;
    if (isSlash && !/^[ \t]*(?:\||$)/.test(rest)) return false;
    if (this.#containers.length === maxOpen) return false;
    this.#isOption = isSlash || open !== '';
    const [attributes = ''] = /\{[^{}]*\}\s*$/.exec(rest) ?? [];
    const [, quoted, single, bare = ''] =
      /[{\s]title=(?:"([^"]*)"|'([^']*)'|([^\s"'}]+))/.exec(attributes) ?? [];
    const title = rest.slice(0, rest.length - attributes.length).trim() || (quoted ?? single ?? bare).trim();
    const before = this.#out.findLastIndex((line) => line.trim() !== '');
    const isNextTab = before === this.#tabsEnd.place && marks === this.#tabsEnd.marks;
    this.#containers.push({
      mark,
      tabsEnd: isNextTab ? before : undefined,
      place: this.#out.length,
      marks,
      kind: name,
      title: isSlash
        ? rest.replace(/^[^|]*\|?/, '').trim()
        : open === ''
          ? (/^\[(.*)\]$/.exec(title)?.[1] ?? title)
          : title,
    });
    this.#out.push(this.#lines.text.slice(this.#lines.start, this.#lines.end));
    return true;
  }

  /** Writes the tags of a block at its end. Formatters move this end into a list above it, so its indentation is ignored. */
  #close({ kind, title, marks, place, tabsEnd }: Container): void {
    if (kind !== 'tab') {
      this.#out[place] = opening(kind, title, marks);
      this.#out.push(closing(kind, marks));
      return;
    }
    if (tabsEnd !== undefined) this.#out[tabsEnd] = '';
    const tabs = tabsEnd === undefined ? `\n${marks}${writeTag('tabs')}\n` : '';
    this.#out[place] = `${tabs}${marks}${tabTag(title)}\n`;
    this.#out.push(`\n${marks}${writeTag('endtab')}`, closing('tabs', marks));
    this.#tabsEnd = { place: this.#out.length - 1, marks };
  }

  /**
   * Takes a group of code blocks of VitePress, and converts it to tabs with the titles in brackets. Other groups do not change.
   */
  #takeGroup(marks: string, mark: string): boolean {
    const lines = this.#lines;
    const source: string[] = [];
    const tabs = [`${marks}${writeTag('tabs')}`];
    let [isMixed, isEnd] = [false, false];
    /** The title after the language in the first line of a fence. */
    let words: string | undefined;
    do {
      source.push(lines.text.slice(lines.start, lines.end));
      if (!this.#next()) break;
      const content = lines.text.slice(lines.content, lines.end);
      isEnd = lines.kind === 'text' && content.trim() === mark;
      isMixed ||= !isEnd && lines.kind === 'text';
      if (lines.kind === 'fence') {
        const info = content.replace(/^[`~]+/, '').trim();
        [, words] = /^\S+[ \t]+([^[\]{}=]+)$/.exec(info) ?? [];
        const { syntax = '', title = words ?? syntax } = readFenceInfo(info);
        tabs.push(`${marks}${tabTag(title)}`);
      }
      const line = lines.text.slice(lines.start, lines.end);
      if (lines.isFenced) tabs.push(lines.kind === 'fence' ? line.replace(words ?? /\[[^\]]*\]/, '') : line);
      if (lines.kind === 'fence-end') tabs.push(`${marks}${writeTag('endtab')}`);
    } while (!isEnd);
    if (isMixed || !isEnd || tabs.length === 1) this.#out.push(source.join('\n'));
    else {
      this.#ahead = undefined;
      this.#out.push(tabs.join('\n'), closing('tabs', marks));
    }
    return true;
  }

  /** Takes `!!! note "Title"`, or the expandable `??? note "Title"`, with the indented lines below. */
  #takeNote(marks: string, content: string): boolean {
    const [, mark = '', name = '', rest = ''] = /^(!!!|\?{3}\+?)[ \t]+([\w-]+)([^]*)$/.exec(content) ?? [];
    if (mark === '' || marks.trim() !== '') return false;
    const [, title = ''] = /^[\w \t-]*"(.*)"$/.exec(rest.trim()) ?? [];
    if (title === '' && !/^[\w \t-]*(?:"")?$/.test(rest.trim())) return false;
    return this.#takeIndented(marks, (inner) => {
      const kind = mark === '!!!' ? name.toLowerCase() : 'details';
      const shown = title === '' && kind === 'details' ? name : title;
      this.#out.push(opening(kind, shown, marks), inner, closing(kind, marks));
    });
  }

  /** Takes tabs of MkDocs: `=== "Title"` with indented lines below, one or more times. */
  #takeTabs(marks: string, content: string): boolean {
    const tabs: string[] = [];
    for (let line = content; ;) {
      const [, title] = /^===[!+]?[ \t]+"(.*)"[ \t]*$/.exec(line) ?? [];
      const isTab = title !== undefined && this.#marks() === marks && marks.trim() === '';
      const take = (inner: string): void => {
        tabs.push(`${marks}${tabTag(title ?? '')}\n`, inner, `${marks}${writeTag('endtab')}`);
      };
      if (!isTab || !this.#takeIndented(marks, take) || this.#ahead === undefined) break;
      line = this.#lines.text.slice(this.#lines.content, this.#lines.end);
    }
    if (tabs.length > 0)
      this.#out.push(`${marks}${writeTag('tabs')}`, tabs.join('\n'), closing('tabs', marks));
    return tabs.length > 0;
  }

  /** Takes a MyST fence that contains Markdown, such as ```{note}, or code, or that lists pages. */
  #takeFence(marks: string): boolean {
    const lines = this.#lines;
    const start = lines.text.slice(lines.start, lines.end);
    if (!start.includes('{')) return false;
    const [, fence = '', kind = '', language = ''] = directive.exec(start) ?? [];
    const [isListing, isCode] = [listings.includes(kind), codeDirectives.includes(kind)];
    const [name = '', title = ''] = readNoteFence(start) ?? [];
    if (name === '' && !isListing && !isCode) return false;
    const inner: string[] = [];
    let caption = '';
    while (this.#next() && lines.kind === 'code') {
      const line = lines.text.slice(lines.start, lines.end);
      const [option, value = ''] = (inner.length === 0 && /^\s*:[\w-]+:(.*)/.exec(line)) || [];
      if (option === undefined) inner.push(line);
      else if (option.includes(':caption:')) caption = ` title="${value.replaceAll('"', "'").trim()}"`;
    }
    if (lines.kind === 'fence-end') this.#ahead = undefined;
    if (isCode) this.#out.push(`${fence}${language.trim()}${caption}`, ...inner, fence);
    if (isCode || isListing) return true;
    const converted = convertDialects(inner.join('\n'), this.#level + 1);
    this.#out.push(opening(name, title, marks), converted, closing(name, marks));
    return true;
  }

  /** Takes `> [!NOTE]` and the lines of its quote. */
  #takeAlert(marks: string, content: string): boolean {
    const [, name = '', title = ''] = /^\[!([a-z]+)\][+-]?[ \t]*(.*)$/i.exec(content) ?? [];
    const kind = name.toLowerCase();
    const indent = /^([ \t]*)>[ \t]*$/.exec(marks)?.[1];
    if (!styles.has(kind) || indent === undefined || this.#wasQuote) return false;
    const inner: string[] = [];
    const lines = this.#lines;
    while (this.#advance()) {
      const [, line] = /^[ \t]*>[ \t]?(.*)$/.exec(lines.text.slice(lines.start, lines.end)) ?? [];
      if (line === undefined) break;
      inner.push(indent + line);
    }
    const converted = convertDialects(inner.join('\n'), this.#level + 1);
    this.#out.push(opening(kind === 'caution' ? 'danger' : kind, title.trim(), indent), converted);
    this.#out.push(closing(kind, indent));
    return true;
  }

  /** Takes the lines below that are indented by four columns. Returns false if none of them has text. */
  #takeIndented(marks: string, take: (inner: string) => void): boolean {
    const lines = this.#lines;
    const [inner, blanks]: [string[], string[]] = [[], []];
    const prefix = `${marks}    `;
    const { text } = lines;
    const behind = text.slice(lines.end + 1).search(/\S/);
    const below = text.slice(text.lastIndexOf('\n', lines.end + 1 + behind) + 1, lines.end + 1 + behind);
    if (behind === -1 || !below.replaceAll('\t', '    ').startsWith(prefix)) return false;
    while (this.#advance()) {
      const line = text
        .slice(lines.start, lines.end)
        .replace(/^[ \t]+/, (blank) => blank.replaceAll('\t', '    '));
      if (line.trim() === '') blanks.push('');
      else if (!line.startsWith(prefix)) break;
      else inner.push([...blanks.splice(0), marks + line.slice(prefix.length)].join('\n'));
    }
    take(convertDialects(inner.join('\n'), this.#level + 1));
    if (this.#ahead !== undefined) this.#out.push(['', ...blanks].join('\n'));
    return true;
  }

  /** Advances to the next line. It is processed later unless a block takes it. */
  #advance(): boolean {
    this.#ahead = this.#lines.advance() ? 'advanced' : undefined;
    return this.#ahead !== undefined;
  }

  #next(): boolean {
    this.#ahead = this.#lines.next() ? 'classified' : undefined;
    return this.#ahead !== undefined;
  }

  /** Returns the text before the content of the line, such as quote marks. */
  #marks(): string {
    return this.#lines.text.slice(this.#lines.start, this.#lines.content);
  }
}

function opening(kind: string, given: string, indent: string): string {
  const title = withoutIcons(given).trim();
  if (foldable.includes(kind))
    return `\n${indent}<details>\n\n${indent}<summary>${summaryOf(title)}</summary>\n`;
  const tag = `\n${indent}${writeTag('hint', { style: styles.get(kind) ?? 'info' })}\n`;
  return title === '' ? tag : `${tag}\n${indent}${title.includes('*') ? title : `**${title}**`}\n`;
}

function summaryOf(title: string): string {
  return (title || 'Details').replaceAll('<', '&lt;').replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** Returns the tag that opens a tab. Its title is plain text. */
function tabTag(title: string): string {
  const plain = withoutIcons(title).replaceAll('`', '').trim();
  return writeTag('tab', { title: plain || 'Code' });
}

function closing(kind: string, indent: string): string {
  if (foldable.includes(kind)) return `\n${indent}</details>\n`;
  return `\n${indent}${writeTag(kind === 'tabs' ? 'endtabs' : 'endhint')}\n`;
}
