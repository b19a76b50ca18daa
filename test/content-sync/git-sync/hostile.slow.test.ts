import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResolveHost } from '../../../src/content-sync/git-sync/connect.ts';
import { runGit } from '../../../src/content-sync/run-git.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { listAuditEvents } from '../../../src/resources/audit/contract.ts';
import { listGitRuns } from '../../../src/resources/git-sync/contract.ts';
import { gitRuns, gitSyncs } from '../../../src/resources/git-sync/rows.ts';
import { syncGitRepository } from '../../../src/resources/git-sync/sync/contract.ts';
import { openDesk, page, reason, type Desk } from '../../resources/content-support.ts';
import type { Who, World } from '../../support/world.ts';
import { createBareRepository, type BareRepository } from './bare-repository.ts';
import { createSyncWorld, endedRun, synchronize, type Run } from './sync-support.ts';

let repository: BareRepository;
let temp: string;
beforeEach(() => {
  repository = createBareRepository();
  temp = mkdtempSync(join(tmpdir(), 'docsctl-test-'));
  vi.stubEnv('TMPDIR', temp);
});
afterEach(() => {
  vi.unstubAllEnvs();
  repository.remove();
  rmSync(temp, { recursive: true });
});

async function open(env: Record<string, string> = {}, resolveHost?: ResolveHost): Promise<[World, Desk]> {
  const world = await createSyncWorld(env, resolveHost);
  return [world, await openDesk(world)];
}
const request = (world: World, { spaceId }: Desk, body: object, who: Who = 'admin') =>
  world.as(who).call(syncGitRepository, { params: { spaceId }, body: { ref: 'main', ...body } });

describe('a caller of the server', () => {
  it.each([
    ['ssh://git@git.example.com/r.git', 'forbidden'],
    ['git@git.example.com:r.git', 'forbidden'],
    ['ext::sh -c id', 'invalid-input'],
    ['ext::sh', 'invalid-input'],
    ['/etc', 'forbidden'],
    ['../r.git', 'forbidden'],
    ['http://git.example.com/r.git', 'invalid-input'],
    ['git://git.example.com/r.git', 'invalid-input'],
    ['--upload-pack=id', 'invalid-input'],
    ['https://127.0.0.1/r.git', 'forbidden'],
    ['https://169.254.169.254/r.git', 'forbidden'],
    ['https://[::1]/r.git', 'forbidden'],
    ['https://2130706433/r.git', 'forbidden'],
    ['https://localhost/r.git', 'forbidden'],
    ['https://git.example.com:22/r.git', 'forbidden'],
    ['https://', 'invalid-input'],
  ])('cannot use the URL %s', async (url, why) => {
    const [world, desk] = await open();
    expect(await reason(request(world, desk, { url }))).toBe(why);
    expect((await desk.space()).gitSync).toBeUndefined();
  });

  it('cannot reach paths of the server, except repositories in the folder of the operator', async () => {
    const target = { url: repository.url };
    repository.commit({ 'README.md': '# Start\n' });
    const ended = async (env: Record<string, string>): Promise<Run> => {
      const [world, desk] = await open(env);
      return synchronize(world, desk.spaceId, { ...target, ref: 'main' }, 'admin');
    };
    expect(await ended({})).toMatchObject({ state: 'failure', problem: { reason: 'forbidden' } });
    expect(await ended({ DOCSCTL_GIT_FOLDER: temp })).toMatchObject({ problem: { reason: 'forbidden' } });
    expect(await ended({ DOCSCTL_GIT_FOLDER: repository.dir })).toMatchObject({
      problem: { reason: 'forbidden' },
    });
    expect(await ended({ DOCSCTL_GIT_FOLDER: dirname(repository.dir) })).toMatchObject({ state: 'success' });
    symlinkSync(repository.dir, join(temp, 'link.git'));
    target.url = pathToFileURL(join(temp, 'link.git')).href;
    expect(await ended({ DOCSCTL_GIT_FOLDER: temp })).toMatchObject({ problem: { reason: 'forbidden' } });
  });

  it('can reach only the branch and folder of a path that the owner of the store has set', async () => {
    repository.commit({ 'docs/README.md': '# Start\n', 'private/README.md': '# Canary\n' });
    repository.git('branch', 'secret');
    const [world, desk] = await open();
    const target = { url: repository.url, ref: 'main', repoProjectDirectory: 'docs' };
    await synchronize(world, desk.spaceId, target);
    for (const body of [{}, { ref: 'refs/heads/main' }, { repoProjectDirectory: './docs/' }])
      expect(await synchronize(world, desk.spaceId, body, 'create')).toMatchObject({ state: 'success' });
    for (const body of [
      { ref: 'secret' },
      { repoProjectDirectory: '' },
      { repoProjectDirectory: 'private' },
    ]) {
      await synchronize(world, desk.spaceId, target);
      expect(await synchronize(world, desk.spaceId, body, 'create')).toMatchObject({
        state: 'failure',
        problem: { reason: 'forbidden' },
      });
    }
    expect(JSON.stringify(await desk.pages())).not.toContain('Canary');
  });

  it('cannot reach a private address through a host name', async () => {
    const asked: string[] = [];
    const [world, desk] = await open({}, async (url) => {
      asked.push(url);
      throw new Problem('forbidden', 'not on the public internet');
    });
    const url = 'https://internal.example.com/r.git';
    expect(await synchronize(world, desk.spaceId, { url, ref: 'main' }, 'admin')).toMatchObject({
      state: 'failure',
      problem: { reason: 'forbidden' },
    });
    expect(asked).toEqual([url]);
  });

  it('needs the create role, and gets 404 in another organization', async () => {
    const [world, desk] = await open();
    const url = 'https://git.example.com/r.git';
    expect(await reason(request(world, desk, { url }, 'review'))).toBe('forbidden');
    expect(await reason(request(world, desk, { url }, 'outsider'))).toBe('not-found');
    expect(await reason(request(world, desk, { url }, 'create'))).toBe('done');
  });
});

