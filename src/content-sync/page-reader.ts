import { posix } from 'node:path';
import { yieldToEvents } from '../contract/event-loop.ts';
import { capitalize, defined, groupBy, truncate } from '../contract/values.ts';
import type { PageSource } from '../content/computed-source.ts';
import { gitOid } from '../content/hashing.ts';
import { noteName } from '../content/links/link-targets.ts';
import { firstHeading } from '../content/page-text.ts';
import { maxSlugLength, toSlug } from '../content/slugs.ts';
import { readPageText, type PageMetadata } from '../richtext/front-matter.ts';
import { convertTemplates } from '../richtext/templates.ts';
import { findComplexity } from './find-complexity.ts';
import { findFileIncludes, withoutFileIncludes } from '../richtext/file-includes.ts';
import { findMissingIncludes } from './find-missing-includes.ts';
import { findStrayTags } from './find-stray-tags.ts';
import { isIndexFile, type ContentsNode } from './contents.ts';
import type { Folder, Warning } from './folder.ts';
import { IncludedFiles } from './included-files.ts';
import { warnOfPointer } from './lfs-pointer.ts';
import { readAliases, readPlacement } from './page-placement.ts';
import { OtherSyntax } from './other-syntax.ts';
import { UnusedAliases } from './unused-aliases.ts';
import { findLinks, linkTargets, resolveLink } from './resolve-link.ts';
import { belowRoot, type FolderSettings } from './settings.ts';

export const maxPageBytes = 1_000_000;

/** Reads the pages of a table of contents. A page that cannot be read is left out with a warning. */
export class PageReader {
  readonly warnings: Warning[] = [];
  /** Files of the folder that are pages, including those that could not be read. */
  readonly listed = new Set<string>();
  /** Paths inside the folder that pages link to. */
  readonly links = new Set<string>();
  readonly otherSyntax = new OtherSyntax();
  readonly aliases: UnusedAliases;
  readonly included: IncludedFiles;
  readonly #folder: Folder;
  /** The files of the folder by the names that links of Obsidian use. */
  #byName: ReadonlyMap<string, readonly string[]> | undefined;
  readonly #settings: FolderSettings;
  readonly #onPage: (done: number) => void;
  readonly #signal: AbortSignal | undefined;

  /** `onPage` is called with the number of files that have been read. */
  constructor(
    folder: Folder,
    settings: FolderSettings,
    onPage: (done: number) => void,
    signal: AbortSignal | undefined,
  ) {
    this.#folder = folder;
    this.#settings = settings;
    this.aliases = new UnusedAliases(settings);
    this.included = new IncludedFiles(folder, settings);
    this.#onPage = onPage;
    this.#signal = signal;
  }

