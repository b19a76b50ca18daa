// Sends mixed requests to a server for some minutes, and fails if its memory, open files, write-ahead log or temporary files grow.
// Linux only (it reads /proc).
//   npm run soak                                    10 minutes on an SQLite store
//   npm run soak -- --minutes 30 --store postgres://docsctl:secret@localhost/soak
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.js';
import { createSite, openSpace, sitePath } from './site-support.js';
import { once, startServer } from './support.js';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, store: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes >= 1)) throw new Error('--minutes takes a number of at least 1.');
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'docsctl-soak-'));
const temporary = join(folder, 'tmp');
const memory = join(folder, 'memory');
mkdirSync(temporary);
mkdirSync(memory);
const env = { ...inherited, DOCSCTL_CONFIG_DIR: join(folder, 'config'), TMPDIR: temporary };

/**
 * What is watched, how much of it may come in the time that is measured, and how it is shown.
 *
 * @typedef {'rss' | 'heap' | 'buffers' | 'files' | 'wal' | 'temporary'} Watched
 *
 * @type {Record<Watched, { name: string, unit: string, allowed: (usual: number) => number }>}
 */
const watched = {
  rss: { name: 'memory', unit: 'MB', allowed: (usual) => Math.max(24, 0.12 * usual) },
  heap: { name: 'heap', unit: 'MB', allowed: (usual) => Math.max(8, 0.1 * usual) },
  buffers: { name: 'buffers', unit: 'MB', allowed: (usual) => Math.max(8, 0.1 * usual) },
  files: { name: 'open files', unit: '', allowed: () => 10 },
  wal: { name: 'WAL', unit: 'MB', allowed: () => 16 },
  temporary: { name: 'temporary files', unit: '', allowed: () => 4 },
};

/** @typedef {Record<Watched | 'at' | 'delay', number>} Sample */

/**
 * Returns the IDs of the processes of a server. Processes that they start for single jobs are not included.
 *
 * @param {import('./site-support.js').Server} server
 */
function processesOf({ pid }) {
  const members = readdirSync('/proc').filter((name) => {
    try {
      const parent = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
      return parent === String(pid) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('\0serve\0');
    } catch {
      return false;
    }
  });
  return [pid, ...members.map(Number)];
}

/**
 * Has a process collect garbage, and returns the bytes that it still uses. Without that, the heap goes up and down by more than
 * a leak adds in minutes.
 *
 * @param {number} pid
 * @returns {Promise<NodeJS.MemoryUsage>}
 */
async function collectGarbage(pid) {
  const file = join(memory, String(pid));
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Returns by how much a value has grown, along the line that fits best (Theil and Sen), so that single peaks do not count.
 *
 * @param {readonly Sample[]} samples
 * @param {Watched} what
 */
function growth(samples, what) {
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other[what] - one[what]) / (other.at - one.at)),
  );
  return median(slopes) * ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0));
}

/**
 * Reads what the processes of a server use together.
 *
 * @param {import('./site-support.js').Server} server
 * @param {string} store
 * @param {number} at
 * @returns {Promise<Sample>}
 */
async function look(server, store, at) {
  const { body } = await once(server.metrics, { method: 'GET', path: '' });
  /** @param {string} name */
  const metric = (name) =>
    [...body.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));
  const processes = processesOf(server);
  const used = await Promise.all(processes.map(collectGarbage));
  /** @param {readonly number[]} numbers */
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const wal = statSync(`${store.replace(/^sqlite:/, '')}-wal`, { throwIfNoEntry: false });
  return {
    at,
    rss: sum(used.map(({ rss }) => rss)) / 1e6,
    heap: sum(used.map(({ heapUsed }) => heapUsed)) / 1e6,
    // Pages are kept up to a limit, which takes longer to reach than most soaks.
    buffers: (sum(used.map(({ external }) => external)) - sum(metric('docsctl_sites_cache_bytes'))) / 1e6,
    files: sum(processes.map((pid) => readdirSync(`/proc/${pid}/fd`).length)),
    wal: (wal?.size ?? 0) / 1e6,
    temporary: readdirSync(temporary, { recursive: true }).length,
    delay: Math.max(...metric('docsctl_event_loop_delay_seconds')) * 1000,
  };
}