describe('the password of a repository', () => {
  it('is in no answer, row or event, and is kept only for the same repository', async () => {
    const [world, desk] = await open();
    const secret = 'canary-81f2c9';
    const url = `https://ana:${secret}@git.example.com/acme/docs.git`;
    await request(world, desk, { url });
    await endedRun(world, desk.spaceId);
    const params = { spaceId: desk.spaceId };
    const seen = [
      await world.as('admin').call(listGitRuns, { params }),
      await desk.space(),
      await world
        .as('admin')
        .call(listAuditEvents, { params: { organizationId: world.org }, query: { details: true } }),
      await world.core.store.read(async (view) => [
        await view.get(gitSyncs, desk.spaceId),
        await view.find(gitRuns, { index: 'bySpace', equals: [desk.spaceId], limit: 9 }),
      ]),
    ];
    expect(JSON.stringify(seen)).toContain('https://git.example.com/acme/docs.git');
    expect(JSON.stringify(seen)).not.toContain(secret);
    const credentials = async () =>
      (await world.core.store.read((view) => view.get(gitSyncs, desk.spaceId)))?.credentials;
    expect(await credentials()).toMatch(/^v1\./);
    await request(world, desk, { url: 'https://git.example.com/acme/docs.git' });
    expect(await credentials()).toMatch(/^v1\./);
    await request(world, desk, { url: 'https://git.example.com/acme/other.git' });
    expect(await credentials()).toBeUndefined();
  });

  it('is passed to git in the environment', async () => {
    const host = { cwd: temp, env: { PATH: process.env['PATH'] }, signal: new AbortController().signal };
    const access = { settings: { 'http.https://x.test/.extraHeader': 'Authorization: Basic eDp5' } };
    const run = { config: 'none', url: 'https://x.test/', access } as const;
    expect(await runGit(host, temp, ['config', '--get-all', 'http.https://x.test/.extraHeader'], run)).toBe(
      'Authorization: Basic eDp5\n',
    );
  });
});

