import { textsIn } from '../../contract/values.ts';
import type { LiveResource } from './read-live.ts';

const maxLength = 48;

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', å: 'a', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' }),
);

/** Returns a name for a title: its words in lower case with hyphens, or `otherwise` if there are none. */
export function toRefName(title: string, otherwise: string): string {
  const letters = title
    .toLowerCase()
    .replace(/[ßæœøåđðþłı]/g, (letter) => plainLetters.get(letter) ?? letter)
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '');
  let name = '';
  for (const word of letters.match(/[a-z0-9]+/g) ?? []) {
    if (name !== '' && name.length + word.length >= maxLength) break;
    name += name === '' ? word.slice(0, maxLength) : `-${word}`;
  }
  return name === '' ? otherwise : name;
}

/** Returns a name if it is free, otherwise the name with the first free number from 2. */
export function unusedName(name: string, taken: ReadonlySet<string>): string {
  let unused = name;
  for (let number = 2; taken.has(unused); number++) unused = `${name}-${number}`;
  return unused;
}

/** Compares names in natural order: `guide-2` comes before `guide-10`. */
export function compareNames(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true }) || (one < other ? -1 : one > other ? 1 : 0);
}

/** Returns the display name of a resource: its title, or else the texts and names in its key. */
export function displayTitle(
  { kind, values }: LiveResource,
  nameOfId: (id: string) => string | undefined,
): string {
  const texts = ['title', 'name', 'label'].map((field) => values.get(field));
  const title = texts.find((text) => typeof text === 'string');
  if (title !== undefined) return title;
  const key = textsIn((kind.keys[0] ?? []).map((field) => values.get(field)));
  return key.map((text) => nameOfId(text) ?? text).join(' ');
}
