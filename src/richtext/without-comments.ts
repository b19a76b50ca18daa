import { LineScanner } from './line-scanner.ts';
import { rewriteOutsideCode } from './rewrite-links.ts';

const token = /(?<!`)(`{1,9})(?!`)[^\n]{0,1000}?(?<!`)\1(?!`)|\\.|<!--/g;
const blankLine = /\n[ \t>\r]*\n/g;
/** The text between the start of a line and a comment that is not inside a paragraph. */
const blockStart = /(?:^|\n)[ \t>*+\-\d.)]{0,100}$/;

/**
 * Removes the HTML comments of a Markdown text, which readers of a page do not see. Comments in code, and those without an end, are
 * text. It takes linear time.
 */
export function withoutComments(markdown: string): string {
  return markdown.includes('<!--') ? rewriteOutsideCode(markdown, removeComments) : markdown;
}

function removeComments(text: string): string {
  const isCode = indentedCode(text);
  let kept = '';
  let from = 0;
  let end = 0;
  let blank = -1;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { 0: mark, index } = match;
    if (mark !== '<!--' || isCode(index)) continue;
    if (end < index + 4) end = text.indexOf('-->', index + 4);
    if (end === -1) break;
    // A comment inside a paragraph ends with the paragraph.
    if (!blockStart.test(text.slice(Math.max(0, index - 101), index))) {
      if (blank < index) {
        blankLine.lastIndex = index;
        blank = blankLine.exec(text)?.index ?? text.length;
      }
      if (blank < end) continue;
    }
    kept += text.slice(from, index);
    from = end + 3;
    token.lastIndex = from;
  }
  if (from === 0) return text;
  return (kept + text.slice(from)).replace(/\n[ \t]*\r?\n(?:[ \t]*\r?\n)+/g, '\n\n');
}

/** Returns a function that says whether a position, not before the previous one, is in indented code. */
function indentedCode(text: string): (position: number) => boolean {
  const lines = new LineScanner(text);
  lines.next();
  return (position) => {
    while (lines.end < position && lines.next());
    return lines.kind === 'indented';
  };
}
