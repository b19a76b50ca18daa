// Bundles files of src/ for tests, which run the sources and not dist. A bundle is kept in .cache/ until one of the files
// that it is made of changes, because each process of scripts and each reader of specifications starts with one.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.cache');

/** @typedef {{ text: string, inputs: Record<string, string> }} Kept text of a bundle, and the states of the files in it */

/**
 * Returns the bundle of a file: a CommonJS module for Node with the format `cjs`, or else a program for another engine.
 *
 * @param {string} file
 * @param {'cjs' | 'esm' | 'iife'} format
 * @returns {Promise<string>}
 */
export async function bundleSource(file, format) {
  const name = createHash('sha256')
    .update(`${resolve(file)} ${format}`)
    .digest('hex')
    .slice(0, 16);
  const path = join(folder, `${name}.json`);
  return readKept(path) ?? keep(path, await bundle(file, format));
}

/** The text of a kept bundle whose files are as they were. @param {string} path @returns {string | undefined} */
function readKept(path) {
  try {
    /** @type {Kept} */
    const { text, inputs } = JSON.parse(readFileSync(path, 'utf8'));
    return Object.entries(inputs).every(([input, state]) => stateOf(input) === state) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Other processes find all of a bundle or nothing. @param {string} path @param {Kept} kept @returns {string} */
function keep(path, kept) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(kept));
  renameSync(`${path}.${process.pid}`, path);
  return kept.text;
}

/** @param {string} input path from the top of the repository */
function stateOf(input) {
  const { size, mtimeMs } = statSync(join(root, input));
  return `${size} ${mtimeMs}`;
}

/** @param {string} file @param {'cjs' | 'esm' | 'iife'} format @returns {Promise<Kept>} */
async function bundle(file, format) {
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [resolve(file)],
    bundle: true,
    format,
    ...(format === 'cjs'
      ? {
          platform: 'node',
          target: 'node20.19',
          mainFields: ['module', 'main'],
          // QuickJS asks for its own address, which modules of the format cjs do not have.
          define: { 'import.meta.url': 'ownAddress' },
          banner: { js: "const ownAddress = require('node:url').pathToFileURL(__filename).href;" },
        }
      : { target: 'es2022' }),
    metafile: true,
    write: false,
  });
  const inputs = Object.fromEntries(Object.keys(metafile.inputs).map((input) => [input, stateOf(input)]));
  return { text: outputFiles[0]?.text ?? '', inputs };
}
