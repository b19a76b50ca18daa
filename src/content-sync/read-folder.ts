import { posix } from 'node:path';
import { namesFile } from '../content/tree.ts';
import { getOrInsert, plural } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import { endOfFrontMatter } from '../richtext/front-matter.ts';
import { isMarkdown, resolveContents } from './contents.ts';
import { openFolder, type Folder, type Warning } from './folder.ts';
import { inferSummary } from './infer-summary.ts';
import { otherContents, otherSettings } from './other-contents.ts';
import { readPlacement } from './page-placement.ts';
import { maxPageBytes, PageReader, type FolderPage } from './page-reader.ts';
import type { ReadAhead } from './read-ahead.ts';
import { readFiles, type FolderFile } from './read-files.ts';
import { readTexts, type FolderText } from './read-texts.ts';
import {
  checkSettings,
  maxSettingsBytes,
  readSettings,
  settingsFile,
  type FolderSettings,
} from './settings.ts';
import { readSummary } from './summary.ts';

/** A folder of Markdown files. */
export interface MarkdownFolder {
  /** The root of the documentation. Paths of pages and files are relative to it. */
  readonly root: string;
  readonly pages: readonly FolderPage[];
  readonly files: readonly FolderFile[];
  /** Settings, table of contents, variables and includes, which an export needs. */
  readonly texts: readonly FolderText[];
  readonly warnings: readonly Warning[];
}

