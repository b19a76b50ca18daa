import { posix } from 'node:path';
import { yieldToEvents } from '../contract/event-loop.ts';
import { RecentMap } from '../core/recent-map.ts';
import {
  findFileIncludes,
  IncludedPaths,
  maxIncludeDepth,
  mayIncludeFiles,
  takeIncluded,
  type FileInclude,
} from '../richtext/file-includes.ts';
import { LineScanner } from '../richtext/line-scanner.ts';
import { rebaseLinks } from '../richtext/rebase-links.ts';
import { readBlob } from './blobs.ts';
import { readSpaceVariables } from './folder-text.ts';
import { decideBlocks, evaluateMarkdown } from './evaluate-page.ts';
import { expressionSource, hasExpressions, hideUndecided, mayBeConditional } from './hide-undecided.ts';
import { readEntry } from './trie.ts';
import type { Variables } from '../richtext/page-settings.ts';
import type { Expressions } from './expressions.ts';
import { ReferenceResolver, reusableElsewhere, type ReusableElsewhere } from './links/reference-resolver.ts';
import { settingsOf } from './page-settings.ts';
import { readContent, readPage, readPages, readRevision } from './revisions.ts';
import type { PageEntry, TextEntry } from './rows.ts';
import { revisionOf, type ContentSource } from './content-source.ts';

/** What to insert into the text of a page. */
export interface Evaluation {
  /**
   * `reusable-contents`: insert the text of reusable content that pages include. `true`: also insert the titles of targets into
   * mentions.
   */
  readonly dereferenced?: 'true' | 'reusable-contents' | undefined;
  /** Insert the values of expressions. `deterministic-only`: not of those that depend on the visitor. */
  readonly evaluated?: 'true' | 'deterministic-only' | undefined;
}

const includePattern = /^([ \t]*)\{% *include +"([^"\n]{1,1024})" *%\}[ \t]*$/gm;
/** Maximum length of a text with its includes, in characters, and maximum number of includes. */
const maxLength = 4_000_000;
const maxIncludes = 1000;
/** Maximum length of all texts that are read for the includes of one text, in characters. A text counts each time. */
const maxReadLength = 5_000_000;

interface IncludeOptions {
  /** The page of the text. */
  readonly page?: PageEntry;
  /** Called if the text includes a page, or a file that does not exist. */
  readonly onPage?: (() => void) | undefined;
  /** Called for each included text with its length in characters. */
  readonly onRead?: ((length: number) => void) | undefined;
}

/**
 * Inserts reusable content and files into a text that includes them. `file` is its path in the folder, '' if it has none. A
 * visitor of a site does not see parts of included texts whose conditions are false.
 */
export async function expandIncludes(
  content: ContentSource,
  file: string,
  text: string,
  references: ReferenceResolver,
  options: IncludeOptions = {},
): Promise<string> {
  if (!includesTexts(text)) return text;
  return new Includes(content, references, file, options).into(file, text, 0);
}

/**
 * Returns the expressions of a text with the variables of its space and of its page; undefined if it has none. Reusable content
 * alone is not on a page.
 */
