import { posix } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { isMarkdown, resolveContents } from './contents.ts';
import { openFolder, type Folder, type Warning } from './folder.ts';
import { inferSummary } from './infer-summary.ts';
import { PageReader, type FolderPage } from './page-reader.ts';
import { readFiles, type FolderFile } from './read-files.ts';
import { readTexts, type FolderText } from './read-texts.ts';
import { checkSettings, maxSettings, readSettings, settingsFile, type FolderSettings } from './settings.ts';
import { readSummary } from './summary.ts';

export interface MarkdownFolder {
  /** Folder of the documentation; paths of pages and files are below it. */
  readonly root: string;
  readonly pages: readonly FolderPage[];
  readonly files: readonly FolderFile[];
  /** What an export needs beside them: settings, table of contents, variables, includes. */
  readonly texts: readonly FolderText[];
  readonly warnings: readonly Warning[];
}

export interface ReadOptions {
  /** What becomes of pages that the table of contents does not name: left out, or hidden pages at the end. */
  readonly unlisted?: 'skip' | 'hidden';
  /** Takes a folder that has other files and no page; who reads it looks then whether the space has some. */
  readonly mayLackPages?: boolean;
}

/** What is said of each Markdown file that the table of contents does not name. */
export const unlistedMessage = 'is not in the table of contents and is left out';
/** The most bytes of a table of contents. */
const maxSummary = 4_000_000;

/** Reads a GitBook-style folder: its settings, table of contents, pages and the files they use. Follows no symbolic link. */
export async function readFolder(
  dir: string,
  { unlisted = 'skip', mayLackPages = false }: ReadOptions = {},
): Promise<MarkdownFolder> {
  const folder = await openFolder(dir);
  const settingsText = folder.paths.has(settingsFile) ? textOf(folder, settingsFile, maxSettings) : undefined;
  const settings = readSettings(settingsText);
  const summaryText = folder.paths.has(settings.summary)
    ? textOf(folder, settings.summary, maxSummary)
    : undefined;
  const isThere = (path: string) => folder.paths.has(path);
  const contents = readContents(summaryText, settings, folder.paths, isThere);
  const reader = new PageReader(folder, settings);
  const pages = [...reader.pagesOf(contents.nodes)];
  const orphans = orphansOf(folder, settings, reader.listed);
  const hidden = unlisted === 'hidden' ? reader.hiddenPages(orphans) : [];
  const hasPages = pages.length + hidden.length > 0;
  if (!hasPages && !mayLackPages) throw withoutPages();
  const texts = readTexts(folder, settings, {
    settings: settingsText,
    summary: summaryText,
    pages: reader.listed,
  });
  const files = readFiles(
    folder,
    settings,
    [...reader.links, ...texts.links],
    new Set(texts.texts.map(({ file }) => file)),
  );
  if (!hasPages && files.files.length === 0) throw withoutPages();
  return {
    root: settings.root,
    pages: [...pages, ...hidden],
    files: files.files,
    texts: texts.texts,
    warnings: [
      ...folder.warnings,
      ...checkSettings(settings, settingsText ?? '', isThere),
      ...contents.warnings,
      ...(summaryText === undefined ? [...eachContentsBelow(folder, settings)] : []),
      ...reader.warnings,
      ...texts.warnings,
      ...files.warnings,
      ...(unlisted === 'skip' ? orphans : []).map((file) => ({ file, line: 0, message: unlistedMessage })),
    ],
  };
}

/** What is said of a folder without pages: an empty one would delete all that an import brought before. */
export function withoutPages(): Problem {
  return new Problem('invalid-input', 'The folder has no pages.', {
    hint: 'Give the folder that holds SUMMARY.md or .gitbook.yaml, or one with Markdown files.',
  });
}

/** Every file of a folder that an import takes, by its path below the folder, with its git id. */
export function oidsOf({ root, pages, files, texts }: MarkdownFolder): Map<string, string> {
  const below = (path: string) => posix.join(root, path);
  const documents = pages.flatMap(function all({ type, path, oid, children }): [string, string][] {
    return [
      ...(type === 'document' ? [[below(path), oid] as [string, string]] : []),
      ...children.flatMap(all),
    ];
  });
  return new Map([
    ...documents,
    ...files.map(({ path, oid }) => [below(path), oid] as const),
    ...texts.map(({ file, oid }) => [file, oid] as const),
  ]);
}

/** The table of contents of a folder: the one that was written, or one made from its files. */
export function readContents(
  text: string | undefined,
  { summary, root, readme }: FolderSettings,
  paths: Iterable<string>,
  isThere: (path: string) => boolean,
) {
  if (text === undefined)
    return resolveContents(inferSummary(paths, root, readme), posix.join(root, 'SUMMARY.md'), isThere);
  const { entries, warnings } = readSummary(text, summary);
  const resolved = resolveContents(entries, summary, isThere);
  return { nodes: resolved.nodes, warnings: [...warnings, ...resolved.warnings] };
}

/** Markdown files that the table of contents does not name. */
function orphansOf(
  { paths }: Folder,
  { root, summary }: FolderSettings,
  listed: ReadonlySet<string>,
): string[] {
  const inside = root === '' ? '' : `${root}/`;
  return [...paths].filter(
    (path) =>
      isMarkdown(path) &&
      path.startsWith(inside) &&
      !path.includes('.gitbook/') &&
      path !== summary &&
      !listed.has(path),
  );
}

/** Tables of contents in folders below, or of another name, which are pages like others where the folder itself has none. */
function* eachContentsBelow({ paths }: Folder, { root }: FolderSettings): Generator<Warning> {
  for (const file of paths) {
    const below = posix.dirname(root === '' ? file : posix.relative(root, file));
    if (!/^summary\.md$/i.test(posix.basename(file)) || (below !== '.' && below.startsWith('.'))) continue;
    const how =
      below === '.'
        ? 'call it SUMMARY.md, or name it as structure.summary in .gitbook.yaml'
        : `import that folder alone: --root ${posix.dirname(file)}`;
    yield { file, line: 0, message: `is a page here; to take it for the table of contents, ${how}` };
  }
}

/** A text that the folder cannot do without. */
function textOf(folder: Folder, path: string, most: number): string {
  const bytes = folder.read(path, most);
  const text = bytes.toString('utf8');
  if (!bytes.equals(Buffer.from(text)))
    throw new Problem('invalid-input', `${path} is not UTF-8.`, { hint: 'Convert it to UTF-8 first.' });
  return text;
}
