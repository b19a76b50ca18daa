import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { childCpu, peakOf, withPeak } from './measure.js';
import { bareServer, load } from './parts.js';
import { writeGuide } from './site-guide.js';
import { docsctl } from './support.js';
import { createSite, openSpace, sitePath, startServerOf } from './site-support.js';
import { besideVitePress, sizeOf } from './vitepress.js';

const count = Number(process.env['BENCH_SITE_PAGES'] ?? 1000);
/** A folder of Markdown to use in place of generated pages. */
const given = process.env['BENCH_DOCS'];

/**
 * Published sites: a build as files, cold, warm and after one change, beside VitePress on the same pages; a kept page and a 304
 * beside bare node:http.
 *
 * @type {import('./support.js').Part}
 */
export async function sites({ folder, env }) {
  const docs = given ?? join(folder, 'site-docs');
  if (given === undefined) writeGuide(docs, count);
  const site = await createSite({ folder, env }, 'sites', docs);
  const out = join(folder, 'site-out');
  const build = docsctl('sites', 'build', 'Docs', '-d', out, '--store', site.store, '--quiet', '-o', 'none');
  const cold = await measured(build, env);
  const warm = await measured(build, env);
  const pages = readdirSync(out, { recursive: true }).filter(
    (name) => String(name).endsWith('index.html') && !String(name).startsWith('~'),
  ).length;
  const perSecond = pages / cold.cpu;
  const lines = [
    `${pages.toLocaleString('en')} pages: cold ${cold.cpu.toFixed(1)} CPU s, ${perSecond.toFixed(0)} pages/CPU s, peak ${cold.peak.toFixed(0)} MB, ${(sizeOf(out) / 1e6).toFixed(1)} MB written`,
    `nothing changed: ${warm.cpu.toFixed(2)} CPU s, ${(cold.cpu / warm.cpu).toFixed(0)} times as fast`,
  ];
  const server = await startServerOf(site, env);
  const { documents, merge } = await openSpace(site, server);
  await merge([{ page: documents.at(-1), document: { markdown: 'New text.' } }]);
  const changed = await measured(build, env);
  lines.push(
    `one text changed: ${changed.cpu.toFixed(2)} CPU s, ${(cold.cpu / changed.cpu).toFixed(0)} times as fast`,
    ...besideVitePress(docs, folder, env, perSecond),
    ...(await beside(server)),
    `peak memory of the server ${peakOf(server.pid).toFixed(0)} MB`,
  );
  await server.stop();
  return lines;
}

/**
 * @param {[string, ...string[]]} argv
 * @param {NodeJS.ProcessEnv} env
 */
async function measured(argv, env) {
  const before = childCpu();
  const { peak } = await withPeak(argv, { env });
  return { cpu: childCpu() - before, peak };
}

/**
 * A kept page, compressed, and an answer without a body, beside bare node:http that says hello.
 *
 * @param {import('./site-support.js').Server} server
 */
async function beside(server) {
  const lines = [];
  const base = server.sites;
  const page = { method: 'GET', path: sitePath, headers: { 'accept-encoding': 'br' } };
  const { etag = '' } = await headersOf(base + sitePath);
  const bare = await bareServer('hello', 200);
  const hello = await load(bare.url, { method: 'GET', path: '/' }, bare.pid);
  bare.stop();
  for (const [name, target] of /** @type {const} */ ([
    ['kept page, br', page],
    ['304', { ...page, headers: { ...page.headers, 'if-none-match': etag } }],
  ])) {
    const { perSecond, p99 } = await load(base, target, server.pid);
    lines.push(
      `${name.padEnd(14)} ${perSecond.toFixed(0)} requests/CPU s, p99 ${p99.toFixed(1)} ms; bare hello ${hello.perSecond.toFixed(0)}; ratio ${(perSecond / hello.perSecond).toFixed(2)}`,
    );
  }
  return lines;
}

/** @param {string} url @returns {Promise<{ etag?: string }>} */
async function headersOf(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return { etag: answer.headers.get('etag') ?? '' };
}
