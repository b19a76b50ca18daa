import { execa } from 'execa';
import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const node = process.env['DOCSCTL_NODE'] ?? process.execPath;
const megabyte = 1_000_000;
// A slow machine or registry must not fail the tests.
const timeout = 300_000;

let home: string;
let tarball: string;
/** The folder of the installed package. */
let installed: string;
let env: Record<string, string>;

/** Runs npm with the tested version of Node, because npm compares `engines` with its own version. */
async function npm(cwd: string, words: readonly string[]): Promise<void> {
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
  await execa(node, [process.env['npm_execpath'] ?? beside, ...words], {
    cwd,
    env: { NODE_OPTIONS: '' },
    timeout,
  });
}

/** Runs the installed program. */
async function docsctl(words: readonly string[], more: Record<string, string> = {}) {
  const done = await execa(node, [join(installed, 'bin/docsctl.js'), ...words], {
    cwd: home,
    env: { ...env, ...more },
    input: '',
    reject: false,
    timeout,
  });
  return { exit: done.exitCode, stdout: done.stdout, stderr: done.stderr };
}

/** Returns the size of a folder on a disk with blocks of 4 KiB, in bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + Math.ceil(lstatSync(join(entry.parentPath, entry.name)).size / 4096) * 4096,
    0,
  );
}

/** Packs a clone in its state after `npm ci`, and returns the tarball. `npm pack` builds dist. */
async function pack(): Promise<string> {
  const clone = join(home, 'clone');
  cpSync(root, clone, {
    recursive: true,
    filter: (path) => !/[/\\](node_modules|dist|\.cache|\.git|test)$/.test(path),
  });
  // Link each package, not the whole folder, so that npm can remove only links in the clone.
  mkdirSync(join(clone, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  await npm(clone, ['pack', '--pack-destination', clone]);
  return join(clone, readdirSync(clone).find((name) => name.endsWith('.tgz')) ?? '');
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-package-'));
  env = {
    DOCSCTL_CONFIG_DIR: join(home, 'config'),
    DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
    NODE_OPTIONS: '',
    TMPDIR: home,
  };
  tarball = process.env['DOCSCTL_TARBALL'] ?? join(home, 'docsctl.tgz');
  if (!existsSync(tarball)) copyFileSync(await pack(), tarball);
  const prefix = join(home, 'prefix');
  mkdirSync(prefix);
  // No package needs its install script, because the SQLite package contains prebuilt binaries.
  const careful = ['--engine-strict', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(prefix, ['install', tarball, '--prefix', prefix, ...careful]);
  installed = join(prefix, 'node_modules/docsctl');
}, timeout);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('the package', () => {
  it('is small, both packed and installed', () => {
    const modules = dirname(installed);
    const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
      packages: Record<string, unknown>;
    };
    expect(Object.keys(packages)).toContain('node_modules/docsctl');
    expect(Object.keys(packages).length).toBeLessThanOrEqual(60);
    expect(statSync(tarball).size).toBeLessThanOrEqual(2 * megabyte);
    expect(sizeOf(modules)).toBeLessThanOrEqual(45 * megabyte);
  });

  it('contains everything that users need, and nothing that only the build needs', () => {
    const wanted = [
      'LICENSE',
      'README.md',
      'completions/docsctl.bash',
      'examples/main-job.js',
      // The template of GitLab runs it from here.
      'ci/run.js',
    ];
    expect(wanted.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
    const dist = readdirSync(join(installed, 'dist'));
    expect(dist.filter((name) => !name.endsWith('.js')).sort()).toEqual([
      'licenses.txt',
      'man',
      'package.json',
      'packs.br',
      'site',
    ]);
    const licenses = readFileSync(join(installed, 'dist/licenses.txt'), 'utf8');
    for (const name of [
      'commander',
      'pdfkit',
      'fastify',
      '@readme/openapi-parser',
      'quickjs-emscripten-core',
    ])
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
  });

  it(
    'has man pages that npm links in a global installation',
    async () => {
      const prefix = join(home, 'global');
      const careful = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
      await npm(home, ['install', '--global', tarball, '--prefix', prefix, ...careful]);
      const linked = readdirSync(join(prefix, 'share/man/man1')).sort();
      expect(linked).toEqual(readdirSync(join(installed, 'dist/man')).sort());
      expect(linked).toContain('docsctl.1');
      expect(readFileSync(join(prefix, 'share/man/man1/docsctl.1'), 'utf8')).toMatch(/^\.TH DOCSCTL/);
    },
    timeout,
  );

  it(
    'runs the main job on its own examples',
    async () => {
      const done = await execa(node, [join(installed, 'examples/main-job.js')], {
        cwd: home,
        env,
        input: '',
      });
      expect(done.stderr).toContain('Imported: 12 pages new; 2 groups new; 1 link new');
      expect(done.stdout).toContain('└─ Handbook /handbook');
    },
    timeout,
  );
});

// The main job already covers specifications, translations and the analysis of conversations.
describe('the installed program works', () => {
  beforeAll(async () => {
    const made = await docsctl(['init', '--org-title', 'Acme', '--email', 'ana@acme.test', '-o', 'json']);
    expect(made.exit).toBe(0);
    writeFileSync(join(home, 'token'), (JSON.parse(made.stdout) as { token: string }).token);
    const certificate = readFileSync(join(installed, 'examples/organization/certs/idp.pem'), 'utf8');
    const bare = certificate.replace(/-----.*?-----|\s/g, '');
    writeFileSync(
      join(home, 'idp.xml'),
      `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/"><IDPSSODescriptor><KeyDescriptor><KeyInfo><X509Data><X509Certificate>${bare}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.test/sso"/></IDPSSODescriptor></EntityDescriptor>`,
    );
    writeFileSync(join(home, 'tickets.csv'), 'id,text\nt1,It fails\n');
    // Create a git repository for `spaces import`.
    const source = join(home, 'handbook');
    cpSync(join(installed, 'examples/handbook'), source, { recursive: true });
    const author = ['-c', 'user.name=Ana', '-c', 'user.email=ana@acme.test'];
    for (const words of [
      ['init', '-q'],
      ['add', '.'],
      [...author, 'commit', '-qm', 'Begin'],
    ])
      await execa('git', words, { cwd: source });
    expect((await docsctl(['spaces', 'create', '--title', 'Handbook'])).exit).toBe(0);
    const imported = await docsctl(['spaces', 'import', 'Handbook', `file://${source}`]);
    expect(imported.stderr).toContain('Imported: 12 pages new; 2 groups new; 1 link new');
  }, timeout);

  it.each<[string, readonly string[], RegExp]>([
    ['tables', ['spaces', 'get', 'Handbook', '-o', 'table', '--color', 'always'], /Handbook/],
    ['YAML', ['spaces', 'list', '-o', 'yaml'], /title: Handbook/],
    ['queries', ['spaces', 'list', '-o', 'json', '--query', 'items[].title'], /"Handbook"/],
    ['Markdown in a terminal', ['pages', 'show', 'Handbook', 'README.md', '--color', 'always'], /Welcome/],
    ['PDF and its fonts', ['spaces', 'pdf', 'Handbook', '-O', 'handbook.pdf'], /handbook\.pdf/],
    ['export', ['spaces', 'export', 'Handbook', './exported'], /exported|15/],
    ['CSV', ['conversations', 'ingest', '-f', 'tickets.csv', '--map', 'body=text'], /1 new/],
    [
      'SAML metadata',
      ['saml', 'create', '--label', 'Idp', '--metadata', 'idp.xml'],
      /https:\/\/idp\.test\/sso/,
    ],
    ['a check of the machine', ['doctor'], /sqlite/],
  ])(
    'for %s',
    async (_, words, wanted) => {
      const done = await docsctl(words);
      expect([done.exit, done.stdout + done.stderr]).toEqual([0, expect.stringMatching(wanted)]);
    },
    timeout,
  );

  it(
    'for a server, single sign-on and remote commands',
    async () => {
      const server = execa(node, [join(installed, 'bin/docsctl.js'), 'serve', '--port', '0', '-o', 'json'], {
        cwd: home,
        env,
        reject: false,
      });
      try {
        const line = await new Promise<Buffer>((resolve, reject) => {
          server.stdout.once('data', resolve);
          server.once('exit', () => reject(new Error('the server did not start')));
        });
        const { url } = JSON.parse(line.toString()) as { url: string };
        const remote = ['--server', url, '--token-file', 'token'];
        const listed = await docsctl(['saml', 'list', ...remote, '-o', 'id'], { DOCSCTL_STORE: '' });
        expect(listed).toMatchObject({ exit: 0, stderr: '' });
        const start = await fetch(`${url}/saml/${listed.stdout}/start`, { redirect: 'manual' });
        expect(start.headers.get('location')).toMatch(/^https:\/\/idp\.test\/sso\?SAMLRequest=/);
      } finally {
        server.kill('SIGTERM');
        await server;
      }
    },
    timeout,
  );
});
