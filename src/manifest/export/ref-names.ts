import type { LiveResource } from './read-live.ts';

const longest = 48;
/** Letters that do not come apart into a plain one and a mark. */
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  å: 'a',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

/** A name that a person would choose for a title: its words in lower case with hyphens; `otherwise` where none of it can be kept. */
export function toRefName(title: string, otherwise: string): string {
  const letters = title
    .toLowerCase()
    .replace(/[ßæœøåđðþłı]/g, (letter) => plain[letter]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]/g, '');
  const words = letters.match(/[a-z0-9]+/g) ?? [];
  let name = '';
  for (const word of words) {
    if (name !== '' && name.length + word.length >= longest) break;
    name += name === '' ? word.slice(0, longest) : `-${word}`;
  }
  return name === '' ? otherwise : name;
}

/** The name itself where it is free, else with the first free number from 2. */
export function unusedName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}-${number}`)) return `${name}-${number}`;
}

/** The order in which a person looks names up: `guide-2` stands before `guide-10`. */
export function compareNames(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true }) || (one < other ? -1 : one > other ? 1 : 0);
}

/** What a person calls a resource: its title, or else the texts and the things that are its key. */
export function displayTitle(
  { kind, values }: LiveResource,
  nameOfId: (id: string) => string | undefined,
): string {
  const given = ['title', 'name', 'label']
    .map((field) => values.get(field))
    .find((text) => typeof text === 'string');
  if (given !== undefined) return given;
  return textsIn((kind.keys[0] ?? []).map((field) => values.get(field))).map((text) => nameOfId(text) ?? text).join(' '); // prettier-ignore
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
