import { askingWords, stopWords } from './stop-words.ts';
import { stemsOf } from './words.ts';

/** Words that make no name by themselves, though they tell texts apart. */
const weak: ReadonlySet<string> = new Set(
  `long much many take takes took taking come came works work working make made making give gave think thought someone something somebody anyone anything everything without within through ago
  yet already before after again back only even really actually possible way ways able unable cannot put let say says said keep happen happened happening happens look new old one two
  three time times today yesterday day days week weeks month months don doesn didn isn wasn won couldn other another same different yours mine good bad nice`.split(
    /\s+/,
  ),
);
const mostWords = 4;

export interface Phrase {
  readonly words: string;
  readonly stems: readonly string[];
  readonly score: number;
  /** Of the texts, those that have it. */
  readonly share: number;
}

/** Phrases that several texts have, those first that most have and that are rare elsewhere. */
export function phrasesOf(texts: readonly string[], rarity: (stem: string) => number): Phrase[] {
  const found = new Map<string, { in: Set<number>; spelt: Map<string, number>; stems: string[] }>();
  texts.forEach((text, index) => {
    for (const { words, stems } of candidates(text)) {
      const key = stems.join(' ');
      const phrase = found.get(key) ?? { in: new Set(), spelt: new Map(), stems };
      found.set(key, phrase);
      phrase.in.add(index);
      phrase.spelt.set(words, (phrase.spelt.get(words) ?? 0) + 1);
    }
  });
  const least = texts.length === 1 ? 1 : Math.max(2, texts.length / 8);
  return [...found.values()]
    .filter((phrase) => phrase.in.size >= least)
    .map(({ in: places, spelt, stems }) => {
      const share = places.size / texts.length;
      const words = [...spelt].sort(
        ([one, times], [other, more]) => more - times || one.length - other.length || (one < other ? -1 : 1),
      )[0]![0];
      return { words, stems, share, score: share * stems.reduce((sum, stem) => sum + rarity(stem), 0) };
    })
    .sort((one, other) => other.score - one.score || (one.words < other.words ? -1 : 1));
}

/** The words of each piece of a text between signs, in lower case; a hyphen parts words. */
export function wordsIn(text: string): string[][] {
  return text
    .split(/[.,;:!?()\n"]/)
    .map((sentence) => (sentence.toLowerCase().match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? []).slice(0, 60));
}

/** Whether a word carries meaning by itself. */
export function carries(word: string): boolean {
  return (
    !stopWords.has(word) &&
    !askingWords.has(word) &&
    !weak.has(word) &&
    !/n['’]t$|['’]|^\d+$|^not$/.test(word) &&
    stemsOf(word).length > 0
  );
}

/** Runs of words within a sentence that begin and end with one that carries meaning. */
function candidates(text: string): { words: string; stems: string[] }[] {
  const runs: { words: string; stems: string[] }[] = [];
  for (const words of wordsIn(text))
    for (let start = 0; start < words.length; start++)
      for (let end = start + 1; end <= Math.min(words.length, start + mostWords); end++) {
        if (!carries(words[start]!) || !carries(words[end - 1]!)) continue;
        const run = words.slice(start, end).join(' ');
        const stems = stemsOf(run);
        if (stems.length > 0 && stems.length <= 3) runs.push({ words: run, stems });
      }
  return runs;
}
