import { created, operation } from '../../../contract/operation.ts';
import { closed, oneOf, Type } from '../../../contract/schema.ts';
import { makeRedirectsField } from '../../site-redirects/schemas.ts';
import { GitSyncRun, Ref, repositoryFields, RepositoryUrl, Side } from '../schemas.ts';

export const syncGitRepository = operation({
  id: 'spaces.git-sync',
  route: 'POST /spaces/:spaceId/git/sync',
  summary: 'Synchronize a space with a branch of a git repository',
  description:
    'Queues a run that imports what the branch changed, merges it with what the space changed, and then commits the content of the space to the branch. Requires the create role. Without an address, the repository of the last run is used.',
  access: 'space.create',
  body: closed({
    url: Type.Optional(RepositoryUrl),
    ref: Type.Optional(Ref),
    ...repositoryFields,
    direction: Type.Optional(
      oneOf(['import', 'export', 'both'], { description: 'what to do (default: both)' }),
    ),
    take: Type.Optional(Side),
    ...makeRedirectsField,
    commitMessage: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 10_000,
        description: 'message of the commit (default: one that names the merged change requests)',
      }),
    ),
  }),
  returns: created(GitSyncRun),
  cli: { composite: true },
});
