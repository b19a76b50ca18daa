import katex from 'katex';
import { Markup } from './markup.ts';

/** Maximum length of a formula, in characters. */
const maxLength = 10_000;

/** Maximum total length of the rendered formulas of a page, in characters. Other formulas are shown as TeX source. */
const maxOfPage = 100_000;
/** Commands that define a macro. A short definition can expand to a formula with millions of symbols. */
const definition = /\\(?:[egx]?def|(?:future)?let|(?:new|renew|provide)command)(?![A-Za-z])/;
/** The start of a definition with parameters, up to its body. */
const withParameters = /\\(?:new|renew|provide)command\*?\s*\{?\s*\\[A-Za-z]+\s*\}?\s*\[\d\]\s*\{/g;
/** Limits of a formula with macros, and its cost, counted in characters of the limit of a page. */
const withMacros = { maxLength: 1000, maxExpand: 20, cost: 5000 };

/**
 * Whether no macro of a formula uses a parameter twice, so that each use adds at most the text of the macro. Only the parameters
 * of `\newcommand` and its variants are recognized. Any other `#`, even in a comment, returns false.
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

/** Returns the end of a group whose content starts at an index; undefined if it is not closed. */
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

/** Returns a function that renders the formulas of one page with `renderFormula`, up to the limit of a page. */
export function createFormulaRenderer(): (tex: string, isBlock: boolean) => Markup | undefined {
  let left = maxOfPage;
  return (tex, isBlock) => {
    const hasMacros = definition.test(tex);
    left -= hasMacros ? withMacros.cost : tex.length;
    return left < 0 ? undefined : renderFormula(tex, isBlock, hasMacros);
  };
}

/**
 * Renders a TeX formula as MathML, which browsers draw without styles or fonts. Returns undefined if it cannot be parsed.
 * Commands that link, load or style are not allowed. Macros may use each of their parameters only once.
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
