import { mostCommon } from './common-phrases.ts';
import { isEnglish } from './english-phrases.ts';

const anyI = /(?<![\p{L}\p{N}'’.])i(?![\p{L}\p{N}.])/gu;
/** English words that no other language has in which "i" is a word, so that "i" next to them is the pronoun. */
const onlyEnglish = /\b(?:how|many|much|that|the|this|what|when|where|which|why|with|you|your)\b/i;
/** English words without a vowel are abbreviations, except for units, titles and courtesies. */
const consonants = /(?<![\p{L}\p{N}'’])[bcdfghjklmnpqrstvwxz]{2,4}(?![\p{L}\p{N}'’])/giu;
/** Contractions without their apostrophe that are not other words. */
const lostApostrophe = /\b(ca|could|did|does|do|has|have|is|was|would)nt\b/gi;
const lowerConsonants: ReadonlySet<string> = new Set(
  'cm dr ft hm hmm hr hrs jr kg km lb lbs ml mm mph mr mrs ms msg nd nth ny pls plz pm pt rd sh sq sr st thx tmrw tsp tbsp txt vs yr yrs'.split(
    ' ',
  ),
);
const word = /[\p{L}\p{N}\p{M}]+/gu;
const sentenceStart = /(?:^|[.!?:]\s*|^\P{L}+)$/u;
/** The pronoun "I", recognized by the verb after it or the word before it. */
const englishI =
  /(?<![\p{L}'’])i(?=['’](?:m|ve|d|ll)\b| (?:am|can|can't|cannot|could|did|didn't|do|don't|get|got|had|have|made|need|pay|see|spend|use|want|was|would)\b)|(?<=(?<![\p{L}'’])(?:am|because|can|could|did|do|had|have|how|if|may|must|shall|should|that|when|where|which|why|was|what|will|would) )i(?![\p{L}'’])/gu;

/** Learns how texts spell their words, so that names and acronyms keep their capitals (ATM, WordPress). */
export class Speller {
  readonly #spellings = new Map<string, Map<string, number>>();
  /** Whether the texts have capitals only at their start, so that capitals do not indicate names and acronyms. */
  readonly #isLowerCase: boolean;

  constructor(texts: readonly string[]) {
    this.#isLowerCase = texts.every((text) => text.slice(1) === text.slice(1).toLowerCase());
    for (const text of texts) {
      if (isShouted(text)) continue;
      for (const { 0: found, index } of text.matchAll(word)) {
        const isOnlyFirst = found.slice(1) === found.slice(1).toLowerCase();
        // A capital at the start of a sentence does not indicate a name.
        if (isOnlyFirst && sentenceStart.test(text.slice(0, index))) continue;
        const key = found.toLowerCase();
        const counts = this.#spellings.get(key) ?? new Map<string, number>();
        this.#spellings.set(key, counts);
        counts.set(found, (counts.get(found) ?? 0) + 1);
      }
    }
  }

  /** Spells each word of a phrase in the way of most texts. */
  spell(phrase: string, inEnglish = isEnglish(phrase)): string {
    const plain = isShouted(phrase) ? phrase.toLowerCase() : phrase;
    const pronoun = onlyEnglish.test(plain) ? anyI : englishI;
    const spelled = plain.replace(word, (found) => this.#mostSpelled(found) ?? found).replace(pronoun, 'I');
    if (!inEnglish) return spelled;
    const complete = spelled.replace(lostApostrophe, "$1n't");
    if (!this.#isLowerCase) return complete;
    return complete.replace(consonants, (found) =>
      lowerConsonants.has(found.toLowerCase()) ? found : found.toUpperCase(),
    );
  }

  /** Whether the texts capitalize a word of a phrase within their sentences. */
  isName(phrase: string): boolean {
    return (phrase.match(word) ?? []).some((found) => /\p{Lu}/u.test(this.#mostSpelled(found) ?? ''));
  }

  /** Returns the spelling of more than half of the occurrences of a word. */
  #mostSpelled(found: string): string | undefined {
    const counts = this.#spellings.get(found.toLowerCase());
    if (counts === undefined) return undefined;
    const best = mostCommon(counts);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return best !== undefined && (counts.get(best) ?? 0) > total / 2 ? best : undefined;
  }
}

function isShouted(text: string): boolean {
  return text.length > 12 && text === text.toUpperCase() && text !== text.toLowerCase();
}
