import { tokenizer, tokTypes, type Token } from 'acorn';
import type { Fault } from './fault.ts';
import { limits } from './tree.ts';

export const syntax = { ecmaVersion: 2022, sourceType: 'module', preserveParens: true } as const;

const opening = new Set([tokTypes.parenL, tokTypes.bracketL]);
const closing = new Set([tokTypes.parenR, tokTypes.bracketR]);
const {
  num,
  string,
  name,
  comma,
  colon,
  dot,
  question,
  arrow,
  logicalOR,
  logicalAND,
  equality,
  relational,
  _null,
  _true,
  _false,
  _in,
} = tokTypes;
const others = [
  num,
  string,
  name,
  comma,
  colon,
  dot,
  question,
  arrow,
  logicalOR,
  logicalAND,
  equality,
  relational,
  _null,
  _true,
  _false,
  _in,
];
const allowed = new Set([...opening, ...closing, ...others]);

/**
 * The tokens of a condition, or the first thing that no condition has. One pass without recursion, so that the parser
 * behind it sees neither deep nesting nor any token that it should not.
 */
export function readTokens(text: string): readonly Token[] | Fault {
  const tokens: Token[] = [];
  let open = 0;
  try {
    for (const token of tokenizer(text, syntax)) {
      if (!isAllowed(token)) return { at: token.start, message: unknownToken(text, token) };
      if (opening.has(token.type) && ++open > limits.brackets)
        return { at: token.start, message: `brackets can lie at most ${limits.brackets} deep` };
      if (closing.has(token.type)) open--;
      if (tokens.push(token) > limits.tokens)
        return { at: token.start, message: `a condition has at most ${limits.tokens} words and signs` };
    }
  } catch (error) {
    return syntaxFault(error, text);
  }
  return tokens;
}

/** What the parser says is wrong; anything but its SyntaxError is a bug. */
export function syntaxFault(error: unknown, text: string): Fault {
  if (!(error instanceof SyntaxError)) throw error;
  const at = (error as SyntaxError & { pos?: number }).pos ?? 0;
  const message = error.message.replace(/ \(\d+:\d+\)$/, '');
  if (at >= text.trimEnd().length) return { at, message: 'the expression ends too early' };
  return {
    at,
    message:
      message === 'Unexpected token'
        ? `"${text.slice(at, at + 1)}" is not expected here`
        : message.charAt(0).toLowerCase() + message.slice(1),
  };
}

function isAllowed(token: Token): boolean {
  const { type, value } = token as Token & { readonly value?: unknown };
  if (type === tokTypes.prefix) return value === '!';
  if (type === tokTypes.plusMin) return value === '-';
  return allowed.has(type) && typeof value !== 'bigint';
}

function unknownToken(text: string, { type, start, end }: Token): string {
  if (type === tokTypes.eq) return 'a condition cannot assign; compare with "=="';
  if (type === tokTypes.regexp)
    return 'a condition has no regular expressions; use startsWith, endsWith or includes';
  if (type === tokTypes.questionDot) return 'a missing claim is undefined already; write "." for "?."';
  if (type === tokTypes.braceL) return 'a condition has no blocks and no objects';
  return `"${text.slice(start, Math.min(end, start + 20))}" is not part of a condition`;
}
