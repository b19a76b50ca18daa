import katex from 'katex';
import { Markup } from './markup.ts';

/** The longest formula that is read, in characters. */
const maxLength = 10_000;

/** The characters of the formulas of a page that are read. The others are shown as they are written. */
const maxOfPage = 100_000;
/** Commands that define a macro. A short definition can make a formula of millions of signs. */
const definition = /\\(?:[egx]?def|(?:future)?let|(?:new|renew|provide)command)(?![A-Za-z])/;
/** The beginning of a definition with parameters, up to its body. */
const withParameters = /\\(?:new|renew|provide)command\*?\s*\{?\s*\\[A-Za-z]+\s*\}?\s*\[\d\]\s*\{/g;
/** What a formula with macros may have, and what it costs of the characters of a page. */
const withMacros = { maxLength: 1000, maxExpand: 20, cost: 5000 };

/**
 * Whether no macro of a formula repeats a parameter, so that a macro adds at most its own text each time. Only the parameters of
 * `\newcommand` and its variants are known; the formula is refused for any other `#`, also one that a comment hides.
 */
function repeatsNoParameter(tex: string): boolean {
  let rest = 0;
  for (const { 0: head, index } of tex.matchAll(withParameters)) {
    if (index < rest) return false;
    const start = index + head.length;
    const end = endOfGroup(tex, start);
    if (end === undefined || tex.slice(rest, index).includes('#')) return false;
    const parameters: readonly string[] = tex.slice(start, end).match(/#./gs) ?? [];
    if (parameters.includes('##') || new Set(parameters).size < parameters.length) return false;
    rest = end;
  }
  return !tex.slice(rest).includes('#');
}

/** Returns where the group ends whose content starts at a place; undefined if it has no end. */
function endOfGroup(tex: string, start: number): number | undefined {
  let depth = 1;
  for (let at = start; at < tex.length; at++) {
    const character = tex[at];
    if (character === '\\') at++;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return at;
  }
  return undefined;
}

/** Returns a function that writes the formulas of one page as `renderFormula` does, until they become too many. */
export function createFormulaRenderer(): (tex: string, isBlock: boolean) => Markup | undefined {
  let left = maxOfPage;
  return (tex, isBlock) => {
    const hasMacros = definition.test(tex);
    left -= hasMacros ? withMacros.cost : tex.length;
    return left < 0 ? undefined : renderFormula(tex, isBlock, hasMacros);
  };
}

/**
 * Writes a formula in TeX as MathML, which browsers draw without styles or fonts; undefined where it cannot be read.
 * Commands that link, load or style are not allowed. Macros may use each of their parameters once.
 */
export function renderFormula(
  tex: string,
  isBlock: boolean,
  hasMacros = definition.test(tex),
): Markup | undefined {
  if (tex.trim() === '' || tex.length > maxLength) return undefined;
  if (hasMacros && (tex.length > withMacros.maxLength || !repeatsNoParameter(tex))) return undefined;
  try {
    return new Markup(
      katex.renderToString(tex, {
        displayMode: isBlock,
        output: 'mathml',
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxExpand: hasMacros ? withMacros.maxExpand : 200,
        maxSize: 50,
      }),
    );
  } catch {
    return undefined;
  }
}
