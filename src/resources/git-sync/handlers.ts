import type { Handler } from '../../core/handler.ts';
import { listPage } from '../../core/listing.ts';
import { Problem } from '../../errors/problem.ts';
import type * as contract from './contract.ts';
import { requestRun } from './request-run.ts';
import { gitRuns } from './rows.ts';
import { shapeGitRun } from './shape.ts';

export const getGitInfo: Handler<typeof contract.getGitInfo> = async ({ space }) => {
  if (space.gitSync === undefined)
    throw new Problem('not-found', `The space "${space.title}" is not synchronized with a git repository.`, {
      hint: `Synchronize it with \`docsctl spaces git-sync ${space.id} https://git.example.com/acme/docs.git --ref main\`.`,
    });
  return space.gitSync;
};

export const listGitRuns: Handler<typeof contract.listGitRuns> = ({ tx, space }, { query }) =>
  listPage(tx, { table: gitRuns, index: 'bySpace', equals: [space.id] }, query, async (row) =>
    shapeGitRun(row),
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
