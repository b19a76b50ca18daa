// Builds dist/ from src/: the program, the reader of specifications, and the licenses of what they contain.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { licensesOf } from './licenses.js';
import { packChunks } from './pack-chunks.js';
import { pagesOf, toManPage } from './reference.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/**
 * Modules that are part of a package and of no use here.
 *
 * @type {readonly RegExp[]}
 */
const unused = [
  // undici compiles its HTTP/2 client at load, though nothing here speaks HTTP/2: 15 ms of every remote command.
  /client-h2\.js$/,
  // For fonts in WOFF2, which no font that is taken is in.
  /^brotli\/decompress\.js$/,
];

/** @type {import('esbuild').Plugin} */
const withoutUnused = {
  name: 'without-unused',
  setup(setup) {
    for (const filter of unused)
      setup.onResolve({ filter }, ({ path }) => ({ path, namespace: 'without-unused' }));
    setup.onLoad({ filter: /.*/, namespace: 'without-unused' }, () => ({
      contents: 'module.exports = undefined',
    }));
  },
};

/** What all builds have in common. */
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

// esbuild splits the program at its dynamic imports, so that what is not needed never runs; packChunks joins the chunks
// again, into files of what is used together.
const program = await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outdir,
  splitting: true,
  format: 'esm',
  write: false,
  external: ['@photostructure/sqlite'],
  plugins: [withoutUnused],
  define: { DOCSCTL_VERSION: JSON.stringify(version) },
});
const files = await packChunks(program);

await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
for (const { name, text } of files) await writeFile(join(outdir, name), text);
// A child process reads specifications (src/specification/child-process-reader.ts).
const reader = await build({
  ...common,
  entryPoints: ['src/specification/reader-process.ts'],
  outfile: join(outdir, 'specification-reader.js'),
  format: 'cjs',
});
const licenses = await licensesOf(root, [program.metafile, reader.metafile]);
await writeFile(join(outdir, 'licenses.txt'), licenses.text);
await writeFile(join(outdir, 'bundled.json'), JSON.stringify(licenses.packages, null, 2) + '\n');
await writeFile(join(outdir, 'package.json'), '{"type":"commonjs"}\n');
await writeFile(join(outdir, 'meta.json'), JSON.stringify(program.metafile));

// Man pages, from what the program says of its commands.
const listing = JSON.parse(
  execFileSync(process.execPath, [join(root, 'bin/docsctl.js'), 'commands', '-o', 'json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }),
);
await mkdir(join(outdir, 'man'));
for (const name of ['', ...pagesOf(listing).keys()])
  await writeFile(
    join(outdir, 'man', `${['docsctl', name].filter(Boolean).join('-')}.1`),
    toManPage(name, listing, version),
  );
// That run loaded every command. What V8 compiled for it would only make the files larger that each command reads.
for (const name of await readdir(outdir)) if (name.endsWith('.cache')) await rm(join(outdir, name));

// What V8 has compiled once it need not compile again: run what is run most, and keep it. Another version of Node ignores it.
/** @param {...string} words */
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
  console.warn(
    `Without what V8 has compiled, commands start slower: ${error instanceof Error ? error.message : String(error)}`,
  );
}
for (const end of ['', '-wal', '-shm']) await rm(join(outdir, `warm.db${end}`), { force: true });

const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
console.log(
  `dist: ${program.outputFiles.length} chunks in ${files.length} files, ${Math.round(bytes / 1024)} KB, with ${licenses.packages.length} packages`,
);
