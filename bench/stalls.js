import { fork } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { commonWords, writeDocs } from './content.js';
import { writeConversations } from './conversations.js';
import { cpuOf, peakOf, withPeak } from './measure.js';
import { docsctl, init, json, once, startServer } from './support.js';

const pages = Number(process.env['BENCH_PAGES'] ?? 10_000);
const spaces = Number(process.env['BENCH_SPACES'] ?? 7);
const conversations = Number(process.env['BENCH_STALL_CONVERSATIONS'] ?? 5000);
/** Pages of about 100 kB on a site. */
const longPages = 20;
/** The names of the scenarios to run, separated by commas (default: all). */
const only = process.env['BENCH_STALLS']?.split(',');

/**
 * How long heavy requests and jobs keep others waiting: for each, the longest time that the event loop of the server was held, and
 * what another client waited for a small page meanwhile.
 *
 * @type {import('./support.js').Part}
 */
export async function stalls(bench) {
  return measureStalls(bench, await createWorld(bench));
}

/**
 * What the scenarios need: a store with a small space and several large ones, a folder that is imported, conversations, and a
 * specification.
 *
 * @typedef {object} World
 * @property {string} store
 * @property {string} organization
 * @property {string} token
 * @property {string} quiet the small space
 * @property {readonly string[]} large
 * @property {string} site the path of a site that shows a space of long pages
 * @property {string} docs
 * @property {string} conversationsFile
 * @property {string} specification
 */

/**
 * @param {import('./support.js').Bench} bench
 * @returns {Promise<World>}
 */
export async function createWorld({ folder, env }) {
  const docs = join(folder, 'stalls-docs');
  const texts = writeDocs(docs, pages);
  const small = join(folder, 'stalls-small');
  writeDocs(small, 100);
  const store = `sqlite:${join(folder, 'stalls.db')}`;
  const { organization, token } = init(store, env);
  const at = ['--store', store];
  /** @param {string} title @param {string} from */
  const importSpace = async (title, from) => {
    const { id } = json(docsctl('spaces', 'create', ...at, '--title', title, '-o', 'json'), env);
    await withPeak(docsctl('spaces', 'import', title, from, ...at, '--quiet', '-o', 'none'), { env });
    await withPeak(docsctl('jobs', 'run', '--quiet', ...at), { env });
    return id;
  };
  const quiet = await importSpace('Quiet', small);
  const large = [];
  for (let number = 0; number < spaces; number++) large.push(await importSpace(`Docs ${number}`, docs));
  json(docsctl('spaces', 'create', ...at, '--title', 'New', '-o', 'json'), env);
  const long = join(folder, 'stalls-long');
  mkdirSync(long);
  writeFileSync(join(long, 'README.md'), '# Long\n');
  for (let number = 0; number < longPages; number++) {
    const text = texts.slice(number * 25, number * 25 + 25).join('\n');
    writeFileSync(join(long, `page-${number}.md`), `# Page ${number}\n\n${text}`);
  }
  await importSpace('Long', long);
  json(docsctl('sites', 'create', ...at, '--title', 'Long', '--spaces', 'Long', '-o', 'json'), env);
  const { urls } = json(docsctl('sites', 'publish', 'Long', ...at, '-o', 'json'), env);
  const site = new URL(urls.published).pathname;
  const conversationsFile = join(folder, 'stalls.ndjson');
  await writeConversations(conversationsFile, conversations);
  const specification = join(folder, 'stalls.json');
  writeFileSync(specification, JSON.stringify(specificationOf(10_000_000)));
  console.log(
    `  ${spaces} spaces of ${pages.toLocaleString('en')} pages, ${(texts.reduce((sum, text) => sum + text.length, 0) / 1e6).toFixed(1)} MB each`,
  );
  return {
    store,
    organization: organization.id,
    token,
    quiet,
    large,
    site,
    docs,
    conversationsFile,
    specification,
  };
}

/**
 * @param {import('./support.js').Bench} bench
 * @param {World} world
 * @returns {Promise<string[]>}
 */
