import type { ReadTransaction, WriteTransaction } from '../core/store.ts';
import { sha256 } from './hashing.ts';
import { nodes, type Entry, type NodeRow } from './rows.ts';

/**
 * A trie holds entries under the SHA-256 of their ids: a node with more than `mostInLeaf` of them has a branch for each
 * next hexadecimal digit. Its form follows from what it holds alone, and its nodes are stored under their own hashes, so
 * equal content has an equal root, and a change writes the few nodes on the way to it.
 */
const maxLeafEntries = 16;

/** Anything that a trie can hold: JSON with an id. */
interface Item {
  readonly id: string;
}
type Branches = Readonly<Record<string, readonly [node: string, size: number]>>;

/** A change of one entry: what it is before and after, undefined where it is not there. */
export interface EntryChange<T extends Item = Entry> {
  readonly id: string;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/** Stores the root of an empty trie. */
export async function putEmptyRoot(tx: WriteTransaction): Promise<string> {
  return putNode(tx, { entries: [] });
}

/** Every entry under a root, in the order of the trie. */
export async function readEntries<T extends Item = Entry>(view: ReadTransaction, root: string): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of walkEntries<T>(view, root)) entries.push(entry);
  return entries;
}

/** One entry under a root; reads the nodes on the way to it. */
export async function readEntry<T extends Item = Entry>(
  view: ReadTransaction,
  root: string,
  id: string,
): Promise<T | undefined> {
  const key = trieKey(id);
  let node = await readNode(view, root);
  for (let depth = 0; node.branches !== undefined; depth++) {
    const branch = node.branches[key[depth]!];
    if (branch === undefined) return undefined;
    node = await readNode(view, branch[0]);
  }
  return (node.entries as readonly T[]).find((entry) => entry.id === id);
}

/** The entries under a root in the order of the trie, from a place on. */
export async function* walkEntries<T extends Item = Entry>(
  view: ReadTransaction,
  root: string,
  from = '',
): AsyncGenerator<T> {
  const open: { readonly node: string; readonly prefix: string }[] = [{ node: root, prefix: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prefix } = next;
    if (prefix < from.slice(0, prefix.length)) continue;
    const { branches, entries = [] } = await readNode(view, next.node);
    for (const digit of Object.keys(branches ?? {})
      .sort()
      .reverse())
      open.push({ node: branches![digit]![0], prefix: prefix + digit });
    for (const entry of entries as readonly T[]) if (from === '' || trieKey(entry.id) >= from) yield entry;
  }
}

/** Puts entries (an id with undefined removes one) and gives the new root and what changed; writes only the nodes on the way. */
export async function writeEntries<T extends Item = Entry>(
  tx: WriteTransaction,
  root: string,
  changes: ReadonlyMap<string, T | undefined>,
): Promise<{ readonly root: string; readonly changed: EntryChange<T>[] }> {
  const changed: EntryChange<T>[] = [];
  const wanted = [...changes].map(([id, entry]) => ({ id, key: trieKey(id), entry }));
  const [node] = await rewrite(tx, root, 0, wanted, changed);
  return { root: changed.length === 0 ? root : (node ?? (await putEmptyRoot(tx))), changed };
}

/** What differs between two roots, by comparing hashes: only nodes that differ are read. */
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
  // What is stored has its keys in order.
  const differs = (id: string) => JSON.stringify(old.get(id)) !== JSON.stringify(now.get(id));
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter(differs)
    .map((id) => ({ id, before: old.get(id), after: now.get(id) }));
}

/** Whether two entries say the same, in whatever order their fields are. */
export function isSameEntry<T extends Item>(one: T, other: T): boolean {
  return JSON.stringify(sortByKey(one)) === JSON.stringify(sortByKey(other));
}

/** The place of an id in every trie: 64 hexadecimal digits. */
export function trieKey(id: string): string {
  return sha256(id);
}

interface PendingEntry<T> {
  readonly id: string;
  readonly key: string;
  readonly entry: T | undefined;
}

/** Makes changes under a node, notes those that are some, and gives the new node, undefined where nothing is left, and its size. */
async function rewrite<T extends Item>(
  tx: WriteTransaction,
  node: string | undefined,
  depth: number,
  wanted: readonly PendingEntry<T>[],
  changed: EntryChange<T>[],
): Promise<[string | undefined, number]> {
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
  const branches: Record<string, readonly [string, number]> = { ...row.branches };
  for (const [digit, group] of byDigit(wanted, depth)) {
    const [child, size] = await rewrite(tx, branches[digit]?.[0], depth + 1, group, changed);
    if (child === undefined) delete branches[digit];
    else branches[digit] = [child, size];
  }
  const size = Object.values(branches).reduce((sum, [, each]) => sum + each, 0);
  if (size > maxLeafEntries) return [await putNode(tx, { branches: sortByKey(branches) }), size];
  const left: { key: string; entry: T }[] = [];
  for (const [child] of Object.values(branches))
    for await (const entry of walkEntries<T>(tx, child)) left.push({ key: trieKey(entry.id), entry });
  return build(tx, left, depth);
}

/** Stores entries as a leaf, or as branches where they are too many. */
async function build<T extends Item>(
  tx: WriteTransaction,
  entries: readonly { readonly key: string; readonly entry: T }[],
  depth: number,
): Promise<[string | undefined, number]> {
  if (entries.length === 0) return [undefined, 0];
  if (entries.length <= maxLeafEntries) {
    const sorted = [...entries].sort((one, other) => (one.key < other.key ? -1 : 1));
    return [await putNode(tx, { entries: sorted.map(({ entry }) => sortByKey(entry)) }), entries.length];
  }
  const branches: Record<string, readonly [string, number]> = {};
  for (const [digit, group] of byDigit(entries, depth)) {
    const [child, size] = await build(tx, group, depth + 1);
    branches[digit] = [child!, size];
  }
  return [await putNode(tx, { branches: sortByKey(branches) }), entries.length];
}

function byDigit<W extends { readonly key: string }>(wanted: readonly W[], depth: number): Map<string, W[]> {
  const groups = new Map<string, W[]>();
  for (const each of wanted) {
    const group = groups.get(each.key[depth]!);
    if (group === undefined) groups.set(each.key[depth]!, [each]);
    else group.push(each);
  }
  return groups;
}

async function readNode(view: ReadTransaction, id: string): Promise<NodeRow> {
  return (await view.get(nodes, id))!;
}

/** Equal content is stored once: a node that is there already is not written again. */
async function putNode(
  tx: WriteTransaction,
  node: { readonly branches: Branches } | { readonly entries: readonly Item[] },
): Promise<string> {
  const id = sha256(JSON.stringify(node));
  if ((await tx.get(nodes, id)) === undefined) await tx.insert(nodes, { id, ...node });
  return id;
}

/** The same value with sorted keys all the way down, so that equal values have equal text. */
function sortByKey<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortByKey) as T;
  const given = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(given).sort())
    if (given[key] !== undefined) sorted[key] = sortByKey(given[key]);
  return sorted as T;
}
