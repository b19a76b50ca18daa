import { Lexer } from 'yaml';

/** What `yaml` says of a flow map or list that is not closed. It says so where the text no longer fits, or at its end. */
const unclosed = /\bflow (?:map|sequence)\b.* end with (?:an? )?[\]}]$/i;

/**
 * Words an error of `yaml` about a missing } or ] with the place where the map or list begins. Returns undefined for another
 * error. `offset` is that of the error.
 */
export function describeUnclosed(text: string, message: string, offset: number): string | undefined {
  if (!unclosed.test(message)) return undefined;
  const opened = findOpened(text, offset);
  if (opened === undefined) return undefined;
  const before = text.slice(0, opened);
  const line = before.split('\n').length;
  const column = opened - before.lastIndexOf('\n');
  const [bracket, closing, what] = text[opened] === '{' ? ['{', '}', 'map'] : ['[', ']', 'list'];
  // Before the end of the text, a line that is not indented ends the map or list.
  const indent =
    text.slice(offset).trim() === '' ? '' : `, and indent the lines after line ${line} that belong to it`;
  return `the ${what} that begins with ${bracket} in line ${line}, column ${column} is not closed; add ${closing}${indent}`;
}

/** The offset of the innermost { or [ that is open at an offset of the text. */
function findOpened(text: string, end: number): number | undefined {
  const open: number[] = [];
  let offset = 0;
  let isScalar = false;
  for (const piece of new Lexer().lex(text)) {
    if (offset >= end && open.length > 0) break;
    // Marks of the lexer are not in the text: a document begins, a flow ends too early, a plain scalar follows.
    if (piece === '\u001f') {
      isScalar = true;
      continue;
    }
    if (piece === '\u0002' || piece === '\u0018') continue;
    if (!isScalar && (piece === '{' || piece === '[')) open.push(offset);
    else if (!isScalar && (piece === '}' || piece === ']')) open.pop();
    isScalar = false;
    offset += piece.length;
  }
  return open.at(-1);
}
