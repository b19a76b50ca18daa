import type { ReadTransaction } from '../core/store.ts';
import { childIds, findByPath } from './children.ts';
import { readPage, readPages, readRevision } from './revisions.ts';
import { buildTree, type PageNode } from './tree.ts';
import type { PageEntry } from './rows.ts';

/** With more pages under it than this, a page is cheaper to find in the tree of all. */
const maxPagesToWalk = 40;

/** One page of a revision with its path and those under it; reads about what it gives, however many pages there are. */
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
    for (const child of under.get(entry.id) ?? [])
      nodes.push(await nodeOf((await readPage(view, revision, child))!, `${path}/`));
    return { page: entry, path, children: nodes };
  };
  const above = (await readAncestors(view, revision, page)).map(({ slug }) => `${slug}/`);
  return nodeOf(page, above.join(''));
}

/** The id of the page at a path, such as guides/start. */
export async function findPageByPath(
  view: ReadTransaction,
  revision: string,
  path: string,
): Promise<string | undefined> {
  return findByPath(view, (await readRevision(view, revision)).children, path);
}

/** The pages above one, from the top downwards. */
async function readAncestors(view: ReadTransaction, revision: string, page: PageEntry): Promise<PageEntry[]> {
  const above: PageEntry[] = [];
  for (let at = page.parent; at !== null;) {
    const parent: PageEntry = (await readPage(view, revision, at))!;
    above.unshift(parent);
    at = parent.parent;
  }
  return above;
}
