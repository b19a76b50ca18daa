// Builds dist/ from src/: the program, what runs scripts of integrations, and the licenses of what they contain.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licensesOf } from './licenses.js';
import { minify } from './minify.js';
import { packChunks } from './pack-chunks.js';
import { frequentPacks } from './packs.js';
import { toManPage } from './man-page.js';
import { pagesOf } from './reference.js';
import { writeSiteFiles } from './site-files.js';
import { changedSources } from './changed-sources.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/**
 * Modules of packages that docsctl never uses. They are replaced by empty modules.
 *
 * @type {readonly RegExp[]}
 */
const unused = [
  // undici compiles its HTTP/2 client when it is loaded, which takes 15 ms. docsctl does not use HTTP/2.
  /client-h2\.js$/,
  // The log of Fastify, which is loaded only if it is turned on. docsctl writes its own.
  /\/logger-pino\.js$/,
  // What pino writes to files with in another thread, and what removes fields. docsctl gives it a function to write with.
  /^(?:thread-stream|on-exit-leak-free|@pinojs\/redact)$/,
  // What compiles the schemas of routes. Those of docsctl have none; see src/server/app.ts.
  /^@fastify\/(?:ajv|fast-json-stringify)-compiler$/,
  // What Fastify compares the versions of plugins with, and conf those of migrations. docsctl has neither.
  /^semver$/,
  // What decrypts assertions of identity providers. docsctl refuses encrypted ones.
  /^xml-encryption$/,
  // What colors the heads and borders of tables. docsctl has none in color.
  /^@colors\/colors\/safe$/,
  // The optional native driver of pg.
  /^pg-native$/,
  // What checks the input of MCP tools by default. docsctl gives the SDK a smaller validator.
  /\/ajvProvider-\w+\.mjs$/,
  // What colors excerpts of specifications in errors. docsctl asks for them without colors.
  /^@babel\/helper-validator-identifier$/,
  // What execa logs its commands with. docsctl has it log nothing.
  /^(?:figures|pretty-ms)$/,
  // What reads the cookies of answers of Fastify. docsctl sends them on as they are.
  /^set-cookie-parser$/,
  // Only for fonts in WOFF2. The fonts of PDFs are not.
  /^brotli\/decompress\.js$/,
  // What undici reaches SOCKS proxies with. docsctl accepts proxies with http and https only.
  /\/socks5-proxy-agent$/,
  // undici takes its other parser, which runs on every processor, where this one does not load.
  /\/llhttp_simd-wasm\.js$/,
];

/** @type {import('esbuild').Plugin} */
const withoutUnused = {
  name: 'without-unused',
  setup(setup) {
    for (const filter of unused)
      // By its name, a file .mjs is a module, which has to name what it exports.
      setup.onResolve({ filter }, ({ path }) => ({
        path: path.replace(/\.mjs$/, '.cjs'),
        namespace: 'without-unused',
      }));
    setup.onLoad({ filter: /.*/, namespace: 'without-unused' }, () => ({
      contents: 'module.exports = undefined',
    }));
  },
};

/**
 * Node 20 has no navigator. pg would create a Response instead to find out where it runs, and with it all of undici. (As a
 * `define`, an object would become a module that all chunks load.)
 *
 * @type {import('esbuild').Plugin}
 */
