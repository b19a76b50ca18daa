import { posix } from 'node:path';
import { gitOid, hashOfFile } from '../content/hashing.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { readPageText } from '../richtext/front-matter.ts';
import { planExport, storedSettings, type ExportedFile } from './plan-export.ts';
import { listOids, type MarkdownFolder } from './read-folder.ts';
import type { SpaceContent } from './space-content.ts';

/** The content of a space in the form of an export. */
interface ExportView {
  /** The files of the export. A file with an empty git ID is not in the folder. */
  readonly files: readonly ExportedFile[];
  /** The content, with the paths and git IDs of the files in the folder. */
  readonly content: SpaceContent;
}

/**
 * Gives pages and files that were created or edited in the app the paths and git IDs of an export, so that an import of the
 * exported folder matches them. Pages and files that are not in the folder do not change.
 */
export function viewAsExported(content: SpaceContent, folder: MarkdownFolder): ExportView {
  const plan = planExport(content);
  const there = listOids(folder);
  const oids = findOidsByHash(content, plan.paths.files, folder);
  const files = plan.files.map((file) =>
    file.oid === '' ? { ...file, oid: oids.get(file.path) ?? '' } : file,
  );
  const written = new Map(files.map(({ path, oid }) => [path, oid]));
  const moved = findMovedOids(written, there);
  // With another root, what did not move in the folder is sent again, because its path in the space changes.
  const isSameRoot = storedSettings(content, []).root === folder.root;
  const withGit = <T extends object>(one: T, path = ''): T => {
    const oid = written.get(path) ?? '';
    const known = isSameRoot || !there.has(path) ? oid : '';
    return there.has(path) || moved.has(oid)
      ? { ...one, git: { path: posix.relative(folder.root, path), oid: known } }
      : one;
  };
  const document = (page: PageBody): PageBody => {
    const path = plan.paths.pages.get(page.id) ?? '';
    const one = withGit(page, path);
    return one.git !== undefined && mayLoseTitle(page, written.get(path))
      ? { ...one, git: { ...one.git, oid: '' } }
      : one;
  };
  const groups = findMatchingGroups(content.pages, folder);
  const pagesOf = (pages: readonly PageBody[]): PageBody[] =>
    pages.map((page) => ({
      ...(page.type === 'document'
        ? document(page)
        : page.type === 'group' && groups.has(singleLineTitle(page))
          ? { ...page, git: { path: '', oid: '' } }
          : page),
      title: singleLineTitle(page),
      ...(page.pages === undefined ? {} : { pages: pagesOf(page.pages) }),
    }));
  return {
    files,
    content: {
      ...content,
      pages: pagesOf(content.pages),
      files: content.files.map((file) => withGit(file, plan.paths.files.get(file.id))),
    },
  };
}

/** Returns the titles of groups that are at least as frequent in the folder as in the space, so that each group has a match. */
function findMatchingGroups(pages: readonly PageBody[], folder: MarkdownFolder): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const count = (title: string, by: number): unknown => counts.set(title, (counts.get(title) ?? 0) + by);
  for (const page of pages) if (page.type === 'group') count(singleLineTitle(page), 1);
  for (const { type, title } of folder.pages) if (type === 'group') count(title, -1);
  return new Set([...counts].flatMap(([title, more]) => (more <= 0 ? [title] : [])));
}

function singleLineTitle({ title }: PageBody): string {
  return title.replace(/\s+/g, ' ').trim();
}

/** Whether a new table of contents can restore an old title of a page. Then the text of the page is sent with it. */
function mayLoseTitle(
  { title, frontMatter = '', markdown = '' }: PageBody,
  oid: string | undefined,
): boolean {
  const said = readPageText(frontMatter).metadata.title;
  return said !== undefined && said !== title && gitOid(frontMatter + markdown) !== oid;
}

/** Returns the git IDs that are unique among the written files and occur at exactly one other path in the folder. */
function findMovedOids(
  written: ReadonlyMap<string, string>,
  there: ReadonlyMap<string, string>,
): Set<string> {
  const onlyIn = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): Set<string> => {
    const oids = [...one].flatMap(([path, oid]) => (other.has(path) ? [] : [oid])).sort();
    return new Set(oids.filter((oid, index) => oid !== oids[index - 1] && oid !== oids[index + 1]));
  };
  const [gone, added] = [onlyIn(written, there), onlyIn(there, written)];
  return new Set([...gone].filter((oid) => oid !== '' && added.has(oid)));
}

/** Returns the git ids, by path, of files that were uploaded in the app and are unchanged in the folder. */
function findOidsByHash(
  { files }: SpaceContent,
  paths: ReadonlyMap<string, string>,
  folder: MarkdownFolder,
): Map<string, string> {
  const found = new Map(folder.files.map((file) => [posix.join(folder.root, file.path), file]));
  return new Map(
    files.flatMap(({ id, git, hash, size }) => {
      const path = paths.get(id) ?? '';
      const file = found.get(path);
      return git === undefined && file?.size === size && hashOfFile(file.read()) === hash
        ? [[path, file.oid] as const]
        : [];
    }),
  );
}
