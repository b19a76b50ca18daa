import { isAsExported } from '../is-as-exported.ts';
import type { PageBody } from '../../resources/content/schemas.ts';
import type { GitRunChange } from '../../resources/git-sync/rows.ts';
import { namesById, nameOfInserted } from '../describe-plan.ts';
import { planExport } from '../plan-export.ts';
import { nothing, type ImportPlan } from '../plan-import.ts';
import { planReimport } from '../plan-reimport.ts';
import type { MarkdownFolder } from '../read-folder.ts';
import type { SpaceContent } from '../space-content.ts';
import { viewAsExported } from '../view-as-exported.ts';

/**
 * Plans the changes of a commit since the last synchronization. `isWhole`: the previous commit contained everything in the
 * content, so everything that is missing now was deleted in the repository.
 */
export function planCommit(
  content: SpaceContent,
  { dir, folder, isWhole }: { dir: string; folder: MarkdownFolder; isWhole: boolean },
): ImportPlan {
  const view = viewAsExported(content, folder);
  if (isAsExported(dir, folder, view.files)) return nothing;
  return planReimport(isWhole ? asImported(view.content) : view.content, folder);
}

/** Gives every page and file a path in the repository, so that an import deletes those that the repository no longer has. */
function asImported(content: SpaceContent): SpaceContent {
  const { paths } = planExport(content);
  const pagesOf = (pages: readonly PageBody[]): PageBody[] =>
    pages.map((page) => ({
      ...page,
      git: page.git ?? { path: paths.pages.get(page.id) ?? '', oid: '' },
      ...(page.pages === undefined ? {} : { pages: pagesOf(page.pages) }),
    }));
  return {
    ...content,
    pages: pagesOf(content.pages),
    files: content.files.map((file) => ({
      ...file,
      git: file.git ?? { path: paths.files.get(file.id) ?? file.id, oid: '' },
    })),
  };
}

/** Whether a plan changes or deletes existing content. */
export function touchesExisting({ pages, files, deletedFiles }: ImportPlan): boolean {
  return (
    deletedFiles.length > 0 ||
    files.some(({ replaces }) => replaces !== undefined) ||
    pages.some(({ operation }) => operation !== 'insert_page')
  );
}

/** Lists the changes of a plan, page by page. */
export function listImported(
  { pages, texts, files, deletedFiles }: ImportPlan,
  content: SpaceContent,
): GitRunChange[] {
  const names = namesById(asImported(content));
  const nameOf = (id: string): string => names.get(id) ?? id;
  const changed = new Set<string>();
  const changes: GitRunChange[] = [];
  const add = (kind: GitRunChange['kind'], change: GitRunChange['change'], name: string): unknown =>
    changes.push({ direction: 'import', change, kind, name });
  for (const one of pages) {
    if (one.operation === 'insert_page') add('page', 'added', nameOfInserted(one));
    else if (one.operation === 'delete_page') add('page', 'deleted', nameOf(one.page));
    else if (one.operation === 'update_page' && !changed.has(one.page)) {
      changed.add(one.page);
      add('page', 'changed', nameOf(one.page));
    }
  }
  for (const { file, replaces } of files)
    add('file', replaces === undefined ? 'added' : 'changed', file.path);
  for (const id of deletedFiles) add('file', 'deleted', nameOf(id));
  for (const text of texts)
    if (text.operation === 'put_text')
      add('text', text.text === null ? 'deleted' : 'changed', text.git?.path ?? text.role);
  return changes;
}
