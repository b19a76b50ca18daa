import { Agent } from 'node:http';
import { join } from 'node:path';
import { cpuOf, median, peakOf } from './measure.js';
import { writeGuide } from './site-guide.js';
import { createSite, openSpace, sitePath, startServerOf } from './site-support.js';
import { once } from './support.js';

const count = Number(process.env['BENCH_PAGES'] ?? 10_000);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 60);
const readers = 16;
/** Pages that each merge changes: the first ones, which show each other in their navigation. */
const changedTogether = 8;

/**
 * 16 readers of a site of 10,000 pages for a minute, while pages are changed and merged again and again. Every answer must show
 * one whole revision, and none that is older than the last one that was merged before the request.
 *
 * @type {import('./support.js').Part}
 */
export async function siteReaders({ folder, env }) {
  const docs = join(folder, 'reader-docs');
  writeGuide(docs, count);
  const site = await createSite({ folder, env }, 'readers', docs);
  const lines = [];
  for (const options of [[], ['--count-views']]) {
    const server = await startServerOf(site, env, options);
    const line = await readWhileMerging(site, server);
    lines.push(
      `${options.join(' ')}${options.length === 0 ? '' : ': '}${line}; peak memory of the server ${peakOf(server.pid).toFixed(0)} MB`,
    );
    await server.stop();
  }
  return lines;
}

/**
 * @param {import('./site-support.js').Site} site
 * @param {import('./site-support.js').Server} server
 */
async function readWhileMerging(site, server) {
  const { documents, merge } = await openSpace(site, server);
  const changed = documents.slice(0, changedTogether);
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  /** @type {number[]} */
  const walls = [];
  let version = 0;
  let asked = 0;
  let wrong = 0;
  const mergeNext = async () => {
    const next = version + 1;
    await merge(
      changed.map((page, number) => ({
        page,
        title: `Page ${number} version-${next}-of`,
        document: { markdown: `The text is version-${next}-of page ${number}.` },
      })),
    );
    version = next;
  };
  await mergeNext();
  // Each has the titles of others in its navigation.
  const paths = ['', ...documents.slice(1, 2 * changedTogether).map(({ path }) => path)];
  const until = Date.now() + seconds * 1000;
  const read = async () => {
    while (Date.now() < until) {
      // One in four is any page of the site.
      const turn = asked++;
      const page = turn % 4 === 3 ? documents[(turn * 7919) % documents.length]?.path : undefined;
      const path = sitePath + (page ?? paths[turn % paths.length]);
      const merged = version;
      const began = process.hrtime.bigint();
      const { status, body } = await once(server.sites, { method: 'GET', path }, agent);
      walls.push(Number(process.hrtime.bigint() - began) / 1e6);
      const versions = new Set([...body.matchAll(/version-(\d+)-of/g)].map(([, each]) => Number(each)));
      const [shown = page === undefined ? -1 : merged] = versions;
      if (status !== 200 || versions.size > 1 || shown < merged) wrong++;
    }
  };
  const write = async () => {
    while (Date.now() < until) await mergeNext();
  };
  const before = cpuOf(server.pid);
  await Promise.all([write(), ...Array.from({ length: readers }, read)]);
  const used = cpuOf(server.pid) - before;
  agent.destroy();
  walls.sort((one, other) => one - other);
  /** @param {number} part */
  const at = (part) => (walls[Math.min(walls.length - 1, Math.floor(walls.length * part))] ?? 0).toFixed(1);
  return `${readers} readers of ${documents.length.toLocaleString('en')} pages for ${seconds} s during ${version} merges of ${changed.length} pages: ${walls.length} answers, ${wrong} mixed or out of date; ${(walls.length / used).toFixed(0)} answers/CPU s; median ${median(walls).toFixed(1)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
