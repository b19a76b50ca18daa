import { closed, nullable } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import { orUndefined } from '../../errors/problem.ts';
import {
  connectGitRepository,
  disconnectGitRepository,
  getGitInfo,
} from '../../resources/git-sync/contract.ts';
import type { Backend, Body, Call, Field, Located } from '../kind.ts';
import { callFor } from './fields.ts';

interface StatedRepository {
  readonly repository: string;
  /** The name of the branch, without refs/heads/. */
  readonly branch: string;
  readonly directory?: string;
  readonly treeUrl?: string;
  readonly commitUrl?: string;
  readonly provider?: 'github' | 'gitlab';
}

const body = connectGitRepository.body.properties;

/** The git repository that a space is synchronized with, without its credentials. */
export function gitSyncField<R extends Body>(): Field<R> {
  return {
    schema: nullable(
      closed({
        repository: { ...body.url, description: 'address of the repository, without user name and password' },
        branch: { ...body.ref, description: 'branch, such as main' },
        directory: body.repoProjectDirectory,
        treeUrl: body.repoTreeURL,
        commitUrl: body.repoCommitURL,
        provider: body.gitInfo.properties.provider,
      }),
      {
        description:
          'git repository that the space is synchronized with; null: none. Apply saves the repository, and `docsctl spaces git-sync` synchronizes the space with it',
      },
    ),
    call: 'gitSync',
    isIndependent: true,
    default: null,
    belongsToOne: true,
    fetch: readRepository,
    normalize: (value) => normalize(value as StatedRepository),
    check: (value, _, fault) => {
      const { repository } = value as StatedRepository;
      if (/^https?:\/\/[^/]*@/i.test(repository))
        fault(
          'the address contains a user name or password; leave them out, and synchronize once with DOCSCTL_GIT_CREDENTIALS',
          ['repository'],
        );
    },
  };
}

/** Sets the repository of a space, or removes it. */
export const gitSyncCall: Call = {
  send: async (backend, at, { gitSync }) => {
    if (gitSync === null) return callFor(backend, disconnectGitRepository, at);
    const { repository, branch, directory, treeUrl, commitUrl, provider } = gitSync as StatedRepository;
    const values = { repoProjectDirectory: directory, repoTreeURL: treeUrl, repoCommitURL: commitUrl };
    const gitInfo = provider === undefined ? undefined : { provider };
    await callFor(backend, connectGitRepository, at, {
      url: repository,
      ref: branch,
      ...defined({ ...values, gitInfo }),
    });
  },
};

async function readRepository(backend: Backend, at: Located): Promise<StatedRepository | null> {
  const info = await orUndefined(callFor(backend, getGitInfo, at), 'not-found');
  if (info === undefined) return null;
  const { repository, ref, directory, url: treeUrl, commitUrl, installationProvider } = info;
  const provider = installationProvider === 'github-legacy' ? 'github' : installationProvider;
  return normalize(defined({ repository, branch: ref, directory, treeUrl, commitUrl, provider }));
}

function normalize({ branch, directory, ...repository }: StatedRepository): StatedRepository {
  const folder = (directory ?? '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return {
    ...repository,
    branch: branch.replace(/^refs\/heads\//, ''),
    ...(folder === '' ? {} : { directory: folder }),
  };
}
