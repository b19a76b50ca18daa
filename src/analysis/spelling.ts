import { mostCommon } from './common-phrases.ts';

const word = /[\p{L}\p{N}\p{M}]+/gu;
const sentenceStart = /(?:^|[.!?:]\s*|^\P{L}+)$/u;
const englishI =
  /(?<![\p{L}'’])i(?=['’](?:m|ve|d|ll)\b| (?:am|can|can't|cannot|could|did|didn't|do|don't|get|got|had|have|made|need|pay|see|spend|use|want|was|would)\b)/gu;

/** Knows how texts spell their words, so that names and acronyms keep their capitals (ATM, WordPress). */
export class Speller {
  readonly #spellings = new Map<string, Map<string, number>>();

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      if (isShouted(text)) continue;
      for (const { 0: found, index } of text.matchAll(word)) {
        const isOnlyFirst = found.slice(1) === found.slice(1).toLowerCase();
        // A capital at the start of a sentence says nothing about a word.
        if (isOnlyFirst && sentenceStart.test(text.slice(0, index))) continue;
        const key = found.toLowerCase();
        const counts = this.#spellings.get(key) ?? new Map<string, number>();
        this.#spellings.set(key, counts);
        counts.set(found, (counts.get(found) ?? 0) + 1);
      }
    }
  }

  /** Writes each word of a phrase as most of the texts write it. */
  spell(phrase: string): string {
    const plain = isShouted(phrase) ? phrase.toLowerCase() : phrase;
    return plain.replace(word, (found) => this.#mostSpelled(found) ?? found).replace(englishI, 'I');
  }

  /** Whether the texts write a word of a phrase with a capital within their sentences. */
  isName(phrase: string): boolean {
    return (phrase.match(word) ?? []).some((found) => /\p{Lu}/u.test(this.#mostSpelled(found) ?? ''));
  }

  /** The spelling of more than half of the occurrences of a word. */
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
