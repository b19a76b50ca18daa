import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { maxFileSize } from '../resources/content/limits.ts';
import { firstHeading } from '../resources/content/page-text.ts';
import { gitOid } from '../resources/content/hashing.ts';
import { readPageText, type PageMetadata } from '../richtext/front-matter.ts';
import { contentTypeOf } from './content-types.ts';
import { openFolder, resolveLink, type Folder, type Warning } from './folder.ts';
import { inferSummary } from './infer-summary.ts';
import { readSettings, type FolderSettings } from './settings.ts';
import { readSummary, unescapeMarkdown, type SummaryEntry } from './summary.ts';

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

/** A file of a folder that is no page; its bytes are read when they are sent. */
export interface FolderFile {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly oid: string;
  readonly read: () => Promise<Uint8Array>;
}

export interface MarkdownFolder {
  readonly pages: readonly FolderPage[];
  readonly files: readonly FolderFile[];
  readonly warnings: readonly Warning[];
}

/** The most bytes of a page. */
const maxPageSize = 1_000_000;

/** Reads a GitBook-style folder: its settings, table of contents, pages and the files they use. Follows no symbolic link. */
export async function readFolder(dir: string): Promise<MarkdownFolder> {
  const folder = await openFolder(dir);
  const settings = await readSettings(folder);
  const { root, readme, summary } = settings;
  const listed = folder.paths.has(summary)
    ? readSummary(textOf(await folder.read(summary, 4_000_000)), summary)
    : { entries: inferSummary(folder.paths, root, readme), warnings: [] };
  const reader = new PageReader(folder, settings);
  reader.warnings.push(...folder.warnings, ...listed.warnings);
  const pages = await reader.pagesOf(listed.entries);
  // An empty folder would delete all that an import brought before.
  if (pages.length === 0)
    throw new Problem('invalid-input', 'The folder has no pages.', { hint: 'Give the folder that holds SUMMARY.md or .gitbook.yaml, or one with Markdown files.' });
  reader.warnOfOrphans();
  return { pages, files: await reader.filesUsed(), warnings: reader.warnings };
}

class PageReader {
  readonly warnings: Warning[] = [];
  readonly #folder: Folder;
  readonly #root: string;
  readonly #readme: string;
  readonly #summary: string;
  readonly #used = new Set<string>();
  readonly #read = new Set<string>();

  constructor(folder: Folder, { root, readme, summary }: FolderSettings) {
    this.#folder = folder;
    this.#root = root;
    this.#readme = readme;
    this.#summary = summary;
  }

  async pagesOf(entries: readonly SummaryEntry[]): Promise<FolderPage[]> {
    const pages: FolderPage[] = [];
    for (const entry of entries) pages.push(...(await this.#pageOf(entry)));
    return pages;
  }

  /** One page, or those under it where it is none itself. */
  async #pageOf(entry: SummaryEntry): Promise<FolderPage[]> {
    const { title, target = '', line } = entry;
    const other = { title, slug: '', path: this.#below(this.#summary), markdown: '', oid: '', metadata: {} };
    if (entry.kind === 'group') return [{ type: 'group', ...other, children: await this.pagesOf(entry.children) }];
    const path = resolveLink(this.#summary, target);
    if (path === undefined || !/\.(md|markdown)$/i.test(path)) {
      if (path === undefined && !/^[a-z][a-z0-9+.-]*:/i.test(target)) this.#warn(line, `${target} lies outside the folder and is left out`);
      else return [{ type: 'link', ...other, href: target.slice(0, 2048), children: [] }, ...(await this.pagesOf(entry.children))];
      return this.pagesOf(entry.children);
    }
    if (this.#read.has(path)) {
      this.#warn(line, `${target} is in the table of contents already; a page can be there once`);
      return this.pagesOf(entry.children);
    }
    if (!this.#folder.paths.has(path)) {
      this.#warn(line, `${target} is not there and is left out`);
      return this.pagesOf(entry.children);
    }
    this.#read.add(path);
    return [await this.#document(path, title, entry.children)];
  }

  async #document(path: string, title: string, children: readonly SummaryEntry[]): Promise<FolderPage> {
    const markdown = this.#decode(path, await this.#folder.read(path, maxPageSize));
    const { body, metadata, problem } = readPageText(markdown);
    if (problem !== undefined) this.warnings.push({ file: path, line: 1, message: `has front matter that is not read: ${problem}` });
    for (const link of linksOf(body)) {
      const target = resolveLink(path, link);
      if (target !== undefined && this.#folder.paths.has(target) && !/\.(md|markdown)$/i.test(target)) this.#used.add(target);
    }
    return {
      type: 'document',
      title: title || metadata.title || firstHeading(body) || posix.basename(path),
      slug: this.#slugOf(path),
      path: this.#below(path),
      markdown,
      oid: gitOid(Buffer.from(markdown)),
      metadata,
      children: await this.pagesOf(children),
    };
  }

  /** Tells of Markdown files that no table of contents names. */
  warnOfOrphans(): void {
    const pages = new Set(this.#read).add(this.#summary);
    for (const path of this.#folder.paths) {
      const isPage = /\.md$/i.test(path) && path.startsWith(this.#root === '' ? '' : `${this.#root}/`) && !path.includes('.gitbook/');
      if (isPage && !pages.has(path)) this.warnings.push({ file: path, line: 0, message: 'is not in the table of contents and is left out' });
    }
  }

  /** The files that pages use, and all assets. */
  async filesUsed(): Promise<FolderFile[]> {
    const assets = posix.join(this.#root, '.gitbook/assets/');
    const files: FolderFile[] = [];
    for (const path of this.#folder.paths) {
      if (!this.#used.has(path) && !path.startsWith(assets)) continue;
      const read = () => this.#folder.read(path, maxFileSize);
      try {
        const bytes = await read();
        files.push({ path: this.#below(path), name: posix.basename(path).slice(-256), contentType: contentTypeOf(path), size: bytes.length, oid: gitOid(bytes), read });
      } catch (error) {
        this.warnings.push({ file: path, line: 0, message: `is left out: ${error instanceof Error ? error.message : String(error)}` });
      }
    }
    return files;
  }

  #decode(path: string, bytes: Buffer): string {
    const text = textOf(bytes);
    if (text.includes('\uFFFD') && !bytes.equals(Buffer.from(text))) this.warnings.push({ file: path, line: 0, message: 'is not UTF-8; what could not be read is replaced' });
    return text;
  }

  #warn(line: number, message: string): void {
    this.warnings.push({ file: this.#summary, line, message });
  }

  /** A page is called as its file, a README as its folder. */
  #slugOf(path: string): string {
    const isReadme = path === this.#readme || /^readme\.(md|markdown)$/i.test(posix.basename(path));
    const folder = posix.basename(posix.dirname(this.#below(path)));
    const name = !isReadme ? posix.basename(path).replace(/\.\w+$/, '') : folder === '.' || folder === '' ? 'readme' : folder;
    return name.replace(/[\s/?#%\\]+/g, '-').slice(0, 100) || 'page';
  }

  #below(path: string): string {
    return this.#root === '' ? path : posix.relative(this.#root, path);
  }
}

/** Everything that a text links to or shows, as it is written. */
function* linksOf(body: string): Generator<string> {
  for (const match of body.matchAll(/\]\(\s*(?:<([^>\n]{1,1024})>|([^\s)]{1,1024}))/g)) yield unescapeMarkdown(match[1] ?? match[2]!);
  for (const match of body.matchAll(/(?:src|href)="([^"\n]{1,1024})"/g)) yield match[1]!;
}

function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}
