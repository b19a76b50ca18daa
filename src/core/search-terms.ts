import { once } from '../contract/once.ts';
import { stemLikeFts5 } from './porter.ts';

/** Words that follow each other in a text. */
export interface Phrase {
  readonly words: readonly string[];
  /** Whether the last one matches every word that starts with it. */
  readonly isPrefix: boolean;
}

/** What a row must contain to match: at least one phrase of each list. */
export type SearchTerms = readonly (readonly Phrase[])[];

/** Maximum length of a query, in characters. The rest is ignored. */
const maxQueryLength = 512;

/**
 * Prepares a text for a tokenizer that only splits words at ASCII characters that are not letters or digits: accents are
 * removed, scripts without spaces become pairs of letters, and words in camelCase are followed by their parts.
 */
export function normalizeText(text: string): string {
  return splitCamelCase(fold(text), (word, split) => `${word} ${split}`);
}

/** Returns the words of a text in order and in lower case, as they are indexed, but not stemmed. */
export function tokenize(text: string): readonly string[] {
  return splitWords(normalizeText(text));
}

const questions = new Set('how what when where which who why'.split(' '));
/** Words that say nothing about the topic of a question in English. */
const fillers = once(
  () =>
    new Set(
      `${[...questions].join(' ')} a am an and are at be by can could did do does for from has have i in is it its me my of on
      or our should that the there this to us was we were will with would you your`.split(/\s+/),
    ),
);

/**
 * Parses a query into three searches, to be tried in this order: rows with all terms (`exact`), rows with all terms where
 * the last word may be unfinished (`starting`), and rows with any of the terms (`any`). Quotes enclose phrases. In a question
 * that starts with a word such as "how", words such as "do" and "I" are ignored. Every text is a valid query. Returns undefined
 * for a text without words.
 */
export function parseSearchQuery(
  text: string,
): { readonly exact: SearchTerms; readonly starting: SearchTerms; readonly any: SearchTerms } | undefined {
  const all = [
    ...text
      .slice(0, maxQueryLength)
      .replace(/[“”„‟]/g, '"')
      .matchAll(/"([^"]*)"|[^\s"]+/g),
  ]
    .map(([piece, quoted]) => ({ isQuoted: quoted !== undefined, piece, phrases: phrasesOf(piece) }))
    .filter(({ phrases }) => phrases.length > 0);
  const topic = questions.has(wordOf(all[0]?.piece))
    ? all.filter(({ piece }) => !fillers().has(wordOf(piece)))
    : [];
  const pieces = topic.length > 0 ? topic : all;
  const last = pieces.pop();
  if (last === undefined) return undefined;
  const before = pieces.map(({ phrases }) => phrases);
  const exact = dedupe([...before, last.phrases]);
  const starting = last.isQuoted ? exact : dedupe([...before, last.phrases.flatMap(withCompletions)]);
  return { exact, starting, any: [dedupe([...exact.flat(), ...starting.flat()])] };
}

/** Returns a piece of a query without punctuation or an "'s" after it. Quoted text keeps its quotes and is therefore no filler. */
function wordOf(piece = ''): string {
  return piece.toLowerCase().replace(/(?:['’]s)?[?!.,;:]*$/, '');
}

/** Returns the phrases to look up in the index for a piece of a query. */
function phrasesOf(piece: string): readonly Phrase[] {
  const folded = fold(piece);
  const spellings = [
    folded,
    splitCamelCase(folded, (_, split) => split),
    splitCamelCase(folded, (word, split) => `${word} ${split}`),
  ];
  return dedupe(
    spellings.map((spelling) => phraseOf(splitWords(spelling))).filter(({ words }) => words.length > 0),
  );
}

function phraseOf(words: readonly string[]): Phrase {
  const last = words.at(-1) ?? '';
  if (!single().test(last)) return { words, isPrefix: false };
  // If the run of letters is longer in an indexed text, the last letter does not occur alone there.
  return pair().test(words.at(-2) ?? '')
    ? { words: words.slice(0, -1), isPrefix: false }
    : { words, isPrefix: true };
}

function withCompletions(phrase: Phrase): readonly Phrase[] {
  const before = phrase.words.slice(0, -1);
  const completed = completions(phrase.words.at(-1) as string).map((word) => ({
    words: [...before, word],
    isPrefix: false,
  }));
  return [{ ...phrase, isPrefix: true }, ...completed];
}

const endings = [
  'ations',
  'itions',
  'ing',
  'ed',
  'ments',
  'ness',
  'ances',
  'ences',
  'ables',
  'ibles',
  'ically',
  'izers',
  'ives',
  'ities',
  'ies',
  'ously',
];

/**
 * Returns words that an unfinished word such as "configurati" may become. They are needed because the index contains
 * stems ("configur"), which are shorter than the unfinished word.
 */
function completions(word: string): readonly string[] {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return [];
  const ownStem = stemLikeFts5(word);
  const completedByStem = new Map<string, string>();
  for (const ending of endings) {
    for (let length = 1; length < ending.length; length += 1) {
      if (!word.endsWith(ending.slice(0, length))) continue;
      const completed = word + ending.slice(length);
      const stem = stemLikeFts5(completed);
      if (stem.length > 2 && !stem.startsWith(ownStem) && !completedByStem.has(stem))
        completedByStem.set(stem, completed);
    }
  }
  return [...completedByStem.values()];
}

function dedupe<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9\u0080-\uffff]+/g) ?? [];
}

// Most texts are almost only ASCII, so it is faster to handle the other characters in runs.
const nonAscii = /[^\u0001-\u007f]+/g;
const camel = /(?<![A-Za-z0-9\u0080-\uffff])[A-Za-z0-9\u0080-\uffff]*?[a-z][A-Z][A-Za-z0-9\u0080-\uffff]*/g;

function splitCamelCase(text: string, write: (word: string, split: string) => string): string {
  if (!/[a-z][A-Z]/.test(text)) return text;
  // Longer words are data, not names.
  return text.replace(camel, (word) =>
    word.length > 64 ? word : write(word, word.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$& ')),
  );
}

// Combining accents, Hebrew and Arabic points, and invisible characters: soft hyphens, joiners, variation selectors.
const ignored =
  /(?:[\u0300-\u036f]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f\u0670]|[\ufe00-\ufe0f]|[\u00ad\u0640\u200b\u200c\u2060\ufeff]|\u200d)+/g;
const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};
// These take a millisecond or two to compile, and few commands need them.
const noLetters = once(() => /[^\u0001-\u007f\p{L}\p{N}\p{M}\p{Co}]+/gu);
/** The source of a pattern for one letter of a script that is written without spaces between words. */
export const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}]';
const runs = once(() => new RegExp(`${unspaced}+`, 'gu'));
const single = once(() => new RegExp(`^${unspaced}$`, 'u'));
const pair = once(() => new RegExp(`^${unspaced}{2}$`, 'u'));

function fold(text: string): string {
  return text.replace(nonAscii, (run) =>
    run
      .normalize('NFKD')
      .replace(ignored, '')
      .toLowerCase()
      .replace(/[ßæœøłđðþıς]/g, (letter) => foldedLetters[letter] as string)
      .normalize('NFC')
      .replace(noLetters(), ' ')
      .replace(runs(), toBigrams),
  );
}

/**
 * Returns each letter with the next one, and the last one alone, so that a word of the index starts at every letter.
 */
function toBigrams(run: string): string {
  let bigrams = ' ';
  let previous = '';
  for (const letter of run) {
    if (previous !== '') bigrams += `${previous}${letter} `;
    previous = letter;
  }
  return `${bigrams}${previous} `;
}
