/** A point in its old cluster and its new community, with the issues that it stands for. */
export interface Member {
  readonly cluster: string;
  readonly community: number;
  readonly size: number;
}

/** Gives each community the name of the cluster that most of its issues come from; the largest share chooses first, and who finds it taken gets a new name. */
export function keepNames(members: readonly Member[], newId: () => string): Map<number, string> {
  const shared = new Map<string, { cluster: string; community: number; size: number }>();
  for (const { cluster, community, size } of members) {
    const key = `${community} ${cluster}`;
    const share = shared.get(key);
    if (share === undefined) shared.set(key, { cluster, community, size });
    else share.size += size;
  }
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const { cluster, community } of [...shared.values()].sort(
    (one, other) =>
      other.size - one.size || (one.cluster < other.cluster ? -1 : 1) || one.community - other.community,
  )) {
    if (names.has(community) || taken.has(cluster)) continue;
    names.set(community, cluster);
    taken.add(cluster);
  }
  for (const { community } of members) if (!names.has(community)) names.set(community, newId());
  return names;
}
