import type { Handler } from '../../../core/handler.ts';
import { Problem } from '../../../errors/problem.ts';
import { branchRef, projectDirectory } from '../repository-address.ts';
import { requestRun } from '../request-run.ts';
import { gitSyncs } from '../rows.ts';
import { shapeGitRun } from '../shape.ts';
import type * as contract from './contract.ts';

export const syncGitRepository: Handler<typeof contract.syncGitRepository> = async (context, { body }) => {
  const known = await context.tx.get(gitSyncs, context.space.id);
  const { url = known?.url, ref = known?.ref, direction = 'both' } = body;
  if (url === undefined || ref === undefined)
    throw new Problem('invalid-input', `The space "${context.space.title}" has no repository yet.`, {
      hint: `Give the address and the branch of a repository, for example \`docsctl spaces git-sync ${context.space.id} https://git.example.com/acme/docs.git --ref main\`.`,
    });
  const isKnown = body.url === undefined;
  const repoProjectDirectory = body.repoProjectDirectory ?? (isKnown ? known?.directory : undefined);
  // A person with access to the store allowed one branch and one folder of a local repository, and nothing else.
  const isAllowed =
    isKnown &&
    known?.isLocal === true &&
    branchRef(ref) === known.ref &&
    projectDirectory(repoProjectDirectory) === known.directory;
  return shapeGitRun(
    await requestRun(context, {
      ...body,
      url,
      ref,
      direction,
      repoProjectDirectory,
      isLocal: isAllowed,
    }),
    context.caller.user.id,
  );
};
