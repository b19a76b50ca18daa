import { matchAt } from './line-scanner.ts';
import type { Openers } from './openers.ts';

/** What counts towards the marks of a paragraph. */
export interface Marks {
  marks: number;
  /** Brackets that are open. */
  brackets: number;
  /** What the parser looks for the end of in all that follows. */
  searches: number;
  /** Lengths of the runs of backticks, each of which it looks for once. */
  readonly ticks: Set<number>;
}

/** Microseconds for what cuts a text into pieces. */
const pieces = new Map(
  Object.entries({
    '*': 30,
    _: 30,
    '~': 30,
    '`': 30,
    '[': 30,
    ']': 30,
    '!': 10,
    '<': 60,
    '&': 20,
    '\\': 20,
    $: 20,
    '@': 70,
  }),
);
const price = { link: 130, address: 60, tag: 80, tagPair: 0.002, textOfTag: 350, htmlTag: 22, sign: 15 };

/** What the pieces of a line cost; adds those that may be marks of emphasis or links to the ones of the paragraph. */
export function markupOf(
  line: string,
  openers: Openers,
  paragraph: Marks,
): { readonly cost: number; readonly pipes: number } {
  if (isHtmlBlock(line, openers))
    return { cost: price.htmlTag * countOf(line, /</g), pipes: countOf(line, /\|/g) };
  let cost = 0;
  let pipes = 0;
  let tags = 0;
  for (let at = 0, previous = ''; at < line.length; at++) {
    const character = line[at]!;
    if (character === '|') pipes++;
    else if (character === '(' && previous === ']') cost += price.link;
    else if (
      (character === '/' && previous === ':') ||
      (character === '.' && (previous === 'w' || previous === 'W'))
    )
      cost += price.address;
    else if (character === '%' && previous === '{') tags++;
    else if ((character === '-' || character === '#') && (previous === ' ' || previous === '\t'))
      cost += price.sign;
    const piece = pieces.get(character);
    if (piece !== undefined && (character !== previous || !/[*_~`]/.test(character))) {
      cost += piece;
      count(character, paragraph);
    }
    previous = character;
  }
  for (const run of line.match(/`+/g) ?? []) paragraph.ticks.add(run.length);
  if (line.includes('<!') || line.includes('<?')) paragraph.searches += searchesIn(line);
  // "_" inside a word marks nothing.
  if (line.includes('_')) paragraph.marks += countOf(line, /(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}_])/gu);
  if (tags > 0)
    cost +=
      tags * (price.tag + price.tagPair * line.length) + (hasText(line, openers.rest) ? price.textOfTag : 0);
  return { cost, pipes };
}

const htmlBlock = /<\/?(?:table|thead|tbody|tr|t[dh]|div|figure|figcaption|ul|ol|li|p)[\s>]/iy;

/** Whether a line begins a block of HTML whatever is before it: nothing in it is parsed as Markdown, except details. */
function isHtmlBlock(line: string, { items, indent, rest }: Openers): boolean {
  if (items > 0 || indent > 3 || matchAt(htmlBlock, line, rest) === undefined) return false;
  return !/<\/?(?:details|summary)/i.test(line);
}

/** A closing bracket without an opening one, and what may be an address, make the parser look through the whole paragraph. What is no mark is less dear, but not free. */
function count(character: string, paragraph: Marks): void {
  if (character === ']' && paragraph.brackets > 0) paragraph.brackets--;
  else if (/[*~[\]@]/.test(character)) paragraph.marks++;
  else if (character !== '_') paragraph.marks += 1 / 8;
  if (character === '[') paragraph.brackets++;
}

/** Comments and the like that do not end on their line. */
function searchesIn(line: string): number {
  const kinds = [
    ['<!--', '-->'],
    ['<![', ']]>'],
    ['<!', '>'],
    ['<?', '?>'],
  ] as const;
  return kinds.reduce(
    (sum, [start, end]) => sum + line.slice(line.lastIndexOf(end) + 1).split(start).length - 1,
    0,
  );
}

/** Whether there is more in the line than the tag it begins with. */
function hasText(line: string, from: number): boolean {
  return line.startsWith('{%', from) && line.slice(line.indexOf('%}', from) + 2).trim() !== '';
}

/** How often a pattern is in a text. */
export function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
