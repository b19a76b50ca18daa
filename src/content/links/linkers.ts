import { trieKey } from '../trie.ts';
import type { LinkIndex } from './link-index.ts';
import type { LinkTargetId } from './link-targets.ts';

type Counts = Record<LinkTargetId, number>;

/** Up to this many sources that link to a name are kept in one entry; more are spread over sixteen. */
const maxListed = 200;
const shards = [...'0123456789abcdef'];

/** The sources that link to a name. */
export async function readLinkers(index: LinkIndex, name: string): Promise<LinkTargetId[]> {
  const entry = await index.get('linkers', name);
  if (entry?.from !== undefined) return Object.keys(entry.from);
  return entry === undefined ? [] : Object.keys(await readShards(index, name));
}

/** Counts more or fewer links of some sources to a name. A name that all link to, such as the first page, costs one of its parts. */
export async function countLinkers(
  index: LinkIndex,
  name: string,
  changed: readonly (readonly [LinkTargetId, number])[],
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
  // The form follows from the number alone, so that equal content has equal entries whatever its history.
  const from = await readShards(index, name);
  for (const shard of shards) await index.set('parts', `${shard}:${name}`, undefined);
  await index.set('linkers', name, count === 0 ? undefined : { count, from });
}

async function readShards(index: LinkIndex, name: string): Promise<Counts> {
  const all: Counts = {};
  for (const shard of shards) Object.assign(all, (await index.get('parts', `${shard}:${name}`))?.from);
  return all;
}

function addCounts(
  counts: Readonly<Counts> | undefined,
  changed: readonly (readonly [LinkTargetId, number])[],
): Counts {
  const sum: Counts = { ...counts };
  for (const [thing, by] of changed) {
    const left = (sum[thing] ?? 0) + by;
    if (left === 0) delete sum[thing];
    else sum[thing] = left;
  }
  return sum;
}

function byShard(
  changed: readonly (readonly [LinkTargetId, number])[],
): Map<string, (readonly [LinkTargetId, number])[]> {
  const groups = new Map<string, (readonly [LinkTargetId, number])[]>();
  for (const change of changed) {
    const shard = trieKey(change[0])[0]!;
    const group = groups.get(shard);
    if (group === undefined) groups.set(shard, [change]);
    else group.push(change);
  }
  return groups;
}
