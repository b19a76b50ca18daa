import { Problem } from '../errors/problem.ts';

interface TextLimits {
  /** Maximum nesting depth of arrays and objects; 64 by default. */
  readonly depth?: number;
  /** Maximum number of values, counted by brackets and commas; 1,000,000 by default. */
  readonly nodes?: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/**
 * Rejects JSON text that is nested too deep or contains too many values, before recursive code reads it. Makes one pass without
 * recursion, and does not check that the text is valid JSON. Not for YAML, which has other quotes.
 *
 * @throws Problem(invalid-input)
 */
export function checkDepth(text: string, { depth = 64, nodes = 1_000_000 }: TextLimits = {}): void {
  let open = 0;
  let seen = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++open > depth)
          throw new Problem('invalid-input', `The JSON is nested more than ${depth} levels deep.`);
        seen++;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        // Never below zero, because otherwise leading closing brackets would permit more opening ones.
        if (open > 0) open--;
        break;
      case COMMA:
        seen++;
        break;
    }
    if (seen > nodes)
      throw new Problem('invalid-input', `The JSON contains more than ${nodes} values.`, {
        hint: 'Split it into smaller parts.',
      });
  }
}

/** Parses JSON text within limits. @throws Problem(invalid-input) beyond them, SyntaxError for other text */
export function parseJson(text: string, limits?: TextLimits): unknown {
  checkDepth(text, limits);
  return JSON.parse(text);
}

/** Returns the index of the closing quote of the string that opens at `start`, or the length of the text without one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