export async function openExpressions(
  content: ContentSource,
  page: PageEntry | undefined,
  text: string,
  evaluated: Evaluation['evaluated'],
): Promise<Expressions | undefined> {
  if (evaluated === undefined || !(hasExpressions(text) || /\{%-?\s*if\s/.test(text))) return undefined;
  const { Expressions } = await import('./expressions.ts');
  return new Expressions({
    space: await readVariablesOf(content),
    page: page === undefined ? {} : ((await settingsOf(page)).variables ?? {}),
    isDeterministic: evaluated === 'deterministic-only',
    ...(content.visitor === undefined ? {} : { claims: content.visitor.claims }),
  });
}

/** Whether a text may include others. */
export function includesTexts(text: string): boolean {
  return /\{% *include /.test(text) || mayIncludeFiles(text);
}

/** Whether a text depends on other texts: it includes some, or has expressions or conditions. */
export function dependsOnTexts(text: string): boolean {
  return includesTexts(text) || hasExpressions(text) || /\{%-?\s*if\s/.test(text);
}

/**
 * Inserts included content and the values of expressions into the text of a page. Expressions that depend on the visitor are not
 * replaced.
 */
export async function evaluateText(
  content: ContentSource,
  page: PageEntry,
  stored: string,
  onPage?: () => void,
): Promise<string> {
  const references = new ReferenceResolver(content);
  const text = await expandIncludes(content, page.git?.path ?? '', stored, references, { page, onPage });
  const expressions = await openExpressions(content, page, text, 'deterministic-only');
  return expressions === undefined ? text : evaluateMarkdown(text, expressions);
}

/** Cached text entries of contents, by the hash of the content. */
const textsOf = new RecentMap<ReadonlyMap<string, TextEntry>>(10_000, ({ size }) => size + 1);
/** Cached maps from file paths to page IDs, by the same key. */
const pagesOf = new RecentMap<ReadonlyMap<string, string>>(50_000, ({ size }) => size + 1);
/** Cached variables, by the same key. */
const variablesOf = new RecentMap<Variables>(64);

/** Returns the text entries of a space by path, from the revision that the source reads. */
export async function readTextEntries(content: ContentSource): Promise<ReadonlyMap<string, TextEntry>> {
  const { id, root } = await readRevision(content.tx, revisionOf(content));
  const known = textsOf.get(root);
  if (known !== undefined) return known;
  const entries = await readContent(content.tx, id);
  const texts = new Map(
    entries.flatMap((entry) => (entry.kind === 'text' ? [[entry.git.path, entry] as const] : [])),
  );
  textsOf.set(root, texts);
  return texts;
}

/** Returns the variables of a space, from the revision that the source reads. */
export async function readVariablesOf(content: ContentSource): Promise<Variables> {
  const { root } = await readRevision(content.tx, revisionOf(content));
  const known = variablesOf.get(root);
  if (known !== undefined) return known;
  const variables = await readSpaceVariables(content.tx, (await readTextEntries(content)).values());
  variablesOf.set(root, variables);
  return variables;
}

/** Replaces the includes of one text. Each included text is read once. */
class Includes {
  readonly #content: ContentSource;
  readonly #references: ReferenceResolver;
  /** The file whose text includes all others; '' if it has none. */
  readonly #file: string;
  readonly #options: IncludeOptions;
  readonly #texts = new Map<string, string>();
  #expressions: Expressions | undefined;
  #paths: IncludedPaths | undefined;
  #left = maxIncludes;
  #unread = maxReadLength;

  constructor(content: ContentSource, references: ReferenceResolver, file: string, options: IncludeOptions) {
    this.#content = content;
    this.#references = references;
    this.#file = file;
    this.#options = options;
  }

  /** Replaces the includes of a text. `isCode`: whether the text becomes code. */
  async into(from: string, text: string, depth: number, isCode = false): Promise<string> {
    if (depth >= maxIncludeDepth) return text;
    let result = '';
    let end = 0;
    for (const { start, end: next, prefix, take } of this.#findAll(from, text, depth, isCode)) {
      await yieldToEvents();
      const inner = this.#left-- > 0 ? await take() : undefined;
      if (inner === undefined) continue;
      result += text.slice(end, start);
      end = next;
      const lines = inner.split('\n');
      const length = inner.length + (lines.length - 1) * prefix.length;
      if (result.length + length > maxLength) return result + text.slice(start);
      result += lines.join(`\n${prefix}`);
    }
    return result + text.slice(end);
  }

  /** Returns the places where a text includes others, in order. */
  #findAll(from: string, text: string, depth: number, isCode: boolean) {
    const places = findFileIncludes(text).map((include) => {
      const { start, end, prefix } = include;
      return { start, end, prefix, take: () => this.#includeFile(from, include, depth, isCode) };
    });
    const found = [...text.matchAll(includePattern)];
    // It makes a difference only for visitors.
    const isAlike = found.length === 0 || isCode || this.#content.visitor === undefined;
    const fenced = isAlike ? new Set<number>() : fencedLines(text);
    for (const { 0: whole, 1: prefix = '', 2: target = '', index } of found)
      places.push({
        start: index + prefix.length,
        end: index + whole.length,
        prefix,
        take: async () => (await this.#include(from, target, depth, isCode || fenced.has(index)))?.trim(),
      });
    return places.sort((one, other) => one.start - other.start);
  }

  async #includeFile(
    from: string,
    include: FileInclude,
    depth: number,
    isCode: boolean,
  ): Promise<string | undefined> {
    if (include.target === undefined) return takeIncluded(include, '');
    this.#paths ??= new IncludedPaths((await readTextEntries(this.#content)).keys());
    const path = this.#paths.resolve(include, from);
    const text = await this.#readWhole(path);
    if (text === undefined) this.#options.onPage?.();
    const page = text === undefined ? await this.#pageAt(path) : undefined;
    const found = this.#spend(text ?? (await this.#textOf(page)));
    if (found === undefined) return undefined;
    if (page !== undefined && !(await this.#isShown(page))) return '';
    const shown = takeIncluded(include, await this.#hideParts(found, isCode || include.isCode));
    // The whole part may be hidden.
    const part = shown ?? (takeIncluded(include, found) === undefined ? undefined : '');
    if (part === undefined) return undefined;
    return include.isCode ? withoutHidden(part) : this.#intoPart(path, withoutHidden(part), depth, isCode);
  }

  async #include(from: string, target: string, depth: number, isCode: boolean): Promise<string | undefined> {
    const elsewhere = reusableElsewhere(target);
    const own = elsewhere?.space === this.#references.spaceId ? await this.#pathOf(elsewhere) : undefined;
    if (elsewhere !== undefined && own === undefined)
      return this.#readElsewhere(elsewhere.space, elsewhere.reusableContent, isCode);
    const path = own ?? posix.normalize(posix.join(posix.dirname(from), target));
    const found = this.#spend(await this.#readWhole(path));
    if (found === undefined) return undefined;
    const shown = withoutHidden(await this.#hideParts(found, isCode));
    return this.#intoPart(path, withoutFrontMatter(shown), depth, isCode);
  }

  /** Whether a page is shown to the reader: the conditions of the page and of the pages above it are true for the visitor. */
  async #isShown(page: PageEntry): Promise<boolean> {
    const { visitor, tx } = this.#content;
    if (visitor === undefined) return true;
    const space = { vars: await readVariablesOf(this.#content) };
    for (let at: PageEntry | undefined = page; at !== undefined;) {
      const { condition, parent }: PageEntry = at;
      const vars = condition === undefined ? {} : ((await settingsOf(at)).variables ?? {});
      if (!visitor.isShown(condition, { visitor, space, page: { vars } })) return false;
      at = parent === null ? undefined : await readPage(tx, revisionOf(this.#content), parent);
    }
    return true;
  }

  /**
   * Replaces the lines of a text that a visitor must not see by `hiddenLine`. This is done before a part of the text is taken or
   * becomes code, because its conditions have no effect after that.
   */
  async #hideParts(text: string, isCode: boolean): Promise<string> {
    if (this.#content.visitor === undefined || !mayBeConditional(text)) return text;
    // Code may contain such tags of other tools.
    if (isCode && !/\bvisitor\W+claims\b/.test(text)) return text;
    this.#expressions ??= await openExpressions(this.#content, this.#options.page, text, 'true');
    const decided =
      this.#expressions === undefined ? text : decideBlocks(text, this.#expressions, hiddenLine);
    const shown = hideUndecided(decided, hiddenLine);
    return isCode ? withoutVisitorExpressions(shown) : shown;
  }

  /** Returns a text if the texts so far are not too long. */
  #spend(text: string | undefined): string | undefined {
    const length = text?.length ?? 0;
    this.#options.onRead?.(length);
    this.#unread -= length;
    return this.#unread < 0 ? undefined : text;
  }

  /** Replaces the includes of an included text, whose links must work in the file that includes it. */
  async #intoPart(path: string, part: string, depth: number, isCode: boolean): Promise<string> {
    const to = this.#file === '' ? undefined : this.#file;
    return this.into(path, rebaseLinks(part, path, to), depth + 1, isCode);
  }

  /** Reads reusable content of another space, if the caller may read it. Its links become absolute addresses. */
  async #readElsewhere(space: string, id: string, isCode: boolean): Promise<string | undefined> {
    const row = await this.#references.space(space);
    if (row === undefined) return undefined;
    const { tx } = this.#content;
    const entry = await readEntry(tx, (await readRevision(tx, row.revision)).root, id);
    if (entry?.kind !== 'text' || entry.role !== 'include') return undefined;
    const { revision: _revision, changeRequest: _changeRequest, ...own } = this.#content;
    const references = new ReferenceResolver({ ...own, space: row });
    const found = this.#spend(withoutFrontMatter(await readBlob(tx, entry.blob)));
    if (found === undefined) return undefined;
    const text = withoutHidden(await this.#hideParts(found, isCode));
    const { rewriteReferences } = await import('./rewrite-references.ts');
    const source = { target: `reusable:${id}`, git: entry.git.path };
    return rewriteReferences(text, references, source, 'elsewhere');
  }

  /** Returns the path of reusable content for an address in the same space. */
  async #pathOf({ reusableContent }: ReusableElsewhere): Promise<string | undefined> {
    const { tx } = this.#content;
    const entry = await readEntry(
      tx,
      (await readRevision(tx, revisionOf(this.#content))).root,
      reusableContent,
    );
    return entry?.kind === 'text' && entry.role === 'include' ? entry.git.path : undefined;
  }

  async #readWhole(path: string): Promise<string | undefined> {
    const entry = (await readTextEntries(this.#content)).get(path);
    if (entry === undefined) return undefined;
    const known = this.#texts.get(path) ?? (await readBlob(this.#content.tx, entry.blob));
    this.#texts.set(path, known);
    return known;
  }

  /** Returns the page that was imported from a file. */
  async #pageAt(path: string): Promise<PageEntry | undefined> {
    const { tx } = this.#content;
    const { id, root } = await readRevision(tx, revisionOf(this.#content));
    let pages = pagesOf.get(root);
    if (pages === undefined) {
      pages = new Map(
        (await readPages(tx, id)).flatMap((page) =>
          page.git === undefined ? [] : [[page.git.path, page.id]],
        ),
      );
      pagesOf.set(root, pages);
    }
    return readPage(tx, id, pages.get(path) ?? '');
  }

  async #textOf(page: PageEntry | undefined): Promise<string | undefined> {
    return page?.blob === undefined ? undefined : readBlob(this.#content.tx, page.blob);
  }
}

/** A line that stands for one that the visitor must not see, so that the numbers of other lines do not change. It is blank. */
const hiddenLine = '\u205f'.repeat(40);

const expressionPattern = new RegExp(expressionSource, 'g');

/** Removes expressions that depend on the visitor from code, which would show their texts for other visitors. */
function withoutVisitorExpressions(text: string): string {
  return text.replace(expressionPattern, (written) => (/\bvisitor\b/.test(written) ? '' : written));
}

/** Returns the positions of the lines of a text that are in fences. */
function fencedLines(text: string): ReadonlySet<number> {
  const starts = new Set<number>();
  for (const lines = new LineScanner(text); lines.next();) if (lines.isFenced) starts.add(lines.start);
  return starts;
}

function withoutHidden(text: string): string {
  return text.replace(/^\u205f+(?:\r?\n|$)/gm, '');
}

/** Returns the text of reusable content without its front matter. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?(---|\+\+\+)[ \t]*\r?\n(?:[^\n]*\n){0,200}?\1[ \t]*(?:\r?\n|$)/, '');
}
