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
    throw new Error('KaTeX has its font metrics elsewhere; see .scripts/changed-sources.js.');
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

/**
 * Takes out of the source of KaTeX what writes HTML. docsctl writes MathML. esbuild then leaves out what nothing else uses.
 *
 * @param {string} source
 * @throws {Error} if the source has no such parts
 */
export function withoutHtmlBuilders(source) {
  const builder = /^ {2}htmlBuilder(?:,|: [\w$]+,|(?:: )?\(\w+, \w+\)(?: =>)? \{\n[^]*?^ {2}\},?)\n/gm;
  const entry = /^function buildHTML\(tree, options\) \{\n[^]*?^\}$/m;
  const exported = /^var katex = \{\n[^]*?^\};$/m;
  const rest = source.replace(builder, '');
  if (/^ {2}htmlBuilder/m.test(rest) || rest === source || !entry.test(rest) || !exported.test(rest))
    throw new Error('KaTeX writes HTML elsewhere; see .scripts/changed-sources.js.');
  return rest.replace(entry, 'function buildHTML() {}').replace(exported, 'var katex = { renderToString };');
}

/**
 * Takes the named characters of HTML out of the source of xmldom. docsctl reads XML only, which has five of them.
 *
 * @param {string} source
 * @throws {Error} if the source has no such table
 */
export function withoutHtmlEntities(source) {
  const table = /^exports\.HTML_ENTITIES = freeze\(\{\n.*?^\}\);$/ms;
  if (!table.test(source))
    throw new Error('xmldom has its entities elsewhere; see .scripts/changed-sources.js.');
  return source.replace(table, 'exports.HTML_ENTITIES = exports.XML_ENTITIES;');
}

/**
 * Writes the WebAssembly in the source of undici in hexadecimal digits in place of Base64: compressed, they take a quarter less
 * space, because each byte looks the same everywhere.
 *
 * @param {string} source
 * @throws {Error} if the source has no Base64
 */
export function withHexadecimalWasm(source) {
  const written = /'([A-Za-z0-9+/]{1000,}={0,2})'/;
  const [, base64] = written.exec(source) ?? [];
  const reading = "Buffer.from(wasmBase64, 'base64')";
  if (base64 === undefined || !source.includes(reading))
    throw new Error('undici has its WebAssembly elsewhere; see .scripts/changed-sources.js.');
  return source
    .replace(written, () => `'${Buffer.from(base64, 'base64').toString('hex')}'`)
    .replace(reading, "Buffer.from(wasmBase64, 'hex')");
}

/**
 * Writes the names of emojis in the source of gemoji as one text: compressed, it takes a quarter of the space. Other facts about emojis
 * are left out, and so are the flags of most regions.
 *
 * @param {string} source
 * @throws {Error} if the source has no list of emojis
 */
export function withNamesOnly(source) {
  const [, list] = /^export const gemoji = (\[\n.*?^\])$/ms.exec(source) ?? [];
  if (list === undefined) throw new Error('gemoji has its list elsewhere; see .scripts/changed-sources.js.');
  /** @type {{ emoji: string, names: string[] }[]} */
  const all = runInNewContext(`(${list})`);
  const isShown = (/** @type {(typeof all)[number]} */ { emoji, names }) =>
    !/^[\u{1f1e6}-\u{1f1ff}]{2}$/u.test(emoji) || names.some((name) => shownFlags.includes(name));
  const points = (/** @type {string} */ emoji) => [...emoji].map((part) => part.codePointAt(0) ?? 0);
  const emojis = all
    .filter(isShown)
    .map(({ emoji, names }) => ({ points: points(emoji), names }))
    .sort((one, other) => (one.points[0] ?? 0) - (other.points[0] ?? 0));
  let last = 0;
  const lines = emojis.map(({ points: [first = 0, ...rest], names }) => {
    const step = first - last;
    last = first;
    return [
      [step, ...rest]
        .map((point) => point.toString(36))
        .join('-')
        .replace(/^1$/, ''),
      ...names,
    ].join(' ');
  });
  return `export const nameToEmoji = {};
let last = 0;
for (const line of ${JSON.stringify(lines.join('\n'))}.split('\\n')) {
  const [points, ...names] = line.split(' ');
  const [step, ...rest] = (points || '1').split('-').map((point) => parseInt(point, 36));
  last += step;
  for (const name of names) nameToEmoji[name] = String.fromCodePoint(last, ...rest);
}`;
}

/**
 * Takes what places the letters of Indic and other scripts of South and Southeast Asia out of the source of fontkit. The fonts of
 * PDFs have none of these letters (src/pdf/fonts.ts).
 *
 * @param {string} source
 * @throws {Error} if the source has no such part
 */
export function withoutIndicScripts(source) {
  const part =
    /^var (\$\w+\$exports) = \{\};\n\1 = JSON\.parse\("\{\\"stateTable.*?(?=^const \$\w+\$var\$SHAPERS = \{$)/ms;
  const [removed] = part.exec(source) ?? [];
  if (removed === undefined)
    throw new Error('fontkit has its scripts elsewhere; see .scripts/changed-sources.js.');
  const shapers = [...removed.matchAll(/^class (\$\w+\$export\$\w+) extends /gm)].map(
    ([, name = '']) => name,
  );
  return shapers.reduce(
    (rest, name) => rest.replaceAll(`(0, ${name})`, 'undefined'),
    source.replace(part, () => ''),
  );
}

/**
 * Makes the source of mdast-util-from-markdown use one context for all tokens instead of a copy for each, which took a third of
 * the time of reading Markdown.
 *
 * @param {string} source
 * @throws {Error} if the source makes no such copies
 */
export function withOneContext(source) {
  const copy = /\{\s*\.\.\.context,\s*sliceSerialize: (events\[index\]\[2\]\.sliceSerialize)\s*\}/g;
  if (source.match(copy)?.length !== 3)
    throw new Error('mdast-util-from-markdown copies contexts elsewhere; see .scripts/changed-sources.js.');
  return source.replace(copy, '((context.sliceSerialize = $1), context)');
}

/** The flags of regions that have short names. */
const shownFlags = 'us fr de jp gb uk cn kr it es ru'.split(' ');

/**
 * Sources of packages, and what makes them smaller or faster.
 *
 * @type {readonly (readonly [file: RegExp, change: (source: string) => string])[]}
 */
export const changedSources = [
  [/[\\/]katex\.mjs$/, (source) => withoutLetterSizes(withoutHtmlBuilders(source))],
  [/[\\/]xmldom[\\/]lib[\\/]entities\.js$/, withoutHtmlEntities],
  [/[\\/]llhttp-wasm\.js$/, withHexadecimalWasm],
  [/[\\/]gemoji[\\/]index\.js$/, withNamesOnly],
  [/[\\/]mdast-util-from-markdown[\\/]lib[\\/]index\.js$/, withOneContext],
  [/[\\/]fontkit[\\/]dist[\\/]module\.mjs$/, withoutIndicScripts],
];
