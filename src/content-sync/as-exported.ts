import { posix } from 'node:path';
import { gitOid, hashOfFile } from '../content/hashing.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { readPageText } from '../richtext/front-matter.ts';
import { planExport, type ExportedFile } from './plan-export.ts';
import { oidsOf, type MarkdownFolder } from './read-folder.ts';
import type { SpaceContent } from './space-content.ts';

/** A space as an export of it shows it. */
export interface AsExported {
  /** What an export would write; a file without a git id is none that the folder has. */
  readonly files: readonly ExportedFile[];
  /** The content with the places and git ids of what would be written, as far as the folder has it. */
  readonly content: SpaceContent;
}

/**
 * Looks at a space by what an export of it writes, so that in the folder that it was exported to, pages and files that were
 * made by hand or edited here are found again. What the folder does not have stays made by hand.
 */
export function asExported(content: SpaceContent, folder: MarkdownFolder): AsExported {
  const plan = planExport(content);
  const there = oidsOf(folder);
  const oids = oidsByHash(content, plan.places.files, folder);
  const files = plan.files.map((file) =>
    file.oid === '' ? { ...file, oid: oids.get(file.path) ?? '' } : file,
  );
  const written = new Map(files.map(({ path, oid }) => [path, oid]));
  const moved = oidsOfMoved(written, there);
  const placed = <T extends object>(one: T, path: string): T => {
    const oid = written.get(path) ?? '';
    return there.has(path) || moved.has(oid)
      ? { ...one, git: { path: posix.relative(folder.root, path), oid } }
      : one;
  };
  const document = (page: PageBody): PageBody => {
    const path = plan.places.pages.get(page.id)!;
    const one = placed(page, path);
    return one.git !== undefined && isUnsettled(page, written.get(path))
      ? { ...one, git: { ...one.git, oid: '' } }
      : one;
  };
  const groups = groupsIn(content.pages, folder);
  const pagesOf = (pages: readonly PageBody[]): PageBody[] =>
    pages.map((page) => ({
      ...(page.type === 'document'
        ? document(page)
        : page.type === 'group' && groups.has(titleIn(page))
          ? { ...page, git: { path: '', oid: '' } }
          : page),
      title: titleIn(page),
      ...(page.pages === undefined ? {} : { pages: pagesOf(page.pages) }),
    }));
  return {
    files,
    content: {
      ...content,
      pages: pagesOf(content.pages),
      files: content.files.map((file) => placed(file, plan.places.files.get(file.id)!)),
    },
  };
}

/** Titles of groups of which the folder has as many as the space: then each of them is found again. */
function groupsIn(pages: readonly PageBody[], folder: MarkdownFolder): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const count = (title: string, by: number): unknown => counts.set(title, (counts.get(title) ?? 0) + by);
  for (const page of pages) if (page.type === 'group') count(titleIn(page), 1);
  for (const { type, title } of folder.pages) if (type === 'group') count(title, -1);
  return new Set([...counts].flatMap(([title, more]) => (more <= 0 ? [title] : [])));
}

/** A title as a table of contents has it: on one line. */
function titleIn({ title }: PageBody): string {
  return title.replace(/\s+/g, ' ').trim();
}

/** Whether what is written of a page depends on the table of contents: one that is sent may bring an old title back, so the text is sent with it. */
function isUnsettled({ title, frontMatter = '', markdown = '' }: PageBody, oid: string | undefined): boolean {
  const said = readPageText(frontMatter).metadata.title;
  return said !== undefined && said !== title && gitOid(frontMatter + markdown) !== oid;
}

/** Git ids of what was written to one place and lies in the folder at one other: of which of several it is, nobody can tell, and what is not found is deleted. */
function oidsOfMoved(written: ReadonlyMap<string, string>, there: ReadonlyMap<string, string>): Set<string> {
  const onlyIn = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): Set<string> => {
    const oids = [...one].flatMap(([path, oid]) => (other.has(path) ? [] : [oid])).sort();
    return new Set(oids.filter((oid, index) => oid !== oids[index - 1] && oid !== oids[index + 1]));
  };
  const [gone, added] = [onlyIn(written, there), onlyIn(there, written)];
  return new Set([...gone].filter((oid) => oid !== '' && added.has(oid)));
}

/** Git ids of files that were made by hand and lie in the folder as they are. */
function oidsByHash(
  { files }: SpaceContent,
  paths: ReadonlyMap<string, string>,
  folder: MarkdownFolder,
): Map<string, string> {
  const found = new Map(folder.files.map((file) => [posix.join(folder.root, file.path), file]));
  return new Map(
    files.flatMap(({ id, git, hash, size }) => {
      const path = paths.get(id)!;
      const file = found.get(path);
      return git === undefined && file?.size === size && hashOfFile(file.read()) === hash
        ? [[path, file.oid] as const]
        : [];
    }),
  );
}
