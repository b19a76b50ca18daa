import { describe, expect, it } from 'vitest';
import { consolidate, isConsolidationDue } from '../../src/analysis/consolidate.ts';
import { seededRandom } from '../../src/analysis/hash.ts';
import { placeIssues } from '../../src/analysis/place-issues.ts';
import {
  findPointsWithoutSentence,
  joinVectors,
  putSentences,
  type SentenceEmbedder,
  shortenVector,
} from '../../src/analysis/sentence-vectors.ts';
import type { PointText } from '../../src/analysis/state.ts';
import { dotProduct } from '../../src/analysis/vector-math.ts';
import { Organization } from '../support/analysis-organization.ts';

const dot = (one: Float32Array, other: Float32Array) => dotProduct(one, other, 0, one.length);
const randomVector = (seed: number, length: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length }, () => random() - 0.5);
};
const cosine = (one: readonly number[], other: readonly number[]): number => {
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, x, at) => sum + x * b[at]!, 0);
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other));
};

describe('shortenVector', () => {
  it.each([
    [3, 4],
    [384, 384],
    [768, 512],
    [3072, 512],
  ])('keeps the similarities of vectors of %i numbers', (length, size) => {
    const [one, noise] = [randomVector(1, length), randomVector(2, length)];
    const near = one.map((value, at) => value + 0.5 * noise[at]!);
    expect(shortenVector(one).length).toBe(size);
    expect(dot(shortenVector(one), shortenVector(one))).toBeCloseTo(1, 5);
    for (const [other, share] of [
      [near, 1],
      [noise, 1],
    ] as const)
      expect(
        Math.abs(dot(shortenVector(one), shortenVector(other)) - share * cosine(one, other)),
      ).toBeLessThan(0.15);
    expect(dot(shortenVector(one), shortenVector(near))).toBeGreaterThan(0.8);
  });

  it('returns zeros for zeros, and the same vector each time', () => {
    expect(shortenVector([0, 0])).toEqual(new Float32Array(4));
    expect(shortenVector(randomVector(1, 1000))).toEqual(shortenVector(randomVector(1, 1000)));
  });
});

describe('joinVectors', () => {
  const words = new Float32Array(376);
  words[0] = 1;
  const mean = new Float32Array(4);

  it('returns a vector of length one, with or without a sentence', () => {
    const joined = joinVectors(words, shortenVector([1, 2]), mean);
    expect([joined.length, dot(joined, joined)]).toEqual([380, expect.closeTo(1, 5)]);
    const alone = joinVectors(words, undefined, mean);
    expect([alone.length, alone[0], dot(alone, alone)]).toEqual([joined.length, 1, 1]);
    const otherModel = joinVectors(words, shortenVector([1, 2, 3, 4, 5]), mean);
    expect([otherModel.length, otherModel[0]]).toEqual([joined.length, 1]);
  });

  it('leaves the whole length to the words if the sentence has only the common part', () => {
    const same = shortenVector([1, 2]);
    expect(joinVectors(words, same, same)[0]).toBe(1);
  });
});

/** Two topics whose texts have hardly any common words, and the vectors of a model for them. */
const money = [
  'refund please',
  'give back cash',
  'reimburse payment',
  'return funds',
  'repay amount',
  'money back',
];
const keys = [
  'password reset',
  'forgot login',
  'cannot sign in',
  'locked account',
  'lost credentials',
  'new passcode',
];
const texts = money.flatMap((text, at) => [text, keys[at]!]);
const vectorOf = (text: string): Float32Array =>
  shortenVector((keys.includes(text) ? [0, 1] : [1, 0]).concat((texts.indexOf(text) % 3) / 10));

/** An embedder that records the texts it receives. */
function rememberingEmbedder(model = 'm') {
  const asked: string[] = [];
  const embedder: SentenceEmbedder<{ text: string }> = {
    model,
    embed: async (items) => {
      asked.push(...items.map(({ text }) => text));
      return items.map(({ text }) => vectorOf(text));
    },
  };
  return { asked, embedder };
}

