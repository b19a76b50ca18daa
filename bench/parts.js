import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuOf, inTurn, median, peakOf, withPeak } from './measure.js';
import { checksumOf, docsctl, init, json, node, once, startServer } from './support.js';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const large = Number(process.env['BENCH_ROWS'] ?? 1_000_000);

/** @param {{ name: string, cpu: number, wall: number, ratio: number }} measured */
function row({ name, cpu, wall, ratio }) {
  return `${name.padEnd(40)} cpu ${(cpu * 1000).toFixed(0).padStart(5)} ms  wall ${wall.toFixed(0).padStart(5)} ms  ${ratio.toFixed(2).padStart(6)} x`;
}

/**
 * Start-up beside a bare node.
 *
 * @type {import('./support.js').Part}
 */
export async function start({ env }) {
  return measureStart(env).map(row);
}

/**
 * Measures commands that open no store, after a bare node.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function measureStart(env) {
  return inTurn(
    [
      { name: 'node -e 0', argv: [node, '-e', '0'] },
      { name: '--version', argv: docsctl('--version') },
      { name: '--help', argv: docsctl('--help') },
      { name: 'spaces --help', argv: docsctl('spaces', '--help') },
    ],
    { rounds, env },
  );
}

/**
 * Whole commands on an embedded store, at 1,000 spaces and at many, and on a server.
 *
 * @type {import('./support.js').Part}
 */
export async function store(bench) {
  const lines = [];
  for (const count of [1000, large])
    lines.push(`${count.toLocaleString('en')} spaces`, ...(await measureCommands(bench, count)).map(row));
  return lines;
}

/**
 * Measures whole commands on a store with so many spaces, after a bare node.
 *
 * @param {import('./support.js').Bench} bench
 * @param {number} count
 */
export async function measureCommands({ folder, env }, count) {
  const url = `sqlite:${join(folder, `spaces-${count}.db`)}`;
  const { organization, token } = init(url, env);
  const first = json(docsctl('spaces', 'create', '--store', url, '--title', 'First', '-o', 'json'), env);
  await fillSpaces(url.slice(7), first, count - 1);
  const server = await startServer(url, { ...env, DOCSCTL_TOKEN: token });
  const ofOrganization = ['--org', organization.id];
  const org = ['--store', url, ...ofOrganization];
  const list = ['--limit', '50', '-o', 'json'];
  try {
    return inTurn(
      [
        { name: 'node -e 0', argv: [node, '-e', '0'] },
        { name: 'spaces list -o json', argv: docsctl('spaces', 'list', ...org, ...list) },
        { name: 'spaces list (table of 50)', argv: docsctl('spaces', 'list', ...org, '--limit', '50') },
        { name: 'spaces get', argv: docsctl('spaces', 'get', first.id, '--store', url, '-o', 'json') },
        { name: 'spaces create', argv: docsctl('spaces', 'create', ...org, '--title', 'New', '-o', 'json') },
        {
          name: 'spaces list on a server',
          argv: docsctl('spaces', 'list', '--server', server.base, ...ofOrganization, ...list),
        },
      ],
      { rounds, env: { ...env, DOCSCTL_TOKEN: token } },
    );
  } finally {
    await server.stop();
  }
}

/**
 * Copies one space's row many times, straight into the file: the API makes them one by one.
 *
 * @param {string} path
 * @param {{ id: string }} first
 * @param {number} count
 */
