import { groupBy } from '../../contract/values.ts';
import { trieKey } from '../trie.ts';
import type { LinkIndex } from './link-index.ts';
import type { LinkTargetId } from './link-targets.ts';

type Counts = Record<LinkTargetId, number>;
/** The number of links of a source to a name, or the change of this number. */
export type LinkCount = readonly [source: LinkTargetId, count: number];

/** Maximum number of sources that one entry lists for a name. More are distributed over sixteen parts. */
const maxListed = 200;
const shards = [...'0123456789abcdef'];

/** Returns the sources that link to a name. */
export async function readLinkers(index: LinkIndex, name: string): Promise<LinkTargetId[]> {
  return Object.keys(await readLinkCounts(index, name));
}

/** Returns the sources that link to a name, with the numbers of their links. */
export async function readLinkCounts(index: LinkIndex, name: string): Promise<Readonly<Counts>> {
  const entry = await index.get('linkers', name);
  if (entry?.from !== undefined) return entry.from;
  return entry === undefined ? {} : readShards(index, name);
}

/** Returns the number of sources that link to a name. */
export async function countLinkersOf(index: LinkIndex, name: string): Promise<number> {
  return (await index.get('linkers', name))?.count ?? 0;
}

/**
 * Adds to the numbers of links of sources to a name. For a name with many links, such as the first page, only one part is
 * rewritten.
 */
export async function countLinkers(
  index: LinkIndex,
  name: string,
  changed: readonly LinkCount[],
): Promise<void> {
  const before = await index.get('linkers', name);
  if (before === undefined || before.from !== undefined) {
    const from = addCounts(before?.from, changed);
    const count = Object.keys(from).length;
    if (count <= maxListed) return index.set('linkers', name, count === 0 ? undefined : { count, from });
    await index.set('linkers', name, { count });
    for (const [shard, linkers] of byShard(Object.entries(from)))
      await index.set('parts', `${shard}:${name}`, { from: addCounts({}, linkers) });
    return;
  }
  let { count } = before;
  for (const [shard, linkers] of byShard(changed)) {
    const old = (await index.get('parts', `${shard}:${name}`))?.from ?? {};
    const from = addCounts(old, linkers);
    count += Object.keys(from).length - Object.keys(old).length;
    await index.set('parts', `${shard}:${name}`, Object.keys(from).length === 0 ? undefined : { from });
  }
  if (count > maxListed) return index.set('linkers', name, { count });
  // The form depends only on the count, so that equal content has equal entries, independent of its history.
  const from = await readShards(index, name);
  for (const shard of shards) await index.set('parts', `${shard}:${name}`, undefined);
  await index.set('linkers', name, count === 0 ? undefined : { count, from });
}

async function readShards(index: LinkIndex, name: string): Promise<Counts> {
  const all: Counts = {};
  for (const shard of shards) Object.assign(all, (await index.get('parts', `${shard}:${name}`))?.from);
  return all;
}

function addCounts(counts: Readonly<Counts> | undefined, changed: readonly LinkCount[]): Counts {
  const sum: Counts = { ...counts };
  for (const [target, by] of changed) {
    const left = (sum[target] ?? 0) + by;
    if (left === 0) delete sum[target];
    else sum[target] = left;
  }
  return sum;
}

function byShard(changed: readonly LinkCount[]): Map<string, LinkCount[]> {
  return groupBy(changed, ([source]) => trieKey(source).charAt(0));
}
