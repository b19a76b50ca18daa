import { Option } from 'commander';
import type { OutputOf } from '../../../contract/operation.ts';
import { defined, plural } from '../../../contract/values.ts';
import { reasonNamed } from '../../../errors/catalog.ts';
import { Problem } from '../../../errors/problem.ts';
import { getGitInfo, listGitRuns } from '../../../resources/git-sync/contract.ts';
import { syncGitRepository } from '../../../resources/git-sync/sync/contract.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { createByMerge, noteMoved } from '../../results/moved-redirects.ts';
import { resolveName } from '../../names/names.ts';
import { repositoryAddress } from '../../input/repository-address.ts';
import { printRequests } from '../../results/print-results.ts';
import type { Session } from '../../session/session.ts';
import { waitForJob } from '../../session/wait.ts';
import { parseUrl } from '../../../contract/parse-url.ts';

interface Options {
  readonly ref?: string;
  readonly root?: string;
  readonly direction?: 'import' | 'export' | 'both';
  readonly take?: 'space' | 'repository';
  readonly message?: string;
  readonly commitUrl?: string;
  readonly redirects?: boolean;
}

type Run = OutputOf<typeof syncGitRepository>;

const credentialsVariable = 'DOCSCTL_GIT_CREDENTIALS';

export const help: CommandHelp = {
  description: `
Imports the changes on the branch since the last synchronization, merges them with the changes in the space, and then
commits the content of the space to the branch. The output lists each page that changed. If nothing differs, nothing
is changed on either side.

The import creates a change request and merges it. The change request stays open if both sides changed the same lines,
if a merge rule is not met, or if the space is locked (exit 6). It also stays open if the import would delete at least 10
pages and more than half of all pages, or change pages of a space that was never synchronized with the branch (exit 9).
In these cases, nothing is exported. Merge the change request with \`docsctl change-requests merge\`, then synchronize
again. --take resolves all conflicts in favor of one side, and merges such an import. If the space was never synchronized
with the branch, --take space archives the import instead, and replaces the documentation in the branch.

If the import moves pages that a published site shows, the output lists the redirects that their old paths need. With
--redirects, the merge also creates them.

The commit is added on top of the branch; docsctl never forces a push, does not touch files of the
repository that are not documentation, and runs no hooks. A server accepts only https addresses, unless its operator allows other addresses.
On an embedded store, you can also give the path of a repository.

Put the user name and password of an https repository into ${credentialsVariable} as USER:PASSWORD. They are encrypted in the
store and never shown. The address, branch and folder are remembered, so later runs need only the space.

Requires the create role.
`,
  examples: [
    'git init --quiet --bare docs.git && docsctl spaces git-sync Guide ./docs.git --ref main',
    'docsctl spaces git-sync Guide https://git.example.com/acme/docs.git --root handbook --dry-run',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .argument('[repository]', 'address or path of the repository (default: the repository of the last run)')
    .option('--ref <branch>', 'branch (default: the branch of the last run, or main)')
    .option(
      '--root <folder>',
      'folder of the repository that holds the documentation (default: the folder of the last run, or the whole repository)',
    )
    .addOption(
      new Option(
        '--direction <direction>',
        'import from the branch, export to it, or both (default: both)',
      ).choices(['import', 'export', 'both']),
    )
    .addOption(
      new Option('--take <side>', 'side that wins where both sides changed the same lines').choices([
        'space',
        'repository',
      ]),
    )
    .option('--message <text>', 'message of the commit (default: one that names the merged change requests)')
    .option('--commit-url <url>', 'web address of the commits of the repository, to which revisions link')
    .option('--redirects', 'redirect the old paths of moved pages on published sites to the new ones')
    .action(inSession(synchronize));
};

async function synchronize(
  session: Session,
  space: string | undefined,
  repository: string | undefined,
  options: Options,
): Promise<void> {
  if (space === undefined)
    throw new Problem('usage', 'A synchronization needs a space.', {
      hint: 'Give the space and a repository, for example `docsctl spaces git-sync Guide https://git.example.com/acme/docs.git`.',
    });
  const params = { spaceId: await resolveName(session, 'spaceId', space) };
  const url = repository === undefined ? undefined : await addressOf(session, repository);
  const body = defined({
    url,
    ref: options.ref ?? (url === undefined ? undefined : 'main'),
    repoProjectDirectory: options.root,
    repoCommitURL: options.commitUrl,
    direction: options.direction,
    take: options.take,
    commitMessage: options.message,
    redirects: options.redirects,
  });
  if (session.flags.dryRun === true) return printRequests(session, syncGitRepository, [params], { body });
  const known =
    url === undefined && session.runtime.env[credentialsVariable] ? await readTarget(session, params) : {};
  const target = { ...known, ...body };
  const { id } = await session.call(syncGitRepository, {
    params,
    body: target.url === undefined ? body : { ...target, url: withCredentials(session, target.url) },
  });
  const run = await waitForRun(session, params, id);
  await printRun(session, run, space);
  if (run.problem === undefined) return;
  const { reason, message, hint } = run.problem;
  throw new Problem(reasonNamed(reason) ?? 'unexpected', message, { hint });
}

/** @throws Problem(invalid-input) for an address with credentials, and the problems of `repositoryAddress` */
async function addressOf(session: Session, repository: string): Promise<string> {
  if (/^https?:\/\/[^/]*@/i.test(repository))
    throw new Problem('invalid-input', 'The address of the repository contains credentials.', {
      hint: `Leave the credentials out, because other users of this machine can see arguments. Set ${credentialsVariable}=USER:PASSWORD instead.`,
    });
  return repositoryAddress(session, repository);
}

/** Returns the repository of the last run if credentials can be sent to it. */
async function readTarget(
  session: Session,
  params: { spaceId: string },
): Promise<{ url?: string; ref?: string; repoProjectDirectory?: string }> {
  const {
    repository = '',
    ref,
    directory,
  } = await session.call(getGitInfo, { params }).catch((error: unknown) => {
    // The request returns a helpful error for a space without a repository.
    if (error instanceof Problem && error.reason === 'not-found') return {} as OutputOf<typeof getGitInfo>;
    throw error;
  });
  return /^https:/i.test(repository)
    ? defined({ url: repository, ref, repoProjectDirectory: directory })
    : {};
}

/** Adds the credentials in the environment to an https URL. @throws Problem(invalid-input) */
function withCredentials({ runtime }: Session, text: string): string {
  const given = runtime.env[credentialsVariable];
  const url = /^https:/i.test(text) ? parseUrl(text) : undefined;
  if (given === undefined || given === '' || url === undefined) return text;
  const colon = given.indexOf(':');
  if (colon === -1)
    throw new Problem('invalid-input', `The value of ${credentialsVariable} has no colon.`, {
      hint: `Write it like ${credentialsVariable}=USER:PASSWORD. If PASSWORD is a token, the git provider says which USER belongs to it.`,
    });
  url.username = encodeURIComponent(given.slice(0, colon));
  url.password = encodeURIComponent(given.slice(colon + 1));
  return url.href;
}

async function waitForRun(session: Session, params: { spaceId: string }, id: string): Promise<Run> {
  const api = await session.api();
  const find = async (signal: AbortSignal): Promise<Run | undefined> => {
    const { items } = await api.call(listGitRuns, { params, query: { limit: 1000 } }, { signal });
    return items.find((run) => run.id === id);
  };
  const run = await waitForJob(session, {
    kind: 'git-sync',
    subject: params.spaceId,
    read: find,
    isDone: (found) => found?.state !== 'waiting' && found?.state !== 'running',
    describe: (found) => found?.state ?? '',
    command: `docsctl spaces git runs ${params.spaceId}`,
  });
  if (run !== undefined) return run;
  throw new Problem('not-found', 'The run is no longer listed.', {
    hint: `To see the latest runs, run \`docsctl spaces git runs ${params.spaceId}\`.`,
  });
}

/** Prints a run as data, or its changes as a table, with a verdict. */
async function printRun(session: Session, run: Run, space: string): Promise<void> {
  const { note, format } = session;
  for (const warning of run.warnings) note(`warning: ${warning}`);
  if (['json', 'yaml', 'ndjson', 'id'].includes(format)) await session.print(run);
  else if (run.changes.length > 0)
    await session.printAll(run.changes, {
      columns: ['direction', 'change', 'kind', 'name'],
      noun: 'changes',
    });
  const more = run.changeCount - run.changes.length;
  if (more > 0) note(`… and ${more} more changes.`);
  const { changeRequest: merged } = run;
  noteMoved(session, run.redirects ?? [], merged === undefined ? merged : createByMerge(merged, space));
  if (run.problem !== undefined) return;
  const branch = `the branch is at ${(run.commit ?? '').slice(0, 12)}.`;
  const imported =
    run.changeRequest === undefined ? '' : ` The import is change request ${run.changeRequest}.`;
  if (run.changeCount > 0) note(`Synchronized: ${plural(run.changeCount, 'change')}; ${branch}${imported}`);
  // An earlier run already listed the changes of the import.
  else if (run.changeRequest !== undefined)
    note(`Merged change request ${run.changeRequest}, an import that was waiting; ${branch}`);
  else note('Nothing to synchronize: the space and the branch are the same.');
}
