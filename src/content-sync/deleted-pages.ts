import { flattenPages } from '../contract/values.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import type { ImportPlan } from './plan-import.ts';
import { isPage } from '../content/tree.ts';

/** Returns the IDs of the pages that a plan deletes, with their descendants, except those that it moves elsewhere first. */
export function listDeletedPages({ pages: changes }: ImportPlan, pages: readonly PageBody[]): string[] {
  const known = new Map(flattenPages(pages).map((page) => [page.id, page]));
  const moved = new Set<string>();
  const deleted = new Set<string>();
  for (const change of changes) {
    if (change.operation === 'update_page' && change.into !== undefined) moved.add(change.page);
    if (change.operation !== 'delete_page') continue;
    const page = known.get(change.page);
    if (page !== undefined) for (const id of listWithChildren(page, moved)) deleted.add(id);
  }
  return [...deleted];
}

/** Counts the pages that a plan deletes, without groups and links. */
export function countDeletedPages(plan: ImportPlan, pages: readonly PageBody[]): number {
  const deleted = new Set(listDeletedPages(plan, pages));
  return flattenPages(pages).filter((page) => isPage(page) && deleted.has(page.id)).length;
}

/** Lists a page and the pages that are deleted with it. */
function listWithChildren({ id, pages = [] }: PageBody, moved: ReadonlySet<string>): string[] {
  return [
    id,
    ...pages.filter((child) => !moved.has(child.id)).flatMap((child) => listWithChildren(child, moved)),
  ];
}

/** Counts the pages that came from a folder, without groups and links. */
export function countImportedPages(pages: readonly PageBody[]): number {
  return flattenPages(pages).filter((page) => isPage(page) && page.git !== undefined).length;
}