export async function measureStalls(
  { env },
  { store, organization, token, quiet, large, site, docs, conversationsFile, specification },
) {
  const serverEnv = { ...env, DOCSCTL_TRANSLATION: 'pseudo', DOCSCTL_ALLOW_PRIVATE: '127.0.0.1' };
  // A body may have 8 MiB; what is fetched may have 10.
  const source = createServer((_request, answer) => void answer.end(readFileSync(specification)));
  await new Promise((resolve) => source.listen(0, '127.0.0.1', () => resolve(undefined)));
  const specificationUrl = `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (source.address()).port}/`;
  const server = await startServer(store, serverEnv, ['--metrics-port', '0', '--sites-port', '0']);
  const remote = { ...env, DOCSCTL_SERVER: server.base, DOCSCTL_TOKEN: token };
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const headers = { authorization: `Bearer ${token}` };
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const call = async (method, path, body) => {
    const target = { method, path: `/v1${path}`, headers };
    const answer = await once(
      server.base,
      body === undefined ? target : { ...target, body: JSON.stringify(body) },
      agent,
    );
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return answer.body;
  };
  /** @param {string} path @param {(answer: any) => boolean} isDone */
  const until = async (path, isDone) => {
    while (!isDone(JSON.parse(await call('GET', path)))) await setTimeout(50);
  };
  /** @type {{ id: string }[]} */
  const quietPages = JSON.parse(await call('GET', `/spaces/${quiet}/content/pages?texts=false`)).pages;
  const page = `/v1/spaces/${quiet}/content/page/${quietPages[0]?.id}`;
  const query = encodeURIComponent(commonWords(12).join(' '));
  /** Waits until no job runs or is due. */
  const idle = () => until(`/orgs/${organization}/jobs`, isIdle);
  /** @type {Record<string, () => Promise<unknown>>} */
  const scenarios = {
    quiet: () => setTimeout(2000),
    'remote import': () =>
      withPeak(docsctl('spaces', 'import', 'New', docs, '--quiet', '-o', 'none'), { env: remote }),
    'first links': async () => {
      const [space] = JSON.parse(await call('GET', `/orgs/${organization}/spaces?limit=1000`)).items.filter(
        (/** @type {{ title: string }} */ { title }) => title === 'New',
      );
      // An answer may take 20 seconds. What was made until then is kept.
      const ask = () => call('GET', `/spaces/${space.id}/links?limit=50`);
      await ask().catch(ask).catch(ask);
    },
    'search of 12 words': async () => {
      for (let round = 0; round < 5; round++)
        await call('GET', `/orgs/${organization}/search?query=${query}&limit=20`);
    },
    'content/pages': () => call('GET', `/spaces/${large[0]}/content/pages`),
    'content/pages without texts': () => call('GET', `/spaces/${large[0]}/content/pages?texts=false`),
    'six readers of content/pages': () =>
      Promise.all(Array.from({ length: 6 }, () => call('GET', `/spaces/${large[0]}/content/pages`))),
    clustering: async () => {
      await withPeak(docsctl('conversations', 'ingest', '-f', conversationsFile, '--quiet', '-o', 'none'), {
        env: remote,
      });
      await idle();
    },
    translation: async () => {
      await call('POST', `/orgs/${organization}/translations`, {
        source: { space: large.at(-1), language: 'en' },
        language: 'fr',
      });
      await idle();
    },
    '10 MB specification': async () => {
      await withPeak(docsctl('openapi', 'publish', specificationUrl, '--slug', 'large', '-o', 'none'), {
        env: remote,
      });
      await idle();
    },
    'long pages of a site': async () => {
      for (let number = 0; number < longPages; number++) {
        const { status } = await once(server.sites, { method: 'GET', path: `${site}page-${number}` });
        if (status !== 200) throw new Error(`page-${number} of the site: ${status}`);
      }
    },
    PDF: () => call('GET', `/spaces/${quiet}/pdf/download`),
  };
  /** @type {Awaited<ReturnType<typeof startProber>> | undefined} */
  let prober;
  try {
    for (const [name, work] of Object.entries(scenarios)) {
      if (only !== undefined && !only.some((part) => name.startsWith(part))) continue;
      // The job of the import would make the links.
      if (name !== 'first links') await idle();
      await setTimeout(300);
      prober = await startProber({ base: server.base, path: page, token, pid: server.pid });
      await readDelay(server.metrics);
      const cpu = cpuOf(server.pid);
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1000;
      const waits = await prober.end();
      const delay = await readDelay(server.metrics);
      console.log(
        `  ${name}: ${seconds.toFixed(1)} s, CPU ${(cpuOf(server.pid) - cpu).toFixed(1)} s; event loop held ${(delay * 1000).toFixed(0)} ms at most; a page in ${textOf(waits.wall)} (${waits.count} pages), of which the server ran ${textOf(waits.cpu)}; peak of memory so far ${peakOf(server.pid).toFixed(0)} MB`,
      );
    }
  } finally {
    prober?.kill();
    agent.destroy();
    source.close();
    await server.stop();
  }
  return [];
}

/**
 * Whether no job of a list runs or is due.
 *
 * @param {{ items: readonly { kind: string, state: string, dueAt: string }[] }} jobs
 */
function isIdle({ items }) {
  const now = new Date().toISOString();
  return items.every(
    ({ kind, state, dueAt }) =>
      kind === 'removal' || state === 'failed' || (state === 'waiting' && dueAt > now),
  );
}

/**
 * What a page took, in milliseconds.
 *
 * @typedef {{ p50: number, p99: number, max: number }} Waits
 */

/** @param {Waits} waits */
function textOf({ p50, p99, max }) {
  return `${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)}, longest ${max.toFixed(0)}`;
}

/**
 * Starts the process that asks for a page all the time.
 *
 * @param {{ base: string, path: string, token: string, pid: number }} target
 */
async function startProber(target) {
  const child = fork(fileURLToPath(new URL('prober.js', import.meta.url)), [JSON.stringify(target)]);
  await new Promise((resolve) => child.once('message', resolve));
  /** @returns {Promise<{ count: number, wall: Waits, cpu: Waits }>} */
  const end = () =>
    new Promise((resolve, reject) => {
      child.once('message', (waits) => resolve(/** @type {any} */ (waits)));
      child.once('exit', (code) => reject(new Error(`The prober ended with ${code}.`)));
      child.send('end');
    });
  return { end, kill: () => void child.kill() };
}

/**
 * Returns the longest time that the event loop was held since this was asked for last, in seconds.
 *
 * @param {string} metrics
 */
async function readDelay(metrics) {
  const { body } = await once(metrics, { method: 'GET', path: '' });
  return Number(/^docsctl_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(body)?.[1]);
}

/**
 * A valid specification of about so many bytes.
 *
 * @param {number} bytes
 */
function specificationOf(bytes) {
  /** @type {Record<string, unknown>} */
  const paths = {};
  for (let number = 0, size = 0; size < bytes; number++) {
    const operation = {
      operationId: `operation${number}`,
      summary: `Operation ${number}`,
      description: 'Reads, changes and removes what it is given. '.repeat(60),
      responses: { 200: { description: 'What was asked for' } },
    };
    paths[`/things/${number}`] = { get: operation };
    size += JSON.stringify(operation).length + 30;
  }
  return { openapi: '3.0.3', info: { title: 'Large', version: '1' }, paths };
}
