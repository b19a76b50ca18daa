import { parseExpressionAt, type Token } from 'acorn';
import { conditionProblem, type Fault } from './fault.ts';
import { readTokens, syntax, syntaxFault } from './tokens.ts';
import { treeOf } from './to-tree.ts';
import { limits, type Tree } from './tree.ts';

/** Reads a condition, whatever it is; gives its tree, or what is wrong with it. An empty one is true. */
export function readCondition(text: string): Tree | Fault {
  if (text.length > limits.characters)
    return { at: limits.characters, message: `a condition has at most ${limits.characters} characters` };
  const tokens = readTokens(text);
  if (!isTokens(tokens)) return tokens;
  const last = tokens.at(-1);
  if (last === undefined) return { kind: 'literal', value: true, at: 0 };
  try {
    const expression = parseExpressionAt(text, 0, syntax);
    const extra = tokens.find(({ start }) => start >= expression.end);
    if (extra !== undefined)
      return { at: extra.start, message: 'the expression ended before this; a condition is one expression' };
    return treeOf(expression);
  } catch (error) {
    return syntaxFault(error, text);
  }
}

/** The tree of a condition; `path` is where the input holds it. Throws invalid-input with the column of what is wrong. */
export function parseCondition(text: string, path = '/condition', what?: string): Tree {
  const tree = readCondition(text);
  if (isFault(tree)) throw conditionProblem(path, [tree], what);
  return tree;
}

export function isFault(read: Tree | Fault): read is Fault {
  return 'message' in read;
}

function isTokens(read: readonly Token[] | Fault): read is readonly Token[] {
  return Array.isArray(read);
}