  /** Reads pages and their descendants. `parent` is the path of slugs above them; it ends in "/" unless it is empty. */
  async readPages(nodes: readonly ContentsNode[], parent = ''): Promise<FolderPage[]> {
    const pages: FolderPage[] = [];
    for (const node of nodes) pages.push(...(await this.#readNode(node, parent)));
    return pages;
  }

  async #readNode(node: ContentsNode, parent: string): Promise<FolderPage[]> {
    if (node.path !== '') return this.#readDocument(node, parent);
    const { type, title, linkTitle, computed, href, line, slug = '' } = node;
    const target = type === 'link' ? resolveLink(posix.join(this.#settings.root, '-'), href) : undefined;
    if (target !== undefined) this.links.add(target);
    const path = `${truncate(parent + (slug || toSlug(title)), 1000)}/`;
    const children = await this.readPages(node.children, path);
    return [
      {
        type,
        title,
        slug,
        path: type === 'document' ? path : this.#below(this.#settings.summary),
        markdown: '',
        oid: type === 'document' ? gitOid('') : '',
        metadata: {},
        children,
        ...(type === 'link' ? { href, line } : {}),
        ...defined({ linkTitle, computed }),
      },
    ];
  }

  /** Reads pages that are not in the table of contents as hidden pages. */
  async readHiddenPages(paths: readonly string[]): Promise<FolderPage[]> {
    const pages = await this.readPages(
      paths.map((path) => ({ type: 'document', title: '', path, href: '', line: 0, children: [] })),
    );
    return pages.map((page) => ({
      ...page,
      metadata: { ...page.metadata, hidden: true },
    }));
  }

  /** Reads one page; only its children if its file cannot be read. */
  async #readDocument(
    { path, title, linkTitle, slug: given, line, children }: ContentsNode,
    parent: string,
  ): Promise<FolderPage[]> {
    await yieldToEvents(this.#signal);
    this.listed.add(path);
    this.#onPage(this.listed.size);
    const bytes = this.#read(path, line);
    if (bytes === undefined) return this.readPages(children, parent);
    const markdown = bytes.toString('utf8');
    const isWhole = !markdown.includes('\uFFFD') || bytes.equals(Buffer.from(markdown));
    if (!isWhole)
      this.warnings.push({
        file: path,
        line: countLines(markdown.slice(0, markdown.indexOf('\uFFFD'))) + 1,
        rule: 'encoding',
        message: 'is not UTF-8; unreadable characters are replaced',
      });
    const { frontMatter, body, metadata, problem, noEmoji } = readPageText(markdown);
    if (problem !== undefined)
      this.warnings.push({ file: path, rule: 'front-matter', ...frontMatterProblem(problem) });
    else if (body === markdown && /^\uFEFF?(?:---[ \t]*\r?\n[^\n]*:|\+\+\+[ \t]*\r?\n)/.test(body))
      this.warnings.push({
        file: path,
        line: 1,
        rule: 'front-matter',
        message: 'has front matter that is shown as text, because it has no end or is too long',
      });
    if (noEmoji !== undefined)
      this.warnings.push({
        file: path,
        line: frontMatter.split('\n').findIndex((text) => /^["']?emoji["']?\s*:/.test(text)) + 1,
        rule: 'front-matter',
        message: `has "${noEmoji}" as its emoji, which is not an emoji; the page has none`,
      });
    this.aliases.add(path, readAliases(this.#below(path), frontMatter));
    const above = countLines(frontMatter);
    for (const { line: at, message } of findStrayTags(body))
      this.warnings.push({ file: path, line: above + at, rule: 'stray-tag', message });
    const includes = findFileIncludes(body);
    this.included.add(path, includes, above);
    this.otherSyntax.search(path, withoutFileIncludes(body, includes), above);
    const complexity = findComplexity(body);
    if (complexity !== undefined)
      this.warnings.push({ file: path, line: 0, rule: 'too-complex', message: complexity });
    const { root } = this.#settings;
    for (const { line: at, message } of findMissingIncludes(body, {
      file: path,
      root,
      paths: this.#folder.paths,
    }))
      this.warnings.push({ file: path, line: above + at, rule: 'missing-include', message });
    this.warnings.push(...warnOfPointer(path, bytes));
    if (body.includes('[['))
      for (const [, note = ''] of body.matchAll(/\[\[([^[\]|#\n]{1,512}\.\w{1,8})(?=[\]|#\\])/g))
        for (const named of this.#filesNamed(note)) this.links.add(named);
    for (const link of findLinks(convertTemplates(body), frontMatter)) {
      // Only files are collected; most links lead to pages.
      if (/\.mdx?(?:[?#]|$)/i.test(link)) continue;
      for (const target of linkTargets(path, link, root)) this.links.add(target);
    }
    const slug = readPlacement(frontMatter).slug ?? given ?? this.#slugOf(path, children.length > 0);
    return [
      {
        type: 'document',
        title: title || pageTitle(path, metadata, body),
        slug,
        path: this.#below(path),
        markdown,
        oid: gitOid(isWhole ? bytes : markdown),
        metadata,
        ...defined({ linkTitle }),
        children: await this.readPages(children, `${parent}${slug}/`),
      },
    ];
  }

  #read(path: string, line: number): Buffer | undefined {
    try {
      return this.#folder.read(path, maxPageBytes);
    } catch (error) {
      const place = line === 0 ? { file: path, line } : { file: this.#settings.summary, line };
      this.warnings.push({
        ...place,
        rule: 'skipped-file',
        message: `is skipped: ${(error as Error).message}`,
      });
      return undefined;
    }
  }

  /** Returns the files that a link of Obsidian may mean. */
  #filesNamed(note: string): readonly string[] {
    this.#byName ??= groupBy(this.#folder.paths, noteName);
    return this.#byName.get(noteName(note)) ?? [];
  }

  /** Returns the slug of a file: its name, or the name of its folder for a README, and for an index file with child pages. */
  #slugOf(path: string, hasChildren: boolean): string {
    const isReadme =
      path === this.#settings.readme || /^readme\.(mdx?|markdown)$/i.test(posix.basename(path));
    const folder = posix.basename(posix.dirname(this.#below(path)));
    const isIndex = hasChildren && folder !== '.' && folder !== '' && isIndexFile(path);
    const name =
      !isReadme && !isIndex
        ? posix.basename(path).replace(/\.\w+$/, '')
        : folder === '.' || folder === ''
          ? 'readme'
          : folder;
    return slugFromName(name);
  }

  #below(path: string): string {
    return belowRoot(this.#settings, path);
  }
}

/** Returns the title of a page; `label` is the title of a page that contains none. */
export function pageTitle(path: string, metadata: PageMetadata, body: string, label = ''): string {
  const name = posix.basename(path).replace(/\.\w+$/, '');
  const folder = posix.basename(posix.dirname(path));
  const isOfFolder = /^(?:readme|_?index)$/i.test(name) && folder !== '.' && folder !== '';
  return metadata.title || firstHeading(body) || label || titleFromName(isOfFolder ? folder : name);
}

/** Returns the title for the name of a file or folder: "Getting started" for getting-started. */
export function titleFromName(name: string): string {
  const words = withoutId(name).replace(/[-_]+/g, ' ').trim() || name;
  return truncate(words === words.toLowerCase() ? capitalize(words) : words, 255);
}

/** Returns the slug for the name of a file or folder. */
export function slugFromName(name: string): string {
  return truncate(withoutId(name).replace(/[\s/?#%\\]+/g, '-'), maxSlugLength) || 'page';
}

/** Removes the ID that Notion adds to the names of exported files. */
function withoutId(name: string): string {
  return name.replace(/ [\da-f]{32}$/, '');
}

/** Returns the warning for invalid front matter and its line. */
function frontMatterProblem(problem: string): Pick<Warning, 'line' | 'message'> {
  const place = /^The front matter, line (\d+), column \d+: /.exec(problem);
  return {
    line: Number(place?.[1] ?? 1),
    message: `has front matter that is shown as text: ${problem.slice(place?.[0].length ?? 0)}`,
  };
}

/** Returns the number of line breaks in a text. */
export function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** A page of a folder: a document with its original text, a group of pages, or a link. */
export interface FolderPage {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  /** The title in the table of contents, if it is different. */
  readonly linkTitle?: string;
  /** The preferred slug, if it is free. */
  readonly slug: string;
  /**
   * The file, relative to the root of the documentation; the table of contents for groups and links. The path of a document
   * without a file, which only groups others, ends in "/".
   */
  readonly path: string;
  readonly href?: string;
  /** The line of a link in the table of contents. */
  readonly line?: number;
  /** The source of generated pages. Such a page is a link. */
  readonly computed?: PageSource;
  /** The exact text including front matter. */
  readonly markdown: string;
  readonly oid: string;
  readonly metadata: PageMetadata;
  readonly children: readonly FolderPage[];
}
