import type { ContentSource } from '../../content/content-source.ts';
import { revisionOf } from '../../content/content-source.ts';
import { readPage } from '../../content/revisions.ts';
import { invalid, notFound, Problem } from '../../errors/problem.ts';
import { findTarget, type BlockTarget } from '../../richtext/find-target.ts';
import type { PageBody } from '../content/schemas.ts';
import { readEntryDocument } from '../content/read-document.ts';

/**
 * Checks that the target of a new comment exists: its page, and the block or cell of the page.
 *
 * @throws Problem(not-found), or Problem(invalid-input) for a block without a page
 */
export async function checkTarget(
  content: ContentSource,
  { page, ...target }: BlockTarget & { page?: string | undefined },
): Promise<void> {
  const { node, tableCell } = target;
  const name = node !== undefined ? 'node' : tableCell !== undefined ? 'tableCell' : undefined;
  if (page === undefined) {
    if (name === undefined) return;
    throw invalid(
      `/body/${name}`,
      `"${name}" refers to a part of a page, but no page is given.`,
      'Add --page with the page of the block or table.',
    );
  }
  const entry = await readPage(content.tx, revisionOf(content), page);
  const generated = entry === undefined ? await readGeneratedPage(content, page) : undefined;
  const title = (entry ?? generated)?.title;
  if (title === undefined) throw notFound('page', page);
  if (name === undefined) return;
  const nodes =
    entry === undefined
      ? (generated?.document?.nodes ?? [])
      : (await readEntryDocument(content, entry, {})).nodes;
  const blockExists = node === undefined || findTarget(nodes, { node }) !== undefined;
  if (blockExists && findTarget(nodes, target) !== undefined) return;
  const what = blockExists
    ? `table with the record "${tableCell?.record}" and the column "${tableCell?.definition}"`
    : `block "${node}"`;
  throw new Problem('not-found', `The page "${title}" has no ${what}.`, {
    hint: `To see the keys of blocks and the records and columns of tables, run \`docsctl ${pagesGet(content, page)} --format document -o json\`.`,
  });
}

/** Returns a page that is generated from a specification, without its descendants. */
async function readGeneratedPage(content: ContentSource, id: string): Promise<PageBody | undefined> {
  const { findComputed } = await import('../content/computed-pages.ts');
  return findComputed(content, { id }, { text: 'document', children: false });
}

function pagesGet({ space, changeRequest }: ContentSource, page: string): string {
  return changeRequest === undefined
    ? `spaces pages get ${page} --space ${space.id}`
    : `change-requests pages get ${page} --space ${space.id} --change-request ${changeRequest.number}`;
}
