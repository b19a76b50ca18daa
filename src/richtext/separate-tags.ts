import { getOrInsert } from '../contract/values.ts';
import { LineScanner } from './line-scanner.ts';
import { isClosable, splitTagLine, tagStart } from './tags.ts';

const tagLine = new RegExp(`^\\{${tagStart}`);
const indentedEnd = /^[ \t]+\{%[ \t]*end/m;

/**
 * Inserts a blank line between HTML and a tag on the next line, which would otherwise be parsed as HTML, and escapes a `$$`
 * without an end. An end tag that is indented more than its start, as formatters write it after a list, gets the indentation of
 * the start. It takes linear time, and does not change code and comments.
 */
export function separateTags(text: string): string {
  const hasTags = text.includes('{%') && (text.includes('<') || indentedEnd.test(text));
  if (!hasTags && !text.includes('$$')) return text;
  let separated = '';
  let copied = 0;
  /** The number of characters before the HTML, which lasts until a blank line; -1 outside of HTML. */
  let htmlIndent = -1;
  /** What precedes the open tags on their lines, by name. */
  const open = new Map<string, string[]>();
  /** The start of the open formula; -1 outside of a formula. */
  let formula = -1;
  for (const lines = new LineScanner(text); lines.advance();) {
    const marks = text.slice(lines.start, lines.content);
    const content = text.slice(lines.content, lines.end).trimEnd();
    // The next item of a list, or the end of the list, ends the HTML in an item.
    if (content !== '' && (marks.length < htmlIndent || /[^\s>]/.test(marks))) htmlIndent = -1;
    if (formula !== -1) {
      if (content === '$$') formula = -1;
      continue;
    }
    const isHtml = htmlIndent !== -1;
    if (!isHtml) {
      // No construct starts in HTML or in formulas, so these lines are not classified.
      lines.classify();
      if (lines.isFenced || lines.kind === 'comment' || lines.kind === 'raw') continue;
    }
    if (content === '$$') formula = lines.content;
    else if (isTagLine(content)) {
      if (isHtml) {
        separated += `${text.slice(copied, lines.start)}${marks.replace(/[^\s>]/g, ' ')}\n`;
        copied = lines.start;
        htmlIndent = -1;
      }
      const start = marksOfStart(content, marks, open);
      if (start !== undefined && start.length < marks.length && `${start}${marks}`.trim() === '') {
        separated += `${text.slice(copied, lines.start)}${start}`;
        copied = lines.content;
      }
    } else if (content === '') htmlIndent = -1;
    else if (!isHtml && /^<[a-z/]/i.test(content)) htmlIndent = marks.length;
  }
  if (formula === -1) return separated + text.slice(copied);
  return `${separated}${text.slice(copied, formula)}\\${text.slice(formula)}`;
}

function isTagLine(content: string): boolean {
  return tagLine.test(content) && content.endsWith('%}') && typeof splitTagLine(content)[0] !== 'string';
}

/** Keeps the tags that a line opens. Returns what precedes the start of the tag that the line closes. */
function marksOfStart(content: string, marks: string, open: Map<string, string[]>): string | undefined {
  let start: string | undefined;
  for (const part of splitTagLine(content)) {
    if (typeof part === 'string' || !isClosable(part.name)) continue;
    const starts = getOrInsert(open, part.name, () => []);
    if (part.isClosing) start = starts.pop();
    else starts.push(marks);
  }
  return start;
}
