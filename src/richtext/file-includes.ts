import { posix } from 'node:path';
import { groupBy } from '../contract/values.ts';
import { endOfFrontMatter } from './front-matter.ts';
import { LineScanner } from './line-scanner.ts';

/** Maximum depth of includes. Deeper ones are not replaced. */
export const maxIncludeDepth = 8;

/** A place in a text where another tool inserts a file, or a part of it. */
export interface FileInclude {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The text before each inserted line except the first. */
  readonly prefix: string;
  /** The path as written; undefined if no file is inserted. */
  readonly target: string | undefined;
  /** The part of the file as written: the name of an anchor or region, or the texts around the part. Undefined for lines. */
  readonly part?: string | undefined;
  /** Whether the path may be relative to a folder that only the settings of the tool name. */
  readonly isLoose: boolean;
  /** Whether the inserted text is code. */
  readonly isCode: boolean;
  /** Returns the text to insert from the text of the file; undefined if the file does not have this part. */
  readonly take: (text: string) => string | undefined;
}

type Taken = Pick<FileInclude, 'target' | 'take'> & Partial<FileInclude>;

/** Most texts do not match, which takes half the time of the exact pattern. */
const hint = /8<-|<<<|@include:|include\}|\{\{|\{\*|<Snippet|import\s/;
const anywhere =
  /\{\{\s*#(?:include|rustdoc_include|playground|playpen|title)\s|8<-|<!--\s*@include:|^[ \t]*(?:[`~]{3,}\{(?:literal)?include\}|\{\*\s)|^[ \t>*+-]*<<<|<Snippet\s|^import\s[^\n]{1,500}(?:\.mdx?|raw-loader![^\n"']{1,500})["']/m;
/** Maximum length of a searched line or element, in characters. */
const maxLength = 2000;
/** Maximum length of all values of attributes that an element inserts, in characters. */
const maxValues = 100_000;

const moduleImport = /^import\s+(\w+)\s+from\s+(["'])((?:!{0,2}raw-loader!)?)([^"'\n]{1,500})\2/gm;
const element =
  /<([A-Z]\w*)((?:\s[^<>]{0,2000})?)(?:\/>|>\s*\{(\w+)(?:\.default)?\}\s*<\/\1>|>\s*<\/\1>)[ \t]*(?=\r?$)/my;
/** A line that only marks a part of a file. */
const marker = /8<-+\s*\[\s*(?:start|end):|\bANCHOR(?:_END)?:\s*[\w-]/;

/** Whether a text may have places where another tool inserts a file. */
export function mayIncludeFiles(text: string): boolean {
  return hint.test(text) && anywhere.test(text);
}

/** Whether another tool inserts Markdown into this text, and not only code. */
export function includesMarkdown(text: string): boolean {
  return findFileIncludes(text).some(({ isCode, target }) => !isCode && target !== undefined);
}

/**
 * Finds the places where another tool inserts a file: `{{#include a.rs}}` of mdBook, `--8<-- "a.md"` of MkDocs, `<<< @/a.js` and
 * `<!--@include: ./a.md-->` of VitePress, ```{include} a.md of MyST, `{* a.py *}` of FastAPI, and elements of MDX that stand for
 * an imported file. Each is alone on its line.
 */
export function findFileIncludes(text: string): FileInclude[] {
  if (!mayIncludeFiles(text)) return [];
  const imports = new Map(
    [...text.matchAll(moduleImport)].map(
      ([, name = '', , raw, target = '']) => [name, { raw, target }] as const,
    ),
  );
  const found: FileInclude[] = [];
  /** Whether the line is between two lines with only `--8<--`. */
  let isList = false;
  for (const lines = new LineScanner(text); lines.next();) {
    const { start, content, number: line, kind } = lines;
    const given = text.slice(content, Math.min(lines.end, content + maxLength)).trimEnd();
    if (given === '') continue;
    const add = (taken: Taken | undefined): void => {
      if (taken === undefined) return;
      const prefix = text.slice(start, content).replace(/[^>\s]/g, ' ');
      const isCode = lines.isFenced;
      found.push({ line, start: content, end: lines.end, prefix, isLoose: false, isCode, ...taken });
    };
    const isEdge = /^-+8<-+$/.test(given);
    if (isEdge || (isList && !given.startsWith(';'))) {
      add(isEdge ? constant('') : snippetAt(given));
      if (isEdge) isList = !isList;
      continue;
    }
    const quoted = /^-+8<-+[ \t]+(["'])(.+)\1$/.exec(given)?.[2];
    if (quoted !== undefined) add(snippetAt(quoted));
    else if (/^;-+8<-/.test(given)) add(constant(given.slice(1)));
    else if (/^[\\{]/.test(given)) add(mdBookAt(given) ?? (lines.isFenced ? undefined : fastApiAt(given)));
    else if (given.startsWith('<!--')) add(commentAt(given));
    else if (kind === 'fence' && given.includes('include}')) {
      const [, mark, target] = /^[`~]{3,}\{((?:literal)?include)\}[ \t]+(\S+)$/.exec(given) ?? [];
      if (target === undefined) continue;
      const options = new Map<string, string>();
      while (lines.next() && lines.kind === 'code') {
        const [, name, value = ''] =
          /^\s*:([\w-]+):[ \t]*(.*)/.exec(text.slice(lines.start, lines.end)) ?? [];
        if (name !== undefined) options.set(name, value.trim());
      }
      add({ ...directiveAt(target, options, mark === 'literalinclude'), isCode: mark === 'literalinclude' });
    } else if (kind === 'text' || kind === 'indented') {
      if (given.startsWith('<<<')) add(vitePressAt(given));
      else if (/^<[A-Z]/.test(given)) {
        element.lastIndex = content;
        const match = element.exec(text);
        const taken = match === null ? undefined : elementAt(match, imports);
        if (match === null || taken === undefined) continue;
        const end = content + match[0].length;
        while (lines.end < end && lines.next());
        add({ ...taken, end });
      }
    }
  }
  return found;
}

/** Removes the places where another tool inserts a file. The number of lines does not change. */
export function withoutFileIncludes(text: string, includes: readonly FileInclude[]): string {
  let [result, at] = ['', 0];
  for (const { start, end } of includes) {
    result += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, '');
    at = end;
  }
  return result + text.slice(at);
}

/** Finds files by the paths with which other tools include them. */
export class IncludedPaths {
  readonly #paths: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, readonly string[]>;

  /** `paths` are relative to the root of the documentation. */
  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
    this.#byName = groupBy(this.#paths, (path) => posix.basename(path));
  }

  /** As `find`; if there is no such file, returns the path relative to `from`, which may be that of a page. */
  resolve(include: Pick<FileInclude, 'target' | 'isLoose'>, from: string): string {
    return this.find(include, from) ?? posix.join(posix.dirname(from), include.target ?? '');
  }

  /**
   * Returns the path of the file that the file `from` includes. If no file has this path relative to `from`, the shortest path
   * that ends with it is returned.
   */
  find({ target = '', isLoose }: Pick<FileInclude, 'target' | 'isLoose'>, from: string): string | undefined {
    const isRooted = /^@?(?:site)?\//.test(target);
    const exact = posix.join(posix.dirname(from), target);
    if (!isRooted && this.#paths.has(exact)) return exact;
    if (!isRooted && !isLoose) return undefined;
    const below = posix.normalize(target.replace(/^@?(?:site)?\/+/, '')).replace(/^(?:\.\.\/)+/, '');
    return [...(this.#byName.get(posix.basename(below)) ?? [])]
      .filter((path) => path === below || path.endsWith(`/${below}`))
      .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))[0];
  }
}

function constant(text: string): Taken {
  return { target: undefined, take: () => text };
}

/** `{{#include a.rs:2:10}}`, `{{#rustdoc_include a.rs:name}}`, `{{#playground a.rs}}` and `{{#title Title}}`. */
function mdBookAt(line: string): Taken | undefined {
  const [, escape, kind = '', rest = ''] =
    /^(\\?)\{\{\s*#(include|rustdoc_include|playground|playpen|title)\s+([^\s{}][^{}]*)\}\}$/.exec(line) ??
    [];
  if (escape === undefined) return undefined;
  if (escape !== '') return constant(line.slice(1));
  if (kind === 'title') return constant('');
  const [given = ''] = rest.split(/\s+/);
  const isPlayground = kind.startsWith('play');
  const [, target = given, part = ''] = isPlayground ? [] : (/^([^:]+)(?::(.*))?$/.exec(given) ?? []);
  const take = (text: string) =>
    partOf(text, part, (name) => [`\\bANCHOR:\\s*${name}`, `\\bANCHOR_END:\\s*${name}`]);
  return isPlayground
    ? { target, take: (text) => fenced(text, 'rust'), isCode: true }
    : { target, part, take };
}

/** `--8<-- "a.md:2:10"` or `--8<-- "a.md:name"`. */
function snippetAt(given: string): Taken | undefined {
  const [, target = '', part = ''] = /^((?:https?:)?[^:]+)(?::(.*))?$/.exec(given) ?? [];
  const range = part.replace(/^\d+$/, '$&:');
  const take = (text: string) =>
    partOf(text, range, (name) => [
      `8<-+\\s*\\[\\s*start:\\s*${name}\\s*\\]`,
      `8<-+\\s*\\[\\s*end:\\s*${name}\\s*\\]`,
    ]);
  return target === '' ? undefined : { target, part, take, isLoose: true };
}

/** `<!--@include: ./a.md{2,10}-->` or `<!--@include: ./a.md#region-->`. */
function commentAt(line: string): Taken | undefined {
  const [, target, region, from = '', to = ''] =
    /^<!--\s*@include:\s*([^\s{}#]+)(?:#([\w-]+))?(?:\{(\d*),(\d*)\})?\s*-->$/.exec(line) ?? [];
  if (target === undefined) return undefined;
  return {
    target,
    part: region,
    isLoose: target.startsWith('@'),
    take: (text) => {
      const part = region === undefined ? text : regionOf(text, region);
      return part === undefined ? undefined : partOf(part, `${from}:${to}`);
    },
  };
}

/** `<<< @/a.js#region{2,4-6 ts} [Title]`. */
function vitePressAt(line: string): Taken | undefined {
  const [, target, region, options = '', title] =
    /^<<<[ \t]*([^\s{}#[\]]+)(?:#([\w-]+))?[ \t]*(?:\{([^{}]*)\}[ \t]*)?(?:\[(.+)\])?$/.exec(line) ?? [];
  if (target === undefined) return undefined;
  const language = options.replace(/^[\d,\s-]+(?=\s|$)/, '').trim() || languageOf(target);
  return {
    target,
    part: region,
    isCode: true,
    take: (text) => {
      const part = region === undefined ? text : regionOf(text, region);
      return part === undefined
        ? undefined
        : fenced(part, language + (title === undefined ? '' : ` [${title}]`));
    },
  };
}

/** `{* a.py ln[1:3,5:7] hl[2] *}`. */
function fastApiAt(line: string): Taken | undefined {
  const [, target, rest = ''] = /^\{\*\s+([^\s*]+)((?:\s.*)?)\*\}$/.exec(line) ?? [];
  if (target === undefined) return undefined;
  const [, ranges = ''] = /\bln\[([\d:,]*)\]/.exec(rest) ?? [];
  const take = (text: string) => fenced(partOf(text, ranges) ?? '', languageOf(target));
  return { target, take, isLoose: true, isCode: true };
}

/** The directives `include` and `literalinclude` of MyST, with some of their options. */
function directiveAt(target: string, options: ReadonlyMap<string, string>, isLiteral: boolean): Taken {
  const [after = '', before = ''] = ['start-after', 'end-before'].map((name) => options.get(name));
  return {
    target,
    part: [after, before].filter((text) => text !== '').join(' … '),
    take: (text) => {
      const from = text.indexOf(after);
      const to = before === '' ? text.length : text.indexOf(before, from + after.length);
      if (from === -1 || to === -1) return undefined;
      const ranges = (options.get('lines') ?? '').replaceAll('-', ':');
      const part = partOf(text.slice(from + after.length, to), ranges);
      return isLiteral && part !== undefined
        ? fenced(part, options.get('language') ?? languageOf(target))
        : part;
    },
  };
}

/** `<Part />` for an imported file, `<Snippet file="a.mdx" />`, or `<CodeBlock language="js">{source}</CodeBlock>`. */
function elementAt(
  [, name = '', attributes = '', child = '']: RegExpExecArray,
  imports: ReadonlyMap<string, { readonly raw: string | undefined; readonly target: string }>,
): Taken | undefined {
  const values = new Map(
    [...attributes.matchAll(/\b(\w+)=(?:"([^"]*)"|'([^']*)'|\{["']?([^{}"']*)["']?\})/g)].map(
      ([, key = '', ...given]) => [key, given.join('')] as const,
    ),
  );
  const { raw, target } = imports.get(child || name) ?? {};
  const file = name === 'Snippet' && target === undefined ? values.get('file') : target;
  if (file === undefined || (raw !== '' && raw !== undefined) !== (child !== '')) return undefined;
  if (child === '') {
    if (!/\.mdx?$/.test(file)) return undefined;
    const take = (text: string) => {
      let left = maxValues;
      return text.replace(/\{(?:props\.)?(\w+)\}/g, (whole, key: string) => {
        const value = values.get(key) ?? whole;
        left -= value.length;
        return left < 0 ? whole : value;
      });
    };
    return { target: file, take, isLoose: name === 'Snippet' };
  }
  const title = values.get('title');
  const language = values.get('language') ?? /language-(\w+)/.exec(attributes)?.[1] ?? languageOf(file);
  const info = language + (title === undefined ? '' : ` title="${title}"`);
  return { target: file, take: (text) => fenced(text, info), isCode: true };
}

/**
 * Returns a part of a text: all of it, the line `2`, the lines `2:10`, several such ranges, or the lines between those that match
 * the patterns of a name.
 */
function partOf(
  text: string,
  part: string,
  patternsOf?: (name: string) => readonly [start: string, end: string],
): string | undefined {
  const lines = text.split(/\r?\n/);
  if (patternsOf !== undefined && /^[\w-]+$/.test(part) && /[a-z_]/i.test(part)) {
    const [start, end] = patternsOf(part).map((pattern) => new RegExp(`${pattern}(?![\\w-])`));
    return between(lines, start, end);
  }
  if (!/^[\d:,]*$/.test(part)) return undefined;
  const chosen: string[] = [];
  for (const range of part.split(',')) {
    const [from = '', to = from] = range.split(':');
    const start = Math.max(Number(from) - 1, 0);
    // A page cannot repeat a file endlessly.
    const left = lines.length - chosen.length;
    for (const line of lines.slice(start, Math.min(Number(to) || Infinity, start + left))) chosen.push(line);
  }
  return chosen.filter((line) => !marker.test(line)).join('\n');
}

/** Returns the lines of a region, such as `// #region name` in code. */
function regionOf(text: string, name: string): string | undefined {
  return between(
    text.split(/\r?\n/),
    new RegExp(`#?region\\b\\W*${name}(?![\\w-])`),
    new RegExp(`#?end ?region\\b(?!\\W+(?!${name})\\w)`, 'i'),
  );
}

/** Returns the lines between two lines, without their common indentation and marks of other parts. */
function between(
  lines: readonly string[],
  start: RegExp | undefined,
  end: RegExp | undefined,
): string | undefined {
  const from = lines.findIndex((line) => start?.test(line));
  if (from === -1) return undefined;
  const to = lines.findIndex((line, at) => at > from && end?.test(line));
  const part = lines.slice(from + 1, to === -1 ? undefined : to).filter((line) => !marker.test(line));
  const indents = part.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const common = indents.reduce((min, each) => Math.min(min, each), Infinity);
  return part.map((line) => line.slice(common === Infinity ? 0 : common)).join('\n');
}

/** Returns code between fences that are longer than all backticks in it. */
function fenced(code: string, info: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((max, { length }) => Math.max(max, length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info.replace(/[`\n]/g, '')}\n${code.trimEnd()}\n${fence}`;
}

function languageOf(path: string): string {
  return posix.extname(path).slice(1);
}

/** Returns the text to insert from a file: the chosen part, without front matter. */
export function takeIncluded({ take, isCode }: FileInclude, text: string): string | undefined {
  const part = take(isCode ? text : text.slice(endOfFrontMatter(text)));
  return part?.slice(part.lastIndexOf('\n', part.search(/\S/)) + 1).trimEnd();
}