const withNavigator = {
  name: 'with-navigator',
  setup(setup) {
    setup.onLoad({ filter: /[\\/]pg[\\/]lib[\\/]stream\.js$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}\nconst navigator = { userAgent: 'docsctl' };`,
    }));
  },
};

/** @type {import('esbuild').Plugin} */
const withChangedSources = {
  name: 'with-changed-sources',
  setup(setup) {
    for (const [filter, change] of changedSources)
      setup.onLoad({ filter }, async ({ path }) => ({ contents: change(await readFile(path, 'utf8')) }));
  },
};

/** The options of all builds. */
const common = /** @satisfies {import('esbuild').BuildOptions} */ ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  metafile: true,
});

// esbuild splits the program at its dynamic imports, so that only the needed parts run. packChunks joins chunks that are
// used together into one file.
const program = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outdir,
  splitting: true,
  format: 'esm',
  write: false,
  external: ['@photostructure/sqlite'],
  plugins: [withoutUnused, withNavigator, withChangedSources],
  define: {
    DOCSCTL_VERSION: JSON.stringify(version),
  },
});
const files = await packChunks(program);

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
for (const { name, text } of files) await writeFile(join(outdir, name), text);
// The processes that run scripts of integrations (src/script-runtime/runner.ts), QuickJS, and what runs first inside of it.
const runner = await build({
  ...common,
  entryPoints: ['src/script-runtime/runner-process.ts'],
  outfile: join(outdir, 'script-runner.js'),
  write: false,
  format: 'cjs',
  // QuickJS asks for its own address, which modules of the format cjs do not have.
  define: { 'import.meta.url': 'ownAddress' },
  banner: { js: "'use strict'; const ownAddress = require('node:url').pathToFileURL(__filename).href;" },
});
for (const { path, text } of runner.outputFiles) await writeFile(path, minify('script-runner.cjs', text));
await build({
  ...common,
  entryPoints: ['src/script-runtime/guest/index.ts'],
  outfile: join(outdir, 'script-guest.js'),
  format: 'iife',
  target: 'es2022',
});
// What runs before scripts in workerd, for the two forms of scripts.
for (const [name, format] of /** @type {const} */ ([
  ['workerd-script', 'iife'],
  ['workerd-module', 'esm'],
]))
  await build({
    ...common,
    entryPoints: [`src/script-runtime/guest/${name}.ts`],
    outfile: join(outdir, `${name}.js`),
    format,
    target: 'es2022',
  });
// What published sites need beside their pages (src/publishing/site-files.ts).
const site = await writeSiteFiles(root, join(outdir, 'site'));
// Copies of sites are made again by another version of the program (src/publishing/list-paths.ts).
const digest = createHash('sha256');
for (const { text } of files) digest.update(text);
await writeFile(join(outdir, 'site', 'version.txt'), digest.digest('hex').slice(0, 16));
const licenses = await licensesOf(root, [program.metafile, runner.metafile, site]);
await writeFile(join(outdir, 'licenses.txt'), licenses.text);
await writeFile(join(outdir, 'bundled.json'), JSON.stringify(licenses.packages, null, 2) + '\n');
await writeFile(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
await writeFile(join(outdir, 'meta.json'), JSON.stringify(program.metafile));

// Man pages, made from the output of `docsctl commands` and `docsctl help`.
/** @param {readonly string[]} words */
const outputOf = (...words) =>
  execFileSync(process.execPath, [join(root, 'bin/docsctl.js'), ...words], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
const listing = JSON.parse(outputOf('commands', '-o', 'json'));
const topics = { environment: outputOf('help', 'environment'), exitCodes: outputOf('help', 'exit-codes') };
await mkdir(join(outdir, 'man'));
for (const name of ['', ...pagesOf(listing).keys()])
  await writeFile(
    join(outdir, 'man', `${['docsctl', name].filter(Boolean).join('-')}.1`),
    toManPage(name, listing, { version, topics }),
  );
/**
 * Removes the cached code of packs.
 *
 * @param {(pack: string) => boolean} isMeant
 */
async function removeCaches(isMeant) {
  for (const name of await readdir(outdir))
    if (name.endsWith('.cache') && isMeant(name.slice(0, name.indexOf('.')))) await rm(join(outdir, name));
}
// Those runs loaded every command. Their compiled code would only make the cache larger that each command reads.
await removeCaches(() => true);

// Runs the most frequent commands, to cache the code that V8 compiles for them. Other versions of Node ignore this cache.
/** @param {...string} words */
const run = (...words) =>
  execFileSync(process.execPath, [join(root, '.scripts/warm.cjs'), ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
const store = ['--store', `sqlite:${join(outdir, 'warm.db')}`];
try {
  run('init', ...store, '--org-title', 'Warm', '--email', 'warm@example.test', '-o', 'none');
  run('serve', ...store, '--port', '0');
  // What only servers and new stores use would make the caches larger that all commands read.
  await removeCaches((pack) => frequentPacks.includes(pack));
  run('spaces', 'create', ...store, '--title', 'Warm', '-o', 'json');
  run('spaces', 'list', ...store);
  run('spaces', 'list', ...store, '-o', 'json');
  run('spaces', '--help');
} catch (error) {
  console.warn(
    `Without what V8 has compiled, commands start slower: ${error instanceof Error ? error.message : String(error)}`,
  );
}
for (const end of ['', '-wal', '-shm']) await rm(join(outdir, `warm.db${end}`), { force: true });

const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
console.log(
  `dist: ${program.outputFiles.length} chunks in ${files.length} files, ${Math.round(bytes / 1024)} KB, with ${licenses.packages.length} packages`,
);