async function fillSpaces(path, first, count) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const database = new DatabaseSync(path);
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('spaces')
    .map(({ name }) => String(name));
  const [source = {}] = database.prepare('SELECT * FROM spaces').all();
  const insert = database.prepare(
    `INSERT INTO spaces (${columns.map((name) => `"${name}"`).join(',')}) VALUES (${columns.map(() => '?').join(',')})`,
  );
  database.exec('BEGIN');
  for (let index = 0; index < count; index++) {
    const id = `${first.id.slice(0, -10)}${String(index).padStart(10, '0')}`;
    const copy = Object.fromEntries(
      columns.map((name) => {
        const value = source[name] ?? null;
        return [name, typeof value === 'string' ? value.replaceAll(first.id, id) : value];
      }),
    );
    insert.run(
      ...columns.map((name) =>
        name === 'checksum' ? checksumOf(String(copy['data'])) : (copy[name] ?? null),
      ),
    );
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/**
 * Ingest of 100,000 conversations beside the sqlite3 shell inserting the same rows.
 *
 * @type {import('./support.js').Part}
 */
export async function ingest(bench) {
  const count = Number(process.env['BENCH_CONVERSATIONS'] ?? 100_000);
  const { shell, first, again } = await measureIngest(bench, count);
  return [
    shell === undefined
      ? 'sqlite3 shell: not on this machine'
      : `sqlite3 shell, same rows               ${shell.toFixed(2)} s`,
    `ingest of ${count.toLocaleString('en')}                     ${first.seconds.toFixed(2)} s, peak ${first.peak.toFixed(0)} MB${shell === undefined ? '' : `, ${(first.seconds / shell).toFixed(2)} x the shell`}`,
    `the same again, all known              ${again.seconds.toFixed(2)} s, ${(again.seconds / first.seconds).toFixed(2)} x the first`,
  ];
}

/**
 * Measures the ingest of so many conversations, twice, and the sqlite3 shell where there is one.
 *
 * @param {import('./support.js').Bench} bench
 * @param {number} count
 */
export async function measureIngest({ folder, env }, count) {
  const file = join(folder, 'conversations.ndjson');
  const out = createWriteStream(file);
  for (let index = 0; index < count; index++) {
    const body =
      'My card was declined at the shop and I do not know why, can you tell me what went wrong? '.repeat(4);
    const conversation = {
      id: `bench-${index}`,
      subject: `Card declined, case ${index}`,
      metadata: {
        url: `https://support.example.test/t/${index}`,
        attributes: { plan: 'free' },
        createdAt: '2026-02-24T15:02:39.000Z',
      },
      parts: [{ type: 'message', role: 'user', body }],
    };
    if (!out.write(`${JSON.stringify(conversation)}\n`))
      await new Promise((resolve) => out.once('drain', () => resolve(undefined)));
  }
  await new Promise((resolve) => out.end(() => resolve(undefined)));
  const url = `sqlite:${join(folder, 'ingest.db')}`;
  init(url, env);
  const shell = spawnSync('sqlite3', ['--version']).status === 0 ? bareInsert(folder, file) : undefined;
  const argv = docsctl('conversations', 'ingest', '--store', url, '-f', file, '-o', 'none');
  const first = await withPeak(argv, { env });
  return { shell, first, again: await withPeak(argv, { env }) };
}

/**
 * @param {string} folder
 * @param {string} file
 */
function bareInsert(folder, file) {
  const began = process.hrtime.bigint();
  const script = `PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE c (id TEXT PRIMARY KEY, data TEXT, org TEXT, source TEXT, created TEXT);
CREATE INDEX c1 ON c (org, created, id); CREATE INDEX c2 ON c (org, source, created, id);
CREATE TEMP TABLE l (line TEXT);
.mode ascii
.separator "\\001" "\\n"
.import '${file}' l
INSERT INTO c SELECT json_extract(line,'$.id'), line, 'org', 'email', json_extract(line,'$.metadata.createdAt') FROM l;`;
  const done = spawnSync('sqlite3', [join(folder, 'bare.db')], { input: script, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
  return Number(process.hrtime.bigint() - began) / 1e9;
}

/**
 * `serve` beside a bare route of Fastify that answers the same bytes with the same headers: requests per CPU second of the server.
 *
 * @type {import('./support.js').Part}
 */
export async function serve(bench) {
  const { ready, firstAnswer, requests, peak } = await measureServer(bench);
  return [
    `ready in ${ready.wall.toFixed(0)} ms, ${ready.ratio.toFixed(2)} x node -e 0; first answer after ${firstAnswer.toFixed(0)} ms more`,
    ...requests.map(
      ({ name, own, bare, ratio }) =>
        `${name.padEnd(12)} ${own.perSecond.toFixed(0)} requests/CPU s, p99 ${own.p99.toFixed(1)} ms; bare Fastify ${bare.perSecond.toFixed(0)}, p99 ${bare.p99.toFixed(1)} ms; ratio ${ratio.toFixed(2)}`,
    ),
    `peak memory ${peak.toFixed(0)} MB`,
  ];
}

/**
 * Measures `serve`: until it is ready, and the requests beside a bare route.
 *
 * @param {import('./support.js').Bench} bench
 */
export async function measureServer({ folder, env }) {
  const url = `sqlite:${join(folder, 'serve.db')}`;
  const { organization, token } = init(url, env);
  let space;
  for (let index = 0; index < 60; index++)
    space = json(docsctl('spaces', 'create', '--store', url, '--title', `Space ${index}`, '-o', 'json'), env);
  const readies = [];
  for (let round = 0; round < 5; round++) {
    const started = await startServer(url, env);
    readies.push(started.ready);
    await started.stop();
  }
  const [bareStart] = inTurn([{ name: 'node -e 0', argv: [node, '-e', '0'] }], { rounds: 5, env });
  const server = await startServer(url, env);
  const headers = { authorization: `Bearer ${token}` };
  const began = process.hrtime.bigint();
  await once(server.base, { method: 'GET', path: '/readyz' });
  const firstAnswer = Number(process.hrtime.bigint() - began) / 1e6;
  const requests = [];
  for (const target of requestsTo(organization, space)) {
    const bare = await bareFastify(await once(server.base, { ...target, headers }), target);
    const own = await load(server.base, { ...target, headers }, server.pid);
    const other = await load(bare.url, { ...target, headers }, bare.pid);
    bare.stop();
    requests.push({ name: target.name, own, bare: other, ratio: own.perSecond / other.perSecond });
  }
  const peak = peakOf(server.pid);
  await server.stop();
  const wall = median(readies);
  return { ready: { wall, ratio: wall / (bareStart?.wall ?? wall) }, firstAnswer, requests, peak };
}

/** Headers that Fastify or Node adds by itself. */
const ownHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']);

/**
 * Starts a server of Fastify with one route, which sends an answer again.
 *
 * @param {{ status: number, headers: Record<string, unknown>, body: string }} answer
 * @param {import('./support.js').Target} target
 */
async function bareFastify({ status, headers, body }, { method, path }) {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));
  const program = `const [route, answer] = process.argv.slice(1).map((text) => JSON.parse(text)); const app = require('fastify')(); app.route({ ...route, handler: (request, reply) => { reply.code(answer.status).headers(answer.headers).send(answer.body); } }); app.listen({ port: 0, host: '127.0.0.1' }).then((url) => console.log(url));`;
  const route = { method, url: path.split('?')[0] };
  const child = spawn(
    node,
    ['-e', program, JSON.stringify(route), JSON.stringify({ status, headers: sent, body })],
    { stdio: ['ignore', 'pipe', 'inherit'], cwd: fileURLToPath(new URL('..', import.meta.url)) },
  );
  const url = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  return { url, pid: child.pid ?? 0, stop: () => child.kill() };
}

/**
 * Returns the requests that `serve` is measured with.
 *
 * @param {{ id: string }} organization
 * @param {{ id: string }} space
 * @returns {(import('./support.js').Target & { name: string })[]}
 */
export function requestsTo(organization, space) {
  return [
    { name: 'GET by id', method: 'GET', path: `/v1/spaces/${space.id}` },
    { name: 'list of 50', method: 'GET', path: `/v1/orgs/${organization.id}/spaces?limit=50` },
    {
      name: 'create',
      method: 'POST',
      path: `/v1/orgs/${organization.id}/collections`,
      body: JSON.stringify({ title: 'New' }),
    },
  ];
}

/**
 * @param {string} body
 * @param {number} status
 */
export async function bareServer(body, status) {
  const program = `const{createServer}=require('node:http');const b=Buffer.from(process.argv[1],'base64');const s=createServer((q,r)=>{q.on('data',()=>{});q.on('end',()=>{r.writeHead(${status},{'content-type':'application/json','content-length':b.length});r.end(b)})});s.listen(0,'127.0.0.1',()=>console.log(s.address().port))`;
  const child = spawn(node, ['-e', program, Buffer.from(body).toString('base64')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.kill() };
}

/**
 * A bounded load: 16 connections, a fixed number of requests.
 *
 * @param {string} base
 * @param {import('./support.js').Target} target
 * @param {number} pid
 */
export async function load(base, target, pid) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const few = Number(process.env['BENCH_REQUESTS'] ?? 4000);
  // The clock of the CPU has steps of 10 ms, and reads are fast.
  const total = target.method === 'GET' ? 4 * few : few;
  /** @type {number[]} */
  const walls = [];
  let left = total;
  const worker = async () => {
    while (left-- > 0) {
      const began = process.hrtime.bigint();
      const { status } = await once(base, target, agent);
      if (status >= 400) throw new Error(`${target.path} answered ${status}`);
      walls.push(Number(process.hrtime.bigint() - began) / 1e6);
    }
  };
  for (let warm = 0; warm < total / 10; warm++) await once(base, target, agent);
  const before = cpuOf(pid);
  await Promise.all(Array.from({ length: 16 }, worker));
  const used = cpuOf(pid) - before;
  agent.destroy();
  walls.sort((one, other) => one - other);
  return { perSecond: total / used, p50: median(walls), p99: walls[Math.floor(walls.length * 0.99)] ?? 0 };
}
