import { carries, type Phrase, phrasesOf, wordsIn } from './common-phrases.ts';
import { cut } from './title.ts';
import { stemsOf } from './words.ts';

const longest = 60;
/** Words of a label at most, and words that only a sentence needs. */
const mostWords = 6;
const sentenceWords: ReadonlySet<string> = new Set(
  'i we you he she they it and or but because so that which who if when'.split(' '),
);

/**
 * Short names for what texts have in common, best first: the phrase of theirs that most have and that is rare elsewhere,
 * where it can be with a second one in it, as people say them together. Empty where they have no phrase in common.
 */
export function labelsOf(texts: readonly string[], rarity: (stem: string) => number): string[] {
  const phrases = phrasesOf(texts, rarity);
  const first = phrases[0];
  if (first === undefined) return [];
  const others = phrases.filter(({ stems }) => !stems.some((stem) => first.stems.includes(stem)));
  const strong = others.find(({ share, score }) => share >= 0.25 && score >= first.score / 3);
  const together = strong === undefined ? undefined : spanOf(texts, [first, strong], 1);
  const spansIn = (least: number): (string | undefined)[] =>
    others.slice(0, 5).map((other) => spanOf(texts, [first, other], least));
  const spans = spansIn(Math.max(2, texts.length / 8));
  const pairs = others.slice(0, 3).map(({ words }) => `${first.words} and ${words}`);
  // A word alone says little, where people say more.
  const single = first.stems.length === 1 ? [...spans, first.words] : [first.words, ...spans];
  const names = [together, ...single, ...spansIn(1), ...pairs].filter(
    (name) => name !== undefined && name.length <= longest,
  ) as string[];
  return [...new Set(names.length === 0 ? [first.words] : names)]
    .map((name) => asSpelt(name, texts))
    .map((name) => cut(name[0]!.toUpperCase() + name.slice(1), longest));
}

/** The shortest of the most usual runs of words that have two phrases in them, from the one to the other, and that stand in `least` places. */
function spanOf(
  texts: readonly string[],
  [one, other]: readonly [Phrase, Phrase],
  least: number,
): string | undefined {
  const wanted = new Set([...one.stems, ...other.stems]);
  const found = new Map<string, number>();
  for (const text of texts)
    for (const words of wordsIn(text)) {
      const stems = words.map((word) => stemsOf(word)[0] ?? '');
      for (let start = 0; start < words.length; start++) {
        if (!wanted.has(stems[start]!) || !carries(words[start]!)) continue;
        const missing = new Set(wanted);
        for (
          let at = start;
          at < Math.min(words.length, start + mostWords) && !sentenceWords.has(words[at]!);
          at++
        ) {
          missing.delete(stems[at]!);
          if (missing.size > 0) continue;
          const span = words.slice(start, at + 1).join(' ');
          if (carries(words[at]!)) found.set(span, (found.get(span) ?? 0) + 1);
          break;
        }
      }
    }
  return [...found]
    .filter(([, times]) => times >= least)
    .sort(
      ([span, times], [next, more]) => more - times || span.length - next.length || (span < next ? -1 : 1),
    )[0]?.[0];
}

/** Words that most write in capitals (ATM, PDF) are written so. */
function asSpelt(name: string, texts: readonly string[]): string {
  const spelt = new Map<string, { capital: number; all: number }>();
  for (const word of texts.flatMap((text) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])) {
    const counts = spelt.get(word.toLowerCase()) ?? { capital: 0, all: 0 };
    spelt.set(word.toLowerCase(), counts);
    counts.all++;
    if (word.length > 1 && word === word.toUpperCase()) counts.capital++;
  }
  return name.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => {
    const { capital, all } = spelt.get(word) ?? { capital: 0, all: 1 };
    return capital > all / 2 ? word.toUpperCase() : word;
  });
}
