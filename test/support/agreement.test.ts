import { expect, it } from 'vitest';
import { agreement } from './agreement.ts';

it('agreement is 1 for the correct clusters and about 0 for uninformative ones', () => {
  const labels = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c'];
  expect(agreement(labels, labels)).toMatchObject({ ami: 1, ari: 1, v: 1, clusters: 3, singletons: 0 });
  const alone = agreement(labels, [...labels.keys()].map(String));
  expect([alone.ami, alone.ari]).toEqual([expect.closeTo(0, 9), expect.closeTo(0, 9)]);
  expect(alone).toMatchObject({ v: expect.closeTo(2 / 3, 9), singletons: 1 });
});

it('agreement returns the same figures as scikit-learn', () => {
  const found = agreement(['0', '0', '1', '1', '2', '2'], ['0', '0', '0', '1', '1', '1']);
  expect(found.ari).toBeCloseTo(0.2424, 4);
  expect(found.v).toBeCloseTo(0.5158, 4);
});
