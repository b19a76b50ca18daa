import { exportedSummary } from './plan-export.ts';
import { planPages } from './plan-pages.ts';
import type { FolderFile } from './read-files.ts';
import type { MarkdownFolder } from './read-folder.ts';
import type { ContentChange } from '../content/changes.ts';
import { hashOfFile } from '../content/hashing.ts';
import { groupBy } from '../contract/values.ts';
import type { SpaceContent } from './space-content.ts';

/** The changes that make a space equal to a folder. All lists are empty if nothing differs. */
export interface ImportPlan {
  /** Changes of pages, parents before children. `ref` replaces the ID of a new page. */
  readonly pages: readonly ContentChange[];
  readonly texts: readonly ContentChange[];
  /** Files to send, each with the ID of the file that it replaces. */
  readonly files: readonly { readonly file: FolderFile; readonly replaces: string | undefined }[];
  readonly deletedFiles: readonly string[];
}

/** The plan of an import that changes nothing. */
export const nothing: ImportPlan = { pages: [], texts: [], files: [], deletedFiles: [] };

/**
 * Compares a folder with the content of a space. A page or file is the same if it came from the same file, or from one with the
 * same content. Pages and files that came from a folder and are no longer in it are deleted. Those that were created in the app
 * are kept.
 */
export function planImport(current: SpaceContent, folder: MarkdownFolder): ImportPlan {
  const pages = planPages(current.pages, folder.pages);
  const isSameTree = pages.every(keepsTree);
  return { pages, texts: planTexts(current, folder, isSameTree), ...planFiles(current, folder) };
}

/** Fields of a page that a table of contents does not show. */
const fieldsOutsideTree = new Set([
  'operation',
  'page',
  'document',
  'git',
  'description',
  'icon',
  'emoji',
  'condition',
  'noIndex',
  'noRobotsIndex',
]);

/** Whether a change affects only the content of pages, not the tree: no pages, titles, places or files. */
function keepsTree(change: ContentChange): boolean {
  return (
    change.operation === 'update_page' && Object.keys(change).every((field) => fieldsOutsideTree.has(field))
  );
}

/** Whether planning needs the texts of the space. This is the case only if both have a table of contents and they differ. */
export function needsTexts({ texts }: SpaceContent, folder: MarkdownFolder): boolean {
  return folder.texts.some(
    ({ role, path, oid }) =>
      role === 'summary' &&
      texts.some((text) => text.role === role && text.git.path === path && text.git.oid !== oid),
  );
}

function planTexts(current: SpaceContent, folder: MarkdownFolder, isSameTree: boolean): ContentChange[] {
  const known = new Map(current.texts.map((text) => [text.git.path, text]));
  const kept = new Set(folder.texts.map(({ path }) => path));
  const gone = current.texts
    .filter(({ git }) => !kept.has(git.path))
    .map(({ role, git }): ContentChange => ({
      operation: 'put_text',
      role,
      git: { path: git.path },
      text: null,
    }));
  const changed = folder.texts.flatMap(({ role, title, path, text, oid }): ContentChange[] => {
    const before = known.get(path);
    if (before?.git.oid === oid && before.role === role && before.title === title) return [];
    // Edits of the page tree do not change the stored text; an export of them writes the text of the folder.
    if (
      isSameTree &&
      role === 'summary' &&
      before?.role === role &&
      before.text !== undefined &&
      exportedSummary(current) === text
    )
      return [];
    return [{ operation: 'put_text', role, git: { path }, title, text }];
  });
  return [...gone, ...changed];
}

function planFiles(
  { files }: SpaceContent,
  folder: MarkdownFolder,
): Pick<ImportPlan, 'files' | 'deletedFiles'> {
  const known = new Map(
    files.flatMap(({ id, git }) => (git === undefined ? [] : [[git.path, { id, oid: git.oid }] as const])),
  );
  const kept = new Set(folder.files.map(({ path }) => path));
  const gone = [...known].flatMap(([path, file]) => (kept.has(path) ? [] : [file]));
  // A renamed file keeps its ID.
  const renamed = new Map(gone.map(({ id, oid }) => [oid, id]));
  // A file that was created in the app and exported keeps its ID too.
  const made = files.filter(({ git }) => git === undefined);
  const sizes = new Set(made.map(({ size }) => size));
  const sameContent = groupBy(made.toReversed(), ({ hash }) => hash);
  const findMade = (file: FolderFile) =>
    sizes.has(file.size) ? sameContent.get(hashOfFile(file.read()))?.pop()?.id : undefined;
  const used = new Set<string>();
  const send = folder.files
    .filter(({ path, oid }) => known.get(path)?.oid !== oid)
    .map((file) => {
      const replaces = known.get(file.path)?.id ?? renamed.get(file.oid) ?? findMade(file);
      if (replaces !== undefined) used.add(replaces);
      renamed.delete(file.oid);
      return { file, replaces };
    });
  return { files: send, deletedFiles: gone.map(({ id }) => id).filter((id) => !used.has(id)) };
}