/**
 * The requests that are sent in turn, each by a client of its own that waits for its answers. `pause`: milliseconds between two.
 *
 * @param {import('./site-support.js').Site} site
 * @param {import('./site-support.js').Server} server
 * @param {string} organization
 * @param {Awaited<ReturnType<typeof openSpace>>} space
 */
function clients({ token, spaceId }, server, organization, { documents, merge }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const headers = { authorization: `Bearer ${token}` };
  /** @type {Record<string, number>} */
  const counts = {};
  /**
   * @param {string} name
   * @param {string} base
   * @param {import('./support.js').Target} target
   * @param {readonly number[]} expected
   */
  const ask = async (name, base, target, expected = [200, 201, 202, 204, 304]) => {
    const answer = await once(base, target, agent);
    counts[name] = (counts[name] ?? 0) + 1;
    if (!expected.includes(answer.status))
      throw new Error(`${target.method} ${target.path}: ${answer.status} ${answer.body.slice(0, 300)}`);
    return answer;
  };
  /** @param {string} method @param {string} path @param {unknown} [body] @param {string} [name] */
  const api = (method, path, body, name = method === 'GET' ? 'reads' : 'writes') =>
    ask(name, server.base, {
      method,
      path: `/v1${path}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const org = `/orgs/${organization}`;
  let turn = 0;
  /** @type {readonly { pause: number, send: () => Promise<unknown> }[]} */
  const all = [
    {
      pause: 5,
      send: async () => {
        await api('GET', `/spaces/${spaceId}`);
        await api('GET', `${org}/spaces?limit=50`);
        await api('GET', `/spaces/${spaceId}/content/page/${documents[turn++ % documents.length]?.id}`);
        await api('GET', `/spaces/${spaceId}/search?query=install`);
        await api('GET', `${org}/audit-events?limit=20`).catch(() => api('GET', `${org}/sites`));
      },
    },
    {
      pause: 20,
      send: async () => {
        const { id } = JSON.parse((await api('POST', `${org}/collections`, { title: 'Soak' })).body);
        await api('PATCH', `/collections/${id}`, { title: `Soak ${turn++}` });
        await api('DELETE', `/collections/${id}`);
      },
    },
    {
      pause: 1000,
      send: async () => {
        const page = documents[turn++ % documents.length];
        await merge([{ page, document: { markdown: `# Soak\n\nChanged ${turn} times.\n` } }]);
        counts['merges'] = (counts['merges'] ?? 0) + 1;
      },
    },
    {
      pause: 3000,
      send: () => {
        const id = `soak-${turn++ % 60}`;
        const text = `My export of page ${turn} fails with an error. How can I fix it?`;
        const parts = [{ type: 'message', role: 'user', body: text }];
        return api('POST', `${org}/conversations`, { id, subject: `Export ${turn}`, parts }, 'ingest');
      },
    },
    {
      pause: 2000,
      send: () => {
        const info = { title: 'Soak', version: String(turn++) };
        const responses = { 200: { description: 'Done' } };
        const paths = { '/a': { get: { operationId: 'a', summary: `A ${turn}`, responses } } };
        const text = JSON.stringify({ openapi: '3.1.0', info, paths });
        return api('PUT', `${org}/openapi/soak`, { source: { text } }, 'specifications');
      },
    },
    {
      pause: 5,
      send: async () => {
        for (const path of ['', 'none', '~gitbook/search?q=install', 'llms.txt', 'sitemap.xml'])
          await ask(
            'sites',
            server.sites,
            { method: 'GET', path: sitePath + path },
            [200, 304, 307, 308, 404],
          );
        const page = documents[turn++ % documents.length];
        await ask(
          'sites',
          server.sites,
          { method: 'GET', path: sitePath + (page?.path ?? '') },
          [200, 304, 307, 308],
        );
      },
    },
    {
      pause: 50,
      send: async () => {
        await ask('refused', server.base, { method: 'GET', path: `/v1${org}` }, [401]);
        await ask('refused', server.base, { method: 'GET', path: '/nowhere' }, [404]);
        await abort(`${server.sites}${sitePath}`);
        counts['aborted'] = (counts['aborted'] ?? 0) + 1;
      },
    },
  ];
  return { all, counts, close: () => agent.destroy() };
}

