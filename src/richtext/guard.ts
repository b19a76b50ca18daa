import { Problem } from '../errors/problem.ts';

/** Quotes, lists, tags and marks may lie inside each other this deep. */
export const maxDepth = 100;
/** Columns in front of a list marker; each level of a list takes at least two. */
const maxIndent = 2 * maxDepth;
/** The longest text in characters. */
const maxLength = 1_000_000;
/** Sum over all paragraphs of the square of their marks; the parser takes about a second for so many that nest. */
const maxEffort = 9_000_000;

/** Refuses Markdown that is too long, too deep or too dear to parse, in one pass and before any parser sees it. */
export function checkMarkdown(text: string): void {
  if (text.length > maxLength)
    throw new Problem('too-large', `A text of more than ${maxLength} characters cannot be made a document.`, { hint: 'Read it as Markdown, or split it into several pages.' });
  let effort = 0;
  let marks = 0;
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start);
    const opened = checkContainers(text, start);
    const line = text.slice(start, end);
    if (opened.list || line.trim() === '') {
      effort += marks * marks;
      marks = 0;
    }
    marks += marksOf(line);
    if (effort + marks * marks > maxEffort)
      throw new Problem('invalid-input', 'The Markdown has too many marks in one paragraph.', { hint: 'Split the paragraph, or put code between fences with blank lines in it.' });
    start = end;
  }
}

/** A run of equal marks counts once; "_" inside a word marks nothing. What else cuts a text into pieces is less dear, but not free. */
function marksOf(line: string): number {
  const marks = line.match(/\*+|~+|\[|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}_])/gu)?.length ?? 0;
  return marks + (line.match(/[`$!<&\\]/g)?.length ?? 0) / 8;
}

/** The Problem of a text or a document that is nested too deep. */
export function tooDeep(): Problem {
  return new Problem('invalid-input', `The text has quotes, lists, tags or marks more than ${maxDepth} levels deep.`, { hint: 'Make it flatter.' });
}

/** Follows the quote and list markers that a line opens with; refuses too many, and those too far to the right. */
function checkContainers(text: string, start: number): { readonly list: boolean } {
  let at = start;
  let list = false;
  for (let opened = 1; ; opened++) {
    const from = at;
    while (text[at] === ' ' || text[at] === '\t') at++;
    const isQuote = text[at] === '>';
    const end = isQuote ? at + 1 : endOfMarker(text, at);
    if (end === -1) return { list };
    list ||= !isQuote;
    if (opened > maxDepth || at - from > maxIndent) throw tooDeep();
    at = end;
  }
}

/** The place behind a list marker and its blank, or -1 where there is none. */
function endOfMarker(text: string, from: number): number {
  let at = from;
  while (at - from < 10 && text[at]! >= '0' && text[at]! <= '9') at++;
  const isMarker = at > from ? text[at] === '.' || text[at] === ')' : text[at] === '-' || text[at] === '*' || text[at] === '+';
  return isMarker && (text[at + 1] === ' ' || text[at + 1] === '\t') ? at + 1 : -1;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
