import { expect } from 'vitest';
import { getContent } from '../../src/resources/content/space/contract.ts';
import { getContent as getRevision } from '../../src/resources/content/revision/contract.ts';
import {
  connectGitRepository,
  exportToGitRepository,
  getGitInfo,
  importGitRepository,
} from '../../src/resources/git-sync/contract.ts';
import * as spaces from '../../src/resources/spaces/contract.ts';
import { createBareRepository } from '../content-sync/git-sync/bare-repository.ts';
import { createSyncWorld, synchronize } from '../content-sync/git-sync/sync-support.ts';
import { createToken } from '../../src/resources/integration-installations/contract.ts';
import { embeddedApi } from '../../src/core/embedded.ts';
import { install, publish } from '../resources/integrations/support.ts';
import { openDesk, page } from '../resources/content-support.ts';
import { permissionIsKept, roles, type Bench, type Try } from './bench.ts';

const newSpace = async ({ call, org }: Bench) =>
  (await call(spaces.createSpace, org, { body: { title: 'Guide' } })).id;
const target = { url: 'https://git.example.com/acme/docs.git', ref: 'main' };

/** Synchronizes a space by an integration, and checks that the space names the integration. */
async function showsIntegration(
  bench: Bench,
  show: (spaceId: string) => Promise<{ readonly integration?: string } | undefined>,
): Promise<void> {
  const { world } = bench;
  const spaceId = await newSpace(bench);
  await publish(world, 'sync', { scopes: ['space:git:sync'] });
  const { id: installationId } = await install(world, 'sync');
  const { token } = await bench.call(createToken, { integrationName: 'sync', installationId });
  const api = embeddedApi(world.core, { kind: 'token', token });
  await api.call(importGitRepository, { params: { spaceId }, body: target });
  expect(await show(spaceId)).toMatchObject({ integration: 'sync', repoName: 'acme/docs' });
}

