import { capitalize } from '../contract/values.ts';
import { weakWords } from './common-phrases.ts';
import { isComplaint, isEnglish, isVerb } from './english-phrases.ts';
import { formWeight } from './label-form.ts';
import { type LabelCandidate, labelCandidates } from './label-candidates.ts';
import { rephrase } from './rephrase.ts';
import { Speller } from './spelling.ts';
import { isRequestStem, stemsOf } from './words.ts';

const maxLength = 60;
/** The weight of each kind of phrase as a label. */
const kindWeights: Readonly<Record<LabelCandidate['kind'], number>> = {
  wish: 1,
  problem: 1,
  topic: 0.95,
  question: 0.85,
  other: 0.8,
  common: 0.75,
};
/** A stem in a smaller share of the texts belongs to single cases. */
const minShare = 0.15;
/** The factor for each word of a label that belongs to single cases. */
const rareWordWeight = 0.97;
/** The factor for a phrase with details if there is one without them, and for a phrase that no text contains. */
const detailWeights = { specific: 0.8, general: 0.98 };
/** The minimum share of wishes for which the label should be a wish. */
const minWishes = 0.4;
/** The factor for a label that only names a thing, if most of the texts are wishes. */
const thingWeight = 0.8;

export interface Label extends LabelCandidate {
  /** The stems of its words in alphabetical order. Labels with the same key have the same meaning. */
  readonly key: string;
  /** From 0 to about 1: how much of the common meaning of the texts it expresses, and how little else. */
  readonly score: number;
}

/**
 * Returns suggested labels for texts, best first: statements from the texts, shortened to phrases that a person would write. No
 * two labels have the same meaning. Empty if the texts have no meaning.
 */
export function suggestLabels(texts: readonly string[], rarity: (stem: string) => number): Label[] {
  const speller = new Speller(texts);
  const fit = createFit(texts, rarity);
  const fluency = createFluency(texts);
  const wishes = texts.filter((text) => rephrase(text).kind === 'wish').length / texts.length;
  const startsWithNoun = createNounTest(texts);
  const byKey = new Map<string, { best: Label; count: number; spellings: Map<string, number> }>();
  for (const found of labelCandidates(texts, rarity)) {
    // "How to weight gain" is not a wish, because a thing is not an action.
    const isNoun = found.kind === 'wish' && found.isEnglish && startsWithNoun(found.text);
    const candidate = isNoun ? { ...found, kind: 'topic' as const } : found;
    const text = capitalize(speller.spell(candidate.text, candidate.isEnglish || isEnglish(candidate.text)));
    if ([...text].length > maxLength) continue;
    const key = labelKey(text);
    const isName = speller.isName(candidate.text);
    const form = formWeight({ ...candidate, text }, isName) * fluency(text);
    const thing = wishes >= minWishes && isThing(candidate) ? thingWeight : 1;
    const detail = candidate.detail === undefined ? 1 : detailWeights[candidate.detail];
    const score = fit(stemsOf(text)) * kindWeights[candidate.kind] * form * thing * detail;
    if (score <= 0) continue;
    const label = { ...candidate, text, key, score };
    const known = byKey.get(key) ?? { best: label, count: 0, spellings: new Map<string, number>() };
    byKey.set(key, known);
    known.count++;
    const times = (known.spellings.get(text) ?? 0) + 1;
    known.spellings.set(text, times);
    const isMoreCommon = score === known.best.score && times > (known.spellings.get(known.best.text) ?? 0);
    if (score > known.best.score || isMoreCommon) known.best = label;
  }
  return Array.from(byKey.values(), ({ best, count }) => ({
    ...best,
    // A phrase that several people use is more likely to be the usual name.
    score: best.score * (1 + Math.log(count) / 10),
  })).sort((one, other) => other.score - one.score);
}

/** Returns the meaning of a label as a key: without small words and word order. */
export function labelKey(text: string): string {
  return [...new Set(stemsOf(text))].sort().join(' ');
}

const weakStems: ReadonlySet<string> = new Set([...weakWords].flatMap(stemsOf));

/**
 * Returns a function that rates the stems of a label: the harmonic mean of the share of the label that the texts have in common,
 * and the share of the texts' common stems that are in the label.
 */
function createFit(
  texts: readonly string[],
  rarity: (stem: string) => number,
): (stems: readonly string[]) => number {
  const shares = new Map<string, number>();
  for (const text of texts)
    for (const stem of new Set(stemsOf(text))) shares.set(stem, (shares.get(stem) ?? 0) + 1 / texts.length);
  const weightOf = (stem: string) =>
    isRequestStem(stem) ? 0 : rarity(stem) * (weakStems.has(stem) ? 0.5 : 1);
  const sharedWeight = (stem: string) => weightOf(stem) * (shares.get(stem) ?? 0);
  const isCommon = (stem: string) => (shares.get(stem) ?? 0) >= minShare;
  const all = [...shares.keys()].filter(isCommon).reduce((sum, stem) => sum + sharedWeight(stem), 0);
  return (stems) => {
    let weight = 0;
    let shared = 0;
    let covered = 0;
    for (const stem of new Set(stems)) {
      weight += weightOf(stem);
      shared += sharedWeight(stem);
      if (isCommon(stem)) covered += sharedWeight(stem);
    }
    if (weight === 0 || all === 0) return 0;
    const rareWords = [...new Set(stems)].filter((stem) => !isCommon(stem) && weightOf(stem) > 0).length;
    const precision = shared / weight;
    const recall = covered / all;
    return ((2 * precision * recall) / (precision + recall)) * rareWordWeight ** rareWords;
  };
}

/** Maximum loss of a label's rating if none of its word pairs are common. */
const maxFluencyLoss = 0.2;

/** Returns a function that rates a label by how many of its pairs of neighboring words are in at least two texts. */
function createFluency(texts: readonly string[]): (text: string) => number {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const pair of new Set(wordPairs(text))) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  const minTexts = Math.min(2, texts.length);
  return (text) => {
    const pairs = wordPairs(text);
    if (pairs.length === 0) return 1;
    const common = pairs.filter((pair) => (counts.get(pair) ?? 0) >= minTexts).length;
    return 1 - maxFluencyLoss * (1 - common / pairs.length);
  };
}

function wordPairs(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}\p{M}'’]+/gu) ?? [];
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

const article = /^(?:an?|my|our|the)$/;

/** Whether a label only names a thing. */
function isThing({ kind, text }: LabelCandidate): boolean {
  return (kind === 'topic' || kind === 'common') && !isComplaint(text);
}

/**
 * Returns a function that checks whether a phrase starts with a noun: an article, or a word that is not a common verb and follows
 * an article in one of the texts.
 */
function createNounTest(texts: readonly string[]): (phrase: string) => boolean {
  const nouns = new Set(
    texts.flatMap((text) =>
      Array.from(
        text.toLowerCase().matchAll(/(?<![\p{L}'’])(?:an?|my|our|the) (?:new )?(\p{L}+)/gu),
        ([, word = '']) => word,
      ),
    ),
  );
  return (phrase) => {
    const [first = '', second = ''] = phrase.toLowerCase().split(' ');
    return article.test(first) || (nouns.has(first) && !isVerb(first) && !article.test(second));
  };
}