export interface ReadOptions {
  /** Whether pages that are not in the table of contents are skipped (default), or read as hidden pages at the end. */
  readonly unlisted?: 'skip' | 'hidden';
  /** Accepts a folder that contains files but no pages. The caller then checks whether the space has pages. */
  readonly mayLackPages?: boolean;
  /** The name of the folder in errors. */
  readonly shown?: string | undefined;
  /** Called with the number of Markdown files that have been read, and the number of all. */
  readonly onPage?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** The warning about a Markdown file that is not in the table of contents. */
export const unlistedMessage = 'is not in the table of contents and is skipped';
const draftMessage = 'is a draft and is skipped; to import it as a hidden page, give --unlisted hidden';
const maxSummaryBytes = 4_000_000;

/**
 * Reads a GitBook-style folder: its settings, table of contents, pages and the files they use. Follows no symbolic link.
 * @throws Problem(invalid-input), Problem(too-large), Problem(interrupted)
 */
export async function readFolder(
  dir: string,
  { unlisted = 'skip', mayLackPages = false, shown, onPage, signal }: ReadOptions = {},
): Promise<MarkdownFolder> {
  const folder = readingOnce(await openFolder(dir));
  const settingsText = folder.paths.has(settingsFile)
    ? readUtf8(folder, settingsFile, maxSettingsBytes)
    : otherSettings(folder);
  const settings = readSettings(settingsText);
  const other = folder.paths.has(settings.summary) ? undefined : await otherContents(folder, settings);
  const summaryText = folder.paths.has(settings.summary)
    ? readUtf8(folder, settings.summary, maxSummaryBytes)
    : other?.text;
  const isThere = (path: string) => folder.paths.has(path);
  const contents = readContents(summaryText, settings, folder.paths, isThere, folder.headOf);
  const total = onPage === undefined ? 0 : [...folder.paths].filter(isMarkdown).length;
  const reader = new PageReader(folder, settings, (done) => onPage?.(done, total), signal);
  const pages = await reader.readPages(contents.nodes);
  const orphans = listUnlisted(folder, settings, reader);
  const skipped =
    unlisted === 'hidden' ? [] : orphans.filter((path) => !readPlacement(folder.headOf(path)).isUnlisted);
  const isSkipped = new Set(skipped);
  const hidden = await reader.readHiddenPages(orphans.filter((path) => !isSkipped.has(path)));
  const hasPages = pages.length + hidden.length > 0;
  const others = findOtherFormats(folder, settings, reader.links, hasPages);
  const [draft] = [...contents.drafts].map((file) => ({ file, line: 0, message: draftMessage }));
  const cause = others[0] ?? contents.warnings[0] ?? reader.warnings[0] ?? draft;
  if (!hasPages && !mayLackPages) {
    refuseMissingRoot(folder, settings);
    throw noPagesProblem(shown, cause);
  }
  const texts = readTexts(folder, settings, {
    settings: settingsText,
    summary: summaryText,
    pages: reader.listed,
    included: reader.included.texts,
  });
  const files = readFiles(
    folder,
    settings,
    [...reader.links, ...texts.links],
    new Set(texts.texts.map(({ file }) => file)),
  );
  if (!hasPages && files.files.length === 0) throw noPagesProblem(shown, cause);
  return {
    root: settings.root,
    pages: [...pages, ...hidden],
    files: files.files,
    texts: texts.texts,
    warnings: [
      ...folder.warnings,
      ...checkSettings(settings, settingsText ?? '', isThere, isThere(settingsFile) ? skipped : []),
      ...contents.warnings.map((each) =>
        other !== undefined && each.file === settings.summary ? { ...each, file: other.file, line: 0 } : each,
      ),
      ...(summaryText === undefined ? [...findOtherSummaries(folder, settings)] : []),
      ...(other?.warnings ?? []),
      ...reader.warnings,
      ...reader.otherSyntax.warnings,
      ...reader.included.warnings,
      ...reader.aliases.warnings,
      ...texts.warnings,
      ...files.warnings,
      ...others,
      ...skipped.map((file): Warning => ({
        file,
        line: 0,
        rule: 'unlisted-page',
        message: contents.drafts.has(file) ? draftMessage : unlistedMessage,
      })),
    ],
  };
}

/** Checks that the content of a space is not replaced by a folder without pages. @throws Problem(invalid-input) */
export function refuseNoPages(
  { pages, warnings }: Pick<MarkdownFolder, 'pages' | 'warnings'>,
  content: { readonly pages: readonly unknown[] },
  shown: string,
): void {
  if (pages.length === 0 && content.pages.length > 0)
    throw noPagesProblem(
      shown,
      warnings.find(({ line }) => line > 0),
    );
}

/** The error for a folder without pages, which would delete everything that was imported before, with its probable cause. */
function noPagesProblem(shown: string | undefined, cause?: Omit<Warning, 'rule'>): Problem {
  const hint = 'Give the folder that holds SUMMARY.md or .gitbook.yaml, or one with Markdown files.';
  const { file, line = 0, message = '' } = cause ?? {};
  const fault = message.replace(/\.$/, '');
  const folder = `folder${shown === undefined ? '' : ` "${shown}"`}`;
  return line > 0
    ? new Problem('invalid-input', `${file} lists no page of the ${folder}. Line ${line}: ${fault}.`, {
        hint: `Correct ${file}.`,
      })
    : new Problem('invalid-input', `The ${folder} has no pages.`, {
        hint: cause === undefined ? hint : `${file} ${fault}.`,
      });
}

/** @throws Problem(invalid-input) if the root in the settings does not exist in the folder */
function refuseMissingRoot({ paths }: Folder, { root }: FolderSettings): void {
  if (root === '' || [...paths].some((path) => path.startsWith(`${root}/`))) return;
  throw new Problem(
    'invalid-input',
    `${settingsFile} names ${root} as "root", which does not exist or is empty.`,
    {
      hint: `Correct "root" in ${settingsFile}.`,
    },
  );
}

/**
 * Warns about documents in other formats than Markdown, once per format, and without pages also about HTML. Files that pages link
 * to are imported.
 */
function findOtherFormats(
  { paths }: Folder,
  { root }: FolderSettings,
  links: ReadonlySet<string>,
  hasPages: boolean,
): Warning[] {
  const pattern = hasPages
    ? /\.(?:rst|adoc|asciidoc|textile|org)$/i
    : /\.(?:rst|adoc|asciidoc|textile|org|html?|docx)$/i;
  const formats = new Map<string, string[]>();
  for (const file of paths) {
    const [ending] = pattern.exec(file) ?? [];
    const below = root === '' ? file : posix.relative(root, file);
    if (ending === undefined || links.has(file) || below.startsWith('../') || isHiddenBelow(below)) continue;
    const found = formats.get(ending);
    if (found === undefined) formats.set(ending, [file]);
    else found.push(file);
  }
  return [...formats].map(([ending, [file = '', ...more]]): Warning => {
    const like = more.length === 0 ? '' : `, like ${plural(more.length, `more ${ending} file`)}`;
    const message = `is not Markdown and is skipped${like}; convert it to a file that ends in .md`;
    return { file, line: 0, rule: 'skipped-file', message };
  });
}

/** Returns the git ID of every file that an import takes, by its path in the folder. */
export function listOids({ root, pages, files, texts }: MarkdownFolder): Map<string, string> {
  const below = (path: string) => posix.join(root, path);
  const documents = pages.flatMap(function all({ type, path, oid, children }): [string, string][] {
    return [
      ...(type === 'document' && namesFile(path) ? [[below(path), oid] as [string, string]] : []),
      ...children.flatMap(all),
    ];
  });
  return new Map([
    ...documents,
    ...files.map(({ path, oid }) => [below(path), oid] as const),
    ...texts.map(({ file, oid }) => [file, oid] as const),
  ]);
}

/** Reads the table of contents of a folder, or infers one from its files, whose front matter `headOf` returns. */
export function readContents(
  text: string | undefined,
  { summary, root, readme }: FolderSettings,
  paths: Iterable<string>,
  isThere: (path: string) => boolean,
  headOf: (path: string) => string,
) {
  const { entries, warnings, drafts } =
    text === undefined
      ? inferSummary(paths, root, readme, headOf)
      : { ...readSummary(text, summary), drafts: new Set<string>() };
  const file = text === undefined ? posix.join(root, 'SUMMARY.md') : summary;
  const resolved = resolveContents(entries, { root, summary: file }, isThere);
  return { nodes: resolved.nodes, drafts, warnings: [...warnings, ...resolved.warnings] };
}

/** Returns the Markdown files that are not in the table of contents, and that no page includes. */
function listUnlisted(
  { paths }: Folder,
  { root, summary }: FolderSettings,
  { listed, included }: PageReader,
): string[] {
  const inside = root === '' ? '' : `${root}/`;
  return [...paths].filter(
    (path) =>
      isMarkdown(path) &&
      path.startsWith(inside) &&
      !isHiddenBelow(path.slice(inside.length)) &&
      path !== summary &&
      !listed.has(path) &&
      !included.texts.has(path),
  );
}

/** Whether a file is hidden or in a hidden folder. Such a file is a page only if the table of contents lists it. */
function isHiddenBelow(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'));
}

/** Warns about tables of contents in subfolders or with other names. They are read as pages. */
function* findOtherSummaries({ paths }: Folder, { root }: FolderSettings): Generator<Warning> {
  if (paths.has('LANGS.md'))
    yield {
      file: 'LANGS.md',
      line: 0,
      rule: 'other-summary',
      message: 'lists the languages of a book; import the folder of each language into a space of its own',
    };
  for (const file of paths) {
    const below = posix.dirname(root === '' ? file : posix.relative(root, file));
    if (!/^summary\.md$/i.test(posix.basename(file)) || (below !== '.' && below.startsWith('.'))) continue;
    const how =
      below === '.'
        ? 'rename it to SUMMARY.md, or name it as structure.summary in .gitbook.yaml'
        : `import that folder alone: --root ${posix.dirname(file)}`;
    yield {
      file,
      line: 0,
      rule: 'other-summary',
      message: `is imported as a page; to use it as the table of contents, ${how}`,
    };
  }
}

/**
 * Adds functions that read pages before the pages themselves are read. Each file is still read only once. A text is empty if it is
 * too large or cannot be read; the page warns about that.
 */
function readingOnce(folder: Folder): Folder & ReadAhead {
  const ahead = new Map<string, Buffer>();
  const bytesOf = (path: string): Buffer => {
    try {
      return getOrInsert(ahead, path, () => folder.read(path, maxPageBytes));
    } catch {
      return Buffer.alloc(0);
    }
  };
  return {
    ...folder,
    read: (path, maxBytes) => {
      const bytes = ahead.get(path) ?? folder.read(path, maxBytes);
      ahead.delete(path);
      return bytes;
    },
    textOf: (path) => bytesOf(path).toString(),
    headOf: (path) => {
      const bytes = bytesOf(path);
      // Most pages have no front matter, and need not be decoded. It begins with - or +, or with a byte order mark.
      if (isMarkdown(path) && !['-', '+', '\xef'].includes(bytes.toString('latin1', 0, 1))) return '';
      const text = bytes.toString();
      return isMarkdown(path) ? text.slice(0, endOfFrontMatter(text)) : text;
    },
  };
}

/** Reads a required text. @throws Problem(invalid-input) if it is not UTF-8 */
function readUtf8(folder: Folder, path: string, maxBytes: number): string {
  const bytes = folder.read(path, maxBytes);
  const text = bytes.toString('utf8');
  if (!bytes.equals(Buffer.from(text)))
    throw new Problem('invalid-input', `${path} is not UTF-8.`, { hint: 'Convert it to UTF-8 first.' });
  return text;
}
