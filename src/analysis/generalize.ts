import { isContentWord } from './common-phrases.ts';
import { isVerb } from './english-phrases.ts';
import { stemsOf } from './words.ts';

/** A noun in a smaller share of the texts does not decide which of the words before it are kept. */
const minNounShare = 0.25;
/** A word before a noun that occurs less often, compared with the noun, is a detail. */
const minModifierShare = 0.5;
/** A word before the only noun of a phrase is a detail if it is in a smaller share of the texts. */
const minDetailShare = 0.15;
/** Minimum number of texts that use a verb for a thing, so that the verb replaces "Get". */
const minVerbTexts = 2;

const determined =
  /(?<![\p{L}'’])(an?|the|my|our|your|this|his|her|their) ((?:[\p{L}'’-]+ )+?)([\p{L}-]+)(?= (?:about|after|and|at|before|by|for|from|in|into|of|on|or|that|to|with|without)(?![\p{L}'’])|\??$)/giu;
/** Verbs for obtaining a thing. */
const obtaining = ['order', 'buy', 'purchase', 'book', 'request', 'reserve', 'rent', 'download'];

export interface Generalized {
  /** The phrase without words that few texts have. */
  readonly general: readonly string[];
  /** The phrases with the verb that texts use for the thing. */
  readonly withVerb: readonly string[];
}

/**
 * Returns a function that generalizes a phrase to what most of the texts say: "status of my Delta flight" becomes "status of my
 * flight", and "get a pizza" becomes "order a pizza".
 */
export function createGeneralizer(texts: readonly string[]): (phrase: string) => Generalized {
  const stemmed = texts.map((text) => new Set(stemsOf(text)));
  const shareOf = (word: string): number => {
    const stems = stemsOf(word);
    return stemmed.filter((each) => stems.every((stem) => each.has(stem))).length / texts.length;
  };
  const verbs = obtaining
    .map((verb) => ({
      verb,
      uses: texts.map((text) => new RegExp(`(?:^|\\b(?:to|i|we|please) )${verb} `, 'i').test(text)),
    }))
    .filter(({ uses }) => uses.filter(Boolean).length >= minVerbTexts);
  /** Removes the details before each noun, or all words before a noun with a detail. */
  const withoutDetails = (phrase: string, isWhole: boolean) =>
    phrase.replace(determined, (found: string, article: string, before: string, noun: string) => {
      const words = before.trim().split(' ');
      const share = shareOf(noun);
      if (share < minNounShare || ![...words, noun].every(isModifier)) return found;
      // If only one thing would remain, keeps what several texts say about it.
      const others = phrase
        .replace(found, ' ')
        .split(' ')
        .filter((word, at) => isModifier(word) && !(at === 0 && isVerb(word))).length;
      const least = others > 0 ? share * minModifierShare : minDetailShare;
      const isShared = words.map((word) => shareOf(word) >= least);
      if (isShared.every(Boolean)) return found;
      const kept = isWhole ? [] : words.slice(isShared.lastIndexOf(false) + 1);
      return [withArticle(article, kept[0] ?? noun), ...kept, noun].join(' ');
    });
  const withVerb = (phrase: string): string[] => {
    const thing = /^get (.+)$/i.exec(phrase)?.[1];
    if (thing === undefined) return [];
    const stems = stemsOf(thing);
    return verbs
      .filter(
        ({ uses }) =>
          stemmed.filter((each, at) => uses[at] && stems.some((stem) => each.has(stem))).length >=
          minVerbTexts,
      )
      .map(({ verb }) => `${verb} ${thing}`);
  };
  return (phrase) => {
    const general = [true, false]
      .map((isWhole) => withoutDetails(phrase, isWhole))
      .filter((each, at, all) => each !== phrase && all.indexOf(each) === at);
    return { general, withVerb: [phrase, ...general].flatMap(withVerb) };
  };
}

/** Verbs and prepositions are between things, not modifiers of one. */
const noModifier =
  /(?:ing|^(?:above|across|against|along|around|behind|below|between|down|near|off|onto|out|over|per|towards?|under|until|up|via))$/i;

function isModifier(word: string): boolean {
  return isContentWord(word.toLowerCase()) && !noModifier.test(word);
}

function withArticle(article: string, next: string): string {
  if (!/^an?$/i.test(article)) return article;
  return /^[aeio](?!ne)/i.test(next) ? 'an' : 'a';
}
