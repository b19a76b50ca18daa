import { posix } from 'node:path';
import { gitOid } from '../content/hashing.ts';
import { firstHeading } from '../content/page-text.ts';
import { readPageText, type PageMetadata } from '../richtext/front-matter.ts';
import { strayTags } from './check-tags.ts';
import type { ContentsNode } from './contents.ts';
import type { Folder, Warning } from './folder.ts';
import { linksOf, placesOf, resolveLink } from './resolve-link.ts';
import type { FolderSettings } from './settings.ts';

/** The most bytes of a page. */
const maxPageSize = 1_000_000;

/** Reads the pages that a table of contents names. One that cannot be read is left out with a warning. */
export class PageReader {
  readonly warnings: Warning[] = [];
  /** Files of the folder that are pages, those that could not be read among them. */
  readonly listed = new Set<string>();
  /** Paths that pages link to, as far as they are inside the folder. */
  readonly links = new Set<string>();
  readonly #folder: Folder;
  readonly #settings: FolderSettings;

  constructor(folder: Folder, settings: FolderSettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  pagesOf(nodes: readonly ContentsNode[]): FolderPage[] {
    return nodes.flatMap((node) => {
      if (node.type === 'document') return this.#document(node);
      const { type, title, href, slug = '' } = node;
      const target = type === 'link' ? resolveLink(this.#settings.summary, href) : undefined;
      if (target !== undefined) this.links.add(target);
      const children = this.pagesOf(node.children);
      return [
        {
          type,
          title,
          slug,
          path: this.#below(this.#settings.summary),
          markdown: '',
          oid: '',
          metadata: {},
          children,
          ...(type === 'link' ? { href } : {}),
        },
      ];
    });
  }

  /** Pages that no table of contents names, as hidden ones. */
  hiddenPages(paths: readonly string[]): FolderPage[] {
    return this.pagesOf(
      paths.map((path) => ({ type: 'document', title: '', path, href: '', line: 0, children: [] })),
    ).map((page) => ({
      ...page,
      metadata: { ...page.metadata, hidden: true },
    }));
  }

  /** One page, or those under it where its file cannot be taken. */
  #document({ path, title, slug, line, children }: ContentsNode): FolderPage[] {
    this.listed.add(path);
    const bytes = this.#read(path, line);
    if (bytes === undefined) return this.pagesOf(children);
    const markdown = bytes.toString('utf8');
    const isWhole = !markdown.includes('\uFFFD') || bytes.equals(Buffer.from(markdown));
    if (!isWhole)
      this.warnings.push({
        file: path,
        line: lineOf(markdown, '\uFFFD'),
        message: 'is not UTF-8; what could not be read is replaced',
      });
    const { body, metadata, problem } = readPageText(markdown);
    if (problem !== undefined) this.warnings.push({ file: path, ...frontMatterProblem(problem) });
    else if (body === markdown && /^\uFEFF?---[ \t]*\r?\n[^\n]*:/.test(body))
      this.warnings.push({
        file: path,
        line: 1,
        message: 'has front matter that is not read: it has no end, or is too long',
      });
    const above = countLines(markdown.slice(0, markdown.length - body.length));
    for (const { line: at, message } of strayTags(body))
      this.warnings.push({ file: path, line: above + at, message });
    for (const link of linksOf(body, markdown.slice(0, markdown.length - body.length))) {
      // Only files are looked for, and most links are to pages.
      if (/\.md(?:[?#]|$)/i.test(link)) continue;
      for (const target of placesOf(path, link, this.#settings.root)) this.links.add(target);
    }
    return [
      {
        type: 'document',
        title: title || titleOf(path, metadata, body),
        slug: slug ?? this.#slugOf(path, children.length > 0),
        path: this.#below(path),
        markdown,
        oid: gitOid(isWhole ? bytes : markdown),
        metadata,
        children: this.pagesOf(children),
      },
    ];
  }

  #read(path: string, line: number): Buffer | undefined {
    try {
      return this.#folder.read(path, maxPageSize);
    } catch (error) {
      const place = line === 0 ? { file: path, line } : { file: this.#settings.summary, line };
      this.warnings.push({ ...place, message: `is left out: ${(error as Error).message}` });
      return undefined;
    }
  }

  /** A page is called as its file, a README as its folder, and so is an index that has pages under it. */
  #slugOf(path: string, hasChildren: boolean): string {
    const isReadme = path === this.#settings.readme || /^readme\.(md|markdown)$/i.test(posix.basename(path));
    const folder = posix.basename(posix.dirname(this.#below(path)));
    const isIndex =
      hasChildren && folder !== '.' && folder !== '' && /^index\.md$/i.test(posix.basename(path));
    const name =
      !isReadme && !isIndex
        ? posix.basename(path).replace(/\.\w+$/, '')
        : folder === '.' || folder === ''
          ? 'readme'
          : folder;
    return slugOfName(name);
  }

  #below(path: string): string {
    return belowRoot(this.#settings, path);
  }
}

/** The title of a page that no table of contents gives one. */
export function titleOf(path: string, metadata: PageMetadata, body: string): string {
  return metadata.title || firstHeading(body) || posix.basename(path).slice(0, 255);
}

/** A path of the folder as the space keeps it: below the root of the documentation. */
export function belowRoot({ root }: FolderSettings, path: string): string {
  return root === '' ? path : posix.relative(root, path);
}

/** A slug that is called as a file or folder. */
export function slugOfName(name: string): string {
  return cutTo100(name.replace(/[\s/?#%\\]+/g, '-')) || 'page';
}

/** What is said of front matter, at the line where it is wrong. */
function frontMatterProblem(problem: string): Pick<Warning, 'line' | 'message'> {
  const place = /^The front matter, line (\d+), column \d+: /.exec(problem);
  return {
    line: Number(place?.[1] ?? 1),
    message: `has front matter that is not read: ${problem.slice(place?.[0].length ?? 0)}`,
  };
}

/** The first 100 units, without half of a character at the end. */
function cutTo100(text: string): string {
  return text.slice(0, 100).replace(/[\uD800-\uDBFF]$/, '');
}

function lineOf(text: string, part: string): number {
  return countLines(text.slice(0, text.indexOf(part))) + 1;
}

/** How many lines end in a text. */
export function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** A page of a folder: a document with its text as it was read, a group of pages, or a link. */
export interface FolderPage {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  /** Wanted last part of its path. */
  readonly slug: string;
  /** File below the root of the documentation; the table of contents for groups and links. */
  readonly path: string;
  readonly href?: string;
  /** The text with its front matter, byte for byte. */
  readonly markdown: string;
  readonly oid: string;
  readonly metadata: PageMetadata;
  readonly children: readonly FolderPage[];
}
