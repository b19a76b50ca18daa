import { requestWords, stopWords } from './stop-words.ts';
import { stemsOf } from './words.ts';

/** Words that distinguish texts, but are not names by themselves. */
export const weakWords: ReadonlySet<string> = new Set(
  `long much many take takes took taking come came works work working make made making give gave think thought someone something somebody anyone anything everything without within through ago
  yet already before after again back only even really actually possible way ways able unable cannot put let say says said keep happen happened happening happens look new old one two
  three time times today yesterday day days week weeks month months don doesn didn isn wasn won couldn other another same different yours mine good bad nice`.split(
    /\s+/,
  ),
);
const maxWords = 4;
const maxStems = 3;
const maxSentenceWords = 60;

interface Phrase {
  /** The most common spelling, in lower case. */
  readonly words: string;
  readonly stems: readonly string[];
  /** Higher for phrases that are in many of the texts and rare elsewhere. */
  readonly score: number;
  /** The share of the texts that contain the phrase, from 0 to 1. */
  readonly share: number;
}

/** Returns the phrases that several of the texts contain, the highest score first. */
export function commonPhrases(texts: readonly string[], rarity: (stem: string) => number): Phrase[] {
  const found = new Map<string, { texts: Set<number>; spellings: Map<string, number>; stems: string[] }>();
  for (const [index, text] of texts.entries())
    for (const { words, stems } of contentRuns(text)) {
      const key = stems.join(' ');
      const phrase = found.get(key) ?? { texts: new Set(), spellings: new Map(), stems };
      found.set(key, phrase);
      phrase.texts.add(index);
      phrase.spellings.set(words, (phrase.spellings.get(words) ?? 0) + 1);
    }
  const minTexts = texts.length === 1 ? 1 : Math.max(2, texts.length / 8);
  return [...found.values()]
    .filter((phrase) => phrase.texts.size >= minTexts)
    .map(({ texts: { size }, spellings, stems }) => {
      const share = size / texts.length;
      const score = share * stems.reduce((sum, stem) => sum + rarity(stem), 0);
      return { words: mostCommon(spellings) ?? '', stems, share, score };
    })
    .sort((one, other) => other.score - one.score || (one.words < other.words ? -1 : 1));
}

/** Returns the key with the highest count. Of equal keys, returns the shortest, then the first in the alphabet. */
export function mostCommon(counts: ReadonlyMap<string, number>): string | undefined {
  const [best] = [...counts].sort(
    ([one, count], [other, more]) => more - count || one.length - other.length || (one < other ? -1 : 1),
  );
  return best?.[0];
}

/** Returns the words of each part of a text between punctuation, in lower case; a hyphen separates words. */
export function sentenceWords(text: string): string[][] {
  return text
    .split(/[.,;:!?()\n"]/)
    .map((sentence) =>
      (sentence.toLowerCase().match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? []).slice(0, maxSentenceWords),
    );
}

/** Whether a word has a meaning by itself. */
export function isContentWord(word: string): boolean {
  return (
    !stopWords.has(word) &&
    !requestWords.has(word) &&
    !weakWords.has(word) &&
    !/n['’]t$|['’]|^\d+$|^not$/.test(word) &&
    stemsOf(word).length > 0
  );
}

/** Runs of words within a sentence that begin and end with a content word. */
function contentRuns(text: string): { words: string; stems: string[] }[] {
  const runs: { words: string; stems: string[] }[] = [];
  for (const words of sentenceWords(text)) {
    const isContent = words.map(isContentWord);
    for (const start of words.keys())
      for (let end = start + 1; end <= Math.min(words.length, start + maxWords); end++) {
        if (!isContent[start] || !isContent[end - 1]) continue;
        const run = words.slice(start, end).join(' ');
        const stems = stemsOf(run);
        if (stems.length > 0 && stems.length <= maxStems) runs.push({ words: run, stems });
      }
  }
  return runs;
}
