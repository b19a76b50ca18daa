import { yieldToEvents } from '../contract/event-loop.ts';
import { groupBy, isObject } from '../contract/values.ts';
import { RecentMap } from '../core/recent-map.ts';
import { getExisting, type ReadTransaction, type WriteTransaction } from '../core/store.ts';
import { sha256 } from './hashing.ts';
import type { LeafCache } from './leaf-cache.ts';
import { nodes, type Entry, type NodeRow } from './rows.ts';
import { wholeNode } from './verify-content.ts';

/**
 * A trie stores entries under the SHA-256 of their IDs: a node with more than `maxLeafEntries` has a branch for each next
 * hexadecimal digit. Its form depends only on its entries, and its nodes are stored under their own hashes. So equal content has
 * an equal root, and a change writes only the few nodes on its path.
 */
const maxLeafEntries = 16;

/** Any entry of a trie: JSON with an ID. */
interface Item {
  readonly id: string;
}
/** Caches nodes by hash. It is never outdated, and can be shared by all stores, because the hash determines the node. */
export type NodeCache = RecentMap<NodeRow>;
/** A node and the number of entries below it. */
type Branch = readonly [node: string, size: number];

/** A change of one entry, before and after. Undefined if it does not exist. */
export interface EntryChange<T extends Item = Entry> {
  readonly id: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Stores the root of an empty trie. */
export async function putEmptyRoot(tx: WriteTransaction): Promise<string> {
  return putNode(tx, { entries: [] });
}

/**
 * Returns all entries below a root, in the order of the trie. With a cache, each node is parsed once, and entries must not be
 * modified.
 */
export async function readEntries<T extends Item = Entry>(
  view: ReadTransaction,
  root: string,
  cache?: NodeCache,
): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of walkEntries<T>(view, root, '', cache)) entries.push(entry);
  return entries;
}

/**
 * Returns one entry below a root. It reads the nodes on its path. With a cache of leaves, a large leaf is parsed once; with a
 * cache of nodes, each node is read once. Entries must not be modified then.
 */
export async function readEntry<T extends Item = Entry>(
  view: ReadTransaction,
  root: string,
  id: string,
  cache?: LeafCache<T>,
  read?: NodeCache,
): Promise<T | undefined> {
  const key = trieKey(id);
  for (let hash = root, depth = 0; ; depth++) {
    const kept = cache?.get(hash);
    const node =
      kept === undefined ? (read?.get(hash) ?? (await readNode(view, hash, read))) : { entries: kept };
    if (!('branches' in node) || node.branches === undefined) {
      const entries = node.entries as readonly T[];
      cache?.keep(hash, entries);
      return entries.find((entry) => entry.id === id);
    }
    const branch = node.branches[key.charAt(depth)];
    if (branch === undefined) return undefined;
    [hash] = branch;
  }
}

/** Yields the entries below a root in the order of their keys, starting at the key `from`. */
export async function* walkEntries<T extends Item = Entry>(
  view: ReadTransaction,
  root: string,
  from = '',
  cache?: NodeCache,
): AsyncGenerator<T> {
  const open: { readonly node: string; readonly prefix: string }[] = [{ node: root, prefix: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prefix } = next;
    if (prefix < from.slice(0, prefix.length)) continue;
    await yieldToEvents();
    const { branches, entries = [] } = cache?.get(next.node) ?? (await readNode(view, next.node, cache));
    const inReverse = Object.entries(branches ?? {}).sort(([one], [other]) => (one < other ? 1 : -1));
    for (const [digit, [child]] of inReverse) open.push({ node: child, prefix: prefix + digit });
    for (const entry of entries as readonly T[]) if (from === '' || trieKey(entry.id) >= from) yield entry;
  }
}

/**
 * Puts entries, or removes those whose value is undefined. Returns the new root and the changes. Only the nodes on the paths are
 * written.
 */
export async function writeEntries<T extends Item = Entry>(
  tx: WriteTransaction,
  root: string,
  changes: ReadonlyMap<string, T | undefined>,
): Promise<{ readonly root: string; readonly changed: EntryChange<T>[] }> {
  const changed: EntryChange<T>[] = [];
  const wanted = [...changes].map(([id, entry]) => ({ id, key: trieKey(id), entry }));
  const node = await rewrite(tx, root, { depth: 0, wanted, changed });
  return { root: changed.length === 0 ? root : (node?.[0] ?? (await putEmptyRoot(tx))), changed };
}

/** Returns the differences between two roots. Only nodes with different hashes are read. */
export async function diffRoots<T extends Item = Entry>(
  view: ReadTransaction,
  from: string | undefined,
  to: string | undefined,
): Promise<EntryChange<T>[]> {
  if (from === to) return [];
  const [one, other] = [
    from === undefined ? undefined : await readNode(view, from),
    to === undefined ? undefined : await readNode(view, to),
  ];
  if (one?.branches !== undefined && other?.branches !== undefined) {
    const changes: EntryChange<T>[] = [];
    for (const digit of new Set([...Object.keys(one.branches), ...Object.keys(other.branches)])) {
      for (const change of await diffRoots<T>(view, one.branches[digit]?.[0], other.branches[digit]?.[0]))
        changes.push(change);
    }
    return changes;
  }
  const [old, now] = [new Map<string, T>(), new Map<string, T>()];
  if (from !== undefined) for await (const entry of walkEntries<T>(view, from)) old.set(entry.id, entry);
  if (to !== undefined) for await (const entry of walkEntries<T>(view, to)) now.set(entry.id, entry);
  // The keys of stored entries are sorted.
  const differs = (id: string) => JSON.stringify(old.get(id)) !== JSON.stringify(now.get(id));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter(differs)
    .map((id) => ({ id, before: old.get(id), after: now.get(id) }));
}

