import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median } from './measure.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const sections = Number(process.env['BENCH_SECTIONS'] ?? 100_000);
const rounds = 5;

/** Words by how many sections have them: the most frequent word of the vocabulary has rank 0. */
const ranks = {
  'in nearly all': [0, 1, 2, 3, 4],
  common: [20, 25, 30, 35, 40],
  middle: [300, 330, 360, 400, 430],
  rare: [8000, 9000, 10_000, 11_000, 12_000],
};

/**
 * Searches for one word on PostgreSQL, beside FTS5 alone with the same rows.
 *
 * @param {{ folder: string, url: string }} where an empty folder, and the URL of a store that does not exist
 */
export async function measureSearch({ folder, url }) {
  const { openStore, sections: table } = await stores();
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const file = join(folder, 'searched.db');
  const [own, sqlite] = await Promise.all(
    [url, `sqlite:${file}`].map((one) => openStore(one, { tables: [table] })),
  );
  if (own === undefined || sqlite === undefined) throw new Error('A store is missing.');
  for (const store of [own, sqlite])
    for (let at = 0; at < sections; at += 500)
      await store.write(async (tx) => {
        for (const row of sectionRows(at, at + 500)) await tx.insert(table, row);
      });
  const database = new DatabaseSync(file);
  const bare = database.prepare(
    'SELECT rowid FROM docsctl_words_sections WHERE docsctl_words_sections MATCH ? ORDER BY rank LIMIT 20',
  );
  /**
   * @param {import('../src/core/store.ts').Store} store
   * @param {string} query
   */
  const search = (store, query) =>
    store.read((view) =>
      view.search(table, { index: 'bySpace', anyOf: spaces.map((space) => [space]), query, limit: 20 }),
    );
  const lines = [];
  const all = [];
  for (const [name, chosen] of Object.entries(ranks)) {
    const ratios = [];
    const walls = [];
    for (const word of chosen.map(wordOf)) {
      const [hits, expected] = [await search(own, word), await search(sqlite, word)];
      if (hits.map(({ id }) => id).join() !== expected.map(({ id }) => id).join())
        throw new Error(`A search for ${word} has other hits than on SQLite.`);
      for (let round = 0; round < rounds; round++) {
        const alone = await timed(() => bare.all(`"${word}"`));
        walls.push(await timed(() => search(own, word)));
        ratios.push((walls.at(-1) ?? 0) / alone);
      }
    }
    all.push(...ratios);
    lines.push(
      `search, ${name} word`.padEnd(30) +
        `${median(walls).toFixed(1)} ms, ${median(ratios).toFixed(1)} x FTS5 alone`,
    );
  }
  await Promise.all([own.close(), sqlite.close()]);
  database.close();
  return [
    ...lines,
    `search in ${sections.toLocaleString('en')} sections, median of all ${median(all).toFixed(1)} x`,
  ];
}

/** @param {() => unknown} work */
async function timed(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

const spaces = Array.from({ length: 10 }, (_, at) => `spc_${at}`);
const vocabulary = 30_000;
const syllables = 'ba ko mi tu re lan dor sev pi gra non qua zel fy hum ost'.split(' ');

/** @param {number} rank */
function wordOf(rank) {
  let word = '';
  for (let left = rank + 17; left > 0; left = Math.floor(left / 16)) word += syllables[left % 16];
  return word;
}

/**
 * Sections number `from` to `to`, of 137 words on average, whose frequencies fall with their rank as in natural texts.
 *
 * @param {number} from
 * @param {number} to
 */
function* sectionRows(from, to) {
  let seed = Math.imul(from + 1, 2_654_435_761) >>> 0;
  const random = () => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  /** @param {number} count */
  const text = (count) =>
    Array.from({ length: count }, () => wordOf(Math.floor((vocabulary + 1) ** random()) - 1)).join(' ');
  for (let at = from; at < to; at++) {
    const [space = '', page] = [spaces[at % 10], `page${Math.floor(at / 50)}`];
    yield {
      id: `${space}.${page}.${at}`,
      space,
      page,
      anchor: `a${at}`,
      pageTitle: text(4),
      title: text(3),
      body: text(60 + Math.floor(random() * 140)),
    };
  }
}

/**
 * Stores are not a command, so they are bundled by themselves, where their packages are found.
 *
 * @returns {Promise<{ openStore: typeof import('../src/stores/index.ts').openStore, sections: typeof import('../src/content/rows.ts').sections }>}
 */
async function stores() {
  const outfile = join(root, 'node_modules', '.cache', 'docsctl-bench-stores.mjs');
  await build({
    stdin: {
      contents:
        "export { openStore } from './src/stores/index.ts'; export { sections } from './src/content/rows.ts';",
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}
