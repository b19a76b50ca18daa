import { stemmer } from 'stemmer';
import { askingWords, stopWords } from './stop-words.ts';

/** Stems kept of one text: what a long message says beyond does not change its topic. */
export const maxStems = 64;

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}\p{M}]+(?:[_-][\p{L}\p{N}\p{M}]+)*/gu;
const asking: ReadonlySet<string> = new Set([...askingWords].map((word) => stemmer(word)));

/** The words of a text in lower case; contractions are taken apart, runs of CJK become pairs of characters. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(/\bcan(?:'t|not)\b|\bcant\b/g, 'can not')
    .replace(/n't\b/g, ' not')
    .replace(/\bdont\b/g, 'do not')
    .replace(/'(?:s|re|ve|ll|d|m)\b/g, '');
  return (plain.match(token) ?? []).flatMap((word) =>
    cjk.test(word) ? pairsOf(word) : word.includes('-') ? word.split('-') : [word],
  );
}

/** The stems of a text that carry meaning; numbers of four digits and more name one case, not a topic. */
export function stemsOf(text: string): string[] {
  const stems: string[] = [];
  for (const word of wordsOf(text)) {
    if (stopWords.has(word) || /\d{4}/.test(word) || word.length > 40) continue;
    stems.push(stemmer(word));
    if (stems.length === maxStems) break;
  }
  return stems;
}

/** Whether a stem only says that somebody asks or wants. */
export function isAsking(stem: string): boolean {
  return asking.has(stem);
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.length === 1
    ? characters
    : characters.slice(1).map((character, index) => characters[index]! + character);
}