/** Maximum number of cached nodes: all branches of a trie with about 100,000 entries. */
const maxNodesRead = 1500;

/** Reads entries of a trie and caches them. Without a root, the trie is empty. */
export class TrieReader<T extends Item = Item> {
  readonly #view: ReadTransaction;
  readonly #root: string | undefined;
  readonly #known = new Map<string, T | undefined>();
  /** Cached nodes. Many entries share the nodes above them. */
  readonly #nodes: NodeCache = new RecentMap(maxNodesRead);

  constructor(view: ReadTransaction, root: string | undefined) {
    this.#view = view;
    this.#root = root;
  }

  async get(id: string): Promise<T | undefined> {
    if (this.#root === undefined) return undefined;
    if (!this.#known.has(id))
      this.#known.set(id, await readEntry<T>(this.#view, this.#root, id, undefined, this.#nodes));
    return this.#known.get(id);
  }

  /** Yields the entries in the order of their keys, starting at the key `from`. */
  async *walk(from: string): AsyncGenerator<T> {
    if (this.#root !== undefined) yield* walkEntries<T>(this.#view, this.#root, from);
  }
}

/** Whether two entries are equal, regardless of the order of their fields. */
export function isSameEntry<T extends Item>(one: T, other: T): boolean {
  return JSON.stringify(sortByKey(one)) === JSON.stringify(sortByKey(other));
}

/** Returns the key of an ID in tries: 64 hexadecimal digits. */
export function trieKey(id: string): string {
  return sha256(id);
}

interface PendingEntry<T> {
  readonly id: string;
  readonly key: string;
  readonly entry: T | undefined;
}

interface PendingChanges<T extends Item> {
  readonly depth: number;
  readonly wanted: readonly PendingEntry<T>[];
  /** Receives the changes. */
  readonly changed: EntryChange<T>[];
}

/** Applies changes below a node and returns the new node; undefined if nothing is left. */
async function rewrite<T extends Item>(
  tx: WriteTransaction,
  node: string | undefined,
  { depth, wanted, changed }: PendingChanges<T>,
): Promise<Branch | undefined> {
  const row = node === undefined ? undefined : await readNode(tx, node);
  if (row?.branches === undefined) {
    const entries = new Map((row?.entries as readonly T[] | undefined)?.map((entry) => [entry.id, entry]));
    for (const { id, entry } of wanted) {
      const before = entries.get(id);
      if (before === entry || (before !== undefined && entry !== undefined && isSameEntry(before, entry)))
        continue;
      changed.push({ id, before, after: entry });
      if (entry === undefined) entries.delete(id);
      else entries.set(id, entry);
    }
    return build(
      tx,
      [...entries.values()].map((entry) => ({ key: trieKey(entry.id), entry })),
      depth,
    );
  }
  const branches: Record<string, Branch> = { ...row.branches };
  for (const [digit, group] of groupBy(wanted, ({ key }) => key.charAt(depth))) {
    const child = await rewrite(tx, branches[digit]?.[0], { depth: depth + 1, wanted: group, changed });
    if (child === undefined) delete branches[digit];
    else branches[digit] = child;
  }
  const size = Object.values(branches).reduce((sum, [, each]) => sum + each, 0);
  if (size > maxLeafEntries) return [await putNode(tx, { branches: sortByKey(branches) }), size];
  const left: { key: string; entry: T }[] = [];
  for (const [child] of Object.values(branches))
    for await (const entry of walkEntries<T>(tx, child)) left.push({ key: trieKey(entry.id), entry });
  return build(tx, left, depth);
}

/** Stores entries as a leaf, or as branches if there are too many; returns undefined if there are none. */
async function build<T extends Item>(
  tx: WriteTransaction,
  entries: readonly { readonly key: string; readonly entry: T }[],
  depth: number,
): Promise<Branch | undefined> {
  if (entries.length === 0) return undefined;
  if (entries.length <= maxLeafEntries) {
    const sorted = [...entries].sort((one, other) => (one.key < other.key ? -1 : 1));
    return [await putNode(tx, { entries: sorted.map(({ entry }) => sortByKey(entry)) }), entries.length];
  }
  const branches: Record<string, Branch> = {};
  for (const [digit, group] of groupBy(entries, ({ key }) => key.charAt(depth))) {
    const child = await build(tx, group, depth + 1);
    if (child !== undefined) branches[digit] = child;
  }
  return [await putNode(tx, { branches: sortByKey(branches) }), entries.length];
}

async function readNode(view: ReadTransaction, id: string, cache?: NodeCache): Promise<NodeRow> {
  const node = wholeNode(await getExisting(view, nodes, id));
  cache?.set(id, node);
  return node;
}

/** Stores a node, unless the same node is already stored. */
async function putNode(
  tx: WriteTransaction,
  node: { readonly branches: Readonly<Record<string, Branch>> } | { readonly entries: readonly Item[] },
): Promise<string> {
  const id = sha256(JSON.stringify(node));
  if ((await tx.get(nodes, id)) === undefined) await tx.insert(nodes, { id, ...node });
  return id;
}

/** Sorts the keys of a value at every level, so that equal values have equal JSON. */
function sortByKey<T>(value: T): T {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(sortByKey) as T;
  const given = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(given).sort())
    if (given[key] !== undefined) sorted[key] = sortByKey(given[key]);
  return sorted as T;
}
