import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { childCpu, median, peakOf, withPeak } from './measure.js';
import { bareServer, load } from './parts.js';
import { docsctl, init, json, node, once, startServer } from './support.js';

const count = Number(process.env['BENCH_SITE_PAGES'] ?? 1000);
/** A folder of Markdown to use in place of generated pages. */
const given = process.env['BENCH_DOCS'];
/** A folder in which VitePress is installed: `npm install vitepress@1.6.4`. */
const vitepress = process.env['BENCH_VITEPRESS'];
const seconds = Number(process.env['BENCH_SECONDS'] ?? 20);

/**
 * Published sites: a build as files, cold, warm and after one change, beside VitePress on the same pages; a kept page and a 304
 * beside bare node:http; and readers while the space is merged again and again.
 *
 * @type {import('./support.js').Part}
 */
export async function sites({ folder, env }) {
  const docs = given ?? join(folder, 'site-docs');
  if (given === undefined) writeGuide(docs, count);
  const store = `sqlite:${join(folder, 'sites.db')}`;
  const { token } = init(store, env);
  const at = ['--store', store];
  const spaceId = json(docsctl('spaces', 'create', ...at, '--title', 'Guide', '-o', 'json'), env).id;
  await withPeak(docsctl('spaces', 'import', 'Guide', docs, ...at, '--quiet', '-o', 'none'), { env });
  json(docsctl('sites', 'create', ...at, '--title', 'Docs', '--spaces', 'Guide', '-o', 'json'), env);
  json(docsctl('sites', 'publish', 'Docs', ...at, '-o', 'json'), env);
  const out = join(folder, 'site-out');
  const build = docsctl('sites', 'build', 'Docs', '-d', out, ...at, '--quiet', '-o', 'none');
  const cold = await measured(build, env);
  const warm = await measured(build, env);
  const pages = readdirSync(out, { recursive: true }).filter(
    (name) => String(name).endsWith('index.html') && !String(name).startsWith('~'),
  ).length;
  const lines = [
    `${pages.toLocaleString('en')} pages: cold ${cold.cpu.toFixed(1)} CPU s, ${(pages / cold.cpu).toFixed(0)} pages/CPU s, peak ${cold.peak.toFixed(0)} MB, ${(sizeOf(out) / 1e6).toFixed(1)} MB written`,
    `nothing changed: ${warm.cpu.toFixed(2)} CPU s, ${(cold.cpu / warm.cpu).toFixed(0)} times as fast`,
  ];
  const server = await startServer(store, env, ['--sites-port', '0']);
  const headers = { authorization: `Bearer ${token}` };
  /** @param {string} method @param {string} path @param {unknown} [body] */
  const call = async (method, path, body) => {
    const answer = await once(server.base, {
      method,
      path: `/v1/spaces/${spaceId}${path}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const { pages: listed } = await call('GET', '/content/pages?texts=false');
  /** @typedef {{ id: string, type: string, pages: Listed[] }} Listed */
  /** @param {readonly Listed[]} nodes @returns {Listed[]} */
  const flat = (nodes) => nodes.flatMap((page) => [page, ...flat(page.pages)]);
  const documents = flat(listed).filter(({ type }) => type === 'document');
  /** @param {readonly { id: string }[]} changed @param {number} version */
  const merge = async (changed, version) => {
    const { id } = await call('POST', '/change-requests', {});
    const changes = changed.map((page, number) => ({
      operation: 'update_page',
      page: page.id,
      title: `Page ${number} version-${version}-of`,
      document: { markdown: `The text is version-${version}-of page ${number}.` },
    }));
    await call('POST', `/change-requests/${id}/content/batch`, { changes });
    await call('POST', `/change-requests/${id}/merge`, {});
  };
  const changes = [
    { operation: 'update_page', page: documents.at(-1)?.id, document: { markdown: 'New text.' } },
  ];
  const { id } = await call('POST', '/change-requests', {});
  await call('POST', `/change-requests/${id}/content/batch`, { changes });
  await call('POST', `/change-requests/${id}/merge`, {});
  const changed = await measured(build, env);
  lines.push(
    `one text changed: ${changed.cpu.toFixed(2)} CPU s, ${(cold.cpu / changed.cpu).toFixed(0)} times as fast`,
  );
  lines.push(
    besideVitePress(docs, folder, env) ??
      'VitePress: not measured. Install it in a folder, and name that in BENCH_VITEPRESS.',
  );
  lines.push(...(await beside(server)));
  lines.push(await readWhileMerging(server, documents.slice(0, 8), merge));
  lines.push(`peak memory of the server ${peakOf(server.pid).toFixed(0)} MB`);
  await server.stop();
  return lines;
}

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */

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
 * @param {Server} server
 */
async function beside(server) {
  const lines = [];
  const { path, base } = siteOf(server);
  const page = { method: 'GET', path, headers: { 'accept-encoding': 'br' } };
  const { etag = '' } = await headersOf(base + path);
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

/** @param {Server} server */
function siteOf({ sites: address }) {
  return { base: address, path: '/sites/bench/docs/' };
}

/** @param {string} url @returns {Promise<{ etag?: string }>} */
async function headersOf(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return { etag: answer.headers.get('etag') ?? '' };
}

/**
 * 16 readers, while pages are changed and merged again and again. Every answer must show one whole revision.
 *
 * @param {Server} server
 * @param {readonly { id: string }[]} changed
 * @param {(changed: readonly { id: string }[], version: number) => Promise<void>} merge
 */
async function readWhileMerging(server, changed, merge) {
  const { base, path } = siteOf(server);
  const until = Date.now() + seconds * 1000;
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  /** @type {number[]} */
  const walls = [];
  let version = 1;
  let mixed = 0;
  await merge(changed, version);
  const read = async () => {
    while (Date.now() < until) {
      const began = process.hrtime.bigint();
      const { status, body } = await once(base, { method: 'GET', path }, agent);
      walls.push(Number(process.hrtime.bigint() - began) / 1e6);
      const versions = new Set([...body.matchAll(/version-(\d+)-of/g)].map(([, each]) => each));
      if (status !== 200 || versions.size !== 1) mixed++;
    }
  };
  const write = async () => {
    while (Date.now() < until) await merge(changed, ++version);
  };
  await Promise.all([write(), ...Array.from({ length: 16 }, read)]);
  agent.destroy();
  walls.sort((one, other) => one - other);
  return `16 readers for ${seconds} s during ${version} merges of ${changed.length} pages: ${walls.length} answers, ${mixed} of mixed revisions; median ${median(walls).toFixed(1)} ms, p99 ${(walls[Math.floor(walls.length * 0.99)] ?? 0).toFixed(1)} ms`;
}

/**
 * VitePress on the same pages with a sidebar of all of them, where it is installed.
 *
 * @param {string} docs
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
function besideVitePress(docs, folder, env) {
  const program =
    vitepress === undefined ? undefined : join(vitepress, 'node_modules/vitepress/bin/vitepress.js');
  if (vitepress === undefined || program === undefined || !existsSync(program)) return undefined;
  const root = join(vitepress, 'bench');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, '.vitepress'), { recursive: true });
  spawnSync('cp', ['-r', `${docs}/.`, root]);
  const pages = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'));
  /** @param {boolean} hasSidebar */
  const run = (hasSidebar) => {
    const items = hasSidebar
      ? pages.map((name) => ({ text: name, link: `/${name.replace(/\.md$/, '')}` }))
      : [];
    const config = {
      title: 'Bench',
      ignoreDeadLinks: true,
      themeConfig: { sidebar: [{ text: 'Pages', items }], search: { provider: 'local' } },
    };
    // Vue must not read templates into the texts.
    const plugin = `markdown: { html: false, attrs: { disable: true }, config: (md) => {
      for (const name of ['render', 'renderAsync']) {
        const own = md[name];
        if (typeof own !== 'function') continue;
        const wrap = (html) => '<div v-pre>' + html + '</div>';
        md[name] = function (...args) { const made = own.apply(this, args); return made instanceof Promise ? made.then(wrap) : wrap(made); };
      }
    } }`;
    writeFileSync(
      join(root, '.vitepress/config.mjs'),
      `export default { ...${JSON.stringify(config)}, ${plugin} };\n`,
    );
    const before = childCpu();
    const done = spawnSync(
      node,
      ['--max-old-space-size=6000', program, 'build', root, '--outDir', join(folder, 'vitepress-out')],
      { env, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    if (done.status !== 0) return `failed: ${done.stderr.trim().split('\n').at(-1)}`;
    const cpu = childCpu() - before;
    return `${cpu.toFixed(1)} CPU s, ${(pages.length / cpu).toFixed(1)} pages/CPU s, ${(sizeOf(join(folder, 'vitepress-out')) / 1e6).toFixed(1)} MB`;
  };
  return `VitePress, ${pages.length} pages: with a whole sidebar ${run(true)}; without ${run(false)}`;
}

/** @param {string} folder */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}

/**
 * Writes pages in chapters of 20, and chapters in parts of 20, with headings, lists, code, a table and links to others.
 *
 * @param {string} folder
 * @param {number} pages
 */
function writeGuide(folder, pages) {
  /** @param {number} number */
  const pathOf = (number) =>
    `chapter-${Math.floor(number / 20)}/${number % 20 === 0 ? 'README' : `page-${number}`}.md`;
  const summary = ['# Summary', '', '* [Home](README.md)'];
  writeFileSync(join(mkdirp(folder), 'README.md'), '# Home\n\nThe first page.\n');
  for (let number = 0; number < pages - 1; number++) {
    if (number % 400 === 0) summary.push('', `## Part ${number / 400}`, '');
    summary.push(`${number % 20 === 0 ? '' : '  '}* [Page ${number}](${pathOf(number)})`);
    const sections = Array.from({ length: 6 }, (_, part) => {
      const other = (number * 13 + part) % (pages - 1);
      const sentence = `Sentence ${number * 7 + part} says how **option ${part}** of \`command-${number % 97}\` works, and [page ${other}](../${pathOf(other)}#part-${(part + 1) % 6}) has more.`;
      return [
        `## Part ${part}`,
        Array.from({ length: 4 }, () => sentence).join(' '),
        `- The first of ${part}\n- The second, with *emphasis*\n- The third`,
        part % 2 === 0
          ? `\`\`\`js\nconst value${number} = compute(${part}); // a comment\nfor (const each of value${number}) print(each);\n\`\`\``
          : '| Name | Meaning |\n|---|---|\n| one | the first |\n| two | the second |',
      ].join('\n\n');
    });
    const file = join(folder, pathOf(number));
    mkdirp(dirname(file));
    writeFileSync(file, `# Page ${number}\n\n${sections.join('\n\n')}\n`);
  }
  writeFileSync(join(folder, 'SUMMARY.md'), `${summary.join('\n')}\n`);
}

/** @param {string} folder */
function mkdirp(folder) {
  mkdirSync(folder, { recursive: true });
  return folder;
}
