import { getOrInsert } from '../../../contract/values.ts';
import { comparable } from '../../../core/redirect-paths.ts';
import { GeneratedFinder } from '../../../content/generated/find-generated.ts';
import type { PlacedPage } from '../../../content/generated/place-pages.ts';
import { readPages, readRevision } from '../../../content/revisions.ts';
import { buildTree, type PageNode } from '../../../content/tree.ts';
import { spaces } from '../../../core/rows/spaces.ts';
import type { ReadTransaction } from '../../../core/store.ts';
import { encodePath } from '../../site-structure/paths.ts';

/** The pages of a revision that have an address on a site, with their paths below their space. */
interface PageAddresses {
  readonly byId: ReadonlyMap<string, Pick<PageNode, 'path'>>;
  /** IDs by paths in normalized form, without a leading slash. '' is the first page. */
  readonly byPath: ReadonlyMap<string, string>;
}

/** Reads the pages of revisions. Each revision is read once. */
export type AddressReader = (revision: string) => Promise<PageAddresses>;

const readers = new WeakMap<ReadTransaction, AddressReader>();

/** Returns the reader of the pages of revisions in a transaction, including pages that are generated from specifications. */
export function addressReader(view: ReadTransaction): AddressReader {
  return getOrInsert(readers, view, () => {
    const known = new Map<string, Promise<PageAddresses>>();
    return (revision) => getOrInsert(known, revision, () => readAddresses(view, revision));
  });
}

async function readAddresses(view: ReadTransaction, revision: string): Promise<PageAddresses> {
  const { roots } = buildTree(await readPages(view, revision));
  const byId = new Map<string, Pick<PageNode, 'path'>>();
  const byPath = new Map<string, string>();
  const add = (nodes: readonly PageNode[]): void => {
    for (const node of nodes) {
      if (isOpened(node)) {
        byId.set(node.page.id, node);
        const key = comparable(encodePath(node.path));
        if (!byPath.has(key)) byPath.set(key, node.page.id);
      }
      add(node.children);
    }
  };
  add(roots);
  for (const { id, path } of await readGenerated(view, revision)) {
    byId.set(id, { path });
    const key = comparable(encodePath(path));
    if (!byPath.has(key)) byPath.set(key, id);
  }
  const first = firstDocument(roots);
  if (first !== undefined) byPath.set('', first.page.id);
  return { byId, byPath };
}

async function readGenerated(view: ReadTransaction, id: string): Promise<readonly PlacedPage[]> {
  const revision = await readRevision(view, id);
  if ((revision.computed ?? []).length === 0) return [];
  const space = await view.get(spaces, revision.space);
  return space === undefined ? [] : new GeneratedFinder(view, space.organization, revision).all();
}

/** Whether a site answers at the path of a page, with the page itself or with the first page of a group. */
function isOpened({ page, children }: PageNode): boolean {
  return page.type === 'document' || (page.type === 'group' && firstDocument(children) !== undefined);
}

function firstDocument(nodes: readonly PageNode[]): PageNode | undefined {
  for (const node of nodes) {
    if (node.page.hidden === true) continue;
    const found = node.page.type === 'document' ? node : firstDocument(node.children);
    if (found !== undefined) return found;
  }
  return undefined;
}
