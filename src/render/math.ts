import katex from 'katex';
import { Markup } from './markup.ts';

/** The longest formula that is read, in characters. */
const maxLength = 10_000;

/** The characters of the formulas of a page that are read. The others are shown as they are written. */
const maxOfPage = 100_000;
/** Commands that define a macro. A short definition can make a formula of millions of signs. */
const definition = /\\(?:[egx]?def|(?:future)?let|(?:new|renew|provide)command)(?![A-Za-z])/;
/** What a formula with macros may have, and what it costs of the characters of a page. */
const withMacros = { maxLength: 1000, maxExpand: 20, cost: 5000 };

/** Returns a function that writes the formulas of one page as `renderFormula` does, until they become too many. */
export function createFormulaRenderer(): typeof renderFormula {
  let left = maxOfPage;
  return (tex, isBlock) => {
    left -= definition.test(tex) ? withMacros.cost : tex.length;
    return left < 0 ? undefined : renderFormula(tex, isBlock);
  };
}

/**
 * Writes a formula in TeX as MathML, which browsers draw without styles or fonts; undefined where it cannot be read.
 * Commands that link, load or style are not allowed, and macros have no parameters.
 */
export function renderFormula(tex: string, isBlock: boolean): Markup | undefined {
  if (tex.trim() === '' || tex.length > maxLength) return undefined;
  const hasMacros = definition.test(tex);
  if (hasMacros && (tex.length > withMacros.maxLength || tex.includes('#'))) return undefined;
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
