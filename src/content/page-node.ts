import type { ReadTransaction } from '../core/store.ts';
import { childIds, findByPath } from './children.ts';
import { readPage, readPages, readRevision } from './revisions.ts';
import { buildTree, type PageNode } from './tree.ts';
import type { PageEntry } from './rows.ts';

/** Maximum number of pages that are read one by one. With more descendants, it is faster to build the whole tree. */
const maxPagesToWalk = 40;

/** Reads one page of a revision with its path and descendants, without reading all pages of a large space. */
export async function readPageNode(
  view: ReadTransaction,
  revision: string,
  id: string,
): Promise<PageNode | undefined> {
  const page = await readPage(view, revision, id);
  if (page === undefined) return undefined;
  const { children } = await readRevision(view, revision);
  const under = new Map<string, readonly string[]>();
  const open = [id];
  for (const each of open) {
    const ids = await childIds(view, children, each);
    under.set(each, ids);
    open.push(...ids);
    if (open.length > maxPagesToWalk) return buildTree(await readPages(view, revision)).byId.get(id);
  }
  const nodeOf = async (entry: PageEntry, prefix: string): Promise<PageNode> => {
    const path = prefix + entry.slug;
    const nodes: PageNode[] = [];
    for (const childId of under.get(entry.id) ?? []) {
      const child = await readPage(view, revision, childId);
      if (child !== undefined) nodes.push(await nodeOf(child, `${path}/`));
    }
    return { page: entry, path, children: nodes };
  };
  let prefix = '';
  for (let parent = page.parent; parent !== null;) {
    const above: PageEntry | undefined = await readPage(view, revision, parent);
    if (above !== undefined) prefix = `${above.slug}/${prefix}`;
    parent = above?.parent ?? null;
  }
  return nodeOf(page, prefix);
}

/** Returns the ID of the page at a path such as `guides/start`. */
export async function findPageByPath(
  view: ReadTransaction,
  revision: string,
  path: string,
): Promise<string | undefined> {
  return findByPath(view, (await readRevision(view, revision)).children, path);
}
