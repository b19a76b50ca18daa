import { movedRedirects } from '../site-redirects/schemas.ts';
import { closed, DateTime, Id, oneOf, optional, Type, WebUrl } from '../../contract/schema.ts';

/** The repository that a space shows (`GitSyncState` of the published API). */
export const GitSyncState = closed(
  optional({
    repoName: Type.String({ description: 'name of the repository' }),
    installationProvider: oneOf(['github', 'gitlab', 'github-legacy'], {
      description: 'provider of the repository',
    }),
    integration: Type.String({ description: 'integration that synchronizes the space' }),
    url: Type.String({
      description: 'web address of the documentation in the repository, to which pages link',
    }),
    updatedAt: DateTime,
  }),
);

/** The repository of a space with its settings, without credentials. Only the first fields are in the published API. */
export const GitSyncInfo = closed({
  ...GitSyncState.properties,
  repository: Type.String({ description: 'address of the repository, without credentials' }),
  ref: Type.String({ description: 'branch, such as refs/heads/main' }),
  ...optional({
    directory: Type.String({
      description: 'folder of the repository that holds the documentation; absent: all of it',
    }),
    commitUrl: Type.String({
      description: 'web address of the commits of the repository; the ID of a commit is added to it',
    }),
    lastCommit: Type.String({
      description: 'commit of the branch that was synchronized last; absent before the first',
    }),
    lastRevision: {
      ...Id,
      description: 'revision of the space with the content of this commit',
    },
  }),
});

/** The commit that a revision was imported from or exported to. */
export const GitSyncCommit = closed({
  oid: Type.String(),
  message: Type.String(),
  createdByGitBook: Type.Boolean(),
  url: Type.Optional(Type.String()),
  ref: Type.Optional(Type.String()),
});

export const Ref = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'branch, such as main or refs/heads/main',
});

export const Side = oneOf(['space', 'repository'], {
  description: 'side that wins where both sides changed the same lines',
});

/** A page, file or other text that a run changed. */
const RunChange = closed({
  direction: oneOf(['import', 'export']),
  change: oneOf(['added', 'changed', 'deleted']),
  kind: oneOf(['page', 'file', 'text']),
  name: Type.String(),
});

/** One run of a synchronization. Not in the published API. */
export const GitSyncRun = closed({
  object: Type.Literal('git-sync-run'),
  id: Id,
  direction: oneOf(['import', 'export', 'both']),
  state: oneOf(['waiting', 'running', 'success', 'failure']),
  repository: Type.String({ description: 'address of the repository, without credentials' }),
  ref: Type.String(),
  createdAt: DateTime,
  ...optional({
    startedAt: DateTime,
    completedAt: DateTime,
    commit: Type.String({ description: 'commit that both sides have in common now' }),
    revision: Id,
    changeRequest: Type.Integer({
      minimum: 1,
      description: 'number of the change request with the imported changes',
    }),
  }),
  changes: Type.Array(RunChange, { description: 'up to 500 changes' }),
  changeCount: Type.Integer({ minimum: 0, description: 'number of all changes' }),
  ...movedRedirects,
  warnings: Type.Array(Type.String(), { description: 'up to 30 warnings about files of the repository' }),
  problem: Type.Optional(
    closed({ reason: Type.String(), message: Type.String(), hint: Type.Optional(Type.String()) }),
  ),
});

/** A URL that clients show as a link, so it must not be able to run a script. */
const linkedUrl = (description: string): typeof WebUrl => ({ ...WebUrl, description });

/** The common fields of an import, an export and a synchronization. */
export const repositoryFields = optional({
  repoCacheID: Type.String({
    maxLength: 255,
    description: 'no effect: every run fetches the commit that it needs',
  }),
  repoTreeURL: linkedUrl(
    'web address of the documentation in the repository, to which pages link, such as https://git.example.com/acme/docs/tree/main',
  ),
  repoCommitURL: linkedUrl(
    'web address of the commits of the repository, such as https://git.example.com/acme/docs/commit; the ID of a commit is added to it',
  ),
  repoProjectDirectory: Type.String({
    maxLength: 1024,
    description: 'folder of the repository that holds the documentation (default: the whole repository)',
  }),
  gitInfo: closed(
    optional({
      provider: oneOf(['github', 'gitlab'], { description: 'provider of the repository' }),
      url: linkedUrl(
        'web address of the folder of the repository, such as https://git.example.com/acme/docs/tree/main',
      ),
    }),
    {
      description:
        'provider of the repository; url overrides the web address of the documentation in the repository',
    },
  ),
});

export const RepositoryUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'address of the repository, which may contain a user name and password; they are encrypted and never shown',
});

export const Timestamp = Type.String({
  format: 'date-time',
  description:
    'time of the event that caused the run (default: now); queued runs start in the order of these times',
});
