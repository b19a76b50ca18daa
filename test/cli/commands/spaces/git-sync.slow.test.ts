import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBareRepository, type BareRepository } from '../../../content-sync/git-sync/bare-repository.ts';
import { docsctl, splitWords, type Ran } from '../../../support/cli.ts';

let home: string;
let repository: BareRepository;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'docsctl-cli-'));
  repository = createBareRepository();
  await run('init --org-title Acme --email ana@acme.test');
  await run('spaces create --title Guide');
});
afterEach(() => {
  repository.remove();
  rmSync(home, { recursive: true });
});

const run = (line: string, env: Record<string, string> = {}): Promise<Ran> =>
  docsctl(splitWords(line), {
    home,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      DOCSCTL_STORE: 'sqlite:store.db',
      DOCSCTL_CONFIG_DIR: join(home, 'config'),
      ...env,
    },
  });

it('spaces git-sync lists each page that it imports or exports, and saves the repository', async () => {
  repository.commit({ 'README.md': '# Start\n', 'guide.md': '# Guide\n' });
  const first = await run(`spaces git-sync Guide ${repository.dir} -o tsv`);
  expect(first.exit, first.stderr).toBe(0);
  expect(first.stdout.split('\n')).toContain('import\tadded\tpage\tguide.md');
  expect(first.stderr).toContain('Synchronized: 2 changes; the branch is at ');
  expect((await run('pages create Guide New --merge')).exit).toBe(0);
  const second = await run('spaces git-sync Guide -o json');
  expect(JSON.parse(second.stdout)).toMatchObject({ state: 'success', commit: repository.head() });
  expect(Object.keys(repository.files())).toContain('new.md');
  const third = await run('spaces git-sync Guide');
  expect(third.stderr).toContain('Nothing to synchronize: the space and the branch are the same.');
  expect(JSON.parse((await run('spaces git info Guide -o json')).stdout)).toMatchObject({
    repoName: expect.stringMatching(/docs$/),
    repository: repository.url,
    ref: 'refs/heads/main',
    lastCommit: repository.head(),
    lastRevision: expect.stringMatching(/^rev_/),
  });
  const runs = JSON.parse((await run('spaces git runs Guide -o json')).stdout) as { items: unknown[] };
  expect(runs.items).toHaveLength(3);
});

it('jobs run shows why a git synchronization failed', async () => {
  repository.commit({ 'README.md': '# Start\n' });
  expect((await run(`spaces git import Guide ${repository.url} --ref none`)).exit).toBe(0);
  expect(await run('jobs run')).toMatchObject({
    exit: 3,
    stderr: expect.stringMatching(
      /^git-sync of space \S+ failed: .*none.*\nerror: 1 job ended with errors\. 1 done, 0 failed.*\nhint: .*`docsctl spaces git runs SPACE`/m,
    ),
  });
});

it('spaces git connect accepts the path of an existing repository', async () => {
  expect(await run('spaces git connect Guide ./none --ref main')).toMatchObject({
    exit: 8,
    stderr: expect.stringMatching(
      /^error: There is no git repository at \/.*\/none\.\nhint: Check the path, or create the repository with `git init --bare`\.\n$/,
    ),
  });
  repository.commit({ 'README.md': '# Start\n' });
  await run(`spaces git connect Guide ${repository.dir} --ref main`);
  const { stdout } = await run('spaces git info Guide -o json');
  expect(JSON.parse(stdout)).toMatchObject({ repository: repository.url });
});

