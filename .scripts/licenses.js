import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licenses that allow a program to be distributed with the package in it, if it includes their text. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  // The icons, fonts and code of Font Awesome Free.
  '(CC-BY-4.0 AND OFL-1.1 AND MIT)',
  'ISC',
  'MIT',
]);

/** The licenses of packages whose package.json names none, as in their LICENSE file. */
const unnamed = new Map([['png-js@2.0.0', 'MIT']]);

/** What docsctl changed in packages whose license asks to say so. */
const changes = new Map([
  [
    '@fortawesome/fontawesome-free',
    'some of its icons, in half their size and with coordinates rounded to whole numbers',
  ],
]);

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX identifier
 */

/**
 * Finds the packages whose code is in the builds, and returns their licenses as one text. It fails for a package without a
 * license, or with one that is not allowed.
 *
 * @param {string} root the folder that paths in the metafiles start from
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {Promise<{ packages: BundledPackage[], text: string }>}
 */
export async function licensesOf(root, metafiles) {
  const folders = new Set(metafiles.flatMap(foldersOf));
  /** @type {Map<string, BundledPackage & { text: string }>} */
  const found = new Map();
  for (const folder of folders) {
    const one = await read(join(root, folder));
    found.set(`${one.name}@${one.version}`, one);
  }
  const all = [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
  const refused = all.filter(({ license }) => !allowed.has(license));
  if (refused.length > 0)
    throw new Error(
      `These packages are bundled, but their licenses are not allowed (see allowed in .scripts/licenses.js):\n${refused
        .map(({ name, version, license }) => `  ${name}@${version}: ${license}`)
        .join('\n')}`,
    );
  /** @type {Map<string, { terms: string, ofNotice: Map<string, string[]> }>} */
  const groups = new Map();
  for (const { name, version, license, text } of all) {
    const change = changes.has(name) ? `: ${changes.get(name)}` : '';
    const { notice, terms } = splitNotice(text);
    const key = terms.replace(/\s+/g, ' ');
    const group = groups.get(key) ?? { terms, ofNotice: new Map() };
    const names = group.ofNotice.get(notice) ?? [];
    group.ofNotice.set(notice, [...names, `${name} ${version} (${license})${change}`]);
    groups.set(key, group);
  }
  // Similar terms compress better beside each other.
  const sorted = [...groups.values()].sort((a, b) => compare(a.terms.trim(), b.terms.trim()));
  const parts = sorted.map(({ terms, ofNotice }) => {
    const notices = [...ofNotice].map(
      ([notice, names]) => `${names.join('\n')}\n${notice && `\n${notice}\n`}`,
    );
    return `${notices.join('\n')}\n${terms}\n`;
  });
  return {
    packages: all.map(({ name, version, license }) => ({ name, version, license })),
    text: `docsctl contains code of the packages below, under these licenses.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`,
  };
}

const apacheTerms = /^[ \t]*Apache License\n[^]*?END OF TERMS AND CONDITIONS\n/m;
/** How to apply the license, without the notice at its end. */
const apacheAppendix = /^\s*APPENDIX: How to apply [^]*?identification within third-party archives\.\n/;

/**
 * Splits the text of a license into its title and copyright, which differ between packages, and its terms, which are often equal
 * except for their line breaks.
 *
 * @param {string} text
 */
function splitNotice(text) {
  const [terms] = apacheTerms.exec(text) ?? [];
  if (terms !== undefined) {
    const [before = '', after = ''] = text.split(terms);
    return { notice: (before + after.replace(apacheAppendix, '')).trim(), terms: terms.trimEnd() };
  }
  const at = text.search(/^(?:Permission is hereby granted|Permission to use, copy|Redistribution and use)/m);
  return at === -1
    ? { notice: '', terms: text }
    : { notice: text.slice(0, at).trim(), terms: text.slice(at) };
}

/**
 * @param {string} a
 * @param {string} b
 */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the folders of the packages whose code is in the outputs.
 *
 * @param {import('esbuild').Metafile} metafile
 */
function foldersOf({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
      return folder === undefined || bytesInOutput === 0 ? [] : [folder];
    }),
  );
}

/**
 * @param {string} folder
 * @returns {Promise<BundledPackage & { text: string }>}
 */
async function read(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const named = license ?? unnamed.get(`${name}@${version}`) ?? 'none named';
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const text = texts.map((one) => one.replaceAll('\r\n', '\n').trim()).join('\n\n');
  if (text === '' && named !== 'MIT')
    throw new Error(`${name}@${version} is bundled and comes without the text of its license, ${named}.`);
  return {
    name,
    version,
    license: named,
    text: text || mitOf(author?.name ?? author ?? `the authors of ${name}`),
  };
}

/**
 * Returns the text of a license that a package names but does not contain.
 *
 * @param {string} holder
 */
function mitOf(holder) {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
}
