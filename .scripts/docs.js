// Publishes docs/ as a site of static files, with docsctl itself: npm run docs [-- FOLDER [URL]].
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [folder = 'public', url] = process.argv.slice(2);
const repository = 'https://github.com/docsctl/docsctl';

/** Links, color and texts of the site. */
const look = {
  title: 'docsctl',
  primaryColor: { light: '#0f766e', dark: '#5eead4' },
  header: { links: [{ title: 'Source', to: { kind: 'url', url: repository }, links: [] }] },
  footer: {
    groups: [
      {
        title: 'Project',
        links: [
          { title: 'Source', to: { kind: 'url', url: repository } },
          { title: 'Issues', to: { kind: 'url', url: `${repository}/issues` } },
          { title: 'Changes', to: { kind: 'url', url: `${repository}/blob/main/CHANGELOG.md` } },
        ],
      },
    ],
    copyright: 'The docsctl contributors. MIT license.',
  },
};

const home = await mkdtemp(join(tmpdir(), 'docsctl-docs-'));
const { PATH = '' } = process.env;
const env = { PATH, HOME: home, DOCSCTL_CONFIG_DIR: home, DOCSCTL_STORE: `sqlite:${join(home, 'docs.db')}` };
/** @param {readonly string[]} words */
const run = (...words) =>
  execFileSync(process.execPath, [join(root, 'bin/docsctl.js'), ...words], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
try {
  run('init', '--org-title', 'docsctl', '--email', 'docs@example.com', '--quiet', '-o', 'none');
  run('spaces', 'create', '--title', 'Guide', '-o', 'none');
  // Pages that are linked but not listed, such as single decisions, are readable too.
  run('spaces', 'import', 'Guide', join(root, 'docs'), '--unlisted', 'hidden', '--quiet', '-o', 'none');
  run('sites', 'create', '--title', 'docsctl', '--spaces', 'Guide', '-o', 'none');
  const styling = { primaryColor: look.primaryColor };
  const settings = { title: look.title, styling, header: look.header, footer: look.footer };
  await writeFile(join(home, 'look.json'), JSON.stringify(settings));
  run('sites', 'customization', 'replace', 'docsctl', '-o', 'none', '--body', join(home, 'look.json'));
  const built = [
    'sites',
    'build',
    'docsctl',
    '-d',
    resolve(folder),
    ...(url === undefined ? [] : ['--url', url]),
  ];
  console.log(run(...built, '-o', 'json').trim());
  run('sites', 'check', 'docsctl');
} finally {
  await rm(home, { recursive: true, force: true });
}
