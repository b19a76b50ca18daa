import type { Handler } from '../../core/handler.ts';
import { defined } from '../../contract/values.ts';
import { listPage } from '../../core/listing.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { removeGitSync } from './removal.ts';
import { requestRun, saveRepository } from './request-run.ts';
import { gitRuns, gitSyncs, type GitSyncRow } from './rows.ts';
import { pointOf } from './rules.ts';
import { isWebAddress, shapeGitRun, withWebAddress } from './shape.ts';

export const getGitInfo: Handler<typeof contract.getGitInfo> = async ({ tx, space }) => {
  const sync = await requireGitSync(tx, space);
  const base = pointOf(sync.base, sync);
  return {
    ...(space.gitSync && withWebAddress(space.gitSync)),
    ...defined({
      repository: sync.url,
      ref: sync.ref,
      directory: sync.directory === '' ? undefined : sync.directory,
      commitUrl: sync.commitUrl !== undefined && isWebAddress(sync.commitUrl) ? sync.commitUrl : undefined,
      lastCommit: base?.commit,
      lastRevision: base?.revision,
    }),
  };
};

export const connectGitRepository: Handler<typeof contract.connectGitRepository> = async (
  context,
  { body },
) => {
  await saveRepository(context, body, 'remove');
};

export const disconnectGitRepository: Handler<typeof contract.disconnectGitRepository> = async ({
  tx,
  space,
}) => {
  await requireGitSync(tx, space, 'disconnect');
  await removeGitSync(tx, space.id);
};

/** @throws Problem(not-found) if the space has no repository */
async function requireGitSync(
  view: ReadTransaction,
  { id, title }: SpaceRow,
  verb?: 'disconnect',
): Promise<GitSyncRow> {
  const row = await view.get(gitSyncs, id);
  if (row !== undefined) return row;
  throw new Problem('not-found', `The space "${title}" is not synchronized with a git repository.`, {
    hint:
      verb === undefined
        ? `Synchronize it with \`docsctl spaces git-sync ${id} https://git.example.com/acme/docs.git --ref main\`.`
        : undefined,
  });
}

export const listGitRuns: Handler<typeof contract.listGitRuns> = ({ tx, space, caller }, { query }) =>
  listPage(tx, { table: gitRuns, index: 'bySpace', equals: [space.id] }, query, async (row) =>
    shapeGitRun(row, caller.user.id),
  );

export const importGitRepository: Handler<typeof contract.importGitRepository> = async (
  context,
  { body },
) => {
  const { force, standalone, ...rest } = body;
  await requestRun(context, {
    ...rest,
    direction: 'import',
    take: force === true ? 'repository' : undefined,
    isStandalone: standalone,
  });
};

export const exportToGitRepository: Handler<typeof contract.exportToGitRepository> = async (
  context,
  { body },
) => {
  const { force, ...rest } = body;
  await requestRun(context, { ...rest, direction: 'export', take: force === true ? 'space' : undefined });
};