/** An organization with the texts, whose points have vectors of the model. */
async function organizationWithSentences() {
  const world = new Organization();
  const vectors = new Map<string, Float32Array>();
  for (const text of texts) {
    await world.place([text]);
    vectors.set(world.issues.at(-1)!.point, vectorOf(text));
  }
  const missing = await findPointsWithoutSentence(world.state, 'm');
  world.state.apply((await putSentences(world.state, 'm', vectors)).writes);
  return { world, missing };
}

const clustersOf = (world: Organization) =>
  world.issues.map(({ point }) => (JSON.parse(world.state.rows.get(`point.${point}`)!) as PointText).cluster);

describe('clusters with sentence vectors', () => {
  it('join texts with the same meaning in other words, also texts that arrive later', async () => {
    const { world, missing } = await organizationWithSentences();
    expect(missing.length).toBe(texts.length);
    expect(await findPointsWithoutSentence(world.state, 'm')).toEqual([]);
    expect(await findPointsWithoutSentence(world.state, 'other')).toEqual(missing);
    const options = { newId: world.newId, sentenceModel: 'm' };
    world.state.apply((await consolidate(world.state, options)).writes);
    const clusters = clustersOf(world);
    expect(new Set(clusters.filter((_, at) => at % 2 === 0)).size).toBe(1);
    expect(new Set(clusters).size).toBe(2);
    expect(world.state.model.sentences?.model).toBe('m');
    const { asked, embedder } = rememberingEmbedder();
    const late = { text: 'compensate us' };
    const again = { text: texts[0]! };
    const { placed, writes } = await placeIssues(world.state, [late, again, late], {
      newId: world.newId,
      embedder,
    });
    expect(placed.map(({ cluster }) => cluster)).toEqual([clusters[0], clusters[0], clusters[0]]);
    expect(asked).toEqual([late.text]);
    expect(writes.get(`point.${placed[0]!.point}`)).toMatchObject({ sentence: { model: 'm' } });
  });

  it('use only the model of the last consolidation', async () => {
    const { world } = await organizationWithSentences();
    const { asked, embedder } = rememberingEmbedder('other');
    await placeIssues(world.state, [{ text: 'hello world' }], { newId: world.newId, embedder });
    world.state.apply((await consolidate(world.state, { newId: world.newId, sentenceModel: 'm' })).writes);
    await placeIssues(world.state, [{ text: 'hello world' }], { newId: world.newId, embedder });
    const { placed } = await placeIssues(world.state, [{ text: 'hello world' }], { newId: world.newId });
    expect([asked, placed.length]).toEqual([[], 1]);
  });

  it('are due again when the model changes, but not for few issues or before the first consolidation', async () => {
    const { world } = await organizationWithSentences();
    expect(isConsolidationDue({ ...world.state.model, fresh: 0 }, false, 'm')).toBe(false);
    await world.consolidate();
    const { model } = world.state;
    expect(model.sentences).toBe(undefined);
    const after = { ...model, sentences: { model: 'm', mean: '' } };
    expect([
      isConsolidationDue(model, false),
      isConsolidationDue(model, false, 'm'),
      isConsolidationDue({ ...model, issues: 4 }, false, 'm'),
      isConsolidationDue({ ...model, movesEnd: model.movesEnd + 1 }, false, 'm'),
      isConsolidationDue(after, false, 'm'),
      isConsolidationDue(after, false, 'n'),
      isConsolidationDue(after, false),
    ]).toEqual([false, true, false, false, false, true, true]);
  });

  it('are based only on words if there is no model, even if points have vectors', async () => {
    const { world } = await organizationWithSentences();
    const plain = new Organization();
    await plain.place(texts);
    for (const each of [world, plain])
      each.state.apply((await consolidate(each.state, { newId: each.newId })).writes);
    const partition = (each: Organization) => {
      const clusters = clustersOf(each);
      return clusters.map((cluster) => clusters.indexOf(cluster));
    };
    expect(partition(world)).toEqual(partition(plain));
    const { model } = world.state;
    expect(model.sentences).toBe(undefined);
  });
});
