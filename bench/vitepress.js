import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childCpu } from './measure.js';
import { node } from './support.js';

/** A folder in which VitePress is installed, or `install`: it is then installed in the folder of the bench. */
const given = process.env['BENCH_VITEPRESS'];
const packageName = 'vitepress@1.6.4';

/**
 * VitePress on the same pages, with a sidebar of all of them and without, where it is wanted.
 *
 * @param {string} docs
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {number} perSecond pages per CPU second of `sites build`
 * @returns {string[]}
 */
export function besideVitePress(docs, folder, env, perSecond) {
  if (given === undefined)
    return [
      `VitePress: not measured. BENCH_VITEPRESS=install installs ${packageName} in a temporary folder; BENCH_VITEPRESS=FOLDER uses the one that is installed in a folder.`,
    ];
  const vitepress = given === 'install' ? installed(folder, env) : given;
  const program = join(vitepress, 'node_modules/vitepress/bin/vitepress.js');
  if (!existsSync(program)) return [`VitePress: not in ${vitepress}.`];
  const root = join(vitepress, 'bench');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, '.vitepress'), { recursive: true });
  spawnSync('cp', ['-r', `${docs}/.`, root]);
  const pages = readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.md'));
  /** @param {boolean} hasSidebar */
  const run = (hasSidebar) => {
    const title = `VitePress, ${pages.length} pages, ${hasSidebar ? 'with' : 'without'} a whole sidebar`;
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
    if (done.status !== 0) return `${title}: failed: ${done.stderr.trim().split('\n').at(-1)}`;
    const cpu = childCpu() - before;
    return `${title}: ${cpu.toFixed(1)} CPU s, ${(pages.length / cpu).toFixed(1)} pages/CPU s, ${(sizeOf(join(folder, 'vitepress-out')) / 1e6).toFixed(1)} MB; docsctl builds ${((perSecond * cpu) / pages.length).toFixed(1)} times as many pages per CPU second`;
  };
  return [run(true), run(false)];
}

/**
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
function installed(folder, env) {
  const place = join(folder, 'vitepress');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  const done = spawnSync('npm', ['install', '--no-audit', '--no-fund', packageName], {
    cwd: place,
    env,
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`npm install ${packageName}: ${done.stderr}`);
  return place;
}

/** @param {string} folder */
export function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}
