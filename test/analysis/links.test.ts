import { describe, expect, it } from 'vitest';
import { linksOf, standForMany } from '../../src/analysis/links.ts';

describe('binding points', () => {
  it('binds none to what is hardly like it', () => {
    const near = [
      [
        { at: 1, likeness: 0.5 },
        { at: 2, likeness: 0.1 },
      ],
      [{ at: 0, likeness: 0.5 }],
      [{ at: 0, likeness: 0.1 }],
    ];
    expect(linksOf(near, [false, false, false])).toEqual([
      [{ at: 1, likeness: 0.5 }],
      [{ at: 0, likeness: 0.5 }],
      [],
    ]);
  });

  it('binds one that stands for many only to what is really like it, from both sides', () => {
    const near = [
      [
        { at: 1, likeness: 0.6 },
        { at: 2, likeness: 0.5 },
      ],
      [{ at: 0, likeness: 0.6 }],
      [
        { at: 0, likeness: 0.5 },
        { at: 1, likeness: 0.8 },
      ],
    ];
    expect(linksOf(near, [false, true, false])).toEqual([
      [{ at: 2, likeness: 0.5 }],
      [],
      [
        { at: 0, likeness: 0.5 },
        { at: 1, likeness: 0.8 },
      ],
    ]);
  });

  it('takes five equal issues for many, and once points have joined, what stands out', () => {
    expect(standForMany([1, 4, 5, 900], false)).toEqual([false, false, true, true]);
    expect(standForMany([100, 100, 100], false)).toEqual([true, true, true]);
    expect(standForMany([3, 29, 3, 30, 2], true)).toEqual([false, false, false, true, false]);
    expect(standForMany([], true)).toEqual([]);
  });
});
