import { stem } from '../core/porter.ts';
import { requestWords, stopWords } from './stop-words.ts';

/** The stems of a text, in order. */
export type Stems = readonly string[];

/** Maximum number of stems of a text. The rest of a long message does not change its topic. */
export const maxStems = 64;
const maxWordLength = 40;

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}\p{M}]+(?:[_-][\p{L}\p{N}\p{M}]+)*/gu;
const requestStems: ReadonlySet<string> = new Set([...requestWords].map(stem));

/**
 * Returns the words of a text in lower case. Contractions are taken apart; a run of CJK characters becomes pairs of
 * characters.
 */
export function tokenize(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(/\bcan(?:'t|not)\b|\bcant\b/g, 'can not')
    .replace(/n't\b/g, ' not')
    .replace(/\bdont\b/g, 'do not')
    .replace(/'(?:s|re|ve|ll|d|m)\b/g, '');
  return (plain.match(token) ?? []).flatMap((word) =>
    cjk.test(word) ? characterPairs(word) : word.includes('-') ? word.split('-') : [word],
  );
}

/** Returns the stems of a text without stop words and long numbers, 64 at most. */
export function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const word of tokenize(text)) {
    // Numbers of four digits and more belong to one case, not to a topic.
    if (stopWords.has(word) || /\d{4}/.test(word) || word.length > maxWordLength) continue;
    stems.push(stem(word));
    if (stems.length === maxStems) break;
  }
  return stems;
}

/** Whether a stem only says that the text is a request. */
export function isRequestStem(word: string): boolean {
  return requestStems.has(word);
}

function characterPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((_, index) => characters.slice(index, index + 2).join(''));
}
