import { Lexer } from 'yaml';

/** A fault at an offset of a text. */
export interface YamlFault {
  readonly offset: number;
  readonly message: string;
}

export const tabMessage = 'this line is indented with a tab; YAML allows only spaces';

/** Errors of `yaml` about lines that are not indented, or not written, like those around them, in plain words. */
const plainWords: readonly (readonly [RegExp, string])[] = [
  [
    /^A block sequence may not|^Unexpected block-seq-ind/,
    'this line has an item of a list ("- "), and the lines around it have the form "name: value"',
  ],
  [
    /^Implicit (?:keys need|map keys)/,
    'this line does not have the form "name: value"; check the colon, the space after it, and the indentation',
  ],
  [
    /^Block collections are not allowed within flow/,
    'this value contains a colon and a space, or a line that begins with "- "; put it in quotes',
  ],
  [
    /^Plain value cannot start with|^Alias cannot be an empty string/,
    'a text cannot begin with this character; put it in quotes',
  ],
  [/^All \w+ items must start/, 'this line is not indented like the lines around it'],
  [
    /^Unexpected \S+ at node end/,
    'this does not belong to the value before it; check the quotes and the indentation',
  ],
];

/** Rewords an error of `yaml` without the text that it quotes, which may be a misplaced secret. */
export function syntaxFault(message: string, offset: number): YamlFault {
  if (message.startsWith('Tabs are not allowed as indentation')) return { offset, message: tabMessage };
  if (message.startsWith('Nested mappings are not allowed'))
    return {
      offset,
      message:
        'not valid YAML: this value contains a colon and a space; put it in quotes, or check the indentation of the next line',
    };
  const [, plain] = plainWords.find(([pattern]) => pattern.test(message)) ?? [];
  if (plain !== undefined) return { offset, message: `not valid YAML: ${plain}` };
  const [reason = ''] = message.split(': "');
  const words = reason.slice(0, 200).replace(/\.$/, '');
  return { offset, message: `not valid YAML: ${words.charAt(0).toLowerCase()}${words.slice(1)}` };
}

/**
 * Matches the error of `yaml` for a flow map or list that is not closed. `yaml` reports it where the text no longer fits, or at
 * its end.
 */
const unclosed = /\bflow (?:map|sequence)\b.* end with (?:an? )?[\]}]$/i;

/**
 * Rewords a fault about a missing }, ] or quotation mark so that it is at the start of the map, list or text. Returns undefined
 * for other faults.
 */
export function describeUnclosed(text: string, { message, offset }: YamlFault): YamlFault | undefined {
  const [, quote] = /missing closing (["'])quote$/.exec(message) ?? [];
  if (quote !== undefined) {
    const begin = findQuoted(text, offset);
    const what = `this text begins with ${quote} and does not end; add ${quote} at its end`;
    return begin === undefined ? undefined : { offset: begin, message: `not valid YAML: ${what}` };
  }
  const opened = unclosed.test(message) ? findOpened(text, offset) : undefined;
  if (opened === undefined) return undefined;
  const before = text.slice(0, opened);
  const line = before.split('\n').length;
  const column = opened - before.lastIndexOf('\n');
  const [bracket, closing, what] = text[opened] === '{' ? ['{', '}', 'map'] : ['[', ']', 'list'];
  // Before the end of the text, a line that is not indented ends the map or list.
  const indent =
    text.slice(offset).trim() === '' ? '' : `, and indent the lines after line ${line} that belong to it`;
  return {
    offset,
    message: `not valid YAML: the ${what} that begins with ${bracket} in line ${line}, column ${column} is not closed; add ${closing}${indent}`,
  };
}

/** Returns the offset of the quoted text that ends at an offset. */
function findQuoted(text: string, end: number): number | undefined {
  for (const { piece, offset } of piecesOf(text))
    if (offset + piece.length >= end) return /^["']/.test(piece) ? offset : undefined;
  return undefined;
}

/** Returns the offset of the innermost { or [ that is open at an offset. */
function findOpened(text: string, end: number): number | undefined {
  const open: number[] = [];
  for (const { piece, offset, isPlain } of piecesOf(text)) {
    if (offset >= end && open.length > 0) break;
    if (!isPlain && (piece === '{' || piece === '[')) open.push(offset);
    else if (!isPlain && (piece === '}' || piece === ']')) open.pop();
  }
  return open.at(-1);
}

/** Yields the tokens of the lexer that are in the text. */
function* piecesOf(
  text: string,
): Generator<{ readonly piece: string; readonly offset: number; readonly isPlain: boolean }> {
  let offset = 0;
  let isPlain = false;
  for (const piece of new Lexer().lex(text)) {
    // These marks of the lexer are not in the text: document start, flow error, scalar follows.
    if (piece === '\u0002' || piece === '\u0018') continue;
    if (piece !== '\u001f') {
      yield { piece, offset, isPlain };
      offset += piece.length;
    }
    isPlain = piece === '\u001f';
  }
}
