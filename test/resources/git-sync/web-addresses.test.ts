import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { revisions } from '../../../src/core/rows/revisions.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import {
  connectGitRepository,
  exportToGitRepository,
  getGitInfo,
  importGitRepository,
} from '../../../src/resources/git-sync/contract.ts';
import { gitSyncs } from '../../../src/resources/git-sync/rows.ts';
import { createSpace, getSpace } from '../../../src/resources/spaces/contract.ts';
import { createWorld, type World } from '../../support/world.ts';
import { callsIn } from '../calls.ts';

let world: World;
const { call, reason } = callsIn(() => world);
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.core.store.close());

const target = { url: 'https://git.example.com/acme/docs.git', ref: 'main' };
const script = 'javascript:alert(1)';
const bad = [
  script,
  'JavaScript://example.com/%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'ftp://example.com',
];

describe('web addresses of repositories', () => {
  it('must start with http or https in every request', async () => {
    const { id: spaceId } = await call(
      createSpace,
      { organizationId: world.org },
      { body: { title: 'Guide' } },
    );
    const requests = [
      [connectGitRepository, target],
      [importGitRepository, target],
      [exportToGitRepository, { ...target, commitMessage: 'x' }],
    ] as const;
    for (const [operation, body] of requests)
      for (const url of bad)
        for (const fields of [{ gitInfo: { url } }, { repoTreeURL: url }, { repoCommitURL: url }])
          expect(
            await reason(operation, { spaceId }, { body: { ...body, ...fields } }),
            `${operation.id} ${JSON.stringify(fields)}`,
          ).toBe('invalid-input');
    expect(await reason(getGitInfo, { spaceId })).toBe('not-found');
    const url = 'HTTPS://git.example.com/acme/docs/tree/main';
    await call(connectGitRepository, { spaceId }, { body: { ...target, gitInfo: { url } } });
    expect(await call(getGitInfo, { spaceId })).toMatchObject({ url });
  });

  it('are refused if their credentials cannot be decoded', async () => {
    const { id: spaceId } = await call(
      createSpace,
      { organizationId: world.org },
      { body: { title: 'Guide' } },
    );
    for (const credentials of ['%zz', 'ana:%ff'])
      for (const [operation, more] of [
        [connectGitRepository, {}],
        [importGitRepository, {}],
        [exportToGitRepository, { commitMessage: 'x' }],
      ] as const) {
        const url = `https://${credentials}@git.example.com/acme/docs.git`;
        await expect(call(operation, { spaceId }, { body: { ...target, url, ...more } })).rejects.toThrow(
          expect.objectContaining({
            reason: 'invalid-input',
            violations: [expect.objectContaining({ path: '/body/url' })],
          }),
        );
      }
    expect(await reason(getGitInfo, { spaceId })).toBe('not-found');
  });

  it('are omitted from answers if an earlier version stored invalid ones', async () => {
    const { id: spaceId, revision } = await call(
      createSpace,
      { organizationId: world.org },
      { body: { title: 'Guide' } },
    );
    await call(connectGitRepository, { spaceId }, { body: target });
    const shown = { repoName: 'acme/docs', updatedAt: '2026-01-01T00:00:00.000Z' };
    await world.core.store.write(async (tx) => {
      await tx.update(spaces, spaceId, { gitSync: { ...shown, url: script } });
      await tx.update(gitSyncs, spaceId, { commitUrl: script });
      const git = { oid: 'a'.repeat(40), message: 'x', createdByGitBook: false, ref: 'refs/heads/main' };
      await tx.update(revisions, revision, { git: { ...git, url: script } });
    });
    expect((await call(getSpace, { spaceId })).gitSync).toEqual(shown);
    const info = await call(getGitInfo, { spaceId });
    expect(info).toMatchObject({ ...shown, repository: target.url });
    expect(info).not.toHaveProperty('url');
    expect(info).not.toHaveProperty('commitUrl');
    const { git } = await call(getContent, { spaceId });
    expect(git).toMatchObject({ message: 'x' });
    expect(git).not.toHaveProperty('url');
  });
});

it.each(['ftp://example.com/a.git', 'http://example.com/a.git', 'git://example.com/a.git', 'ext::sh -c x'])(
  'a repository address is refused if it is %s',
  async (url) => {
    const { id: spaceId } = await call(createSpace, { organizationId: world.org }, { body: {} });
    for (const isOwner of [true, false])
      await expect(
        (isOwner ? world.as('owner') : world.as('admin')).call(connectGitRepository, {
          params: { spaceId },
          body: { ...target, url: url.replaceAll(' ', '') },
        }),
      ).rejects.toMatchObject({
        reason: 'invalid-input',
        message: `The address of a repository cannot begin with ${url.replace(/:.*$/, '')}:.`,
      });
  },
);
