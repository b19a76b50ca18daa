import { summaryOf } from './plan-export.ts';
import { planPages } from './plan-pages.ts';
import type { FolderFile } from './read-files.ts';
import type { MarkdownFolder } from './read-folder.ts';
import type { ContentChange } from '../content/changes.ts';
import type { SpaceContent } from './space-content.ts';

/** What it takes to make a space hold what a folder holds. Nothing where it does already. */
export interface ImportPlan {
  /** Pages in an order in which each parent comes before those under it; `ref` stands for the id of a new one. */
  readonly pages: readonly ContentChange[];
  readonly texts: readonly ContentChange[];
  /** Files to send, with the id of the one that each replaces. */
  readonly files: readonly { readonly file: FolderFile; readonly replaces: string | undefined }[];
  readonly deletedFiles: readonly string[];
}

/**
 * Compares a folder with what a space holds. A page or file is the same when it came from the same file, or from one that
 * held the same. What came from a folder and is no longer in it is deleted; what was made by hand stays.
 */
export function planImport(current: SpaceContent, folder: MarkdownFolder): ImportPlan {
  const pages = planPages(current.pages, folder.pages);
  return { pages, texts: planTexts(current, folder, pages.length === 0), ...planFiles(current, folder) };
}

/** Whether planning needs what the texts of the space say: only where both have a table of contents, and not the same. */
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
    // Edits of the tree leave the stored text behind; an export writes another one instead, which is no news here.
    if (
      isSameTree &&
      role === 'summary' &&
      before?.role === role &&
      before.text !== undefined &&
      summaryOf(current) === text
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
    files.flatMap((file) => (file.git === undefined ? [] : [[file.git.path, file] as const])),
  );
  const kept = new Set(folder.files.map(({ path }) => path));
  const gone = [...known.values()].filter(({ git }) => !kept.has(git!.path));
  // A file that was renamed keeps its id.
  const renamed = new Map(gone.map((file) => [file.git!.oid, file.id]));
  const used = new Set<string>();
  const send = folder.files
    .filter(({ path, oid }) => known.get(path)?.git?.oid !== oid)
    .map((file) => {
      const replaces = known.get(file.path)?.id ?? renamed.get(file.oid);
      if (replaces !== undefined) used.add(replaces);
      renamed.delete(file.oid);
      return { file, replaces };
    });
  return { files: send, deletedFiles: gone.map(({ id }) => id).filter((id) => !used.has(id)) };
}
