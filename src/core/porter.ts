/** Endings with their replacements. Only the first ending that matches a word is tried. */
type Endings = readonly (readonly [ending: string, replacement: string])[];

/** The endings of step 2 of the algorithm. */
const step2: Endings = [
  ['ational', 'ate'], ['tional', 'tion'], ['enci', 'ence'], ['anci', 'ance'], ['izer', 'ize'], ['logi', 'log'], ['bli', 'ble'], ['alli', 'al'], ['entli', 'ent'],
  ['eli', 'e'], ['ousli', 'ous'], ['ization', 'ize'], ['ation', 'ate'], ['ator', 'ate'], ['alism', 'al'], ['iveness', 'ive'], ['fulness', 'ful'],
  ['ousness', 'ous'], ['aliti', 'al'], ['iviti', 'ive'], ['biliti', 'ble'],
]; // prettier-ignore
/** The endings of step 3. */
const step3: Endings = [['icate', 'ic'], ['ative', ''], ['alize', 'al'], ['iciti', 'ic'], ['ical', 'ic'], ['ful', ''], ['ness', '']]; // prettier-ignore
/** The endings that step 4 removes. */
const step4 = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
];

/**
 * Returns the stem of a word in lower case, such as "search" for "searching" (Porter, "An algorithm for suffix stripping",
 * 1980). Letters other than a to z count as consonants. Words of less than 3 or more than 64 characters are unchanged.
 */
export function stem(token: string): string {
  if (token.length < 3 || token.length > 64) return token;
  let word = withoutPast(withoutPlural(token));
  if (word.endsWith('y') && hasVowel(word.slice(0, -1))) word = `${word.slice(0, -1)}i`;
  word = replaceEnding(replaceEnding(word, step2), step3);
  const ending = step4.find((suffix) => word.length > suffix.length && word.endsWith(suffix));
  if (ending !== undefined) {
    const rest = word.slice(0, -ending.length);
    if (measure(rest) > 1 && (ending !== 'ion' || /[st]$/.test(rest))) word = rest;
  }
  if (word.endsWith('e')) {
    const rest = word.slice(0, -1);
    const length = measure(rest);
    if (length > 1 || (length === 1 && !endsShort(rest))) word = rest;
  }
  return word.endsWith('ll') && measure(word.slice(0, -1)) > 1 ? word.slice(0, -1) : word;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the stem of a word as the `porter` tokenizer of SQLite's FTS5 does, which treats each byte of UTF-8 as a
 * letter.
 */
export function stemLikeFts5(token: string): string {
  if (!/[^\0-\x7f]/.test(token)) return stem(token);
  if (!/[a-z]$/.test(token)) return token;
  // Browsers have no Buffer.
  const bytes = stem(String.fromCharCode(...new TextEncoder().encode(token)));
  return utf8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss')) return word;
  const isLong =
    word.endsWith('es') &&
    ((word.length > 4 && word.endsWith('sses')) || (word.length > 3 && word.endsWith('ies')));
  return word.slice(0, isLong ? -2 : -1);
}

function withoutPast(word: string): string {
  if (word.length > 3 && word.endsWith('eed'))
    return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const cut = word.length > 2 && word.endsWith('ed') ? 2 : word.length > 3 && word.endsWith('ing') ? 3 : 0;
  const rest = word.slice(0, word.length - cut);
  if (cut === 0 || !hasVowel(rest)) return word;
  if (rest.length > 2 && /(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (/([^aeioulsz])\1$/.test(rest)) return rest.slice(0, -1);
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest;
}

function replaceEnding(word: string, endings: Endings): string {
  const match = endings.find(([ending]) => word.length > ending.length && word.endsWith(ending));
  if (match === undefined) return word;
  const rest = word.slice(0, -match[0].length);
  return measure(rest) > 0 ? rest + match[1] : word;
}

/** Replaces each letter by "v" for a vowel or "c" for a consonant. A "y" after a consonant is a vowel. */
function shapeOf(word: string): string {
  let shape = '';
  for (const letter of word)
    shape += 'aeiou'.includes(letter) || (letter === 'y' && shape.endsWith('c')) ? 'v' : 'c';
  return shape;
}

/** Returns how often vowels are followed by consonants. The paper calls it m. */
function measure(word: string): number {
  return shapeOf(word).match(/v+c/g)?.length ?? 0;
}

function hasVowel(word: string): boolean {
  return /[aeiou]|(?!^)y/.test(word);
}

/**
 * Whether a word ends with consonant, vowel, consonant, and the last letter is not w, x or y. The paper calls it *o.
 */
function endsShort(word: string): boolean {
  return !/[wxy]$/.test(word) && shapeOf(word).endsWith('cvc');
}

/** Stems that are kept, since texts repeat their words. */
const maxStems = 50_000;

/** Returns a function that stems words as `stemLikeFts5` does, and keeps the stems. */
export function createStemmer(): (word: string) => string {
  const stems = new Map<string, string>();
  return (word) => {
    let kept = stems.get(word);
    if (kept === undefined) {
      if (stems.size >= maxStems) stems.clear();
      stems.set(word, (kept = stemLikeFts5(word)));
    }
    return kept;
  };
}
