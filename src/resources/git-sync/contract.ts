import { listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, optional, Type } from '../../contract/schema.ts';
import { GitSyncInfo, GitSyncRun, Ref, repositoryFields, RepositoryUrl, Timestamp } from './schemas.ts';

export const nounHelp: NounHelp = {
  description:
    'You can synchronize a space with a branch of a git repository. `docsctl spaces git-sync` does this in both directions and shows each page that changed. The commands below are single operations of the API. The commands `import` and `export` queue a run: a server runs it automatically; on an embedded store, run `docsctl jobs run`.\n\ndocsctl remembers the last synchronized commit and revision, and merges the changes that were made on both sides since then. If there are conflicts, the import stays in an open change request.',
  examples: [
    'docsctl spaces git import Guide https://git.example.com/acme/docs.git --ref main && docsctl spaces git info Guide',
    'docsctl spaces git runs Guide',
  ],
};

const columns = ['direction', 'state', 'ref', 'commit', 'changeCount', 'completedAt', 'id'];

export const getGitInfo = operation({
  id: 'spaces.git.info',
  route: 'GET /spaces/:spaceId/git/info',
  summary: 'Show the git repository of a space, with its branch and the last synchronized commit',
  description:
    '`lastCommit` is the commit of the branch that was synchronized last, and `lastRevision` is the revision of the space with the same content. Exits with 5 if the space has no repository.',
  access: 'space.read',
  returns: ok(GitSyncInfo),
  cli: {
    columns: ['repository', 'ref', 'directory', 'lastCommit', 'lastRevision', 'updatedAt'],
    examples: [
      'docsctl spaces git import Guide https://git.example.com/acme/docs.git --ref main && docsctl spaces git info Guide',
    ],
  },
});

const { repoCacheID: _, ...settings } = repositoryFields;

export const connectGitRepository = operation({
  id: 'spaces.git.connect',
  route: 'PUT /spaces/:spaceId/git',
  summary: 'Set the git repository of a space, without synchronizing',
  description:
    'Replaces all settings of the synchronization. If the address stays the same, the credentials are kept. Afterwards, `docsctl spaces git-sync` needs only the space. On an embedded store, you can also give the path of a repository. On a server, the address must start with https and be on the public internet, unless the operator allows other addresses.',
  access: 'space.create',
  body: closed({ url: RepositoryUrl, ref: Ref, ...settings }),
  returns: noContent(),
  cli: {
    positional: ['spaceId', 'url'],
    several: false,
    examples: ['docsctl spaces git connect Guide https://git.example.com/acme/docs.git --ref main'],
  },
});

export const disconnectGitRepository = operation({
  id: 'spaces.git.disconnect',
  route: 'DELETE /spaces/:spaceId/git',
  summary: 'Remove the git repository of a space, with its credentials and runs',
  description:
    'The content of the space and the repository itself are not changed. Exits with 5 if the space has no repository.',
  access: 'space.create',
  returns: noContent(),
  cli: {
    examples: [
      'docsctl spaces git connect Guide https://git.example.com/acme/docs.git --ref main && docsctl spaces git disconnect Guide --yes',
    ],
  },
});

export const listGitRuns = operation({
  id: 'spaces.git.runs',
  route: 'GET /spaces/:spaceId/git/runs',
  summary: 'List the latest synchronizations of a space with its repository',
  description: 'The oldest run comes first. The last 20 finished runs are kept.',
  access: 'space.read',
  returns: listOf(GitSyncRun),
  cli: { columns, examples: ['docsctl spaces git runs Guide'] },
});

export const importGitRepository = operation({
  id: 'spaces.git.import',
  route: 'POST /spaces/:spaceId/git/import',
  summary: 'Queue an import of a branch into a space',
  description:
    'The changes on the branch since the last synchronization are merged with the changes in the space. If there is a conflict, if a merge rule is not met, or if the space is locked, the changes stay in an open change request. Changes also stay there if they would delete at least 10 pages and more than half of all pages, or change pages of a space that was never synchronized with the branch. The import runs as a job: a server runs it automatically; on an embedded store, run `docsctl jobs run`. `docsctl spaces git runs` shows the result. On a server, the address must start with https and be on the public internet, unless the operator allows other addresses.',
  access: 'space.create',
  body: closed({
    url: RepositoryUrl,
    ref: Ref,
    ...repositoryFields,
    ...optional({
      timestamp: Timestamp,
      force: Type.Boolean({ description: 'let the repository win where both sides changed the same lines' }),
      standalone: Type.Boolean({ description: 'leave the changes in a change request, and do not merge it' }),
    }),
  }),
  returns: noContent(),
  cli: {
    positional: ['spaceId', 'url'],
    several: false,
    examples: ['docsctl spaces git import Guide https://git.example.com/acme/docs.git --ref main'],
  },
});

export const exportToGitRepository = operation({
  id: 'spaces.git.export',
  route: 'POST /spaces/:spaceId/git/export',
  summary: 'Queue a commit of the content of a space to a branch',
  description:
    'Fails if the branch has commits that were not imported, unless `force` is given. The history of the branch is always kept: the commit is made on top of it. The export runs as a job: a server runs it automatically; on an embedded store, run `docsctl jobs run`. `docsctl spaces git runs` shows the result.',
  access: 'space.create',
  body: closed({
    url: RepositoryUrl,
    ref: Ref,
    commitMessage: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'message of the commit that the export makes',
    }),
    ...repositoryFields,
    timestamp: Type.Optional(Timestamp),
    force: Type.Optional(
      Type.Boolean({
        description: 'also replace what the repository changed since the last synchronization',
      }),
    ),
  }),
  returns: noContent(),
  cli: {
    positional: ['spaceId', 'url'],
    several: false,
    examples: [
      'docsctl spaces git export Guide https://git.example.com/acme/docs.git --ref main --commit-message "Publish the guide"',
    ],
  },
});
