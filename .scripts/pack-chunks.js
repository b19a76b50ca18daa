import { transform } from 'esbuild';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { minify } from './minify.js';
import { choosePacks, frequentPacks } from './packs.js';
import { withPlainExports } from './plain-exports.js';

/** The options with which chunks and packs are transformed. */
const common = /** @satisfies {import('esbuild').TransformOptions} */ ({
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
});

/** The helpers that esbuild puts at the start of each CommonJS file. A pack needs them only once. */
const helpers =
  /^(?:var __(?:create|defProp|getOwnPropDesc|getOwnPropNames|getProtoOf|hasOwnProp|export|copyProps|toESM|toCommonJS)=[^\n]*?;(?=var ))*/;

/** Loads a module of Node on first use. For modules that are rarely used and take a millisecond or more to load. */
const lazy =
  'const __lazy=(name)=>{let loaded;const module=new Proxy({},{get:(_,key)=>key==="default"?module:(loaded??=require(name))[key]});return module};';

const loader = await readFile(new URL('loader.cjs', import.meta.url), 'utf8');

/**
 * Joins the chunks of a build into the packs that `choosePacks` chooses. Each chunk becomes a function. Finding, reading
 * and compiling about five hundred files would take longer than running them. The files are CommonJS, which starts faster
 * than ES modules on Node 20; esbuild can split only ES modules. Sets the pack of each output in the metafile.
 *
 * @param {{ outputFiles: import('esbuild').OutputFile[], metafile: import('esbuild').Metafile }} built
 * @returns {Promise<{ name: string, text: string }[]>}
 */
export async function packChunks({ outputFiles, metafile }) {
  const packOf = choosePacks(metafile);
  const found = outputFiles.map(({ path, text }) => {
    const name = basename(path);
    const output = `dist/${name}`;
    const pack = packOf(output);
    Object.assign(metafile.outputs[output] ?? {}, { pack });
    return { name, pack, text };
  });
  // Chunks are numbered pack by pack, so that the loader needs only the end of each pack. It looks for frequent ones first.
  const order = [...new Set([...frequentPacks, ...found.map(({ pack }) => pack)])];
  const chunks = found.toSorted((a, b) => order.indexOf(a.pack) - order.indexOf(b.pack));
  const ids = new Map(chunks.map(({ name }, id) => [name, id]));
  /** @type {Map<string, string[]>} */
  const packs = new Map(order.map((pack) => [pack, []]));
  for (const [id, { pack, text }] of chunks.entries())
    packs
      .get(pack)
      ?.push(`${id}(module,__load){${await asFunction(text, ids, frequentPacks.includes(pack))}\n}`);
  const ends = order.map((pack) => chunks.findLastIndex((chunk) => chunk.pack === pack) + 1);
  const head = await helpersOfPacks();
  const files = [...packs].map(([pack, functions]) => {
    const table = `{${functions.join(',\n')}}`;
    const code = `__pack=function(require,__filename){"use strict";${head}${lazy}return${table}}`;
    const minified = minify(`${pack}.cjs`, code);
    return { name: `${pack}.js`, text: `(${minified.replace(/^__pack=/, '').replace(/;\s*$/, '')})` };
  });
  // What V8 compiled of another build must not be taken for that of this one: it compares only the length of the code.
  const digest = createHash('sha256');
  for (const { name, text } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    digest.update(name + text);
  const build = digest.digest('hex').slice(0, 12);
  // Packs of frequent commands are files of their own. Compressed together, the others take a quarter less space.
  const own = new Set(frequentPacks.map((pack) => `${pack}.js`));
  const joined = files.filter(({ name }) => !own.has(name));
  const lengths = order.map((pack) => joined.find(({ name }) => name === `${pack}.js`)?.text.length ?? 0);
  const main = ids.get('main.js');
  const code = `"use strict";const __names=${JSON.stringify(order)},__ends=${JSON.stringify(ends)},__lengths=${JSON.stringify(lengths)},__build="${build}";${loader}
module.exports={...__load(${main}),saveCompiled};`;
  // The loader checks the end of a file, because an upgrade may replace the files while a server runs.
  const end = `\n//${build}`;
  return [
    { name: 'main.js', text: minify('main.cjs', code) },
    ...files.filter(({ name }) => own.has(name)).map(({ name, text }) => ({ name, text: text + end })),
    { name: `packs.${build}.txt`, text: joined.map(({ text }) => text).join('') + end },
  ];
}

/**
 * Converts a chunk to CommonJS. Returns the helpers of esbuild and the rest of its code.
 *
 * @param {string} text
 */
async function asCommonJs(text) {
  const { code } = await transform(text, {
    ...common,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'import.meta.url': '__importMetaUrl' },
  });
  const head = helpers.exec(code)?.[0] ?? '';
  return { head, body: code.slice(head.length).trimEnd() };
}

/** Returns all helpers that chunks can need. */
async function helpersOfPacks() {
  const sample = 'import one from "one";export const two=()=>import(one);export{one}';
  return (await asCommonJs(sample)).head;
}

/**
 * Returns the code of a chunk inside its pack. It loads other chunks with `__load`, and modules of Node and npm packages
 * with `require`.
 *
 * @param {string} text
 * @param {ReadonlyMap<string, number>} ids
 * @param {boolean} isFrequent
 */
async function asFunction(text, ids, isFrequent) {
  const { body: given } = await asCommonJs(text);
  const converted = isFrequent ? withPlainExports(given, text) : given;
  // Packs already have a function that loads packages, from the same folder.
  const body = converted.replace(/\(0,\w+\.createRequire\)\(__importMetaUrl\)/g, '(require)');
  const url = body.includes('__importMetaUrl')
    ? 'const __importMetaUrl=require("node:url").pathToFileURL(__filename).href;'
    : '';
  return (
    url +
    body
      .replace(/\brequire\("\.\/([^"/]+\.js)"\)/g, (whole, name) =>
        ids.has(name) ? `__load(${ids.get(name)})` : whole,
      )
      // All chunks were ES modules, so none needs a wrapper around its exports.
      .replace('module.exports=__toCommonJS(stdin_exports)', 'module.exports=stdin_exports')
      .replace(/__toESM\((__load\(\d+\))\)/g, '$1')
      .replace(
        /=(?:__toESM\()?(?:require|\(0,\w+\.\w+\))\("(node:(?:crypto|child_process|dns\/promises|module|net|os|stream|timers\/promises|zlib))"\)+/g,
        '=__lazy("$1")',
      )
  );
}
