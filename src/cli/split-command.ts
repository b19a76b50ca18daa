import { Problem } from '../errors/problem.ts';

/**
 * Splits a command into words like a shell: at spaces, with both kinds of quotes and backslash escapes.
 * @throws Problem(invalid-input) for a quote that is not closed
 */
export function splitCommand(
  command: string,
  purpose: string,
  variables: string,
  backslashes = true,
): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (backslashes && character === '\\' && quote !== "'" && at + 1 < command.length)
      word = (word ?? '') + command.charAt(++at);
    else if (quote === '' && (character === '"' || character === "'"))
      [word, quote] = [word ?? '', character];
    else if (character === quote) quote = '';
    else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '')
    throw new Problem('invalid-input', `The ${purpose} command ${command} has an unclosed quote.`, {
      hint: `Correct ${variables}.`,
    });
  return word === undefined ? words : [...words, word];
}
