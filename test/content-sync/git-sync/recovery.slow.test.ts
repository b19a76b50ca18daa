import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitRuns, gitSyncs } from '../../../src/resources/git-sync/rows.ts';
import { deleteMember, updateMember } from '../../../src/resources/members/contract.ts';
import {
  connectGitRepository,
  getGitInfo,
  importGitRepository,
} from '../../../src/resources/git-sync/contract.ts';
import { syncGitRepository } from '../../../src/resources/git-sync/sync/contract.ts';
import { changeRequests } from '../../../src/core/rows/change-requests.ts';
import { jobs } from '../../../src/core/rows/jobs.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import * as requests from '../../../src/resources/change-requests/contract.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { createOrganization } from '../../../src/resources/organizations/contract.ts';
import { deleteSpace, restoreSpace, transferSpace } from '../../../src/resources/spaces/contract.ts';
import { openDesk, page, type Desk } from '../../resources/content-support.ts';
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
const request = (body: object = {}) =>
  world.as('owner').call(syncGitRepository, {
    params: { spaceId: desk.spaceId },
    body: { url: repository.url, ref: 'main', ...body },
  });
const state = () => world.core.store.read((view) => view.get(gitSyncs, desk.spaceId));
const spaceContent = () => world.as('admin').call(getContent, { params: { spaceId: desk.spaceId } });

describe('a run that was interrupted', () => {
  it('succeeds without a second commit if its commit was already pushed', async () => {
    repository.commit({ 'README.md': '# Start\n' });
    await sync();
    const { base } = (await state())!;
    await desk.publish(page('New'));
    await sync({ commitMessage: 'Add a page' });
    const [head, { revision }] = [repository.head(), await desk.space()];
    const { base: sent } = (await state())!;
    // This is the state if the process ends after the push.
    await world.core.store.write((tx) => tx.update(gitSyncs, desk.spaceId, { base, sent }));
    repository.commit({ 'README.md': '# Start\n\nMore.\n' });
    repository.git('update-ref', 'refs/heads/main', head);
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0, commit: head });
    expect((await desk.space()).revision).toBe(revision);
    expect((await state())?.sent).toBeUndefined();
    expect((await spaceContent()).git).toMatchObject({ message: 'Add a page', createdByGitBook: true });
  });

  it('starts its import again, and archives the change request that was left', async () => {
    repository.commit({ 'README.md': '# Start\n' });
    const left = await desk.createRequest({ subject: 'Half an import' });
    const { id } = await request();
    await world.core.store.write((tx) =>
      tx.update(gitRuns, id, { state: 'running', changeRequest: left.id, changeRequestNumber: left.number }),
    );
    expect(await endedRun(world, desk.spaceId, id)).toMatchObject({ state: 'success', changeRequest: 2 });
    expect((await world.core.store.read((view) => view.get(changeRequests, left.id)))?.status).toBe(
      'archived',
    );
    expect((await desk.space()).changeRequestsDraft).toBe(0);
  });
});

describe('waiting runs', () => {
  it('run in the order of the events that caused them', async () => {
    const commit = repository.commit({ 'README.md': '# Start\n' });
    const params = { spaceId: desk.spaceId };
    const body = { url: repository.url, ref: 'main' };
    const later = { ...body, ref: 'none', timestamp: '2026-01-02T00:00:00Z' };
    await world.as('owner').call(importGitRepository, { params, body: later });
    const earlier = { ...body, timestamp: '2026-01-01T00:00:00Z' };
    await world.as('owner').call(importGitRepository, { params, body: earlier });
    const last = await endedRun(world, desk.spaceId);
    expect(last).toMatchObject({ state: 'success', commit });
    const rows = await world.core.store.read((view) =>
      view.find(gitRuns, { index: 'bySpace', equals: [desk.spaceId], limit: 9 }),
    );
    expect(rows.map(({ state: end }) => end)).toEqual(['failure', 'success']);
    expect((rows[1]?.completedAt ?? '') < (rows[0]?.completedAt ?? '')).toBe(true);
  });

  it('end without touching the repository if their space was deleted', async () => {
    const commit = repository.commit({ 'README.md': '# Start\n' });
    await desk.publish(page('New'));
    const { id } = await request();
    await world.as('admin').call(deleteSpace, { params: { spaceId: desk.spaceId } });
    await world
      .as('owner')
      .work?.({ kind: 'git-sync', signal: new AbortController().signal, onEvent: () => {} });
    const row = await world.core.store.read((view) => view.get(gitRuns, id));
    expect(row).toMatchObject({ state: 'failure', problem: { message: 'The space was deleted.' } });
    expect(repository.head()).toBe(commit);
  });
});

