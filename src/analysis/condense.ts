import type { Neighbour } from './neighbours.ts';

/** Joins the most alike neighbours of one community until `wanted` are left: gives for each point the one that stands for it, the larger of any two. */
export function condense(neighbours: readonly (readonly Neighbour[])[], community: readonly number[], sizes: readonly number[], wanted: number): number[] {
  const stand = sizes.map((_, at) => at);
  const find = (at: number): number => {
    while (stand[at] !== at) at = stand[at]!;
    return at;
  };
  const pairs = neighbours.flatMap((near, one) => near.filter(({ at }) => community[at] === community[one]).map(({ at, likeness }) => ({ one, other: at, likeness })));
  pairs.sort((first, second) => second.likeness - first.likeness || first.one - second.one || first.other - second.other);
  const weight = [...sizes];
  let left = sizes.length;
  for (const { one, other } of pairs) {
    if (left <= wanted) break;
    const [first, second] = [find(one), find(other)];
    if (first === second) continue;
    const [larger, smaller] = weight[second]! > weight[first]! ? [second, first] : [first, second];
    stand[smaller] = larger;
    weight[larger]! += weight[smaller]!;
    left--;
  }
  return stand.map((_, at) => find(at));
}
