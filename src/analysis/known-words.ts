import { learntSize, type Meaning } from './dictionary.ts';
import { hash32 } from './hash.ts';
import { pack, unpack } from './pack.ts';
import type { Draft, Model, StoredWord } from './state.ts';
import type { Knowledge } from './vector.ts';

const pages = 256;

/** What the dictionary says of these stems, with as few reads as they have pages. */
export async function knowledgeOf(draft: Draft, model: Model, stems: Iterable<string>): Promise<Knowledge> {
  const wanted = new Set(stems);
  const found = new Map<string, Meaning>();
  for (const page of new Set([...wanted].map(pageOf)))
    for (const stored of (await draft.get<readonly StoredWord[]>(page)) ?? [])
      if (wanted.has(stored.word)) found.set(stored.word, read(stored));
  return {
    meaning: (stem) => found.get(stem),
    mean: model.mean === undefined ? new Float32Array(learntSize) : unpack(model.mean),
  };
}

/** Writes the whole dictionary in place of the old one. */
export function keepWords(draft: Draft, meanings: ReadonlyMap<string, Meaning>): void {
  const stored = new Map<string, StoredWord[]>(
    Array.from({ length: pages }, (_, page) => [`words.${page}`, []]),
  );
  for (const [word, { rarity, company, topic }] of meanings)
    stored.get(pageOf(word))!.push({
      word,
      rarity,
      ...(company === undefined ? {} : { company: pack(company) }),
      topic: pack(topic),
    });
  for (const [page, words] of stored) draft.put(page, words);
}

function pageOf(word: string): string {
  return `words.${hash32(word) % pages}`;
}

function read({ rarity, company, topic }: StoredWord): Meaning {
  return { rarity, company: company === undefined ? undefined : unpack(company), topic: unpack(topic) };
}
