import { nodes, type Entry } from '../../core/rows/revisions.ts';
import type { Reading, Writing } from '../../core/store.ts';
import { sha256 } from './hashing.ts';

type Leaves = Readonly<Record<string, string>>;

/** A change of one entry: what it is before and after, undefined where it is not there. */
export interface EntryChange {
  readonly id: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Stores the root of an empty revision. */
export async function putEmptyRoot(tx: Writing): Promise<string> {
  return putRoot(tx, {});
}

/** Every entry under a root. */
export async function readEntries(view: Reading, root: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const leaf of Object.values(await readLeaves(view, root))) entries.push(...(await readLeaf(view, leaf)));
  return entries;
}

/** One entry under a root; reads two nodes however large the content is. */
export async function readEntry(view: Reading, root: string, id: string): Promise<Entry | undefined> {
  const leaves = await readLeaves(view, root);
  return (await readLeaf(view, leaves[slotOf(id)])).find((entry) => entry.id === id);
}

export interface Written {
  readonly root: string;
  /** How many more pages and files there are than before. */
  readonly more: { readonly page: number; readonly file: number };
}

/** Puts entries (an id with undefined removes one) and gives the new root; writes only the leaves they lie in. */
export async function writeEntries(tx: Writing, root: string, changes: ReadonlyMap<string, Entry | undefined>): Promise<Written> {
  const leaves: Record<string, string> = { ...(await readLeaves(tx, root)) };
  const more = { page: 0, file: 0 };
  const bySlot = new Map<string, [string, Entry | undefined][]>();
  for (const change of changes) {
    const slot = slotOf(change[0]);
    bySlot.set(slot, [...(bySlot.get(slot) ?? []), change]);
  }
  for (const [slot, changed] of bySlot) {
    const entries = new Map((await readLeaf(tx, leaves[slot])).map((entry) => [entry.id, entry]));
    for (const [id, entry] of changed) {
      const before = entries.get(id);
      if (before !== undefined) more[before.kind]--;
      if (entry !== undefined) more[entry.kind]++;
      if (entry === undefined) entries.delete(id);
      else entries.set(id, entry);
    }
    if (entries.size === 0) delete leaves[slot];
    else leaves[slot] = await putLeaf(tx, [...entries.values()]);
  }
  return { root: await putRoot(tx, leaves), more };
}

/** What differs between two roots, by comparing hashes: only leaves that changed are read. */
export async function diffRoots(view: Reading, from: string, to: string): Promise<EntryChange[]> {
  if (from === to) return [];
  const [before, after] = [await readLeaves(view, from), await readLeaves(view, to)];
  const changes: EntryChange[] = [];
  for (const slot of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[slot] === after[slot]) continue;
    const old = new Map((await readLeaf(view, before[slot])).map((entry) => [entry.id, entry]));
    const now = new Map((await readLeaf(view, after[slot])).map((entry) => [entry.id, entry]));
    for (const id of new Set([...old.keys(), ...now.keys()])) {
      const [one, other] = [old.get(id), now.get(id)];
      if (one === undefined || other === undefined || !isSameEntry(one, other)) changes.push({ id, before: one, after: other });
    }
  }
  return changes;
}

/** Whether two entries say the same, in whatever order their fields are. */
export function isSameEntry(one: Entry, other: Entry): boolean {
  return canonical(one) === canonical(other);
}

function slotOf(id: string): string {
  return sha256(id).slice(0, 2);
}

async function readLeaves(view: Reading, root: string): Promise<Leaves> {
  return (await view.get(nodes, root))!.leaves!;
}

async function readLeaf(view: Reading, leaf: string | undefined): Promise<readonly Entry[]> {
  return leaf === undefined ? [] : (await view.get(nodes, leaf))!.entries!;
}

function putLeaf(tx: Writing, entries: readonly Entry[]): Promise<string> {
  const sorted = [...entries].sort((one, other) => (one.id < other.id ? -1 : 1));
  return put(tx, { entries: sorted });
}

function putRoot(tx: Writing, leaves: Leaves): Promise<string> {
  return put(tx, { leaves });
}

/** Equal content is stored once: a node that is there already is not written again. */
async function put(tx: Writing, node: { readonly leaves?: Leaves; readonly entries?: readonly Entry[] }): Promise<string> {
  const id = sha256(canonical(node));
  if ((await tx.get(nodes, id)) === undefined) await tx.insert(nodes, { id, ...node });
  return id;
}

/** JSON with sorted keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