export const tries: readonly Try[] = [
  {
    of: 'space',
    fields: ['permissions.triggerGitSync'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      await permissionIsKept(
        roles.slice(0, -1),
        async (who) => (await bench.call(spaces.getSpace, { spaceId }, {}, who)).permissions.triggerGitSync,
        (who) =>
          bench.reason(exportToGitRepository, { spaceId }, { body: { ...target, commitMessage: 'x' } }, who),
      );
    },
  },
  {
    of: 'space',
    fields: ['gitSync.repoName', 'gitSync.installationProvider', 'gitSync.url', 'gitSync.updatedAt'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      expect(await bench.call(spaces.getSpace, { spaceId })).not.toHaveProperty('gitSync');
      const gitInfo = { provider: 'github', url: 'https://git.example.com/acme/docs/tree/main' };
      const body = { ...target, commitMessage: 'x' };
      await bench.call(exportToGitRepository, { spaceId }, { body: { ...body, gitInfo } });
      const info = await bench.call(getGitInfo, { spaceId });
      expect(info).toMatchObject({
        repoName: 'acme/docs',
        installationProvider: 'github',
        url: 'https://git.example.com/acme/docs/tree/main',
      });
      const { gitSync } = await bench.call(spaces.getSpace, { spaceId });
      expect(gitSync).toMatchObject({ repoName: 'acme/docs', installationProvider: 'github' });
      expect(info).toMatchObject(gitSync ?? {});
      bench.world.pass(60_000);
      await bench.call(exportToGitRepository, { spaceId }, { body });
      expect(await bench.call(getGitInfo, { spaceId })).toEqual(info);
      await bench.call(
        exportToGitRepository,
        { spaceId },
        { body: { ...body, gitInfo: { provider: 'gitlab' } } },
      );
      const later = await bench.call(getGitInfo, { spaceId });
      expect(later.installationProvider).toBe('gitlab');
      expect((later.updatedAt ?? '') > (info.updatedAt ?? '')).toBe(true);
    },
  },
  {
    of: 'spaces.git.info',
    fields: ['repoName', 'installationProvider', 'url', 'updatedAt'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      expect(await bench.reason(getGitInfo, { spaceId })).toBe('not-found');
      await bench.call(
        importGitRepository,
        { spaceId },
        { body: { ...target, gitInfo: { provider: 'github' } } },
      );
      const first = await bench.call(getGitInfo, { spaceId });
      expect(first).toMatchObject({ repoName: 'acme/docs', installationProvider: 'github' });
      const other = { url: 'https://git.example.com/acme/other.git', ref: 'main' };
      await bench.call(
        importGitRepository,
        { spaceId },
        { body: { ...other, repoTreeURL: 'https://x.test/tree' } },
      );
      const second = await bench.call(getGitInfo, { spaceId });
      expect(second).toMatchObject({ repoName: 'acme/other', url: 'https://x.test/tree' });
      expect(second).not.toHaveProperty('installationProvider');
      expect((second.updatedAt ?? '') > (first.updatedAt ?? '')).toBe(true);
    },
  },
  {
    of: 'spaces.git.info',
    fields: ['repository', 'ref', 'directory', 'commitUrl'],
    run: async (bench) => {
      const spaceId = await newSpace(bench);
      const settings = { repoProjectDirectory: '/docs/', repoCommitURL: 'https://git.example.com/commit' };
      const url = 'https://ana:pw@git.example.com/acme/docs.git';
      await bench.call(connectGitRepository, { spaceId }, { body: { ...target, url, ...settings } });
      const info = await bench.call(getGitInfo, { spaceId });
      expect(info).toMatchObject({
        repository: target.url,
        ref: 'refs/heads/main',
        directory: 'docs',
        commitUrl: 'https://git.example.com/commit',
      });
      await bench.call(connectGitRepository, { spaceId }, { body: { ...target, ref: 'v2' } });
      const later = await bench.call(getGitInfo, { spaceId });
      expect(later.ref).toBe('refs/heads/v2');
      expect(later).not.toHaveProperty('directory');
      expect(later).not.toHaveProperty('commitUrl');
    },
  },
  {
    of: 'spaces.git.info',
    fields: ['lastCommit', 'lastRevision'],
    run: async () => {
      const repository = createBareRepository();
      const world = await createSyncWorld();
      try {
        const desk = await openDesk(world);
        await desk.publish(page('Start'));
        const at = { params: { spaceId: desk.spaceId } };
        const body = { url: repository.url, ref: 'main' };
        await world.as('owner').call(connectGitRepository, { ...at, body });
        expect(await world.as('read').call(getGitInfo, at)).not.toHaveProperty('lastCommit');
        await synchronize(world, desk.spaceId, body);
        expect(await world.as('read').call(getGitInfo, at)).toMatchObject({
          lastCommit: repository.head(),
          lastRevision: (await desk.space()).revision,
        });
        // The new branch has no commit in common with the space yet.
        await world.as('owner').call(connectGitRepository, { ...at, body: { ...body, ref: 'next' } });
        expect(await world.as('read').call(getGitInfo, at)).not.toHaveProperty('lastCommit');
      } finally {
        repository.remove();
        await world.core.store.close();
      }
    },
  },
  {
    of: 'space',
    fields: ['gitSync.integration'],
    run: async (bench) =>
      showsIntegration(bench, async (spaceId) => (await bench.call(spaces.getSpace, { spaceId })).gitSync),
  },
  {
    of: 'spaces.git.info',
    fields: ['integration'],
    run: async (bench) => showsIntegration(bench, (spaceId) => bench.call(getGitInfo, { spaceId })),
  },
  {
    of: 'revision',
    fields: ['git.oid', 'git.message', 'git.createdByGitBook', 'git.url', 'git.ref'],
    run: async () => {
      const repository = createBareRepository();
      const world = await createSyncWorld();
      try {
        const desk = await openDesk(world);
        await desk.publish(page('Start'));
        const at = { params: { spaceId: desk.spaceId } };
        expect(await world.as('read').call(getContent, at)).not.toHaveProperty('git');
        const run = await synchronize(world, desk.spaceId, {
          url: repository.url,
          ref: 'main',
          commitMessage: 'Publish',
          repoCommitURL: 'https://git.example.com/acme/docs/commit/',
        });
        const revisionId = run.revision ?? '';
        expect(
          (await world.as('read').call(getRevision, { params: { ...at.params, revisionId } })).git,
        ).toEqual({
          oid: repository.head(),
          message: 'Publish',
          createdByGitBook: true,
          url: `https://git.example.com/acme/docs/commit/${repository.head()}`,
          ref: 'refs/heads/main',
        });
        const plain = { ...at, query: { metadata: false } };
        expect(await world.as('read').call(getContent, plain)).not.toHaveProperty('git');
      } finally {
        repository.remove();
        await world.core.store.close();
      }
    },
  },
];
