import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withPeak } from './measure.js';
import { docsctl, init, json, once, startServer } from './support.js';

// BENCH_FULL=1 takes about ten minutes.
const [pageCount, conversationCount] = process.env['BENCH_FULL'] === '1' ? [10_000, 100_000] : [1000, 10_000];

/**
 * Backups of a store that is written meanwhile, and restores into each other kind of store: time, peak memory, and whether every
 * answer of the API is the same there. PostgreSQL takes part if BENCH_POSTGRES names a database; each run leaves a schema there.
 *
 * @type {import('./support.js').Part}
 */
export async function backup({ folder, env: given }) {
  const env = { ...given, DOCSCTL_SECRET_KEY: randomBytes(32).toString('hex') };
  const first = `sqlite:${join(folder, 'backup-first.db')}`;
  const { organization, token } = init(first, env);
  json(docsctl('spaces', 'create', '--store', first, '--title', 'Guide', '-o', 'json'), env);
  const [pages, conversations] = writeSources(folder);
  await withPeak(docsctl('spaces', 'import', 'Guide', pages, '--store', first, '--quiet', '-o', 'none'), {
    env,
  });
  await withPeak(docsctl('conversations', 'ingest', conversations, '--store', first), { env });
  /** @type {string[]} */
  const lines = [];
  /** @param {string} from @param {string} name @param {readonly string[]} targets */
  const copy = async (from, name, targets) => {
    const file = join(folder, name);
    const stop = startWriting(from, env);
    const saved = await withPeak(docsctl('store', 'backup', file, '--store', from), { env });
    lines.push(`${kindOf(from)}, while ${await stop()} spaces were created: ${describe(saved)}`);
    for (const to of targets) {
      const restored = await withPeak(docsctl('store', 'restore', file, '--store', to), { env });
      lines.push(`restored into ${kindOf(to)}: ${describe(restored)}`);
    }
  };
  const database = process.env['BENCH_POSTGRES'];
  const postgres =
    database === undefined ? undefined : `${database}?schema=bench_${randomBytes(6).toString('hex')}`;
  const others = [`sqlite:${join(folder, 'backup-other.db')}`, `json:${join(folder, 'backup-other.json')}`];
  await copy(first, 'first.ndjson', [...others, ...(postgres === undefined ? [] : [postgres])]);
  const back = `sqlite:${join(folder, 'backup-back.db')}`;
  if (postgres !== undefined) await copy(postgres, 'second.ndjson', [back]);
  const expected = await walk(first, env, organization.id, token);
  for (const store of [...others, ...(postgres === undefined ? [] : [postgres, back])]) {
    const seen = await walk(store, env, organization.id, token);
    const isSame = seen.hash === expected.hash;
    lines.push(
      `${kindOf(store)}: ${seen.count} objects ${isSame ? 'equal to' : 'DIFFERENT FROM'} those of the first store`,
    );
    if (!isSame) process.exitCode = 1;
  }
  return lines;
}

/** @param {string} url */
const kindOf = (url) => ({ sqlite: 'SQLite', json: 'JSON file' })[url.split(':', 1)[0] ?? ''] ?? 'PostgreSQL';

/** @param {{ seconds: number, peak: number }} measured */
const describe = ({ seconds, peak }) => `${seconds.toFixed(1)} s, ${peak.toFixed(0)} MB at most`;

/**
 * Writes Markdown and conversations. Returns their paths.
 *
 * @param {string} folder
 * @returns {[pages: string, conversations: string]}
 */
function writeSources(folder) {
  const [pages, conversations] = [join(folder, 'backup-pages'), join(folder, 'backup.ndjson')];
  for (let at = 0; at < pageCount; at++) {
    const group = join(pages, `group-${Math.floor(at / 100)}`);
    mkdirSync(group, { recursive: true });
    const text = `Page ${at} tells how to configure part ${at * 7}. `.repeat(20);
    writeFileSync(
      join(group, `page-${at}.md`),
      `# Page ${at}\n\n${text}\n\n## Section\n\n- one\n- two ${at}\n`,
    );
  }
  const lines = Array.from({ length: conversationCount }, (_, at) =>
    JSON.stringify({
      id: `c${at}`,
      metadata: { createdAt: '2026-01-01T00:00:00Z' },
      subject: `How do I configure ${at}`,
      parts: [{ type: 'message', role: 'user', body: `I configure ${at}: ${'it says error '.repeat(30)}` }],
    }),
  );
  writeFileSync(conversations, lines.join('\n'));
  return [pages, conversations];
}

/**
 * Creates spaces until the function that it returns is called, which returns how many there are.
 *
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 */
function startWriting(url, env) {
  let [isOver, count] = [false, 0];
  const writing = (async () => {
    while (!isOver) {
      const [program, ...words] = docsctl('spaces', 'create', '--title', 'Meanwhile', '--store', url);
      const child = spawn(program, words, { env, stdio: 'ignore' });
      if ((await new Promise((resolve) => child.on('exit', resolve))) === 0) count++;
    }
    return count;
  })();
  return () => {
    isOver = true;
    return writing;
  };
}

/**
 * Asks a server of a store for the pages of its first space with their documents, and for all conversations and tokens.
 *
 * @param {string} url
 * @param {NodeJS.ProcessEnv} env
 * @param {string} organization
 * @param {string} token
 */
async function walk(url, env, organization, token) {
  const server = await startServer(url, env, ['--workers', '0']);
  const agent = new Agent({ keepAlive: true });
  const hash = createHash('sha256');
  let count = 0;
  /** @param {string} path */
  const get = async (path) => {
    const target = { method: 'GET', path: `/v1${path}`, headers: { authorization: `Bearer ${token}` } };
    const { status, body } = await once(server.base, target, agent);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${body.slice(0, 300)}`);
    const text = body.replaceAll(server.base, '');
    hash.update(text);
    return JSON.parse(text);
  };
  /** @param {string} path */
  const list = async (path) => {
    for (let page = ''; ;) {
      const { items, next } = await get(`${path}?limit=1000${page}`);
      count += items.length;
      if (next === undefined) return;
      page = `&page=${encodeURIComponent(next.page)}`;
    }
  };
  const org = `/orgs/${organization}`;
  for (const noun of ['conversations', 'tokens']) await list(`${org}/${noun}`);
  const found = await once(server.base, {
    method: 'GET',
    path: `/v1${org}/spaces?limit=1000`,
    headers: { authorization: `Bearer ${token}` },
  });
  /** @type {{ id: string, title: string }[]} */
  const spaces = JSON.parse(found.body).items;
  const space = `/spaces/${spaces.find(({ title }) => title === 'Guide')?.id}`;
  /** @typedef {{ id: string, pages?: Listed[] }} Listed */
  /** @param {readonly Listed[]} nodes @returns {Listed[]} */
  const flat = (nodes) => nodes.flatMap((node) => [node, ...flat(node.pages ?? [])]);
  for (const { id } of flat((await get(`${space}/content/pages?texts=false`)).pages)) {
    await get(`${space}/content/page/${id}`);
    count++;
  }
  agent.destroy();
  await server.stop();
  return { count, hash: hash.digest('hex') };
}
