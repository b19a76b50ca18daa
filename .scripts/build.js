// Bundles src/main.ts into dist/ in two steps. esbuild splits the program at its dynamic imports, into some two hundred
// chunks, so that what is not needed never runs. Finding, reading and compiling that many files would cost more than
// running them, so chunks that are used together are then packed into one file, each as a function of its own. All of it
// is CommonJS: on Node 20 that starts faster than ES modules, but esbuild splits only those.
import { build, transform } from 'esbuild';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packOf, staticClosure } from './packs.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** undici compiles its HTTP/2 client at load, though nothing here speaks HTTP/2: 15 ms of every remote command. */
const withoutHttp2 = {
  name: 'without-http2',
  setup(setup) {
    setup.onResolve({ filter: /client-h2\.js$/ }, () => ({ path: 'client-h2', namespace: 'without-http2' }));
    setup.onLoad({ filter: /.*/, namespace: 'without-http2' }, () => ({ contents: 'module.exports = undefined' }));
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
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: ['@photostructure/sqlite'],
  plugins: [withoutHttp2],
  define: { DOCSCTL_VERSION: JSON.stringify(version) },
  mainFields: ['module', 'main'],
});

/** What a chunk's code becomes inside its pack: `load` gives it other chunks, `require` what Node and npm have. */
async function asFunction(text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'import.meta.url': '__importMetaUrl' },
  });
  const head = code.includes('__importMetaUrl') ? 'const __importMetaUrl=require("node:url").pathToFileURL(__filename).href;' : '';
  return head + code.trimEnd().replace(/\brequire\("\.\/([^"/]+\.js)"\)/g, (whole, name) => (chunkNames.has(name) ? `load("${name}")` : whole));
}

const chunkNames = new Set(outputFiles.map(({ path }) => basename(path)));
const atStart = staticClosure(metafile, 'src/cli/program.ts');
const packs = new Map();
const places = {};
for (const { path, text } of outputFiles) {
  const name = basename(path);
  const output = metafile.outputs[`dist/${name}`];
  output.pack = packOf(name, output, atStart);
  places[name] = output.pack;
  const pack = packs.get(output.pack) ?? packs.set(output.pack, []).get(output.pack);
  pack.push(`${JSON.stringify(name)}(module,load){${await asFunction(text)}\n}`);
}

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
const loader = `const places=${JSON.stringify(places)},made={};
function load(name){if(made[name]===undefined){const module=made[name]={exports:{}};(places[name]==="main"?chunks:require("./"+places[name]+".js"))[name](module,load)}return made[name].exports}`;
for (const [pack, chunks] of packs) {
  const table = `{${chunks.join(',\n')}}`;
  await writeFile(join(outdir, `${pack}.js`), pack === 'main' ? `"use strict";const chunks=${table};\n${loader}\nmodule.exports=load("main.js");\n` : `"use strict";module.exports=${table};\n`);
}
await writeFile(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
await writeFile(join(outdir, 'meta.json'), JSON.stringify(metafile));
console.log(`dist: ${outputFiles.length} chunks in ${packs.size} files, ${Math.round(outputFiles.reduce((sum, file) => sum + file.contents.length, 0) / 1024)} KB`);
