import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filesOf, newFolder } from '../../../content-sync/folder-support.ts';
import { docsctl } from '../../../support/cli.ts';

let home: string;
const run = (...words: string[]) =>
  docsctl(words, {
    home,
    env: {
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
      DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`,
      PATH: process.env['PATH'] ?? '',
    },
  });
const ok = async (...words: string[]) => {
  const done = await run(...words);
  expect(done, words.join(' ')).toMatchObject({ exit: 0 });
  return done;
};
const sample = 'test/samples/handbook';
const listed = () =>
  Object.fromEntries(Object.entries(filesOf(sample)).filter(([path]) => path !== 'notes.md'));

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-cli-'));
  await ok('init', '--org-title', 'Acme', '--email', 'ana@acme.test');
  await ok('spaces', 'create', '--title', 'Handbook');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const importSample = (...more: string[]) =>
  run('spaces', 'import', 'Handbook', join(process.cwd(), sample), ...more);

describe('docsctl spaces export', () => {
  it('writes the imported files, and changes no file the second time', async () => {
    expect(await importSample()).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(
        'Imported: 12 pages new; 2 groups new; 1 link new; 2 files new; SUMMARY.md new; merged as change request 1; 1 warning.',
      ),
    });
    expect((await importSample()).stderr).toContain(
      'Nothing to import: the space already has the content of the folder.',
    );
    const out = join(home, 'out');
    expect((await ok('spaces', 'export', 'Handbook', 'out')).stderr).toBe(
      '12 pages, 2 files, 1 other text: 15 new, 0 changed, 0 unchanged, 0 deleted; warnings: 0.\n',
    );
    expect(filesOf(out)).toEqual(listed());
    const before = statSync(join(out, 'README.md'), { bigint: true });
    expect((await ok('spaces', 'export', 'Handbook', 'out')).stderr).toContain(
      '0 new, 0 changed, 15 unchanged',
    );
    expect(statSync(join(out, 'README.md'), { bigint: true })).toMatchObject({
      ino: before.ino,
      mtimeNs: before.mtimeNs,
    });
  });

  it('writes nothing with --dry-run', async () => {
    await importSample();
    const { stderr } = await ok('spaces', 'export', 'Handbook', 'out', '--dry-run');
    expect(stderr).toContain('would write README.md');
    expect(stderr).toContain('Dry run, nothing was written');
    expect(() => statSync(join(home, 'out'))).toThrow('ENOENT');
  });

  it('refuses a folder with other files, unless --force is given, and never follows symbolic links', async () => {
    await importSample();
    const out = newFolder({ 'README.md': 'mine', 'src/main.c': 'int' });
    expect(await run('spaces', 'export', 'Handbook', out)).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining(
        'has files that are not from an earlier export; README.md would be replaced.',
      ),
    });
    expect(filesOf(out)).toEqual({ 'README.md': 'mine', 'src/main.c': 'int' });
    await ok('spaces', 'export', 'Handbook', out, '--force');
    expect(filesOf(out)).toEqual({ ...listed(), 'src/main.c': 'int' });
    const outside = newFolder({ 'victim.md': 'keep', 'install.md': 'keep' });
    rmSync(join(out, 'README.md'));
    symlinkSync(join(outside, 'victim.md'), join(out, 'README.md'));
    expect(await run('spaces', 'export', 'Handbook', out, '--force')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('README.md exists and is a symbolic link'),
    });
    rmSync(join(out, 'README.md'));
    rmSync(join(out, 'guides'), { recursive: true });
    symlinkSync(outside, join(out, 'guides'));
    expect(await run('spaces', 'export', 'Handbook', out, '--force')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('guides exists and is a symbolic link'),
    });
    expect(filesOf(outside)).toEqual({ 'victim.md': 'keep', 'install.md': 'keep' });
    rmSync(out, { recursive: true });
    rmSync(outside, { recursive: true });
  });

  it('deletes files that an earlier export wrote only with --prune', async () => {
    await importSample();
    for (const folder of ['kept', 'pruned']) {
      await ok('spaces', 'export', 'Handbook', folder);
      writeFileSync(join(home, folder, 'own.txt'), 'mine');
      writeFileSync(join(home, folder, 'own.md'), 'mine');
    }
    const less = newFolder({ 'SUMMARY.md': '* [Welcome](README.md)\n', 'README.md': '# Welcome\n' });
    await ok('spaces', 'import', 'Handbook', less, '--yes');
    expect((await ok('spaces', 'export', 'Handbook', 'kept')).stderr).toContain(
      'kept because --prune was not given: .gitbook/assets/logo.png, guides/back-up.md',
    );
    expect(Object.keys(filesOf(join(home, 'kept')))).toContain('guides/install.md');
    expect((await ok('spaces', 'export', 'Handbook', 'pruned', '--prune')).stderr).toContain(
      '2 changed, 0 unchanged, 13 deleted',
    );
    expect(filesOf(join(home, 'pruned'))).toEqual({
      'README.md': '# Welcome\n',
      'SUMMARY.md': '* [Welcome](README.md)\n',
      'own.md': 'mine',
      'own.txt': 'mine',
    });
    rmSync(less, { recursive: true });
  });

  it('exports a change request and an old revision', async () => {
    await importSample();
    const old = JSON.parse((await ok('spaces', 'get', 'Handbook', '-o', 'json')).stdout).revision as string;
    const less = newFolder({ 'SUMMARY.md': '* [Only](only.md)\n', 'only.md': 'x' });
    expect((await ok('spaces', 'import', 'Handbook', less, '--change-request')).stderr).toContain(
      '; in change request 2.',
    );
    await ok('spaces', 'export', 'Handbook', 'main');
    expect(filesOf(join(home, 'main'))).toEqual(listed());
    await ok('spaces', 'export', 'Handbook', 'draft', '--change-request', '2');
    expect(filesOf(join(home, 'draft'))).toEqual(filesOf(less));
    await ok('change-requests', 'merge', '2', '--space', 'Handbook');
    await ok('spaces', 'export', 'Handbook', 'old', '--revision', old);
    expect(filesOf(join(home, 'old'))).toEqual(listed());
    rmSync(less, { recursive: true });
  });

  it('reports missing and conflicting arguments', async () => {
    expect(await run('spaces', 'export', 'Handbook')).toMatchObject({ exit: 64 });
    expect(
      await run('spaces', 'export', 'Handbook', 'x', '--change-request', '1', '--revision', 'r'),
    ).toMatchObject({ exit: 64 });
    writeFileSync(join(home, 'file'), '');
    expect(await run('spaces', 'export', 'Handbook', 'file')).toMatchObject({
      exit: 9,
      stderr: expect.stringContaining('is not a folder'),
    });
    expect(await run('spaces', 'export', 'Handbook', 'x', '--change-request', '9')).toMatchObject({
      exit: 5,
    });
  });
});

describe('docsctl spaces import', () => {
  it('adds changes to an existing change request, compared with its content', async () => {
    const one = newFolder({ 'SUMMARY.md': '* [A](a.md)\n', 'a.md': 'a' });
    await ok('spaces', 'import', 'Handbook', one, '--change-request');
    expect((await ok('spaces', 'import', 'Handbook', one, '--change-request', '1')).stderr).toContain(
      'Nothing to import: the change request already has the content of the folder.',
    );
    writeFileSync(join(one, 'a.md'), 'b');
    expect((await ok('spaces', 'import', 'Handbook', one, '--change-request', '1')).stderr).toContain(
      'Imported: 1 page changed; in change request 1.',
    );
    expect(await run('spaces', 'import', 'Handbook', one, '--change-request', '7')).toMatchObject({
      exit: 5,
    });
    rmSync(one, { recursive: true });
  });

  it('reads a folder inside the source with --root, but none outside', async () => {
    const dir = newFolder({ 'docs/a.md': 'a', 'secret/b.md': 'b' });
    symlinkSync(join(dir, 'secret'), join(dir, 'docs', 'link'));
    expect((await ok('spaces', 'import', 'Handbook', dir, '--root', 'docs')).stderr).toContain(
      'Imported: 1 page new',
    );
    for (const root of ['..', '../x', 'docs/../../x', 'none'])
      expect(await run('spaces', 'import', 'Handbook', join(dir, 'docs'), '--root', root)).toMatchObject({
        exit: 8,
      });
    expect(await run('spaces', 'import', 'Handbook', join(dir, 'docs'), '--root', 'link')).toMatchObject({
      exit: 8,
    });
    expect(await run('spaces', 'import', 'Handbook', dir, '--ref', 'main')).toMatchObject({
      exit: 8,
      stderr: expect.stringContaining('is not the address of a repository'),
    });
    rmSync(dir, { recursive: true });
  });
});

describe('spaces import from a git repository', () => {
  const git = (dir: string, ...words: string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@acme.test', '-c', 'init.defaultBranch=main', ...words],
      {
        cwd: dir,
        stdio: ['ignore', 'pipe', 'ignore'],
        encoding: 'utf8',
      },
    );
  let work: string;
  let bare: string;
  beforeAll(() => {
    work = newFolder({
      'docs/SUMMARY.md': '* [A](a.md)\n* [L](link.md)\n',
      'docs/a.md': 'one\r\n',
      'docs/.gitattributes': '* text eol=crlf\n*.md filter=evil\n',
    });
    symlinkSync('/etc/hostname', join(work, 'docs', 'link.md'));
    git(work, 'init', '-q');
    git(work, '-c', 'core.autocrlf=false', 'add', '.');
    git(work, 'commit', '-q', '-m', 'one');
    git(work, 'tag', 'v1');
    writeFileSync(join(work, 'docs', 'a.md'), 'two\n');
    git(work, 'commit', '-q', '-a', '-m', 'two');
    bare = join(work, 'repo.git');
    git(work, 'clone', '-q', '--bare', work, bare);
    mkdirSync(join(bare, 'hooks'), { recursive: true });
  });
  afterAll(() => rmSync(work, { recursive: true, force: true }));
  const imported = async () => {
    await ok('spaces', 'export', 'Handbook', 'out');
    return readFileSync(join(home, 'out', 'a.md'), 'utf8');
  };

  it('reads a bare repository, a URL, a tag and a commit, without filters or symbolic links', async () => {
    const { stderr } = await ok('spaces', 'import', 'Handbook', bare, '--root', 'docs');
    expect(stderr).toContain('link.md: is a symbolic link and is skipped');
    expect(await imported()).toBe('two\n');
    await ok('spaces', 'import', 'Handbook', `file://${bare}`, '--root', 'docs', '--ref', 'v1');
    expect(await imported()).toBe('one\n');
    const commit = git(work, 'rev-parse', 'main').trim();
    const { stdout } = await ok(
      'spaces',
      'import',
      'Handbook',
      `file://${bare}`,
      '--root',
      'docs',
      '--ref',
      commit,
      '-o',
      'json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ commit, merged: true });
    expect((await run('spaces', 'import', 'Handbook', bare, '--root', 'docs')).stderr).toContain(
      'Nothing to import',
    );
  });

  it.each([
    ['ext::sh -c touch% /tmp/x', 'its scheme is not supported'],
    ['http://x.test/r.git', 'not encrypted'],
    ['ssh://-oProxyCommand=x/r.git', 'begins with "-"'],
    ['https://user:s3cret@127.0.0.1:1/r.git', 'could not be read'],
    ['file:///does/not/exist.git', 'could not be read'],
  ])('refuses %s or reports its failure, without the password', async (url, message) => {
    const { exit, stderr } = await run('spaces', 'import', 'Handbook', url);
    expect(exit).not.toBe(0);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('s3cret');
  });

  it.each(['--upload-pack=x', 'a:b', '+main', 'none', 'abcdef1', '..'])('refuses --ref=%s', async (ref) => {
    expect((await run('spaces', 'import', 'Handbook', bare, `--ref=${ref}`)).exit).not.toBe(0);
  });

  it('reports that git is not installed', async () => {
    const { exit, stderr } = await docsctl(['spaces', 'import', 'Handbook', bare], {
      home,
      env: { DOCSCTL_STORE: `sqlite:${join(home, 'store.db')}`, PATH: '/nowhere' },
    });
    expect({ exit, stderr }).toMatchObject({
      exit: 10,
      stderr: expect.stringContaining('git is not installed'),
    });
  });
});
