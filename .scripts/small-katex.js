import { runInNewContext } from 'node:vm';

/** The table of the sizes of all letters, as it is in katex.mjs. */
const metrics = /^var fontMetricsData = (\{\n.*?^\});$/ms;

/** The letters whose sizes KaTeX needs when it is loaded: they raise the A of its logo. */
const needed = { font: 'Main-Regular', letters: 'TA' };

/**
 * Takes the sizes of letters out of the source of KaTeX, which are a fifth of it. They place letters in HTML. docsctl writes
 * MathML, for which KaTeX only has to know which letters each font has.
 *
 * @param {string} source
 * @throws {Error} if the source has no such table
 */
export function withoutLetterSizes(source) {
  const [, table] = metrics.exec(source) ?? [];
  if (table === undefined)
    throw new Error('KaTeX has its font metrics elsewhere; see .scripts/small-katex.js.');
  /** @type {Record<string, Record<string, number[]>>} */
  const sizes = runInNewContext(`(${table})`);
  const letters = Object.fromEntries(
    Object.entries(sizes).map(([font, known]) => [font, Object.keys(known).join(' ')]),
  );
  const kept = [...needed.letters].map((letter) => {
    const code = letter.charCodeAt(0);
    return `fontMetricsData[${JSON.stringify(needed.font)}][${code}] = ${JSON.stringify(sizes[needed.font]?.[code])};`;
  });
  return source.replace(
    metrics,
    () => `var fontMetricsData = ${JSON.stringify(letters)};
for (const font in fontMetricsData)
  fontMetricsData[font] = Object.fromEntries(fontMetricsData[font].split(' ').map((code) => [code, [0, 0, 0, 0, 0]]));
${kept.join('\n')}`,
  );
}
