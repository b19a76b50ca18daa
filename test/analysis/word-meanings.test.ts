import { expect, it } from 'vitest';
import { embedText, meanContext, vectorSize } from '../../src/analysis/text-vectors.ts';
import { embeddingSize, learnMeanings, type WordMeaning } from '../../src/analysis/word-meanings.ts';

const texts = [
  ['invoice', 'invoice', 'export'],
  ['invoice', 'export', 'format'],
  ['invoice', 'format', 'logo'],
  ['logo', 'upload'],
];

it('learns words that occur in several texts, and counts each once per text', () => {
  const meanings = learnMeanings(texts, 1);
  expect([...meanings].map(([word, { rarity }]) => [word, rarity])).toEqual([
    ['invoice', Math.log(5 / 3.5)],
    ['export', Math.log(5 / 2.5)],
    ['format', Math.log(5 / 2.5)],
    ['logo', Math.log(5 / 2.5)],
  ]);
  for (const { topic } of meanings.values()) expect(topic).toHaveLength(embeddingSize);
});

it('learns nothing from fewer than three words', () => {
  expect(
    learnMeanings(
      [
        ['a1', 'b1'],
        ['a1', 'b1'],
      ],
      1,
    ).size,
  ).toBe(0);
  expect(
    learnMeanings(
      [
        ['a1', 'b1', 'c1'],
        ['a1', 'b1', 'c1'],
      ],
      1,
    ).size,
  ).toBe(3);
});

const unit = (at: number) => Float32Array.from({ length: embeddingSize }, (_, index) => Number(index === at));
const meaningOf = (stem: string): WordMeaning | undefined =>
  stem === 'known' ? { rarity: 1, context: unit(2), topic: unit(5) } : undefined;
const parts = (vector: Float32Array) => [
  vector.subarray(0, embeddingSize),
  vector.subarray(embeddingSize, 2 * embeddingSize),
  vector.subarray(2 * embeddingSize),
];
const lengthOf = (vector: Float32Array) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

it('embeds a text as a vector of length one, with fixed shares of its parts', () => {
  const vector = embedText(['known'], { meaning: meaningOf, mean: new Float32Array(embeddingSize) });
  expect(vector).toHaveLength(vectorSize);
  expect(lengthOf(vector)).toBeCloseTo(1);
  const [context, topic, spelling] = parts(vector);
  expect(context![2]).toBeCloseTo(Math.sqrt(1 / 1.8));
  expect(topic![5]).toBeCloseTo(Math.sqrt(0.5 / 1.8));
  expect(lengthOf(spelling!)).toBeCloseTo(Math.sqrt(0.3 / 1.8));
});

it('embeds a text without known words by its spelling', () => {
  const vector = embedText(['other'], { meaning: meaningOf, mean: unit(1) });
  const [context, topic, spelling] = parts(vector).map(lengthOf);
  expect([context, topic]).toEqual([0, 0]);
  expect(spelling).toBeCloseTo(1);
});

it('subtracts half of the common context from the context of each text', () => {
  const mean = meanContext([{ stems: ['known'] }, { stems: ['other'] }], meaningOf);
  expect([...mean]).toEqual([...unit(2)].map((value) => value / 2));
  const [context] = parts(embedText(['known'], { meaning: meaningOf, mean: unit(3) }));
  expect((context![3] ?? 0) / (context![2] ?? 0)).toBeCloseTo(-0.5);
});
