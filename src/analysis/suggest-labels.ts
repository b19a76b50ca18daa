import { commonPhrases, isContentWord, mostCommon, type Phrase, sentenceWords } from './common-phrases.ts';
import { truncate } from './title.ts';
import { stemsOf } from './words.ts';

const maxLength = 60;
const maxWords = 6;
/** Words that only a sentence needs, not a label. */
const clauseWords: ReadonlySet<string> = new Set(
  'i we you he she they it and or but because so that which who if when'.split(' '),
);

/**
 * Suggests short labels for texts, best first: the most common phrase that is rare elsewhere, if possible together with a
 * second one, as people say them. Empty if the texts have no phrase in common.
 */
export function suggestLabels(texts: readonly string[], rarity: (stem: string) => number): string[] {
  const phrases = commonPhrases(texts, rarity);
  const first = phrases[0];
  if (first === undefined) return [];
  const others = phrases.filter(({ stems }) => !stems.some((stem) => first.stems.includes(stem)));
  const second = others.find(({ share, score }) => share >= 0.25 && score >= first.score / 3);
  const together = second === undefined ? undefined : mostCommonSpan(texts, first, second, 1);
  const spansOf = (minCount: number): (string | undefined)[] =>
    others.slice(0, 5).map((other) => mostCommonSpan(texts, first, other, minCount));
  const spans = spansOf(Math.max(2, texts.length / 8));
  const pairs = others.slice(0, 3).map(({ words }) => `${first.words} and ${words}`);
  // A single word says little if people say more.
  const single = first.stems.length === 1 ? [...spans, first.words] : [first.words, ...spans];
  const labels = [together, ...single, ...spansOf(1), ...pairs].filter(
    (label): label is string => label !== undefined && label.length <= maxLength,
  );
  return [...new Set(labels.length === 0 ? [first.words] : labels)]
    .map((label) => restoreAcronyms(label, texts))
    .map((label) => truncate(label.charAt(0).toUpperCase() + label.slice(1), maxLength));
}

/** The most common run of words that starts in one of two phrases and contains both, if there are `minCount` of it. */
function mostCommonSpan(
  texts: readonly string[],
  one: Phrase,
  other: Phrase,
  minCount: number,
): string | undefined {
  const wanted = new Set([...one.stems, ...other.stems]);
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const sentence of sentenceWords(text)) {
      const words = sentence.map((word) => ({ word, stem: stemsOf(word)[0] ?? '' }));
      for (const [start, { word, stem }] of words.entries()) {
        if (!wanted.has(stem) || !isContentWord(word)) continue;
        const span = spanFrom(words.slice(start, start + maxWords), wanted);
        if (span !== undefined) counts.set(span, (counts.get(span) ?? 0) + 1);
      }
    }
  return mostCommon(new Map([...counts].filter(([, count]) => count >= minCount)));
}

/** The shortest run from the first word on that has all wanted stems and ends with a content word. */
function spanFrom(
  words: readonly { readonly word: string; readonly stem: string }[],
  wanted: ReadonlySet<string>,
): string | undefined {
  const missing = new Set(wanted);
  const span: string[] = [];
  for (const { word, stem } of words) {
    if (clauseWords.has(word)) return undefined;
    span.push(word);
    missing.delete(stem);
    if (missing.size === 0) return isContentWord(word) ? span.join(' ') : undefined;
  }
  return undefined;
}

/** Writes words in capitals that most texts write so (ATM, PDF). */
function restoreAcronyms(label: string, texts: readonly string[]): string {
  const spellings = new Map<string, { capital: number; all: number }>();
  for (const word of texts.flatMap((text) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])) {
    const counts = spellings.get(word.toLowerCase()) ?? { capital: 0, all: 0 };
    spellings.set(word.toLowerCase(), counts);
    counts.all++;
    if (word.length > 1 && word === word.toUpperCase()) counts.capital++;
  }
  return label.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => {
    const { capital, all } = spellings.get(word) ?? { capital: 0, all: 1 };
    return capital > all / 2 ? word.toUpperCase() : word;
  });
}
