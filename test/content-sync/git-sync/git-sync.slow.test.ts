import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as requests from '../../../src/resources/change-requests/contract.ts';
import * as revisionContent from '../../../src/resources/content/revision/contract.ts';
import * as spaceContent from '../../../src/resources/content/space/contract.ts';
import * as spaces from '../../../src/resources/spaces/contract.ts';
import { getGitInfo } from '../../../src/resources/git-sync/contract.ts';
import { syncGitRepository } from '../../../src/resources/git-sync/sync/contract.ts';
import { listEvents } from '../../../src/resources/integration-events/contract.ts';
import { install, publish } from '../../resources/integrations/support.ts';
import { openDesk, outline, page, type Desk } from '../../resources/content-support.ts';
import type { World } from '../../support/world.ts';
import { createBareRepository, type BareRepository } from './bare-repository.ts';
import { createSyncWorld, endedRun, synchronize, type Run } from './sync-support.ts';

let repository: BareRepository;
let world: World;
let desk: Desk;

beforeEach(async () => {
  repository = createBareRepository();
  world = await createSyncWorld();
  desk = await openDesk(world);
});
afterEach(() => repository.remove());

const sync = (body: object = {}): Promise<Run> =>
  synchronize(world, desk.spaceId, { url: repository.url, ref: 'main', ...body });
const names = (run: Run): string[] =>
  run.changes.map(({ direction, change, kind, name }) => `${direction} ${change} ${kind} ${name}`);
const textOf = async (title: string): Promise<string | undefined> => {
  const content = await world
    .as('admin')
    .call(spaceContent.getContent, { params: { spaceId: desk.spaceId } });
  return content.pages.find((one) => one.title === title)?.markdown;
};
const pageId = async (title: string): Promise<string> =>
  (await desk.pages()).find((one) => one.title === title)?.id ?? '';
const editText = async (title: string, markdown: string): Promise<void> =>
  void (await desk.publish({ operation: 'update_page', page: await pageId(title), document: { markdown } }));

const start = { 'README.md': '# Start\n\nHello.\n', 'guide.md': '# Guide\n\nOne.\n\nTwo.\n\nThree.\n' };

