import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { cpuOf, median, withPeak } from './measure.js';
import { docsctl, init, json, once, startServer } from './support.js';

const large = Number(process.env['BENCH_PAGES'] ?? 10_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const partsOfPage = 10;
const letters = 'etaoinshrdlucmfwypvbgk';
const words = Array.from(
  { length: 3000 },
  (_, index) =>
    Array.from(
      { length: 2 + (index % 7) },
      (_letter, at) => letters[(index * 17 + at * at * 31 + at * index) % letters.length],
    ).join('') + index.toString(36),
);

/**
 * A space of 100 and of 10,000 pages: import, one-page merge, reading a page, links, search.
 *
 * @type {import('./support.js').Part}
 */
export async function content({ folder, env }) {
  const lines = [];
  const merges = [];
  for (const count of [100, large]) {
    const docs = join(folder, `docs-${count}`);
    const texts = writeDocs(docs, count);
    const store = join(folder, `content-${count}.db`);
    const { token } = init(`sqlite:${store}`, env);
    const space = json(
      docsctl('spaces', 'create', '--store', `sqlite:${store}`, '--title', 'Docs', '-o', 'json'),
      env,
    ).id;
    const bare = await bareStore(join(folder, `bare-${count}.db`), texts);
    const argv = docsctl('spaces', 'import', 'Docs', docs, '--store', `sqlite:${store}`, '-o', 'none');
    const first = await withPeak(argv, { env });
    const again = await withPeak(argv, { env });
    const bytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6;
    lines.push(`${count.toLocaleString('en')} pages, ${bytes.toFixed(1)} MB`);
    lines.push(
      `  import ${first.seconds.toFixed(2)} s, peak ${first.peak.toFixed(0)} MB; bare hash and insert ${bare.toFixed(2)} s: ${((100 * bare) / first.seconds).toFixed(0)} %; again ${again.seconds.toFixed(2)} s`,
    );
    const server = await startServer(`sqlite:${store}`, env);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    /**
     * @param {string} method
     * @param {string} path
     * @param {unknown} [body]
     */
    const call = async (method, path, body) => {
      const answer = await once(
        server.base,
        {
          method,
          path: `/v1/spaces/${space}${path}`,
          headers: { authorization: `Bearer ${token}` },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        },
        agent,
      );
      if (answer.status >= 400) throw new Error(`${path}: ${answer.body}`);
      return JSON.parse(answer.body);
    };
    const { pages } = await call('GET', '/content/pages?texts=false');
    /** @type {{ id: string }[]} */
    const all = pages.flatMap((/** @type {{ pages: object[] }} */ page) => [page, ...page.pages]);
    /** @param {number} round */
    const pageOf = (round) => all[round % all.length]?.id ?? '';
    /**
     * @param {number} times
     * @param {(round: number) => Promise<unknown>} work
     */
    const timed = async (times, work) => {
      for (let warm = 0; warm < 3; warm++) await work(warm);
      const walls = [];
      const before = cpuOf(server.pid);
      for (let round = 3; round < times + 3; round++) {
        const start = process.hrtime.bigint();
        await work(round);
        walls.push(Number(process.hrtime.bigint() - start) / 1e6);
      }
      return { wall: median(walls), cpu: ((cpuOf(server.pid) - before) * 1000) / times };
    };
    // Lines of a page change; what else it says and links to stays.
    /** @type {number[]} */
    const open = [];
    for (let round = 0; round < rounds + 3; round++) {
      const { number } = await call('POST', '/change-requests', { subject: `Change ${round}` });
      const page = pageOf(round * 37);
      open.push(number);
      await call('POST', `/change-requests/${number}/content`, {
        changes: [
          {
            operation: 'update_page',
            page,
            document: { markdown: `${texts[round]}\nAnd ${words[round]} more.\n` },
          },
        ],
      });
    }
    const merge = await timed(rounds, (round) => call('POST', `/change-requests/${open[round]}/merge`));
    merges.push(merge.wall);
    const read = await timed(200, (round) => call('GET', `/content/page/${pageOf(round * 13)}`));
    const links = await timed(50, () => call('GET', '/links?limit=50'));
    const broken = await timed(50, () => call('GET', '/links?limit=50&status=broken'));
    lines.push(
      `  one-page merge ${row(merge)}; reading a page ${row(read)}; 50 links ${row(links)}; 50 broken links ${row(broken)}`,
    );
    const queries = Array.from({ length: 200 }, (_, index) => words[(index * 31) % words.length] ?? '');
    const search = await timed(queries.length - 3, (round) =>
      call('GET', `/search?query=${queries[round]}&limit=20`),
    );
    const ping = await timed(200, () => call('GET', ''));
    await server.stop();
    const index = await bareSearch(store, queries);
    lines.push(
      `  search ${row(search)}, of it ${ping.wall.toFixed(2)} ms for a request (GET of the space); bare FTS5 query ${index.toFixed(2)} ms: ${((search.wall - ping.wall) / index).toFixed(1)} x without the request, ${(search.wall / index).toFixed(1)} x with it`,
    );
  }
  lines.push(
    `one-page merge at ${large.toLocaleString('en')} pages over 100: ${((merges[1] ?? 0) / (merges[0] ?? 1)).toFixed(2)} x`,
  );
  return lines;
}

/**
 * Words that are in many pages.
 *
 * @param {number} count
 */
export function commonWords(count) {
  return words.slice(0, count);
}

/** @param {{ wall: number, cpu: number }} measured in milliseconds */
function row({ wall, cpu }) {
  return `${wall.toFixed(1)} ms (cpu ${cpu.toFixed(1)})`;
}

/**
 * A folder of Markdown in 100 chapters, with links between the pages, one in twenty broken.
 *
 * @param {string} docs
 * @param {number} count
 */
export function writeDocs(docs, count) {
  /** @type {string[]} */
  const texts = [];
  const summary = ['# Table of contents', ''];
  /** @param {number} seed */
  const word = (seed) => words[Math.floor(words.length * (((seed * 7919) % 10007) / 10007) ** 3)];
  const chapters = Math.min(100, count / 10);
  for (let chapter = 0; chapter < chapters; chapter++) {
    mkdirSync(join(docs, `c${chapter}`), { recursive: true });
    for (let index = chapter; index < count; index += chapters) {
      const parts = Array.from({ length: partsOfPage }, (_, part) => {
        const target = (index * 31 + part * 101) % count;
        const link =
          (index + part) % 20 === 0
            ? 'gone.md'
            : `../c${target % chapters}/${target < chapters ? 'README' : `p${target}`}.md`;
        return `## ${word(index + part)} ${part}\n\n${Array.from({ length: 50 }, (_word, at) => word(index * 131 + part * 17 + at)).join(' ')} [${word(part)}](${link}).\n`;
      });
      const text = `# Page ${index}\n\n${parts.join('\n')}`;
      texts.push(text);
      const name = index < chapters ? 'README' : `p${index}`;
      summary.push(`${index < chapters ? '' : '  '}* [Page ${index}](c${chapter}/${name}.md)`);
      writeFileSync(join(docs, `c${chapter}`, `${name}.md`), text);
    }
  }
  writeFileSync(join(docs, 'SUMMARY.md'), `${summary.join('\n')}\n`);
  return texts;
}

/**
 * Seconds to hash the texts and to insert them into a bare file, durably.
 *
 * @param {string} path
 * @param {readonly string[]} texts
 */
async function bareStore(path, texts) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(path);
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE blobs (id TEXT PRIMARY KEY, data TEXT)',
  );
  const start = process.hrtime.bigint();
  const insert = database.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)');
  database.exec('BEGIN');
  for (const text of texts) insert.run(createHash('sha256').update(text).digest('hex'), text);
  database.exec('COMMIT');
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  database.close();
  return seconds;
}

/**
 * Median milliseconds of the same queries on the index itself.
 *
 * @param {string} path
 * @param {readonly string[]} queries
 */
async function bareSearch(path, queries) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(path);
  const query = database.prepare(
    'SELECT rowid FROM docsctl_words_sections WHERE docsctl_words_sections MATCH ? ORDER BY rank LIMIT 20',
  );
  const walls = queries.map((text) => {
    const start = process.hrtime.bigint();
    query.all(`"${text}"*`);
    return Number(process.hrtime.bigint() - start) / 1e6;
  });
  database.close();
  return median(walls);
}
