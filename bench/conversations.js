import { spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { goals, missedGoals, readLabeled } from './labeled.js';
import { median, withPeak } from './measure.js';
import { docsctl, init, json } from './support.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const labeled = process.env['BENCH_CONVERSATIONS'];
const large = Number(process.env['BENCH_ISSUES'] ?? 100_000);

/**
 * Splitting and clustering: agreement with labels, CPU time, memory, one more at 1,000 and at 100,000.
 *
 * @type {import('./support.js').Part}
 */
export async function conversations({ folder }) {
  const { split, Organization, agreement, representativePoints, describeCluster } = await engine(folder);
  const lines = [];
  /** @param {import('../test/support/agreement.ts').Agreement} agreement */
  const row = ({ ami, ari, v, clusters, singletons }) =>
    `AMI ${ami.toFixed(3)} ARI ${ari.toFixed(3)} (V ${v.toFixed(3)}), ${clusters} clusters, ${(100 * singletons).toFixed(1)} % alone`;
  /**
   * The labels of the largest clusters.
   *
   * @param {InstanceType<typeof Organization>} world
   * @param {readonly string[]} titles
   */
  const firstLabels = async (world, titles) => {
    /** @type {Map<string, number>} */
    const sizes = new Map();
    for (const cluster of world.clusters) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
    /** @type {Set<string>} */
    const labels = new Set();
    for (const [cluster, size] of [...sizes].sort((one, other) => other[1] - one[1]).slice(0, 15)) {
      const points = await representativePoints(world.state, cluster);
      const sample = points.map((point) => ({
        title: titles[world.issues.findIndex((issue) => issue.point === point)] ?? '',
      }));
      const counts = { conversations: size, impacts: { low: size, medium: 0, high: 0 } };
      labels.add((await describeCluster(world.state, sample, counts, labels)).label);
    }
    return [...labels];
  };
  for (const name of Object.keys(goals)) {
    const data = readLabeled(labeled, name);
    if (data === undefined) {
      lines.push(
        `${name}: skipped, as BENCH_CONVERSATIONS does not name a folder with ${name}.ndjson and ${name}.labels.tsv`,
      );
      continue;
    }
    /** @type {ReturnType<typeof split>[]} */
    let issues = [];
    const splitting = await cpu(async () => {
      issues = data.conversations.map((one) => split(one));
    });
    const texts = issues.flatMap((each) => each.map(({ text }) => text));
    /** @param {{ clusters: string[] }} world */
    const figures = (world) => {
      let next = 0;
      const clusters = issues.map((each) =>
        each.length === 0 ? 'none' : (world.clusters[(next += each.length) - each.length] ?? 'none'),
      );
      return agreement(data.labels, clusters);
    };
    lines.push(
      `${name}: ${data.conversations.length.toLocaleString('en')} conversations, ${texts.length.toLocaleString('en')} issues, split in ${splitting.toFixed(2)} s CPU`,
    );
    const batch = new Organization();
    const seconds = await cpu(async () => {
      await batch.stream(texts, 500);
      await batch.consolidate();
    });
    const missed = missedGoals(name, figures(batch));
    if (missed.length > 0) throw new Error(`${name} misses its goals: ${missed.join(', ')}`);
    lines.push(
      `  in batches of 500, then consolidated: ${row(figures(batch))}; ${seconds.toFixed(1)} s CPU, state ${sizeOf(batch.state).toFixed(1)} MB`,
    );
    const titles = issues.flatMap((each) => each.map(({ title }) => title));
    lines.push(`  labels of the largest: ${(await firstLabels(batch, titles)).join('; ')}`);
    const single = new Organization();
    const slow = await cpu(() => single.stream(texts, 1));
    lines.push(`  one by one, consolidated as is due: ${row(figures(single))}; ${slow.toFixed(1)} s CPU`);
    const half = new Organization();
    await half.place(texts.slice(0, texts.length >> 1));
    await half.consolidate();
    await half.place(texts.slice(texts.length >> 1));
    lines.push(`  half consolidated, half only placed: ${row(figures(half))}`);
    const small = new Organization(Math.round(texts.length / 3));
    await small.stream(texts, 100);
    await small.consolidate();
    lines.push(
      `  with room for a third as points: ${row(figures(small))}, ${small.state.model.points} points`,
    );
  }
  const world = new Organization();
  let placed = 0;
  let consolidations = 0;
  let longest = 0;
  const consolidate = world.consolidate.bind(world);
  world.consolidate = async () => {
    longest = Math.max(longest, await cpu(consolidate));
    consolidations++;
  };
  for (const size of [1000, large]) {
    const seconds = await cpu(() => world.stream([...synthetic(placed, size)], 500));
    const each = (1000 * seconds) / (size - placed);
    placed = size;
    const { reads, written } = world.state;
    const walls = [];
    for (const text of synthetic(placed, placed + 20)) {
      const start = process.hrtime.bigint();
      await world.place([text]);
      walls.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
    placed += 20;
    const { points } = world.state.model;
    lines.push(
      `${size.toLocaleString('en')} synthetic: ${each.toFixed(2)} ms CPU each, ${points} points, ${consolidations} consolidations (longest ${longest.toFixed(1)} s); one more ${median(walls).toFixed(1)} ms (worst ${Math.max(...walls).toFixed(1)}), ${(world.state.reads - reads) / 20} reads, ${(world.state.written - written) / 20} writes; state ${sizeOf(world.state).toFixed(1)} MB`,
    );
  }
  lines.push(`peak memory ${peak().toFixed(0)} MB`);
  return lines;
}

/**
 * Ingest and analysis of conversations on a SQLite store, compared with a bare insert of the same rows; then one more.
 *
 * @type {import('./support.js').Part}
 */
export async function analysis({ folder, env }) {
  const file = join(folder, 'analysed.ndjson');
  await writeConversations(file, large);
  const path = join(folder, 'analysed.db');
  const url = `sqlite:${path}`;
  const { organization } = init(url, env);
  const ingested = await withPeak(
    docsctl('conversations', 'ingest', '--store', url, '-f', file, '-o', 'none'),
    { env },
  );
  const run = docsctl('jobs', 'run', '--kind', 'conversations', '--store', url);
  const analysed = await withPeak(run, { env });
  const bare = await bareCopy(path, join(folder, 'bare-analysed.db'));
  const { count } = json(
    docsctl(
      'conversations',
      'clusters',
      'list',
      '--store',
      url,
      '--org',
      organization.id,
      '--limit',
      '1',
      '-o',
      'json',
    ),
    env,
  );
  const lines = [
    `${large.toLocaleString('en')} through the store: ingest ${ingested.seconds.toFixed(1)} s (peak ${ingested.peak.toFixed(0)} MB), analysis ${analysed.seconds.toFixed(1)} s (peak ${analysed.peak.toFixed(0)} MB), ${count} clusters`,
    `bare insert of the same rows ${bare.toFixed(1)} s: ingest and analysis take ${((ingested.seconds + analysed.seconds) / bare).toFixed(1)} x that`,
  ];
  /** @type {{ idle: number[], one: number[] }} */
  const walls = { idle: [], one: [] };
  for (const body of synthetic(large, large + 9)) {
    walls.idle.push(timed(run, env));
    writeFileSync(
      join(folder, 'one.ndjson'),
      JSON.stringify({ id: `more-${walls.one.length}`, parts: [{ type: 'message', role: 'user', body }] }),
    );
    timed(
      docsctl('conversations', 'ingest', '--store', url, '-f', join(folder, 'one.ndjson'), '-o', 'none'),
      env,
    );
    walls.one.push(timed(run, env));
  }
  lines.push(
    `one more: ${(median(walls.one) - median(walls.idle)).toFixed(0)} ms more than \`jobs run\` with nothing to do (${median(walls.idle).toFixed(0)} ms), state read anew`,
  );
  return lines;
}

/**
 * Writes a file of conversations.
 *
 * @param {string} file
 * @param {number} count
 */
export async function writeConversations(file, count) {
  const out = createWriteStream(file);
  let at = 0;
  for (const body of synthetic(0, count)) {
    const conversation = {
      id: `bench-${at++}`,
      metadata: { createdAt: new Date(1.77e12 - (at % 100) * 86_400_000).toISOString() },
      parts: [{ type: 'message', role: 'user', body }],
    };
    if (!out.write(`${JSON.stringify(conversation)}\n`))
      await new Promise((resolve) => out.once('drain', () => resolve(undefined)));
  }
  await new Promise((resolve) => out.end(() => resolve(undefined)));
}

/**
 * @param {[string, ...string[]]} argv
 * @param {NodeJS.ProcessEnv} env
 */
function timed(argv, env) {
  const start = process.hrtime.bigint();
  const [file, ...words] = argv;
  const done = spawnSync(file, words, { stdio: ['ignore', 'ignore', 'pipe'], env });
  if (done.status !== 0)
    throw new Error(`${argv.join(' ')} ended with ${done.status}: ${String(done.stderr)}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/**
 * Seconds to insert the rows of conversations and issues into a new file, 500 at a time, with their indexes.
 *
 * @param {string} from
 * @param {string} to
 */
async function bareCopy(from, to) {
  const { DatabaseSync } = await import('@photostructure/sqlite');
  const source = new DatabaseSync(from);
  const target = new DatabaseSync(to);
  target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  let seconds = 0;
  for (const table of ['conversations', 'conversation_issues']) {
    for (const { sql } of source
      .prepare('SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC')
      .all(table))
      target.exec(String(sql));
    const rows = source.prepare(`SELECT * FROM ${table}`).all();
    const columns = Object.keys(rows[0] ?? {});
    const insert = target.prepare(
      `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(',')}) VALUES (${columns.map(() => '?').join(',')})`,
    );
    const start = process.hrtime.bigint();
    for (let at = 0; at < rows.length; at += 500) {
      target.exec('BEGIN');
      for (const row of rows.slice(at, at + 500)) insert.run(...Object.values(row));
      target.exec('COMMIT');
    }
    seconds += Number(process.hrtime.bigint() - start) / 1e9;
  }
  source.close();
  target.close();
  return seconds;
}

/**
 * The engine is not a command, so it is bundled by itself.
 *
 * @typedef {object} Engine
 * @property {typeof import('../src/analysis/split-conversation.ts').splitConversation} split
 * @property {typeof import('../src/analysis/describe-cluster.ts').representativePoints} representativePoints
 * @property {typeof import('../src/analysis/describe-cluster.ts').describeCluster} describeCluster
 * @property {typeof import('../test/support/analysis-organization.ts').Organization} Organization
 * @property {typeof import('../test/support/agreement.ts').agreement} agreement
 *
 * @param {string} folder
 * @returns {Promise<Engine>}
 */
async function engine(folder) {
  const outfile = join(folder, 'analysis.mjs');
  const contents = [
    "export { splitConversation as split } from './src/analysis/split-conversation.ts';",
    "export * from './src/analysis/describe-cluster.ts';",
    ...['agreement', 'analysis-organization'].map((name) => `export * from './test/support/${name}.ts';`),
  ].join('\n');
  const banner = {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  };
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    banner,
    logLevel: 'error',
  });
  return import(pathToFileURL(outfile).href);
}

/**
 * Returns the CPU seconds that work takes in this process.
 *
 * @param {() => Promise<unknown>} work
 */
async function cpu(work) {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** @param {{ rows: ReadonlyMap<string, string> }} state */
function sizeOf(state) {
  return [...state.rows.values()].reduce((sum, row) => sum + row.length, 0) / 1e6;
}

function peak() {
  return existsSync('/proc/self/status')
    ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024
    : process.resourceUsage().maxRSS / 1024;
}

const subjects =
  'card invoice password domain export search invitation payment transfer refund account webhook certificate page image table space site order delivery'.split(
    ' ',
  );
const troubles = 'declined missing slow wrong expired pending broken duplicated rejected unavailable'.split(
  ' ',
);
const places = 'app website phone browser office bank shop dashboard email report'.split(' ');
/** @type {readonly ((subject: string, trouble: string, place: string, own: string) => string)[]} */
const frames = [
  (s, t, p, x) => `My ${s} is ${t} in the ${p}, it says ${x}`,
  (s, t, p, x) => `Why is the ${s} ${t}? I looked in the ${p} for ${x}`,
  (s, t, p, x) => `How can I fix a ${t} ${s} with ${x} in the ${p}?`,
  (s, t, p, x) => `${s} ${t} since yesterday in our ${p} ${x}`,
];

/**
 * Requests number `from` to `to`: 200 topics, of which the later half begin late, each with a word or two of its own.
 *
 * @param {number} from
 * @param {number} to
 */
function* synthetic(from, to) {
  for (let at = from; at < to; at++) {
    const mixed = Math.imul(at + 1, 2_654_435_761) >>> 0;
    const topic = (mixed >>> 3) % (at < 50_000 ? 100 : 200);
    const own = `${'bcdfgklm'[mixed % 8]}${'aeiou'[(mixed >>> 5) % 5]}${'nrst'[(mixed >>> 8) % 4]}${'aeiou'[(mixed >>> 11) % 5]}${'xz'[(mixed >>> 14) % 2]}`;
    const frame = frames[(mixed >>> 20) % 4];
    const subject = subjects[topic % 20];
    const trouble = troubles[Math.floor(topic / 20)];
    const place = places[(mixed >>> 24) % 10];
    if (frame !== undefined && subject !== undefined && trouble !== undefined && place !== undefined)
      yield frame(subject, trouble, place, own);
  }
}
