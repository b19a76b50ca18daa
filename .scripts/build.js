// Bundles src/main.ts into dist/ in two steps. esbuild splits the program at its dynamic imports, into some two hundred
// chunks, so that what is not needed never runs. Finding, reading and compiling that many files would cost more than
// running them, so chunks that are used together are then packed into one file, each as a function of its own. All of it
// is CommonJS: on Node 20 that starts faster than ES modules, but esbuild splits only those.
import { build, transform } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { choosePacks } from './packs.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** undici compiles its HTTP/2 client at load, though nothing here speaks HTTP/2: 15 ms of every remote command. */
const withoutHttp2 = {
  name: 'without-http2',
  setup(setup) {
    setup.onResolve({ filter: /client-h2\.js$/ }, () => ({ path: 'client-h2', namespace: 'without-http2' }));
    setup.onLoad({ filter: /.*/, namespace: 'without-http2' }, () => ({
      contents: 'module.exports = undefined',
    }));
  },
};

const { outputFiles, metafile } = await build({
  entryPoints: [join(root, 'src/main.ts')],
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  outdir,
  write: false,
  metafile: true,
  minify: true,
  legalComments: 'none',
  external: ['@photostructure/sqlite', 'pdfkit'],
  plugins: [withoutHttp2],
  define: { DOCSCTL_VERSION: JSON.stringify(version) },
  mainFields: ['module', 'main'],
});

/** A chunk of esbuild as CommonJS, without the helpers that every one brings along. */
async function asCommonJs(text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'import.meta.url': '__importMetaUrl' },
  });
  const [head] =
    /^(?:var __(?:create|defProp|getOwnPropDesc|getOwnPropNames|getProtoOf|hasOwnProp|export|copyProps|toESM|toCommonJS)=[^\n]*?;(?=var ))*/.exec(
      code,
    );
  return { head, body: code.slice(head.length).trimEnd() };
}

/** What a chunk's code becomes inside its pack: `__load` gives it other chunks, `require` what Node and npm have. */
async function asFunction(text) {
  const { body } = await asCommonJs(text);
  const url = body.includes('__importMetaUrl')
    ? 'const __importMetaUrl=require("node:url").pathToFileURL(__filename).href;'
    : '';
  return (
    url +
    body
      .replace(/\brequire\("\.\/([^"/]+\.js)"\)/g, (whole, name) =>
        chunkNames.has(name) ? `__load("${name}")` : whole,
      )
      // All chunks are ours and were ES modules: none needs another object around its exports, with a getter for each.
      .replace('module.exports=__toCommonJS(stdin_exports)', 'module.exports=stdin_exports')
      .replace(/__toESM\((__load\("[^"]+"\))\)/g, '$1')
      // Modules of Node that take milliseconds to load and are seldom used.
      .replace(
        /=(?:__toESM\()?(?:require|\(0,\w+\.\w+\))\("(node:crypto|node:child_process)"\)+/g,
        '=__lazy("$1")',
      )
  );
}

const chunkNames = new Set(outputFiles.map(({ path }) => basename(path)));
const packOf = choosePacks(metafile);
const packs = new Map();
const places = {};
for (const { path, text } of outputFiles) {
  const name = basename(path);
  const place = packOf(`dist/${name}`);
  metafile.outputs[`dist/${name}`].pack = place;
  places[name] = place;
  const pack = packs.get(place) ?? packs.set(place, []).get(place);
  pack.push(`${JSON.stringify(name)}(module,__load){${await asFunction(text)}\n}`);
}

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
const { head: helpers } = await asCommonJs(
  'import one from "one";export const two=()=>import(one);export{one}',
);
const lazy =
  'const __lazy=(name)=>{const module=new Proxy({},{get:(_,key)=>key==="default"?module:require(name)[key]});return module};';
const loader = `const __places=${JSON.stringify(places)},__made={},__files={main:__chunks},__scripts={};
function __load(name){if(__made[name]===undefined){const module=__made[name]={exports:{}},file=__places[name];(__files[file]??=__open(file))[name](module,__load)}return __made[name].exports}
function __open(file){const fs=require("node:fs"),path=__dirname+"/"+file+".js";let cachedData;try{cachedData=fs.readFileSync(__dirname+"/"+file+".cache")}catch{}
const script=__scripts[file]=new(require("node:vm").Script)(fs.readFileSync(path,"utf8"),{filename:path,cachedData});return script.runInThisContext()(require,path)}`;
for (const [pack, chunks] of packs) {
  const table = `{${chunks.join(',\n')}}`;
  const end =
    pack === 'main'
      ? `const __chunks=${table};\n${loader}\nmodule.exports={...__load("main.js"),scripts:__scripts};\n`
      : `return${table}`;
  const code = `"use strict";${helpers}${lazy}${end}`;
  await writeFile(
    join(outdir, `${pack}.js`),
    pack === 'main' ? code : `(function(require,__filename){${code}})`,
  );
}
// A process of its own reads specifications (src/specification/read-apart.ts).
await build({
  entryPoints: [join(root, 'src/specification/reader.ts')],
  outfile: join(outdir, 'specification-reader.js'),
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  mainFields: ['module', 'main'],
});
await writeFile(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
await writeFile(join(outdir, 'meta.json'), JSON.stringify(metafile));
// What V8 has compiled once it need not compile again: run what is run most, and keep it. Another version of Node ignores it.
const run = (...words) =>
  execFileSync(process.execPath, [join(root, '.scripts/warm.cjs'), ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
const store = ['--store', `sqlite:${join(outdir, 'warm.db')}`];
try {
  run('init', ...store, '--org-title', 'Warm', '--email', 'warm@example.test', '-o', 'none');
  run('spaces', 'create', ...store, '--title', 'Warm', '-o', 'json');
  run('spaces', 'list', ...store);
  run('spaces', 'list', ...store, '-o', 'json');
  run('spaces', '--help');
  run('serve', ...store, '--port', '0');
} catch (error) {
  console.warn(`Without what V8 has compiled, commands start slower: ${error.message}`);
}
for (const end of ['', '-wal', '-shm']) await rm(join(outdir, `warm.db${end}`), { force: true });
console.log(
  `dist: ${outputFiles.length} chunks in ${packs.size} files, ${Math.round(outputFiles.reduce((sum, file) => sum + file.contents.length, 0) / 1024)} KB`,
);
