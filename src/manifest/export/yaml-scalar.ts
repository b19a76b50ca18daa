import { escapeTemplate } from '../read/template.ts';

/** Words that other readers of YAML take for something else than a text. */
const reserved = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;
/** Controls, invisible marks that change the direction of a line, and characters of nobody; emojis keep their joiners. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A value so that it reads back as it is; one of several lines as a block of lines where that can be, indented by `indent`. */
export function writeScalar(
  value: string | number | boolean | null,
  style: 'block' | 'flow',
  indent: number,
): string {
  // Whole numbers beyond what is exact are read with an exponent only.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    return value.toExponential();
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = escapeTemplate(value);
  if (isPlain(text, style)) return text;
  return style === 'block' && isBlock(text) ? blockOf(text, indent) : quoted(text);
}

/** A key; it takes no variables. */
export function writeKey(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) && !reserved.test(key) ? key : quoted(key);
}

function isPlain(text: string, style: 'block' | 'flow'): boolean {
  if (
    !/^[\p{L}\p{N}_/(]/u.test(text) ||
    !printable.test(text) ||
    text.endsWith(' ') ||
    text.endsWith(':') ||
    /: | #/.test(text)
  )
    return false;
  // Numbers, dates and times, versions and hexadecimal digits.
  if (reserved.test(text) || /^\d[\d.,:_+xXoOeEa-fA-F-]*$/.test(text)) return false;
  return style === 'block' || !/[,[\]{}]/.test(text);
}

/** Several lines without anything that an editor would change or a reader would not see. */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || !/^[^\s]/.test(text) || text.endsWith('\n\n')) return false;
  return text.split('\n').every((line) => printable.test(line) && !/\s$/.test(line));
}

function blockOf(text: string, indent: number): string {
  const space = ' '.repeat(indent);
  const isEnded = text.endsWith('\n');
  const lines = (isEnded ? text.slice(0, -1) : text)
    .split('\n')
    .map((line) => (line === '' ? '' : space + line));
  return `${isEnded ? '|' : '|-'}\n${lines.join('\n')}`;
}

function quoted(text: string): string {
  return JSON.stringify(text).replace(hidden, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
