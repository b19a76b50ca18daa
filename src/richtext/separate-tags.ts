import { LineScanner } from './line-scanner.ts';
import { splitTagLine, tagStart } from './tags.ts';

const tagLine = new RegExp(`^\\{${tagStart}`);

/**
 * Puts a blank line between HTML and a tag on the next line, which would be taken for HTML as well, and escapes a `$$`
 * that nothing closes. Looks at each line once; inside code and comments it changes nothing.
 */
export function separateTags(text: string): string {
  if (!(text.includes('{%') && text.includes('<')) && !text.includes('$$')) return text;
  let separated = '';
  let copied = 0;
  /** Characters in front of the HTML, which lasts to a blank line; -1 outside of HTML. */
  let htmlIndent = -1;
  /** Where the open formula begins; -1 outside of a formula. */
  let formula = -1;
  for (const lines = new LineScanner(text); lines.advance();) {
    const marks = text.slice(lines.start, lines.content);
    const content = text.slice(lines.content, lines.end).trimEnd();
    // Another item of a list, or the end of one, ends the HTML in it.
    if (content !== '' && (marks.length < htmlIndent || /[^\s>]/.test(marks))) htmlIndent = -1;
    if (formula !== -1) {
      if (content === '$$') formula = -1;
      continue;
    }
    const isHtml = htmlIndent !== -1;
    if (!isHtml) {
      // In HTML and in formulas nothing begins, so the scanner does not classify their lines.
      lines.classify();
      if (lines.isFenced || lines.kind === 'comment' || lines.kind === 'raw') continue;
    }
    if (content === '$$') formula = lines.content;
    else if (isHtml && isTagLine(content)) {
      separated += `${text.slice(copied, lines.start)}${marks.replace(/[^\s>]/g, ' ')}\n`;
      copied = lines.start;
      htmlIndent = -1;
    } else if (content === '') htmlIndent = -1;
    else if (!isHtml && /^<[a-z/]/i.test(content)) htmlIndent = marks.length;
  }
  if (formula === -1) return separated + text.slice(copied);
  return `${separated}${text.slice(copied, formula)}\\${text.slice(formula)}`;
}

function isTagLine(content: string): boolean {
  return tagLine.test(content) && content.endsWith('%}') && typeof splitTagLine(content)[0] !== 'string';
}
