import { isContentWord, weakWords } from './common-phrases.ts';
import { type LabelCandidate, labelCandidates } from './label-candidates.ts';
import { Speller } from './spelling.ts';
import { isRequestStem, stemsOf } from './words.ts';

const maxLength = 60;
/** Words that a label may have without being too long. */
const freeWords = { question: 9, phrase: 6 };
/** How well each kind of phrase serves as a label. */
const kindWeights: Readonly<Record<LabelCandidate['kind'], number>> = {
  wish: 1,
  problem: 1,
  topic: 0.95,
  question: 0.85,
  other: 0.8,
  common: 0.75,
};
/** A stem that a smaller share of the texts has belongs to single cases. */
const minShare = 0.15;

export interface Label extends LabelCandidate {
  /** The stems of its words in order of the alphabet: labels with the same key say the same. */
  readonly key: string;
  /** From 0 to about 1: how much it says of what the texts have in common, and how little else. */
  readonly score: number;
}

/**
 * Suggests labels for texts, best first: what one of the texts says, shortened to a phrase that a person would write. Each
 * label says something else. Empty if no text says anything.
 */
export function suggestLabels(texts: readonly string[], rarity: (stem: string) => number): Label[] {
  const speller = new Speller(texts);
  const fit = createFit(texts, rarity);
  const fluency = createFluency(texts);
  const found = new Map<string, { best: Label; count: number; spellings: Map<string, number> }>();
  for (const candidate of labelCandidates(texts, rarity)) {
    const text = capitalize(speller.spell(candidate.text));
    if ([...text].length > maxLength) continue;
    const key = labelKey(text);
    const isName = speller.isName(candidate.text);
    const form = formWeight(candidate, isName) * fluency(text);
    const score = fit(stemsOf(text)) * kindWeights[candidate.kind] * form;
    if (score <= 0) continue;
    const label = { ...candidate, text, key, score };
    const known = found.get(key) ?? { best: label, count: 0, spellings: new Map<string, number>() };
    found.set(key, known);
    known.count++;
    const times = (known.spellings.get(text) ?? 0) + 1;
    known.spellings.set(text, times);
    const isMoreCommon = score === known.best.score && times > (known.spellings.get(known.best.text) ?? 0);
    if (score > known.best.score || isMoreCommon) known.best = label;
  }
  return Array.from(found.values(), ({ best, count }) => ({
    ...best,
    // What several people say the same way is more likely to be how people name it.
    score: best.score * (1 + Math.log(count) / 10),
  })).sort((one, other) => other.score - one.score);
}

/** Returns what a label says, without its small words and the order of the others. */
export function labelKey(text: string): string {
  return [...new Set(stemsOf(text))].sort().join(' ');
}

const weakStems: ReadonlySet<string> = new Set([...weakWords].flatMap(stemsOf));

/**
 * Returns a function that rates the stems of a label: the harmonic mean of the share of the label that the texts have in
 * common, and the share of what they have in common that the label says.
 */
function createFit(
  texts: readonly string[],
  rarity: (stem: string) => number,
): (stems: readonly string[]) => number {
  const shares = new Map<string, number>();
  for (const text of texts)
    for (const stem of new Set(stemsOf(text))) shares.set(stem, (shares.get(stem) ?? 0) + 1 / texts.length);
  const weightOf = (stem: string): number =>
    isRequestStem(stem) ? 0 : rarity(stem) * (weakStems.has(stem) ? 0.5 : 1);
  const sharedWeight = (stem: string): number => weightOf(stem) * (shares.get(stem) ?? 0);
  const isCommon = (stem: string): boolean => (shares.get(stem) ?? 0) >= minShare;
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
    const precision = shared / weight;
    const recall = covered / all;
    return (2 * precision * recall) / (precision + recall);
  };
}

/** What a label loses if none of its pairs of words are common. */
const maxFluencyLoss = 0.2;

/** Returns a function that rates a label by how many of its pairs of neighboring words at least two texts have. */
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

const vagueVerb = /^(?:do|did|make|made|have|had|didn't (?:do|make)|took|went)\b(?!.*(?:n't|\bnot\b|\?$))/i;
const openVerb = /^(?:get|use|receive|have|need|see|send|find)\b/i;
const looseStart = /^(?:about|and|as|at|by|even|for|from|in|me|not only|of|on|only|or|than|to|with)\b/i;
const looseEnd =
  /(?:…|\b(?:a|able|about|an|and|are|at|because|been|by|can|did|do|does|for|from|get|got|had|goes|has|have|how|keeps|makes|i|if|in|into|is|it|like|my|need|needs|not|of|on|or|our|take|that|the|then|there|this|to|trying|used|using|want|was|what|when|where|who|with|your))$/i;
const phrasalEnd =
  /\b(?:check|checked|fill|log|logged|logging|opt|plug|sign|signed|signing|turn|turned|type)\s(?:in|on)$/i;
const pointer = /\b(?:anything|her|him|it|someone|something|that one|them|these|this|those)\b/i;
const pointerStart =
  /^(?:get )?(?:anything|he|it|she|someone|something|that|these|they|this|those|what|you)\b(?!.*\?$)/i;

/** Short phrases of whole words serve best. A number, or a word that points elsewhere, belongs to a single case. */
function formWeight({ text, kind }: LabelCandidate, isName: boolean): number {
  const words = text.split(/\s+/);
  const content = words.filter((word) =>
    isContentWord(word.toLowerCase().replace(/[^\p{L}\p{N}\p{M}'’-]/gu, '')),
  ).length;
  const free = kind === 'question' ? freeWords.question : freeWords.phrase;
  let weight = Math.max(0.1, 1 - Math.max(0, words.length - free) / 20);
  // In Chinese and Japanese one run of characters is a sentence.
  if (words.length === 1 && !isName && /^\p{ASCII}+$/u.test(text)) weight *= 0.7;
  else if (content < (kind === 'wish' ? 1 : 2)) weight *= 0.85;
  if (content < 2 && openVerb.test(text)) weight *= 0.92;
  if (kind === 'wish' && /^\p{L}+ing\b/u.test(text)) weight *= 0.8;
  if (vagueVerb.test(text)) weight *= 0.85;
  if (kind !== 'question' && looseStart.test(text)) weight *= 0.7;
  if (looseEnd.test(text) && !phrasalEnd.test(text)) weight *= 0.5;
  if (/[\d$£€_<>[\]]/.test(text)) weight *= 0.75;
  if (hasRepeatedWord(text)) weight *= 0.8;
  if (pointerStart.test(text)) weight *= 0.6;
  if (pointer.test(text)) weight *= 0.85;
  return weight;
}

function hasRepeatedWord(text: string): boolean {
  const stems = stemsOf(text);
  return new Set(stems).size < stems.length;
}

function capitalize(text: string): string {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}
