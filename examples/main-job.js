// Runs the main commands on the sample data of this folder, with a SQLite store in a temporary folder.
//   npm run example              prints each command and its output
//   npm run example -- FOLDER    imports another folder of Markdown
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const bin = join(folder, '../bin/docsctl.js');
const content = process.argv[2] === undefined ? join(folder, 'handbook') : resolve(process.argv[2]);
const home = mkdtempSync(join(tmpdir(), 'docsctl-example-'));
const env = { ...process.env, DOCSCTL_STORE: `sqlite:${join(home, 'example.db')}`, DOCSCTL_CONFIG_DIR: join(home, 'config'), DOCSCTL_SERVER: '', DOCSCTL_TOKEN: '', DOCSCTL_TRANSLATION: 'pseudo' };
// Copied, because an apply writes its state file and journal beside the manifest.
cpSync(join(folder, 'organization'), join(home, 'organization'), { recursive: true });

/**
 * Runs a docsctl command and returns its output. Ends the example if the command fails.
 *
 * @param {...string} words
 */
function docsctl(...words) {
  console.log(`\n$ docsctl ${words.map((word) => (/^[\w./:@,=-]+$/.test(word) ? word : JSON.stringify(word))).join(' ')}`);
  const done = spawnSync(process.execPath, [bin, ...words], { env, cwd: home, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (done.stdout !== '') process.stdout.write(done.stdout);
  if (done.status !== 0) process.exit(done.status ?? 1);
  return done.stdout.trim();
}

docsctl('init', '--org-title', 'Acme', '--email', 'ana@acme.test');
docsctl('apply', '-f', 'organization', '-y');
docsctl('plan', '-f', 'organization', '--detailed-exitcode');
docsctl('sites', 'audience', 'Acme Docs (staging)');
docsctl('jobs', 'run');
docsctl('conversations', 'clusters', 'list', '--limit', '5');

docsctl('spaces', 'create', '--title', 'Handbook', '--emoji', '📘', '--parent', 'Product', '-o', 'none');
docsctl('spaces', 'import', 'Handbook', content);
const change = docsctl('change-requests', 'create', '--space', 'Handbook', '--subject', 'Say hello', '-o', 'id');
docsctl('change-requests', 'content', 'update', change, '--space', 'Handbook', '--body', join(folder, 'change.yaml'), '-o', 'none');
docsctl('change-requests', 'merge', change, '--space', 'Handbook');
docsctl('spaces', 'pages', 'list', 'Handbook', '-o', 'json', '--query', 'pages[-1].[title, path]');
docsctl('sites', 'sections', 'add', 'Handbook', '--site', 'Acme Docs (staging)', '--title', 'Handbook', '-o', 'none');
docsctl('sites', 'structure', 'Acme Docs (staging)');
console.log(`\nThe store is ${env['DOCSCTL_STORE']}; try: node bin/docsctl.js spaces list --store ${env['DOCSCTL_STORE']}`);
