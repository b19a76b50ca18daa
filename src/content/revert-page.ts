import { revisions } from '../core/rows/revisions.ts';
import type { ReadTransaction } from '../core/store.ts';
import { invalid, notFound } from '../errors/problem.ts';
import type { Draft } from './draft.ts';
import { readPage } from './revisions.ts';
import type { PageEntry } from './rows.ts';

/** Gives a page back what it said in an earlier revision of its space, also one that was deleted since. */
export async function revertPage(
  draft: Draft,
  view: ReadTransaction,
  { page: id, revision, space }: { page: string; revision: string; space: string },
  path: string,
): Promise<PageEntry> {
  const row = await view.get(revisions, revision);
  if (row === undefined || row.space !== space) throw notFound('revision', revision);
  const page = await readPage(view, revision, id);
  if (page === undefined)
    throw invalid(
      `${path}/page`,
      `The page "${id}" is not in the revision "${revision}".`,
      'Delete it instead, or name a revision that has it.',
    );
  const parent = page.parent === null ? undefined : draft.page(page.parent);
  draft.checkParent(page, parent, `${path}/page`);
  if (page.type !== 'link' && draft.hasSlug(page.parent, page.slug, page.id))
    throw invalid(
      `${path}/page`,
      `Another page has the slug "${page.slug}" in its place now.`,
      'Give the other one another slug first.',
    );
  draft.put(page);
  return page;
}
