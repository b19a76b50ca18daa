import type { Neighbour } from './neighbours.ts';

/** Nothing binds what is less alike, even where it is like nothing else. */
const leastAlike = 0.15;
/**
 * So many issues that say the same are a topic: others have to be like them more than in passing. Once points have joined,
 * all stand for several, and many is what stands out by this factor.
 */
const many = { plain: 5, joined: 10 };
const reallyAlike = 0.65;

/** Which points stand for many issues, by the issues of each. */
export function standForMany(sizes: readonly number[], joined: boolean): boolean[] {
  const usual = sizes.toSorted((one, other) => one - other)[sizes.length >> 1]!;
  return sizes.map((size) => size >= (joined ? many.joined * usual : many.plain));
}

/** The neighbours of each that it is bound to: those that are alike enough. */
export function linksOf(
  neighbours: readonly (readonly Neighbour[])[],
  isMany: readonly boolean[],
): Neighbour[][] {
  return neighbours.map((near, one) =>
    near.filter(({ at, likeness }) => likeness >= (isMany[one]! || isMany[at]! ? reallyAlike : leastAlike)),
  );
}