it('spaces git connect and disconnect do not synchronize, and git info shows commit and revision', async () => {
  repository.commit({ 'README.md': '# Start\n' });
  const info = async () => {
    const { exit, stdout } = await run('spaces git info Guide -o json');
    return exit === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : exit;
  };
  await run(`spaces git connect Guide --url ${repository.url} --ref main --repo-project-directory docs`);
  const connected = await info();
  expect(connected).toMatchObject({ repository: repository.url, ref: 'refs/heads/main', directory: 'docs' });
  expect(connected).not.toHaveProperty('lastCommit');
  await run(`spaces git connect Guide --url ${repository.url} --ref main --repo-commit-url https://x.test/c`);
  const synchronized = await run('spaces git-sync Guide');
  expect(synchronized.exit, synchronized.stderr).toBe(0);
  const done = (await info()) as Record<string, unknown>;
  expect(done).toMatchObject({ lastCommit: repository.head(), commitUrl: 'https://x.test/c' });
  expect(done).not.toHaveProperty('directory');
  const revisions = await run('spaces get Guide -o json');
  expect(JSON.parse(revisions.stdout)).toMatchObject({ revision: done['lastRevision'] });
  expect((await run('spaces git disconnect Guide')).exit).toBe(9);
  expect((await run('spaces git disconnect Guide --yes')).exit).toBe(0);
  expect(await info()).toBe(5);
  expect((await run('spaces git disconnect Guide --yes')).stderr).toContain('is not synchronized with a git');
  expect((await run('spaces git-sync Guide')).stderr).toMatch(
    /has no repository yet.*\n.*`docsctl spaces git-sync Guide /,
  );
});

it('spaces git-sync exits with 6 at a conflict, and suggests --take for the change request', async () => {
  repository.commit({ 'README.md': '# Start\n\nOne.\n' });
  await run(`spaces git-sync Guide ${repository.dir}`);
  repository.commit({ 'README.md': '# Start\n\nTwo.\n' });
  writeFileSync(join(home, 'new.md'), '# Start\n\nThree.\n');
  await run('pages edit Guide readme --file new.md --merge');
  const refused = await run('spaces git-sync Guide');
  expect(refused.exit, refused.stderr).toBe(6);
  expect(refused.stderr).toMatch(/error: Change request 3 conflicts with changes in its space/);
  const hinted = [...refused.stderr.matchAll(/`docsctl (spaces git-sync [^`]+)`/g)].map(
    ([, line = '']) => line,
  );
  expect(hinted).toEqual([
    expect.stringMatching(/ --take repository$/),
    expect.stringMatching(/ --take space$/),
  ]);
  expect((await run(`${hinted[1]} --dry-run`)).exit).toBe(0);
  const taken = await run('spaces git-sync Guide --take repository');
  expect(taken.exit).toBe(0);
  expect(taken.stderr).toContain(
    `Merged change request 3, an import that was waiting; the branch is at ${repository.head().slice(0, 12)}.`,
  );
  expect((await run('spaces git-sync Guide')).stderr).toContain('Nothing to synchronize');
  expect((await run('pages show Guide readme')).stdout).toContain('Two.');
});

it.each([
  ['spaces git-sync Guide', {}, 8, 'has no repository yet'],
  ['spaces git-sync Guide https://ana:canary@git.example.com/r.git', {}, 8, 'contains credentials'],
  [
    'spaces git-sync Guide https://git.example.com/r.git',
    { DOCSCTL_GIT_CREDENTIALS: 'canary' },
    8,
    'has no colon',
  ],
  ['spaces git-sync Guide ./none.git', {}, 8, 'There is no git repository at /'],
  ['spaces git-sync Guide ext::sh', {}, 8, 'cannot begin with ext:'],
  ['spaces git-sync', {}, 64, 'needs a space'],
])('refuses %s', async (line, env, exit, message) => {
  const refused = await run(line, env);
  expect([refused.exit, refused.stderr]).toEqual([exit, expect.stringContaining(message)]);
  expect(refused.stdout + refused.stderr).not.toContain('canary');
});

it('spaces git-sync sends the password of the environment, and prints it nowhere', async () => {
  const env = { DOCSCTL_GIT_CREDENTIALS: 'ana:canary-pw' };
  const address = 'https://127.0.0.1:9/acme/docs.git';
  const dry = await run(`spaces git-sync Guide ${address} --dry-run -o json`, env);
  expect(JSON.parse(dry.stdout)).toMatchObject({ body: { url: address, ref: 'main' } });
  const failed = await run(`spaces git-sync Guide ${address} --debug -o json`, env);
  expect(failed.exit, failed.stderr).toBe(69);
  const listed = await run('spaces git runs Guide -o json --debug');
  for (const { stdout, stderr } of [dry, failed, listed]) expect(stdout + stderr).not.toContain('canary');
});

it('spaces git-sync uses new credentials of the environment for the saved repository', async () => {
  await run(
    'spaces git connect Guide https://127.0.0.1:9/docs.git --ref next --repo-project-directory handbook',
  );
  const refused = await run('spaces git-sync Guide', { DOCSCTL_GIT_CREDENTIALS: 'canary' });
  expect([refused.exit, refused.stderr]).toEqual([8, expect.stringContaining('has no colon')]);
  expect((await run('spaces git-sync Guide', { DOCSCTL_GIT_CREDENTIALS: 'ana:pw' })).exit).toBe(69);
  expect(JSON.parse((await run('spaces git info Guide -o json')).stdout)).toMatchObject({
    repository: 'https://127.0.0.1:9/docs.git',
    ref: 'refs/heads/next',
    directory: 'handbook',
  });
  await run('spaces git disconnect Guide --yes');
  const none = await run('spaces git-sync Guide', { DOCSCTL_GIT_CREDENTIALS: 'ana:pw' });
  expect([none.exit, none.stderr]).toEqual([8, expect.stringContaining('has no repository yet')]);
});
