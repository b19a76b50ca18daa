import { stemLikeFts5 } from './porter.ts';

/** Words that follow each other. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last one is only how a word begins. */
  readonly isPrefix: boolean;
}

/** What a row must contain: at least one phrase of each list. */
export type SearchTerms = readonly (readonly Phrase[])[];

/** Characters of a query that are read; the rest is ignored. */
const maxQueryLength = 512;

/**
 * The text as the plainest tokenizer needs it, one that parts words at ASCII characters that are neither letters nor
 * digits: accents folded away, scripts without spaces as pairs of letters, camelCase whole and in parts.
 */
export function normalizeText(text: string): string {
  return splitCamelCase(fold(text), (word, split) => `${word} ${split}`);
}

/** The words of a text in order, in lower case, as they are in the index before stemming. */
export function tokenize(text: string): readonly string[] {
  return splitWords(normalizeText(text));
}

/**
 * Parses a query into the terms to search for: first rows with all of `exact`, then with all of `starting`, where the
 * last word may be unfinished, then with any term. No text is an error; a text without a word gives undefined.
 */
export function parseSearchQuery(
  text: string,
): { readonly exact: SearchTerms; readonly starting: SearchTerms; readonly any: SearchTerms } | undefined {
  const pieces = [
    ...text
      .slice(0, maxQueryLength)
      .replace(/[“”„‟]/g, '"')
      .matchAll(/"([^"]*)"|[^\s"]+/g),
  ]
    .map(([piece, quoted]) => ({ isQuoted: quoted !== undefined, phrases: phrasesOf(piece) }))
    .filter(({ phrases }) => phrases.length > 0);
  const last = pieces.pop();
  if (last === undefined) return undefined;
  const before = pieces.map(({ phrases }) => phrases);
  const exact = dedupe([...before, last.phrases]);
  const starting = last.isQuoted ? exact : dedupe([...before, last.phrases.flatMap(withCompletions)]);
  return { exact, starting, any: [dedupe([...exact.flat(), ...starting.flat()])] };
}

/** Every spelling under which a typed piece can be in the index. */
function phrasesOf(piece: string): readonly Phrase[] {
  const folded = fold(piece);
  const ways = [
    folded,
    splitCamelCase(folded, (_, split) => split),
    splitCamelCase(folded, (word, split) => `${word} ${split}`),
  ];
  return dedupe(ways.map((way) => phraseOf(splitWords(way))).filter(({ words }) => words.length > 0));
}

function phraseOf(words: readonly string[]): Phrase {
  const last = words.at(-1) ?? '';
  if (!isSingle.test(last)) return { words, isPrefix: false };
  // The text may go on behind a run of letters, so its last letter alone does not have to follow.
  return isPair.test(words.at(-2) ?? '')
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

/** Words that one broken off within its ending may become ("configurati"): the index has only their stems, which are shorter. */
function completions(word: string): readonly string[] {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return [];
  const own = stemLikeFts5(word);
  const found = new Map<string, string>();
  for (const ending of endings) {
    for (let length = 1; length < ending.length; length += 1) {
      if (!word.endsWith(ending.slice(0, length))) continue;
      const whole = word + ending.slice(length);
      const common = stemLikeFts5(whole);
      if (common.length > 2 && !common.startsWith(own) && !found.has(common)) found.set(common, whole);
    }
  }
  return [...found.values()];
}

function dedupe<T>(list: readonly T[]): readonly T[] {
  return [...new Map(list.map((one) => [JSON.stringify(one), one])).values()];
}

function splitWords(spelled: string): readonly string[] {
  return spelled.toLowerCase().match(/[a-z0-9\u0080-\uffff]+/g) ?? [];
}

// Most documentation is almost all ASCII, so only the other runs are touched.
const nonAscii = /[^\u0001-\u007f]+/g;
const camel = /(?<![A-Za-z0-9\u0080-\uffff])[A-Za-z0-9\u0080-\uffff]*?[a-z][A-Z][A-Za-z0-9\u0080-\uffff]*/g;

function splitCamelCase(text: string, write: (word: string, split: string) => string): string {
  if (!/[a-z][A-Z]/.test(text)) return text;
  // Longer words are data, not names.
  return text.replace(camel, (word) =>
    word.length > 64 ? word : write(word, word.replace(/[a-z0-9](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g, '$& ')),
  );
}

// Accents and points, and what is not seen: soft hyphens, joiners, variants of a sign.
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
const noLetters = /[^\u0001-\u007f\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** A letter of a script that is written without spaces between words, as the source of a pattern. */
export const unspaced =
  '[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Khmr}\\p{scx=Laoo}\\p{scx=Mymr}]';
const runs = new RegExp(`${unspaced}+`, 'gu');
const isSingle = new RegExp(`^${unspaced}$`, 'u');
const isPair = new RegExp(`^${unspaced}{2}$`, 'u');

function fold(text: string): string {
  return text.replace(nonAscii, (run) =>
    run
      .normalize('NFKD')
      .replace(ignored, '')
      .toLowerCase()
      .replace(/[ßæœøłđðþıς]/g, (letter) => foldedLetters[letter] as string)
      .normalize('NFC')
      .replace(noLetters, ' ')
      .replace(runs, toBigrams),
  );
}

/** Each letter with the next, and the last alone, so that every letter begins a word. */
function toBigrams(run: string): string {
  let out = ' ';
  let before = '';
  for (const letter of run) {
    if (before !== '') out += `${before}${letter} `;
    before = letter;
  }
  return `${out}${before} `;
}