describe('a waiting run requested by a member', () => {
  const body = () => ({ url: repository.url, ref: 'main' });
  const params = () => ({ spaceId: desk.spaceId });

  it.each([
    ['who left the organization', deleteMember, {}],
    ['who is disabled', updateMember, { disabled: true }],
    ['with a lower role', updateMember, { role: 'edit' }],
  ] as const)('ends without touching the repository for a member %s', async (_, change, changes) => {
    const commit = repository.commit({ 'README.md': '# Start\n' });
    await world.as('owner').call(connectGitRepository, { params: params(), body: body() });
    await desk.publish(page('New'));
    const { id } = await world.as('create').call(syncGitRepository, { params: params(), body: {} });
    const member = { organizationId: world.org, userId: world.user('create') };
    await world.as('admin').call(change as typeof updateMember, { params: member, body: changes });
    const run = await endedRun(world, desk.spaceId, id);
    expect(run).toMatchObject({ state: 'failure', problem: { reason: 'forbidden' } });
    expect(repository.head()).toBe(commit);
  });
});

describe('a space that is deleted during a synchronization', () => {
  /** Runs the queued job, and calls a function just before the import is merged. */
  const runWith = async (beforeMerge: () => Promise<unknown>) => {
    const engineOf: World['core']['engineOf'] = async (kind) => {
      const engine = await world.core.engineOf(kind);
      let isMerging = false;
      return {
        ...engine,
        run: (job) =>
          engine.run({
            ...job,
            progress: (text) => void (isMerging = text === 'merging'),
            write: async (work) => {
              if (isMerging) await beforeMerge();
              isMerging = false;
              return job.write(work);
            },
          }),
      };
    };
    const { signal } = new AbortController();
    await runDueJobs({ ...world.core, engineOf }, { kind: 'git-sync', signal });
  };
  const remove = (now: boolean) =>
    world.as('admin').call(deleteSpace, { params: { spaceId: desk.spaceId }, query: { now } });

  it('does not get the imported content, even after it is restored', async () => {
    const before = await desk.space();
    repository.commit({ 'README.md': '# Start\n' });
    const { id } = await request();
    await runWith(() => remove(false));
    const row = await world.core.store.read((view) => view.get(gitRuns, id));
    expect(row).toMatchObject({ state: 'failure', problem: { message: 'The space was deleted.' } });
    await world.as('admin').call(restoreSpace, { params: { spaceId: desk.spaceId } });
    expect((await desk.space()).revision).toBe(before.revision);
  });

  it('leaves no failed job after it is removed for good', async () => {
    repository.commit({ 'README.md': '# Start\n' });
    await request();
    await runWith(async () => {
      await remove(true);
      await runDueJobs(world.core, { kind: 'removal', signal: new AbortController().signal });
    });
    const left = await world.core.store.read((view) => view.scan(jobs, '', 50));
    expect(left.filter(({ id }) => id.startsWith('git-sync.'))).toEqual([]);
  });
});

