import type { Neighbour } from './neighbours.ts';

export interface Condensed {
  /** For each point the one that stands for it. */
  readonly stand: readonly number[];
  /** How alike the last two were that were joined. */
  readonly alike: number;
}

/**
 * Joins the most alike neighbours of one community until `wanted` are left, the smaller to the larger. One that stands
 * for others joins none: each is joined to what it is really like, never along a chain.
 */
export function condense(
  neighbours: readonly (readonly Neighbour[])[],
  community: readonly number[],
  sizes: readonly number[],
  wanted: number,
): Condensed {
  const stand = sizes.map((_, at) => at);
  const stands = sizes.map(() => false);
  const pairs = neighbours.flatMap((near, one) =>
    near
      .filter(({ at }) => community[at] === community[one])
      .map(({ at, likeness }) => ({ one, other: at, likeness })),
  );
  pairs.sort(
    (first, second) =>
      second.likeness - first.likeness || first.one - second.one || first.other - second.other,
  );
  let left = sizes.length;
  let alike = 1;
  for (const { one, other, likeness } of pairs) {
    if (left <= wanted) break;
    if (stand[one] !== one || stand[other] !== other || (stands[one]! && stands[other]!)) continue;
    const joins = stands[one]! || (!stands[other]! && sizes[one]! >= sizes[other]!) ? other : one;
    const larger = joins === one ? other : one;
    stand[joins] = larger;
    stands[larger] = true;
    alike = likeness;
    left--;
  }
  return { stand, alike };
}