describe('a synchronization', () => {
  it('does not remember a repository or branch that it could not read', async () => {
    const commit = repository.commit(start);
    await sync();
    const info = () => world.as('admin').call(getGitInfo, { params: { spaceId: desk.spaceId } });
    const shown = async () => (await desk.space()).gitSync;
    const [before, gitSync] = [await info(), await shown()];
    for (const body of [
      { url: 'file:///nowhere/at-all.git' },
      { ref: 'nobranch', direction: 'import' },
      { repoProjectDirectory: 'no/folder', direction: 'import' },
    ]) {
      expect([body, (await sync(body)).state]).toEqual([body, 'failure']);
      expect([await info(), await shown()]).toEqual([before, gitSync]);
    }
    const run = await synchronize(world, desk.spaceId, {});
    expect(run).toMatchObject({ state: 'success', changeCount: 0, commit });
    expect(repository.git('branch', '--list').trim()).toBe('* main');
  });

  it('fails without a branch if the space has no content to create it with', async () => {
    repository.commit(start);
    for (const direction of ['both', 'import', 'export'])
      expect(await sync({ ref: 'master', direction })).toMatchObject({
        state: 'failure',
        problem: { reason: 'not-found', message: 'The repository has no branch master.' },
      });
  });

  it('imports a repository into an empty space, and then finds no changes', async () => {
    const commit = repository.commit(start, 'First\n\nWith a body.');
    const run = await sync();
    expect(run).toMatchObject({ state: 'success', commit, changeRequest: 1 });
    expect(names(run)).toEqual(['import added page README.md', 'import added page guide.md']);
    expect(outline(await desk.pages())).toEqual(['readme', 'guide']);
    expect(repository.head()).toBe(commit);
    const content = await world
      .as('read')
      .call(spaceContent.getContent, { params: { spaceId: desk.spaceId } });
    expect(content.git).toEqual({
      oid: commit,
      message: 'First\n\nWith a body.',
      createdByGitBook: false,
      ref: 'refs/heads/main',
    });
    const { revision } = await desk.space();
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0, commit, revision });
    expect((await desk.space()).revision).toBe(revision);
  });

  it('makes a group of a folder without README, and exports later edits without a table of contents', async () => {
    repository.commit({ 'README.md': '# Start\n', 'getting-started/install.md': '# Install\n' });
    expect(names(await sync())).toEqual([
      'import added page README.md',
      'import added page Getting started',
      'import added page getting-started/install.md',
    ]);
    expect(outline(await desk.pages())).toEqual(['readme', ['getting-started', ['getting-started/install']]]);
    const install = (await desk.pages())[1]?.pages?.[0]?.id ?? '';
    await desk.publish({
      operation: 'update_page',
      page: install,
      document: { markdown: '# Install\n\nNow.\n' },
    });
    expect(names(await sync())).toEqual(['export changed page getting-started/install.md']);
    expect(Object.keys(repository.files())).toEqual(['README.md', 'getting-started/install.md']);
  });

  it('commits the content of a space to an empty repository', async () => {
    await desk.publish(page('Start', { document: { markdown: 'Hello.\n' } }), page('Guide'));
    const run = await sync({ repoCommitURL: 'https://git.example.com/acme/docs/commit' });
    expect(run).toMatchObject({ state: 'success', commit: repository.head() });
    expect(names(run)).toContain('export added page guide.md');
    expect(repository.files()).toMatchObject({ 'guide.md': '# Guide\n' });
    expect(repository.git('log', '-1', '--format=%an <%ae> %cn%n%B', 'main')).toMatch(
      /^Admin <admin@acme.test> docsctl\nChange request 1\n\nRevision: rev_/,
    );
    const content = await world.as('read').call(revisionContent.getContent, {
      params: { spaceId: desk.spaceId, revisionId: run.revision ?? '' },
    });
    expect(content.git).toMatchObject({
      createdByGitBook: true,
      url: `https://git.example.com/acme/docs/commit/${repository.head()}`,
    });
    const again = await sync();
    expect(again).toMatchObject({ state: 'success', changeCount: 0, commit: run.commit });
  });

  it('creates no branch for an empty space', async () => {
    const run = await sync();
    expect([run.state, run.changeCount, run.commit, repository.head()]).toEqual([
      'success',
      0,
      undefined,
      '',
    ]);
  });

  it('gives a hint if the branch was deleted', async () => {
    repository.commit(start);
    await sync();
    repository.git('update-ref', '-d', 'refs/heads/main');
    const run = await sync();
    expect(run.problem).toMatchObject({
      message: 'The branch main no longer exists.',
      hint: expect.stringMatching(/ --ref BRANCH.* --take space`/),
    });
    expect(repository.head()).toBe('');
    expect(await sync({ take: 'space' })).toMatchObject({ state: 'success', commit: repository.head() });
  });

  it('merges changes of both sides in the same page', async () => {
    repository.commit(start);
    await sync();
    repository.commit({ 'guide.md': '# Guide\n\nOne!\n\nTwo.\n\nThree.\n', 'new.md': '# New\n' });
    await editText('Guide', '# Guide\n\nOne.\n\nTwo.\n\nThree?\n');
    await desk.publish(page('Own'));
    const run = await sync();
    expect(run).toMatchObject({ state: 'success' });
    expect(names(run)).toEqual([
      'import changed page guide.md',
      'import added page new.md',
      'export added text SUMMARY.md',
      'export changed page guide.md',
      'export added page own.md',
    ]);
    expect(await textOf('Guide')).toBe('# Guide\n\nOne!\n\nTwo.\n\nThree?\n');
    expect(repository.files()['guide.md']).toBe('# Guide\n\nOne!\n\nTwo.\n\nThree?\n');
    expect(Object.keys(repository.files())).toContain('own.md');
    expect(repository.git('log', '-1', '--format=%B', 'main')).toMatch(
      /^Merge 2 change requests\n\n- Change request 3\n- Change request 2\n\nRevision: rev_/,
    );
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0 });
  });

  it('leaves a conflict in a change request, and keeps the changes of both sides', async () => {
    repository.commit(start);
    await sync();
    const commit = repository.commit({ 'guide.md': '# Guide\n\nTheirs.\n' });
    await editText('Guide', '# Guide\n\nOurs.\n');
    const run = await sync();
    expect(run).toMatchObject({ state: 'failure', problem: { reason: 'conflict' } });
    expect(run.problem?.message).toMatch(/^Change request \d conflicts with changes in its space: /);
    expect(await textOf('Guide')).toBe('# Guide\n\nOurs.\n');
    expect(repository.head()).toBe(commit);
    const number = run.changeRequest ?? 0;
    const params = { spaceId: desk.spaceId, changeRequestId: String(number) };
    expect(await world.as('read').call(requests.getChangeRequest, { params })).toMatchObject({
      status: 'open',
    });
    // The same conflict creates no second change request.
    expect(await sync()).toMatchObject({ state: 'failure', changeRequest: number });
    await world.as('review').call(requests.mergeChangeRequest, { params, body: { take: 'ours' } });
    expect(await textOf('Guide')).toBe('# Guide\n\nTheirs.\n');
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0, commit });
  });

  it.each([
    ['space', 'Ours.'],
    ['repository', 'Theirs.'],
  ] as const)('takes the side of the %s in conflicts if requested', async (take, text) => {
    repository.commit(start);
    await sync();
    repository.commit({ 'guide.md': '# Guide\n\nTheirs.\n' });
    await editText('Guide', '# Guide\n\nOurs.\n');
    expect(await sync({ take })).toMatchObject({ state: 'success' });
    expect(await textOf('Guide')).toBe(`# Guide\n\n${text}\n`);
    expect(repository.files()['guide.md']).toBe(`# Guide\n\n${text}\n`);
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0 });
  });

  it('deletes on one side the pages that were deleted on the other', async () => {
    repository.commit({ ...start, 'other.md': '# Other\n', LICENSE: 'free\n' });
    await sync();
    await desk.publish(page('Own'), page('Made here'));
    await sync();
    expect(Object.keys(repository.files()).sort()).toEqual(
      ['LICENSE', 'README.md', 'SUMMARY.md', 'guide.md', 'made-here.md', 'other.md', 'own.md'].sort(),
    );
    await desk.publish({ operation: 'delete_page', page: await pageId('Other') });
    const summary = repository.files()['SUMMARY.md']!;
    repository.commit({ 'own.md': undefined, 'SUMMARY.md': summary.replace(/.*own\.md.*\n/, '') });
    const run = await sync();
    expect(run).toMatchObject({ state: 'success' });
    expect(names(run)).toEqual(
      expect.arrayContaining(['import deleted page own.md', 'export deleted page other.md']),
    );
    expect((await desk.pages()).map(({ title }) => title).sort()).toEqual(['Guide', 'Made here', 'Start']);
    expect(Object.keys(repository.files()).sort()).toEqual(
      ['LICENSE', 'README.md', 'SUMMARY.md', 'guide.md', 'made-here.md'].sort(),
    );
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0 });
  });

  it('removes a page that was deleted in the space from the table of contents in the branch', async () => {
    const listed = '# Contents\n\n* [Start](README.md)\n* [Guide](guide.md)\n* [Other](other.md)\n';
    repository.commit({ ...start, 'other.md': '# Other\n', 'SUMMARY.md': listed });
    await sync();
    await desk.publish({ operation: 'delete_page', page: await pageId('Other') });
    expect(names(await sync())).toEqual(['export changed text SUMMARY.md', 'export deleted page other.md']);
    const contents = '# Table of contents\n\n* [Start](README.md)\n* [Guide](guide.md)\n';
    expect(repository.files()['SUMMARY.md']).toBe(contents);
    await editText('Guide', '# Guide\n\nOurs.\n');
    expect(names(await sync())).toEqual(['export changed page guide.md']);
    repository.commit({ 'README.md': '# Start\n\nTheirs.\n' });
    await sync();
    expect(repository.files()['SUMMARY.md']).toBe(contents);
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0 });
  });

  it('refuses to export over commits that were not imported, unless the space takes precedence', async () => {
    repository.commit(start);
    await sync();
    const commit = repository.commit({ 'guide.md': '# Guide\n\nMoved on.\n' });
    await editText('Guide', '# Guide\n\nOurs.\n');
    const refused = await sync({ direction: 'export' });
    expect(refused).toMatchObject({ state: 'failure', problem: { reason: 'conflict' } });
    expect(refused.problem?.message).toContain('has commits that were not imported');
    expect(repository.head()).toBe(commit);
    expect(await sync({ direction: 'export', take: 'space' })).toMatchObject({ state: 'success' });
    expect(repository.files()['guide.md']).toBe('# Guide\n\nOurs.\n');
    // The commit is on top of the one that it replaces.
    expect(repository.git('rev-parse', 'main^').trim()).toBe(commit);
  });

  it('works in a folder of the repository, and changes nothing outside it', async () => {
    repository.commit({
      'docs/README.md': '# Start\n',
      'src/main.c': 'int main;\n',
      'README.md': '# Code\n',
    });
    await sync({ repoProjectDirectory: 'docs' });
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['Start']);
    await desk.publish(page('More'));
    expect(await sync({ repoProjectDirectory: 'docs' })).toMatchObject({ state: 'success' });
    expect(repository.files()).toMatchObject({
      'src/main.c': 'int main;\n',
      'README.md': '# Code\n',
      'docs/more.md': '# More\n',
    });
  });

  it('does not change pages of a space that was never synchronized without a review', async () => {
    await desk.publish(page('Guide', { document: { markdown: '# Guide\n\nMine.\n' } }));
    const commit = repository.commit(start);
    const run = await sync();
    expect(run).toMatchObject({ state: 'failure', changeRequest: 2, problem: { reason: 'guard-refused' } });
    expect(await textOf('Guide')).toBe('# Guide\n\nMine.\n');
    expect(repository.head()).toBe(commit);
    expect(await sync({ take: 'repository' })).toMatchObject({ state: 'success' });
    expect(await textOf('Guide')).toBe(start['guide.md']);
  });

  it('waits for an approval of the import if a merge rule requires one', async () => {
    repository.commit(start);
    await sync();
    await world.as('admin').call(spaces.updateSpace, {
      params: { spaceId: desk.spaceId },
      body: { mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_approved_review' }] } },
    });
    repository.commit({ 'guide.md': '# Guide\n\nNew.\n' });
    const run = await sync();
    expect(run).toMatchObject({ state: 'failure', problem: { reason: 'conflict' } });
    expect(run.problem?.message).toMatch(/cannot be merged yet.* stays open as change request 2\.$/);
    await world.as('admin').call(spaces.updateSpace, {
      params: { spaceId: desk.spaceId },
      body: { mergeRules: { type: 'none' } },
    });
    expect(await sync()).toMatchObject({ state: 'success', changeRequest: run.changeRequest });
    expect(await textOf('Guide')).toBe('# Guide\n\nNew.\n');
  });

  it('lists its runs with their changes and the reasons of failures', async () => {
    const [params, target] = [{ spaceId: desk.spaceId }, { url: repository.url, ref: 'main' }];
    const waiting = await world.as('owner').call(syncGitRepository, { params, body: target });
    expect(waiting).toMatchObject({ state: 'waiting', direction: 'both', changeCount: 0 });
    expect(waiting).not.toHaveProperty('startedAt');
    repository.commit({
      'README.md': '# Start\n',
      'SUMMARY.md': '* [Start](README.md)\n* [No](no.md)\n',
      'x.md': '# X\n',
      'y.md': '# Y\n',
    });
    const run = await endedRun(world, desk.spaceId);
    expect(run).toMatchObject({
      id: waiting.id,
      state: 'success',
      commit: repository.head(),
      revision: (await desk.space()).revision,
      changeRequest: 1,
      warnings: [
        'skipped 2 Markdown files outside the table of contents: x.md, y.md',
        expect.stringContaining('no.md'),
      ],
    });
    expect((run.startedAt ?? '') < (run.completedAt ?? '')).toBe(true);
    expect(names(run)).toContain('import added page README.md');
    expect(run.changeCount).toBe(run.changes.length);
    const failed = await synchronize(world, desk.spaceId, { ...target, ref: 'none', direction: 'import' });
    expect(failed).toMatchObject({
      state: 'failure',
      problem: {
        reason: 'not-found',
        message: 'The repository has no branch none.',
        hint: expect.any(String),
      },
    });
  });

  it('sends events for each imported or exported commit to integrations with the scope', async () => {
    await publish(world, 'sync', { scopes: ['space:git:sync'] });
    await publish(world, 'reader');
    await install(world, 'sync');
    await install(world, 'reader');
    const events = async (integrationName: string) => {
      const { items } = await world.as('admin').call(listEvents, { params: { integrationName } });
      return items
        .map(({ payload }) => payload as Record<string, unknown>)
        .filter(({ type }) => String(type).includes('gitsync'))
        .map(({ type, state, commitId, spaceId }) => [type, state, commitId, spaceId === desk.spaceId])
        .toReversed();
    };
    const imported = repository.commit(start);
    await sync();
    await desk.publish(page('New'));
    await sync();
    const exported = repository.head();
    await sync();
    const both = (commit: string, state: string) => [
      ['space_gitsync_started', undefined, commit, true],
      ['space_gitsync_completed', state, commit, true],
    ];
    const good = [...both(imported, 'success'), ...both(exported, 'success')];
    expect(await events('sync')).toEqual(good);
    expect(await events('reader')).toEqual([]);
    const conflicting = repository.commit({ 'guide.md': '# Guide\n\nTheirs.\n' });
    await editText('Guide', '# Guide\n\nOurs.\n');
    await sync();
    expect(await events('sync')).toEqual([...good, ...both(conflicting, 'failure')]);
  });

  it('returns the repository of the space, and 404 if there is none', async () => {
    const info = () => world.as('read').call(getGitInfo, { params: { spaceId: desk.spaceId } });
    await expect(info()).rejects.toMatchObject({ reason: 'not-found' });
    repository.commit(start);
    await sync({ gitInfo: { provider: 'gitlab', url: 'https://gitlab.com/acme/docs/-/tree/main' } });
    expect(await info()).toMatchObject({
      repoName: expect.stringMatching(/\/docs$/),
      installationProvider: 'gitlab',
      url: 'https://gitlab.com/acme/docs/-/tree/main',
    });
    const { gitSync } = await desk.space();
    expect(gitSync).toHaveProperty('repoName');
    expect(await info()).toMatchObject(gitSync ?? {});
  });
});
