import { groupBy } from '../contract/values.ts';
import type { PageEntry } from './rows.ts';

export interface PageTree {
  readonly roots: readonly PageNode[];
  readonly byId: ReadonlyMap<string, PageNode>;
}

export interface PageNode {
  readonly page: PageEntry;
  /** Slugs from the root, joined by "/". */
  readonly path: string;
  readonly children: readonly PageNode[];
}

/** Builds the tree of a revision's pages: children in their order, paths from slugs. */
export function buildTree(pages: Iterable<PageEntry>): PageTree {
  const byParent = groupBy(pages, ({ parent }) => parent);
  const byId = new Map<string, PageNode>();
  const nodesOf = (parent: string | null, prefix: string): PageNode[] =>
    (byParent.get(parent) ?? []).sort(comparePages).map((page) => {
      const path = prefix + page.slug;
      const node = { page, path, children: nodesOf(page.id, `${path}/`) };
      byId.set(page.id, node);
      return node;
    });
  return { roots: nodesOf(null, ''), byId };
}

/** Compares siblings. */
export function comparePages(one: PageEntry, other: PageEntry): number {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1;
  return one.id < other.id ? -1 : 1;
}

/** Whether the path of a page is a file. The path of a page that only groups others, without a file, ends in "/". */
export function namesFile(path: string): boolean {
  return !path.endsWith('/');
}

/** Whether an entry of a table of contents counts as a page. Groups and links have no content. */
export function isPage({ type }: { type?: string }): boolean {
  return type !== 'group' && type !== 'link';
}
