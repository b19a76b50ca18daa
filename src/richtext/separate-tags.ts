import { splitTagLine, tagStart } from './tags.ts';

/**
 * Puts a blank line between HTML and a tag on the next line, which would be taken for HTML as well, and takes `$$` that
 * nothing closes for text. Looks at one line after the other; inside code and comments it changes nothing.
 */
export function separateTags(text: string): string {
  if (!(text.includes('{%') && text.includes('<')) && !text.includes('$$')) return text;
  const lines = text.split('\n');
  const added = new Map<number, string>();
  let fence = '';
  let html: RegExp | undefined;
  let indent = 0;
  let formula = -1;
  for (const [index, line] of lines.entries()) {
    const before = prefix.exec(line)![0];
    const content = line.slice(before.length).trimEnd();
    // Another item of a list, or the end of one, ends the HTML in it.
    if (html === blank && content !== '' && (before.length < indent || /[^\s>]/.test(before)))
      html = undefined;
    if (formula !== -1) {
      if (content === '$$') formula = -1;
    } else if (fence !== '') {
      if (content.startsWith(fence) && /^(`+|~+)$/.test(content)) fence = '';
    } else if (html !== undefined && html !== blank) {
      if (html.test(content)) html = undefined;
    } else if (content === '$$') formula = index;
    else if (/^(```+|~~~+)/.test(content) && html === undefined) fence = /^(`+|~+)/.exec(content)![0];
    else if (html === blank && isTagLine(content)) {
      added.set(index, before);
      html = undefined;
    } else if (content === '') html = undefined;
    else if (html === undefined) {
      html = startOfHtml(content);
      indent = before.length;
    }
  }
  if (formula !== -1) lines[formula] = lines[formula]!.replace('$$', () => '\\$$');
  return lines
    .map((line, index) => (added.has(index) ? `${added.get(index)!.replace(/[^\s>]/g, ' ')}\n${line}` : line))
    .join('\n');
}

/** What may stand in front of a block on its line: quotes, lists, blanks. */
const prefix = /^(?:[ \t]{0,200}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*/;
const blank = /^$/;
const tagLine = new RegExp(`^\\{${tagStart}`);

function isTagLine(content: string): boolean {
  return tagLine.test(content) && content.endsWith('%}') && typeof splitTagLine(content)[0] !== 'string';
}

/** What ends the HTML block that the line begins, when it does not end on it. */
function startOfHtml(content: string): RegExp | undefined {
  const raw = /^<(?:(pre|script|style|textarea)(?=[\s>]|$)|(!--)|[a-z/])/i.exec(content);
  if (raw === null) return undefined;
  const end =
    raw[1] !== undefined ? /<\/(?:pre|script|style|textarea)>/i : raw[2] !== undefined ? /-->/ : blank;
  return end.test(content) ? undefined : end;
}
