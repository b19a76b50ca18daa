import { decodePercent } from '../contract/values.ts';
import { xmlEntities } from './html.ts';

/**
 * Returns the words of Markdown without code blocks: without marks, tags and link targets, but with inline code. The caller
 * applies `tidy` to the result.
 */
export function plainText(markdown: string): string {
  const text = hasLineMarks.test(markdown) ? markdown.split('\n').map(withoutLineMarks).join('\n') : markdown;
  return withoutMarkup(text);
}

/** Returns the words of one heading. Marks of lists and quotes in it are text. The caller applies `tidy`. */
export function headingText(markdown: string): string {
  return withoutMarkup(
    markdown.includes('_') ? markdown.split(codeSpan).map(escapeLoneUnderscores).join('') : markdown,
  );
}

/**
 * Matches the id in attributes at the end of a heading: `{#id}`, or `{ #id .class title="A" }` and `{ .class id="id" }` of
 * Python-Markdown.
 */
export const idInBraces =
  /\{:?[ \t]*(?:\.[\w-]+[ \t]+)*(?:#|id="?)([^\s"'<>&{}]+)"?(?:[ \t]+(?:\.[\w-]+|[\w-]+="[^"{}\n]*"))*[ \t]*\}\s*$/;

const codeSpan = /(`[^`]+`)/;
/** An escape, an emphasis, or (captured) literal underscores. */
const underscored =
  /\\.|(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(?:[^_]|(?<=[\p{L}\p{N}])_(?=[\p{L}\p{N}])){1,255}?(?<=\S)\1(?![\p{L}\p{N}_])|(_+)/gu;

/** Escapes underscores that are not emphasis, outside of code. */
function escapeLoneUnderscores(part: string, index: number): string {
  if (index % 2 === 1) return part;
  return part.replace(underscored, (all: string, _marks, lone: string | undefined) =>
    lone === undefined ? all : all.replaceAll('_', '\\_'),
  );
}

/** Collapses whitespace to one space, and removes empty lines. */
export function tidy(text: string): string {
  return text
    .replace(/[ \t\r\f\v\u00a0]{2,}|[\t\r\f\v\u00a0]/g, ' ')
    .replace(/ ?\n[ \n]+| \n/g, '\n')
    .trim();
}

/**
 * Matches a line that starts with a mark, or contains a cell. Only blanks of the same line may precede it, because others would
 * be searched again for each line.
 */
const hasLineMarks = /^[^\S\r\n\u2028\u2029]*(?:[-*+>=:_[]|\d{1,9}[.)])|\|/m;
const definition = /^ {0,3}\[(?!\^)[^[\]]*\]:[ \t]*\S/;

/** Removes the marks of quotes, items and rows from a line. */
function withoutLineMarks(line: string): string {
  const rest = line.replace(/^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?/, '');
  if (/^[-|:=*_ \t\r]*$/.test(rest) || definition.test(line)) return '';
  return rest.includes('|')
    ? rest.replace(/(\\?)\|/g, (_, escape: string) => (escape === '' ? ' ' : '|'))
    : rest;
}

type Write = (match: RegExpExecArray, depth: number) => string;

/** The markup that each character may start, and the text that remains of it. */
const markup: Readonly<Record<string, readonly (readonly [pattern: RegExp, write: Write])[]>> = {
  '`': [[/(`+)([^`]+)\1(?!`)|`+/y, ([all, , code]) => code ?? all]],
  '\\': [[/\\([!-/:-@[-`{-~]|$)/my, ([, sign = '']) => sign]],
  '{': [[/\{%(?:[^%{]|%(?!\})|\{(?!%))*%\}/y, () => ' ']],
  '<': [
    [/<!--[^]*?(?:-->|$)/y, () => ''],
    [/<((?:https?:|mailto:)[^<>\s]*)>/y, ([, address = '']) => address],
    [/<a\s[^<>]*?href="([^"<>]*)"[^<>]*>([^<>]*)<\/a>/iy, ([, href = '', label = ''], depth) => (isFileName(label, href) ? '' : within(label, depth))],
    [/<\/?(?:a|abbr|b|code|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>/iy, () => ''],
    [/<\/?[a-z][\w-]*(?:\s[^<>]*|\/)?>/iy, () => ' '],
  ],
  // Linked images come first. The text of a link may have marks.
  '[': [
    [/\[!\[([^[\]]*)\]\([^()\s]*\)\]\([^()\s]*\)/y, ([, label], depth) => within(label, depth)],
    [/\[((?:[^[\]\\]|\\.)*)\]\((<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"([^"]*)"|\s+'[^']*')?\s*\)/y, (match, depth) => (isBareFile(match) ? '' : within(match[1], depth))],
  ],
  '*': [[/\*+/y, ({ 0: marks, index, input }) => (isBetweenBlanks(input, index, marks.length) ? marks : '')]],
  '~': [[/~~+/y, ({ 0: marks, index, input }) => (isBetweenBlanks(input, index, marks.length) ? marks : '')]],
  // Inside a word, `_` is a letter.
  _: [[/_+/y, ({ 0: marks, index, input }) => (isInWord(input, index, marks.length) || isBetweenBlanks(input, index, marks.length) ? marks : '')]],
  '&': [[/&(#?\w{1,8});/y, ([all, name = '']) => entityOf(name) ?? all]],
}; // prettier-ignore

function withoutMarkup(text: string, depth = 0): string {
  const sign = /[`\\{<[*~_&]/g;
  let out = '';
  let from = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    const at = found.index;
    for (const [pattern, write] of markup[found[0]] ?? []) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match === null) continue;
      // For an image, its description remains.
      const before = found[0] === '[' && text[at - 1] === '!' ? at - 1 : at;
      out += text.slice(from, Math.max(from, before)) + write(match, depth);
      from = sign.lastIndex = at + match[0].length;
      break;
    }
  }
  return out + text.slice(from);
}

/**
 * Whether a link or image shows only the name of its file. Git synchronization writes this for links that show a title or
 * picture.
 */
function isBareFile({
  1: label = '',
  2: target = '',
  3: title,
  index,
  input,
  0: whole,
}: RegExpExecArray): boolean {
  const isImage = input[index - 1] === '!';
  if (isImage && /^\S+\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(label.trim())) return true;
  if (!isFileName(label, target.replace(/^<|>$/g, ''))) return false;
  return isImage || title === 'mention' || isAlone(input, index, index + whole.length);
}

/** Whether a label is the file name of its relative address. */
function isFileName(label: string, href: string): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(href)) return false;
  const name = label.replace(/\\([!-/:-@[-`{-~])/g, '$1').trim();
  if (!/\.[a-z0-9]{1,5}$/i.test(name)) return false;
  const path = href.replace(/[?#].*$/s, '');
  const decoded = decodePercent(path) ?? path;
  return [path, decoded].some((one) => one === name || one.endsWith(`/${name}`));
}

function isAlone(text: string, start: number, end: number): boolean {
  return (
    /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 20), start)) &&
    /^[ \t\r]*(?:\n|$)/.test(text.slice(end, end + 20))
  );
}

function within(label = '', depth: number): string {
  return depth < 3 ? withoutMarkup(label, depth + 1) : label;
}

function isBetweenBlanks(text: string, at: number, length: number): boolean {
  return isBlank(text[at - 1]) && isBlank(text[at + length]);
}

function isBlank(sign: string | undefined): boolean {
  return sign === undefined || sign === ' ' || sign === '\n' || sign === '\t';
}

function isInWord(text: string, at: number, length: number): boolean {
  const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
  return isLetter(text[at - 1]) && isLetter(text[at + length]);
}

const named = new Map([...xmlEntities, ['nbsp', ' ']]);

function entityOf(name: string): string | undefined {
  if (!name.startsWith('#')) return named.get(name);
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
