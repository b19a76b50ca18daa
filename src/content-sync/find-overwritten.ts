import { flattenPages } from '../contract/values.ts';
import { posix } from 'node:path';
import { namesFile } from '../content/tree.ts';
import type { UpdatePageChange } from '../content/changes.ts';
import { gitOid } from '../content/hashing.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import type { ExportRecord } from './export-record.ts';
import { comparedFields } from './page-text.ts';
import type { ImportPlan } from './plan-import.ts';
import { listOids, type MarkdownFolder } from './read-folder.ts';
import { type SpaceContent } from './space-content.ts';

/**
 * Returns the paths of pages and files that were changed in the space since it was equal to the folder, and whose changes an
 * import of the folder would overwrite. `last` is the record of the equal content.
 */
export function findOverwritten(
  { pages, files }: SpaceContent,
  folder: MarkdownFolder,
  plan: ImportPlan,
  last: ExportRecord,
): string[] {
  const now = listOids(folder);
  const below = (path: string) => posix.join(folder.root, path);
  const isSameFile = (path: string) => now.get(path) === last.get(path);
  const setsTree = (role: string) => role === 'summary' || role === 'settings';
  const hasSameContents =
    folder.texts.filter(({ role }) => setsTree(role)).every(({ file }) => isSameFile(file)) &&
    !plan.texts.some(
      (change) => change.operation === 'put_text' && change.text === null && setsTree(change.role),
    );
  const byId = new Map<string, Pick<PageBody, 'git'> & { readonly type?: PageBody['type'] }>([
    ...flattenPages(pages).map((page) => [page.id, page] as const),
    ...files.map((file) => [file.id, file] as const),
  ]);
  const pathOf = (id: string) => below(byId.get(id)?.git?.path ?? '');
  /** Whether the text of a page, or the bytes of a file, have changed in the space. */
  const isChanged = (id: string) => {
    const { git, type = 'document' } = byId.get(id) ?? {};
    const path = pathOf(id);
    // A page without a file has no text in the folder.
    const before = namesFile(path) ? last.get(path) : gitOid('');
    // The path of generated pages is SUMMARY.md, because it lists them.
    return type === 'document' && git !== undefined && before !== undefined && git.oid !== before;
  };
  const isOverwritten = (change: UpdatePageChange) =>
    isChanged(change.page)
      ? change.document !== undefined
      : hasSameContents &&
        last.has(pathOf(change.page)) &&
        isSameFile(pathOf(change.page)) &&
        hasFields(change);
  const overwritten = [
    ...plan.pages.flatMap((change) =>
      (change.operation === 'update_page' && isOverwritten(change)) ||
      (change.operation === 'delete_page' && isChanged(change.page))
        ? [change.page]
        : [],
    ),
    ...plan.files.flatMap(({ replaces = '' }) => (isChanged(replaces) ? [replaces] : [])),
    ...plan.deletedFiles.filter(isChanged),
  ].map(pathOf);
  // If only the import would insert a page that the space had, the page was deleted in the space.
  const deleted = plan.pages.flatMap((change) => {
    const isDocument = change.operation === 'insert_page' && change.type === undefined;
    const path = isDocument ? below(change.git?.path ?? '') : '';
    return last.has(path) && isSameFile(path) ? [path] : [];
  });
  return [...new Set([...overwritten, ...deleted])];
}

/** Whether a change sets more than the place of a page. Places can change because of other pages. */
function hasFields(change: UpdatePageChange): boolean {
  return comparedFields.some((field) => field !== 'slug' && field in change);
}
