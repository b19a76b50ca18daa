import { defined } from '../contract/values.ts';
import { hash32 } from './hash.ts';
import { packVector, unpackVector } from './packed-vectors.ts';
import type { Model, StateDraft, StoredWord } from './state.ts';
import type { Vocabulary } from './text-vectors.ts';
import { embeddingSize, type WordMeaning } from './word-meanings.ts';

const pageCount = 256;

/** Reads the stored words for some stems: one value for each page that contains some of them. */
export async function readVocabulary(
  draft: StateDraft,
  { mean }: Model,
  stems: Iterable<string>,
): Promise<Vocabulary> {
  const wanted = new Set(stems);
  const found = new Map<string, WordMeaning>();
  for (const page of new Set([...wanted].map(pageOf)))
    for (const { word, rarity, company, topic } of (await draft.get<readonly StoredWord[]>(
      `words.${page}`,
    )) ?? [])
      if (wanted.has(word))
        found.set(word, {
          rarity,
          context: company === undefined ? undefined : unpackVector(company),
          topic: unpackVector(topic),
        });
  return {
    meaning: (stem) => found.get(stem),
    mean: mean === undefined ? new Float32Array(embeddingSize) : unpackVector(mean),
  };
}

/** Replaces all learned words. */
export function writeMeanings(draft: StateDraft, meanings: ReadonlyMap<string, WordMeaning>): void {
  const pages = Array.from({ length: pageCount }, (): StoredWord[] => []);
  for (const [word, { rarity, context, topic }] of meanings) {
    const company = context === undefined ? undefined : packVector(context);
    pages[pageOf(word)]?.push(defined({ word, rarity, company, topic: packVector(topic) }));
  }
  for (const [page, words] of pages.entries()) draft.put(`words.${page}`, words);
}

function pageOf(word: string): number {
  return hash32(word) % pageCount;
}
