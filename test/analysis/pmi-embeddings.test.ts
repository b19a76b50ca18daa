import { expect, it } from 'vitest';
import { pmiEmbeddings } from '../../src/analysis/pmi-embeddings.ts';
import { innerProduct } from '../../src/analysis/vector-math.ts';

/** Numbers from 0 up to 1 that are the same in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

const words = ['cat', 'dog', 'pet', 'tax', 'bill', 'sum'];
const texts = Array.from({ length: 8 }, () => [
  ['cat', 'pet'],
  ['dog', 'pet'],
  ['tax', 'sum'],
  ['bill', 'sum'],
]).flat();

it('returns a vector of length one for each word, similar for words in the same contexts', () => {
  const vectors = pmiEmbeddings(texts, words, 4, createRandom());
  expect([...vectors.keys()]).toEqual(words);
  for (const vector of Array.from(vectors.values(), (one) => Float64Array.from(one)))
    expect(innerProduct(vector, vector)).toBeCloseTo(1, 5);
  const alike = (one: string, other: string) =>
    innerProduct(Float64Array.from(vectors.get(one) ?? []), Float64Array.from(vectors.get(other) ?? []));
  expect(alike('cat', 'dog')).toBeGreaterThan(0.9);
  expect(alike('tax', 'bill')).toBeGreaterThan(0.9);
  expect(alike('cat', 'tax')).toBeLessThan(0.2);
});

it('does not depend on the positions of words in a text', () => {
  const before = Array.from({ length: 20 }, () => 'other');
  const later = texts.map((text) => [...before, ...text]);
  expect(pmiEmbeddings(later, words, 4, createRandom())).toEqual(
    pmiEmbeddings(texts, words, 4, createRandom()),
  );
});

it('returns a zero vector for a word without context, and no vectors for fewer than three words', () => {
  const vectors = pmiEmbeddings([...texts, ['alone']], [...words, 'alone'], 4, createRandom());
  expect([...(vectors.get('alone') ?? [])]).toEqual([0, 0, 0, 0]);
  expect(pmiEmbeddings([['a', 'b']], ['a', 'b'], 4, createRandom()).size).toBe(0);
});
