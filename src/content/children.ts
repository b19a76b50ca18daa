import { groupBy } from '../contract/values.ts';
import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { LeafCache } from './leaf-cache.ts';
import { readEntry, writeEntries, type EntryChange } from './trie.ts';
import type { PageEntry } from './rows.ts';

/** A page in the list of its parent: ID, position among its siblings, slug, and whether it is a link. */
type Child = readonly [id: string, position: string, slug: string, isLink: boolean];

/** The children of one page of a revision, or its top pages, in order. */
interface Children {
  readonly id: string;
  readonly pages: readonly Child[];
}
const rootKey = 'top';
/**
 * Caches leaves with long lists. Such a leaf is read for every page whose list is in it, and parsing takes most of the time of
 * the read. A child takes about 250 bytes of memory.
 */
const longLists = new LeafCache<Children>({
  weightOf: ({ pages }) => pages.length,
  minWeight: 500,
  maxWeight: 60_000,
});

/** Updates the lists of children of a revision after changes of its entries. Returns the root of their trie. */
export async function updateChildren(
  tx: WriteTransaction,
  root: string,
  changed: readonly EntryChange[],
): Promise<string> {
  const removedIds = new Map<string, Set<string>>();
  const addedPages: PageEntry[] = [];
  for (const { before, after } of changed) {
    const [old, now] = [
      before?.kind === 'page' ? before : undefined,
      after?.kind === 'page' ? after : undefined,
    ];
    if (old !== undefined && now !== undefined && isSameChild(old, now)) continue;
    if (old !== undefined) removedIds.set(keyOf(old), (removedIds.get(keyOf(old)) ?? new Set()).add(old.id));
    if (now !== undefined) addedPages.push(now);
  }
  const added = groupBy(addedPages, keyOf);
  const entries = new Map<string, Children | undefined>();
  for (const parent of new Set([...removedIds.keys(), ...added.keys()])) {
    const removed = removedIds.get(parent);
    const kept = (await childrenIn(tx, root, parent)).filter(([id]) => removed?.has(id) !== true);
    const pages = [...kept, ...(added.get(parent) ?? []).map(childOf)].sort(compareChildren);
    entries.set(parent, pages.length === 0 ? undefined : { id: parent, pages });
  }
  return entries.size === 0 ? root : (await writeEntries<Children>(tx, root, entries)).root;
}

/** Returns the IDs of the children of a page, or of the top pages for null, in order. */
export async function childIds(
  view: ReadTransaction,
  root: string,
  parent: string | null,
): Promise<string[]> {
  return (await childrenIn(view, root, parent ?? rootKey)).map(([id]) => id);
}

/** Returns the ID of the page at a path of slugs. */
export async function findByPath(
  view: ReadTransaction,
  root: string,
  path: string,
): Promise<string | undefined> {
  let at: string | null = null;
  for (const segment of path.split('/')) {
    const child: Child | undefined = (await childrenIn(view, root, at ?? rootKey)).find(
      ([, , slug, isLink]) => slug === segment && !isLink,
    );
    if (child === undefined) return undefined;
    at = child[0];
  }
  return at ?? undefined;
}

/** Returns the slugs of the children of a page, or of the top pages for null. Links have none. */
export async function childSlugs(
  view: ReadTransaction,
  root: string,
  parent: string | null,
): Promise<string[]> {
  const children = await childrenIn(view, root, parent ?? rootKey);
  return children.flatMap(([, , slug, isLink]) => (isLink ? [] : [slug]));
}

async function childrenIn(view: ReadTransaction, root: string, key: string): Promise<readonly Child[]> {
  return (await readEntry<Children>(view, root, key, longLists))?.pages ?? [];
}

function keyOf({ parent }: PageEntry): string {
  return parent ?? rootKey;
}

function childOf({ id, position, slug, type }: PageEntry): Child {
  return [id, position, slug, type === 'link'];
}

function isSameChild(one: PageEntry, other: PageEntry): boolean {
  return (
    one.parent === other.parent &&
    one.position === other.position &&
    one.slug === other.slug &&
    one.type === other.type
  );
}

function compareChildren([one, onePlace]: Child, [other, otherPlace]: Child): number {
  if (onePlace !== otherPlace) return onePlace < otherPlace ? -1 : 1;
  return one < other ? -1 : 1;
}
