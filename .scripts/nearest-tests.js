// Which test files import a source file, also over others, and which of them are nearest to it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesIn, leftOut } from './coverage.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Paths of files that a file imports, statically or not. @param {string} file @returns {string[]} */
function importsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(import type [^;']*from|from|import\(|import) ?'(\.[^']+)'/g)]
    .filter(([, word = '']) => !word.startsWith('import type'))
    .map(([, , path = '']) => join(dirname(file), path));
}

/** Who imports a file. @type {Map<string, string[]>} */
const importers = new Map();
for (const file of [...filesIn('src', /\.ts$/), ...filesIn('test', /\.ts$/)])
  for (const path of importsOf(file)) importers.set(path, [...(importers.get(path) ?? []), file]);

/** Files that import a file, also over others, with how many imports lie between them. @param {string} file */
function importersOf(file) {
  const seen = new Map([[file, 0]]);
  for (const [path, distance] of seen)
    for (const importer of importers.get(path) ?? [])
      if (!seen.has(importer)) seen.set(importer, distance + 1);
  return seen;
}

/** The tests that import a file, also over others; those of its room for a file that none imports, as it is bundled. @param {string} file */
function testsByImports(file) {
  const found = [...importersOf(file).keys()].filter((path) => isTest(path));
  const [, room = ''] = file.split('/');
  if (found.length > 0 || !existsSync(join(root, 'test', room))) return found;
  return filesIn(`test/${room}`, /\.test\.ts$/).filter(isTest);
}

/** Whether a file is a test that can notice a mutant. @param {string} path */
function isTest(path) {
  return path.endsWith('.test.ts') && !leftOut.test(path);
}

/** How long test files took when vitest ran them last, in milliseconds. @type {Map<string, number>} */
const durations = new Map();
const cache = join(root, 'node_modules/.vite/vitest');
for (const path of existsSync(cache) ? readdirSync(cache, { recursive: true, encoding: 'utf8' }) : []) {
  if (!path.endsWith('results.json')) continue;
  /** @type {{ results: [string, { duration: number }][] }} */
  const { results } = JSON.parse(readFileSync(join(cache, path), 'utf8'));
  for (const [test, { duration }] of results) durations.set(test.replace(/^:/, ''), duration);
}

/** How many folders two files have in common. @param {string} one @param {string} other */
function sharedFolders(one, other) {
  const [folders, others] = [dirname(one).split('/').slice(1), dirname(other).split('/').slice(1)];
  const differs = folders.findIndex((folder, index) => folder !== others[index]);
  return differs === -1 ? folders.length : differs;
}

/**
 * The tests that import a source file, also over others: first the one of the file, then the nearest by folder and by imports.
 *
 * @param {string} file
 */
export function nearestTests(file) {
  const distances = importersOf(file);
  /** @param {string} test */
  const cost = (test) => {
    if (isOwn(file, test)) return -1;
    const expected = test.endsWith('.slow.test.ts') ? 8000 : 0;
    const slowness = Math.log2(1 + (durations.get(test) ?? expected) / 250);
    return (distances.get(test) ?? 0) - 4 * sharedFolders(file, test) + slowness + 100;
  };
  return testsByImports(file).sort((one, other) => cost(one) - cost(other));
}

/** Whether a test is the one of a source file. @param {string} file @param {string} test */
function isOwn(file, test) {
  return test.replace(/(?:\.slow)?\.test\.ts$/, '.ts') === file.replace(/^src\//, 'test/');
}
