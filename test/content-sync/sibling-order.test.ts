import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SiblingOrder } from '../../src/content-sync/sibling-order.ts';

/** Moves pages one by one like the API: each page is removed and inserted at its index among the others. */
function apply(start: readonly string[], leaving: readonly string[], wanted: readonly string[]) {
  const order = new SiblingOrder(start);
  let now = start.filter((id) => !leaving.includes(id));
  for (const id of leaving) order.leave(id);
  order.expect(wanted);
  let moves = 0;
  for (const id of wanted) {
    const place = order.place(id);
    if (place === undefined) continue;
    const others = now.filter((other) => other !== id);
    if (now.includes(id)) moves++;
    expect(place.isLast).toBe(place.at === others.length);
    now = others.toSpliced(place.at, 0, id);
  }
  return { now, moves };
}

describe('the order of siblings', () => {
  const ids = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);

  it('is the wanted order, and other pages keep their positions', () => {
    fc.assert(
      fc.property(ids, ids, ids, (start, leaving, wanted) => {
        const { now } = apply(start, leaving, wanted);
        expect(now.filter((id) => wanted.includes(id))).toEqual(wanted);
        const others = start.filter((id) => !wanted.includes(id) && !leaving.includes(id));
        expect(now.filter((id) => !wanted.includes(id))).toEqual(others);
      }),
    );
  });

  it('is reached with as few moves as possible', () => {
    expect(apply(['a', 'b', 'c', 'd'], [], ['b', 'c', 'd', 'a'])).toEqual({
      now: ['b', 'c', 'd', 'a'],
      moves: 1,
    });
    expect(apply(['a', 'b', 'c', 'd'], [], ['d', 'a', 'b', 'c'])).toMatchObject({ moves: 1 });
    expect(apply(['a', 'own', 'b'], [], ['a', 'new', 'b'])).toEqual({
      now: ['a', 'new', 'own', 'b'],
      moves: 0,
    });
    expect(apply(['a', 'b'], [], ['a', 'b'])).toMatchObject({ moves: 0 });
  });
});