describe('a change request with an import', () => {
  const standalone = async (): Promise<Run> => {
    const body = { url: repository.url, ref: 'main', standalone: true };
    await world.as('owner').call(importGitRepository, { params: { spaceId: desk.spaceId }, body });
    return endedRun(world, desk.spaceId);
  };

  it('is not merged automatically if it is standalone, and is the base of the next run after the merge', async () => {
    const commit = repository.commit({ 'README.md': '# Start\n' }, 'Begin');
    const run = await standalone();
    expect(run).toMatchObject({ state: 'success', changeRequest: 1 });
    expect(await desk.pages()).toEqual([]);
    await desk.merge(1, 'admin');
    expect((await spaceContent()).git).toBeUndefined();
    expect(await sync()).toMatchObject({ state: 'success', changeCount: 0, commit });
    expect((await spaceContent()).git).toMatchObject({ oid: commit, message: 'Begin' });
  });

  it('is reported if the branch moves on while it waits, and forgotten when it is archived', async () => {
    repository.commit({ 'README.md': '# Start\n' });
    await standalone();
    const commit = repository.commit({ 'guide.md': '# Guide\n' });
    expect(await sync()).toMatchObject({
      state: 'failure',
      changeRequest: 1,
      problem: { reason: 'conflict' },
    });
    expect(await sync({ direction: 'export' })).toMatchObject({
      problem: {
        reason: 'conflict',
        message: 'Change request 1, which imports a commit of the branch, is not merged yet.',
      },
    });
    await world.as('admin').call(requests.updateChangeRequest, {
      params: { spaceId: desk.spaceId, changeRequestId: '1' },
      body: { status: 'archived' },
    });
    expect(await sync()).toMatchObject({ state: 'success', changeRequest: 2, commit });
    expect((await desk.pages()).map(({ title }) => title)).toEqual(['Start', 'Guide']);
  });

  it('is archived if the space takes precedence over a branch that it was never synchronized with', async () => {
    await desk.publish(page('Guide', { document: { markdown: '# Guide\n\nMine.\n' } }));
    repository.commit({ 'guide.md': '# Guide\n\nTheirs.\n' });
    expect(await sync()).toMatchObject({ state: 'failure', changeRequest: 2 });
    expect(await sync({ take: 'space' })).toMatchObject({ state: 'success' });
    expect((await spaceContent()).pages).toMatchObject([{ markdown: '# Guide\n\nMine.\n' }]);
    expect(repository.git('show', 'main:guide.md')).toBe('# Guide\n\nMine.\n');
    const params = { spaceId: desk.spaceId, changeRequestId: '2' };
    const left = await world.as('admin').call(requests.getChangeRequest, { params });
    expect(left.status).toBe('archived');
  });

  it('waits for a review if it would delete most pages', async () => {
    const pages = Array.from({ length: 12 }, (_, index) => [`p${index}.md`, `# Page ${index}\n`] as const);
    repository.commit({ 'README.md': '# Start\n', ...Object.fromEntries(pages) });
    await sync();
    repository.commit(Object.fromEntries(pages.map(([path]) => [path, undefined])));
    const run = await sync();
    expect(run).toMatchObject({ state: 'failure', changeRequest: 2, problem: { reason: 'guard-refused' } });
    expect(run.problem?.message).toBe('Change request 2 was not merged: the import would delete 12 pages.');
    expect(await desk.pages()).toHaveLength(13);
    expect(run.problem?.hint).toContain('--direction export --take space');
    expect(await sync({ take: 'repository' })).toMatchObject({ state: 'success' });
    expect(await desk.pages()).toHaveLength(1);
  });
});

it('ends the synchronization of a space that is transferred to another organization', async () => {
  repository.commit({ 'README.md': '# Start\n' });
  await sync();
  const { id: organization } = await world
    .as('admin')
    .call(createOrganization, { body: { title: 'Second' } });
  const params = { spaceId: desk.spaceId };
  await world.as('admin').call(transferSpace, { params, body: { organization } });
  await expect(world.as('admin').call(getGitInfo, { params })).rejects.toMatchObject({ reason: 'not-found' });
  expect(await state()).toBeUndefined();
});