/**
 * Sends a request, and leaves before the answer.
 *
 * @param {string} url
 */
function abort(url) {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false });
    sent.on('error', () => {});
    sent.once('close', () => resolve(undefined));
    sent.end(() => setImmediate(() => sent.destroy()));
  });
}

/** @param {Record<string, number>} counts */
const listed = (counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

const docs = fileURLToPath(new URL('../docs', import.meta.url));
let failures = 0;
try {
  const site = await createSite({ folder, env }, 'soak', docs, values.store);
  const options = ['--sites-port', '0', '--metrics-port', '0', '--workers', '2', '--count-views'];
  const forcedGc = new URL('./forced-gc.js', import.meta.url).href;
  const watchedEnv = { ...env, BENCH_MEMORY: memory };
  const server = await startServer(site.store, watchedEnv, options, ['--import', forcedGc]);
  const headers = { authorization: `Bearer ${site.token}` };
  const orgs = JSON.parse((await once(server.base, { method: 'GET', path: '/v1/orgs', headers })).body);
  const { all, counts, close } = clients(site, server, orgs.items[0].id, await openSpace(site, server));
  const begins = performance.now();
  const seconds = () => (performance.now() - begins) / 1000;
  const ends = minutes * 60;
  let isOver = false;
  /** @type {Error | undefined} */
  let failure;
  const sending = all.map(async ({ pause, send }) => {
    while (!isOver) {
      await send();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  });
  const failed = Promise.all(sending).catch((error) => {
    failure = error;
    isOver = true;
  });
  /** @type {Sample[]} */
  const samples = [];
  console.log('  time  memory    heap buffers  files      WAL  temporary  longest delay');
  while (seconds() < ends && !isOver) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, (ends * 1000) / 30)));
    const sample = await look(server, site.store, seconds());
    samples.push(sample);
    const { at, rss, heap, buffers, files, wal, temporary: left, delay } = sample;
    console.log(
      `${at.toFixed(0).padStart(5)}s ${rss.toFixed(0).padStart(4)} MB ${heap.toFixed(0).padStart(4)} MB ${buffers.toFixed(0).padStart(4)} MB ${String(files).padStart(6)} ${wal.toFixed(1).padStart(5)} MB ${String(left).padStart(10)} ${delay.toFixed(0).padStart(10)} ms`,
    );
  }
  isOver = true;
  await failed;
  close();
  await server.stop();
  console.log(listed(counts));
  if (failure !== undefined) throw failure;
  // The first third fills caches and compiles code.
  const measured = samples.filter(({ at }) => at > ends / 3);
  for (const [what, { name, unit, allowed }] of Object.entries(watched)) {
    const key = /** @type {Watched} */ (what);
    const usual = median(measured.map((sample) => sample[key]));
    const [grown, most] = [growth(measured, key), allowed(usual)];
    const isFine = grown <= most;
    if (!isFine) failures++;
    console.log(
      `${isFine ? 'ok  ' : 'FAIL'} ${name}: ${usual.toFixed(0)} ${unit} usually, ${grown >= 0 ? '+' : ''}${grown.toFixed(1)} ${unit} after warm-up (at most +${most.toFixed(0)})`,
    );
  }
  const left = readdirSync(temporary).length;
  if (left > 0) failures++;
  console.log(`${left === 0 ? 'ok  ' : 'FAIL'} temporary files after the stop: ${left}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
