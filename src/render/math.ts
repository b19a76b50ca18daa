import katex from 'katex';
import { Markup } from './markup.ts';

/** The longest formula that is read, in characters. */
const maxLength = 10_000;

/**
 * Writes a formula in TeX as MathML, which browsers draw without styles or fonts; undefined where it cannot be read.
 * Commands that link, load or style are not allowed.
 */
export function renderFormula(tex: string, isBlock: boolean): Markup | undefined {
  if (tex.trim() === '' || tex.length > maxLength) return undefined;
  try {
    return new Markup(
      katex.renderToString(tex, {
        displayMode: isBlock,
        output: 'mathml',
        throwOnError: true,
        trust: false,
        strict: 'ignore',
        maxExpand: 200,
        maxSize: 50,
      }),
    );
  } catch {
    return undefined;
  }
}