describe('a hostile repository', () => {
  it('cannot make git run its hooks', async () => {
    const marks = join(temp, 'marks');
    mkdirSync(marks);
    for (const hook of [
      'pre-receive',
      'update',
      'post-receive',
      'post-update',
      'reference-transaction',
      'pre-push',
    ])
      writeFileSync(join(repository.dir, 'hooks', hook), `#!/bin/sh\ntouch ${marks}/${hook}\n`, {
        mode: 0o755,
      });
    repository.git('config', 'core.hooksPath', join(repository.dir, 'hooks'));
    const [world, desk] = await open();
    await desk.publish(page('Start'));
    expect(await synchronize(world, desk.spaceId, { url: repository.url, ref: 'main' })).toMatchObject({
      state: 'success',
    });
    expect(readdirSync(marks)).toEqual([]);
    // The folder for temporary files is empty again.
    expect(readdirSync(temp)).toEqual(['marks']);
  });

  it('keeps its hidden files, which are neither written nor deleted', async () => {
    const files = { 'README.md': '# Start\n', '.github/agents.md': '# Agents\n' };
    repository.commit({ 'SUMMARY.md': '* [Start](README.md)\n* [Agents](.github/agents.md)\n', ...files });
    const [world, desk] = await open();
    const target = { url: repository.url, ref: 'main' };
    await synchronize(world, desk.spaceId, target);
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['Start', 'Agents']);
    await desk.publish(page('More'));
    expect(await synchronize(world, desk.spaceId, target)).toMatchObject({ state: 'success' });
    expect(repository.git('show', 'main:.github/agents.md')).toBe('# Agents\n');
    expect(repository.git('ls-tree', '-r', '--name-only', 'main').trim().split('\n')).toEqual([
      '.github/agents.md',
      'README.md',
      'SUMMARY.md',
      'agents.md',
      'more.md',
    ]);
  });

  it('keeps its symbolic links and submodules, which are neither read nor replaced', async () => {
    writeFileSync(join(temp, 'secret.md'), '# Secret canary\n');
    repository.commit({ 'README.md': '# Start\n' });
    const blob = (text: string): string => {
      writeFileSync(join(temp, 'blob'), text);
      return repository.git('hash-object', '-w', join(temp, 'blob')).trim();
    };
    const head = repository.head();
    repository.git('read-tree', 'main');
    repository.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `120000,${blob(join(temp, 'secret.md'))},guide.md`,
    );
    repository.git('update-index', '--add', '--cacheinfo', `160000,${head},module`);
    const tree = repository.git('write-tree').trim();
    const commit = repository.git('commit-tree', tree, '-p', head, '-m', 'Link').trim();
    repository.git('update-ref', 'refs/heads/main', commit);
    const [world, desk] = await open();
    const target = { url: repository.url, ref: 'main' };
    const run = await synchronize(world, desk.spaceId, target);
    expect(run).toMatchObject({ state: 'success', commit });
    expect(run.warnings).toContain('guide.md: is a symbolic link and is skipped');
    expect(JSON.stringify(await desk.pages())).not.toContain('canary');
    await desk.publish(page('Guide'));
    expect(await synchronize(world, desk.spaceId, target)).toMatchObject({
      state: 'failure',
      problem: { reason: 'conflict', message: expect.stringContaining('guide.md cannot be exported') },
    });
    expect(repository.head()).toBe(commit);
  });

  it('keeps the executable bit of files', async () => {
    repository.commit({ 'README.md': '# Start\n' });
    repository.git('read-tree', 'main');
    const oid = repository.git('rev-parse', 'main:README.md').trim();
    repository.git('update-index', '--cacheinfo', `100755,${oid},README.md`);
    const tree = repository.git('write-tree').trim();
    repository.git('update-ref', 'refs/heads/main', repository.git('commit-tree', tree, '-m', 'x').trim());
    const [world, desk] = await open();
    const target = { url: repository.url, ref: 'main' };
    await synchronize(world, desk.spaceId, target);
    const readme = (await desk.pages()).find(({ title }) => title === 'Start')!;
    await desk.publish({
      operation: 'update_page',
      page: readme.id,
      document: { markdown: '# Start\n\nEdited.\n' },
    });
    expect(await synchronize(world, desk.spaceId, target)).toMatchObject({ state: 'success' });
    expect(repository.git('ls-tree', 'main', 'README.md')).toMatch(/^100755 /);
    expect(repository.git('show', 'main:README.md')).toBe('# Start\n\nEdited.\n');
  });

  it('keeps the bytes of a page that is not UTF-8 until the page is edited', async () => {
    writeFileSync(join(temp, 'latin.md'), Buffer.from('# Latin\n\nCaf\xe9\n', 'latin1'));
    const oid = repository.git('hash-object', '-w', '--no-filters', join(temp, 'latin.md')).trim();
    const files = { 'README.md': '# Start\n', 'SUMMARY.md': '* [Start](README.md)\n* [Latin](latin.md)\n' };
    repository.commit(files);
    repository.git('read-tree', 'main');
    repository.git('update-index', '--add', '--cacheinfo', `100644,${oid},latin.md`);
    const tree = repository.git('write-tree').trim();
    const head = repository.git('commit-tree', tree, '-m', 'Latin').trim();
    repository.git('update-ref', 'refs/heads/main', head);
    const [world, desk] = await open();
    const target = { url: repository.url, ref: 'main' };
    expect(await synchronize(world, desk.spaceId, target)).toMatchObject({
      state: 'success',
      commit: head,
      warnings: ['latin.md: is not UTF-8; unreadable characters are replaced'],
    });
    repository.commit({ 'README.md': '# Start\n\nMore.\n' });
    expect(await synchronize(world, desk.spaceId, target)).toMatchObject({ changeCount: 1 });
    expect(repository.git('rev-parse', 'main:latin.md').trim()).toBe(oid);
    const page = (await desk.pages()).find(({ title }) => title === 'Latin')!;
    const document = { markdown: '# Latin\n\nCafé\n' };
    await desk.publish({ operation: 'update_page', page: page.id, document });
    expect(await synchronize(world, desk.spaceId, target)).toMatchObject({ changeCount: 1 });
    expect(repository.git('show', 'main:latin.md')).toBe(document.markdown);
  });

  it('is refused if it contains a path into .git', async () => {
    repository.commit({ 'README.md': '# Start\n' });
    writeFileSync(join(temp, 'config'), '[core]\n\tfsmonitor = touch /tmp/never\n');
    const oid = repository.git('hash-object', '-w', join(temp, 'config')).trim();
    const entry = (mode: string, name: string, id: string) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
    const write = (bytes: Buffer): string => {
      writeFileSync(join(temp, 'tree'), bytes);
      return repository.git('hash-object', '-t', 'tree', '-w', '--literally', join(temp, 'tree')).trim();
    };
    const tree = write(entry('40000', '.git', write(entry('100644', 'config', oid))));
    const commit = repository.git('commit-tree', tree, '-m', 'x').trim();
    repository.git('update-ref', 'refs/heads/main', commit);
    const [world, desk] = await open();
    const run = await synchronize(world, desk.spaceId, { url: repository.url, ref: 'main' });
    expect(run.state).toBe('failure');
    expect(await desk.pages()).toEqual([]);
  });

  it.each([
    ['deep', 25, 1, 200],
    ['wide', 5, 10, 150],
  ])('is refused before it is written if it is too %s', async (_, levels, width, length) => {
    writeFileSync(join(temp, 'blob'), '# x\n');
    const oid = repository.git('hash-object', '-w', join(temp, 'blob')).trim();
    const write = (mode: string, id: string): string => {
      const names = Array.from({ length: width }, (__, index) => `${index}`.padEnd(length, 'd'));
      const entries = names.map((name) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
      );
      writeFileSync(join(temp, 'tree'), Buffer.concat(entries));
      return repository.git('hash-object', '-t', 'tree', '-w', join(temp, 'tree')).trim();
    };
    let tree = write('100644', oid);
    for (let level = 1; level < levels; level++) tree = write('40000', tree);
    const commit = repository.git('commit-tree', tree, '-m', 'x').trim();
    repository.git('update-ref', 'refs/heads/main', commit);
    const [world, desk] = await open();
    expect(await synchronize(world, desk.spaceId, { url: repository.url, ref: 'main' })).toMatchObject({
      state: 'failure',
      problem: { reason: 'too-large' },
    });
    expect(readdirSync(temp).toSorted()).toEqual(['blob', 'tree']);
  });

  it.each(['../..', 'a/../../b', '.git', 'docs/.GIT'])('is refused with %s as its folder', async (folder) => {
    const [world, desk] = await open();
    const body = { url: repository.url, repoProjectDirectory: folder };
    expect(await reason(request(world, desk, body, 'owner'))).toBe('invalid-input');
  });

  it.each(['--force', '+main', 'a b', 'refs/tags/x', 'HEAD:main', 'a..b', 'x.lock', ''])(
    'is refused with "%s" as the ref',
    async (ref) => {
      const [world, desk] = await open();
      expect(await reason(request(world, desk, { url: repository.url, ref }, 'owner'))).toBe('invalid-input');
    },
  );
});
