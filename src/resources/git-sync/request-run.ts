import { defined } from '../../contract/values.ts';
import type { RequestContext, ResourceScope } from '../../core/handler.ts';
import { enqueue } from '../../core/jobs.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows, type WriteTransaction } from '../../core/store.ts';
import {
  branchRef,
  checkScheme,
  projectDirectory,
  repositoryName,
  splitCredentials,
} from './repository-address.ts';
import { credentialsOf } from './rules.ts';
import {
  gitRuns,
  gitSyncJobKind,
  gitSyncs,
  type FormerRepository,
  type GitRunRow,
  type GitSyncRow,
  type GitTarget,
} from './rows.ts';

const maxKeptRuns = 20;

interface RunContext extends RequestContext, ResourceScope {
  readonly tx: WriteTransaction;
  readonly space: SpaceRow;
}

interface RunRequest {
  readonly url: string;
  readonly ref: string;
  readonly direction: GitRunRow['direction'];
  readonly take?: GitRunRow['take'];
  readonly isStandalone?: boolean | undefined;
  readonly redirects?: boolean;
  readonly commitMessage?: string;
  readonly repoProjectDirectory?: string | undefined;
  readonly repoTreeURL?: string;
  readonly repoCommitURL?: string;
  readonly timestamp?: string;
  readonly gitInfo?: { readonly provider?: 'github' | 'gitlab'; readonly url?: string };
  /** Whether the address was set earlier by someone with access to the store. */
  readonly isLocal?: boolean;
}

/** The fields of a request that describe a repository. */
type RepositoryRequest = Pick<
  RunRequest,
  'url' | 'ref' | 'repoProjectDirectory' | 'repoTreeURL' | 'repoCommitURL' | 'gitInfo' | 'isLocal'
>;

/** Saves the settings of a synchronization, and queues a run. */
export async function requestRun(context: RunContext, request: RunRequest): Promise<GitRunRow> {
  const { tx, space, organization, now, caller } = context;
  const before = await tx.get(gitSyncs, space.id);
  const { target, isLocal, credentials, commitUrl } = await saveRepository(context, request, 'keep');
  const row: GitRunRow = {
    id: context.newId('gsr'),
    space: space.id,
    organization: organization.id,
    ...target,
    direction: request.direction,
    isLocal,
    ...defined({
      credentials,
      commitUrl,
      take: request.take,
      isStandalone: request.isStandalone,
      message: request.commitMessage,
      makesRedirects: request.redirects,
      former: before === undefined || isSameTarget(before, target) ? undefined : formerOf(before, space),
    }),
    maxRole: caller.maxRole,
    requestedBy: caller.user.id,
    byMember: caller.owner || caller.integration !== undefined ? undefined : true,
    queue: 'open',
    at: request.timestamp === undefined ? now : new Date(request.timestamp).toISOString(),
    state: 'waiting',
    createdAt: now,
    changes: [],
    changeCount: 0,
    warnings: [],
  };
  await tx.insert(gitRuns, row);
  await removeOldRuns(tx, space.id);
  await enqueue(tx, now, { kind: gitSyncJobKind, organization: organization.id, subject: space.id });
  return row;
}

function isSameTarget(one: GitTarget, other: GitTarget): boolean {
  return one.url === other.url && one.ref === other.ref && one.directory === other.directory;
}

function formerOf(
  { url, ref, directory, isLocal, credentials, commitUrl }: GitSyncRow,
  { gitSync }: SpaceRow,
): FormerRepository {
  return { url, ref, directory, isLocal, credentials, commitUrl, shown: gitSync };
}

/**
 * Restores the former repository after a run that could not read another one. Does nothing if a third repository was set
 * meanwhile.
 */
export async function restoreRepository(
  tx: WriteTransaction,
  { space: spaceId, former, ...run }: GitRunRow,
): Promise<void> {
  const now = await tx.get(gitSyncs, spaceId);
  const space = await tx.get(spaces, spaceId);
  if (former === undefined || now === undefined || space === undefined || !isSameTarget(now, run)) return;
  const { shown, ...repository } = former;
  await tx.update(gitSyncs, spaceId, repository);
  await tx.update(spaces, spaceId, { gitSync: shown });
}

/**
 * Saves the repository of a space. Fields that the request leaves out are kept if `unstated` is `keep` and the address is
 * unchanged; otherwise they are removed. Credentials are kept for an unchanged address in both cases.
 *
 * @throws Problem(forbidden) for an address that callers of a server may not use
 */
export async function saveRepository(
  context: RunContext,
  request: RepositoryRequest,
  unstated: 'keep' | 'remove',
): Promise<Required<Pick<GitRunRow, 'isLocal' | 'credentials' | 'commitUrl'>> & { target: GitTarget }> {
  const { tx, space, organization, now, caller, vault } = context;
  const isOwner = caller.owner || caller.signedInTo === 'all';
  const isLocal = isOwner || request.isLocal === true;
  const address = splitCredentials(request.url);
  const target = {
    url: address.url,
    ref: branchRef(request.ref),
    directory: projectDirectory(request.repoProjectDirectory),
  };
  if (!isLocal) checkScheme(target.url);
  if (!isLocal && target.url.toLowerCase().startsWith('https:')) await context.checkAddress(target.url);
  const known = await tx.get(gitSyncs, space.id);
  const same = known?.url === target.url ? known : undefined;
  const credentials =
    address.credentials === undefined
      ? same?.credentials
      : await vault.seal(address.credentials, credentialsOf(space.id));
  const commitUrl = request.repoCommitURL ?? (unstated === 'keep' ? same?.commitUrl : undefined);
  const settings = { ...target, isLocal, credentials, commitUrl, updatedAt: now };
  if (known === undefined)
    await tx.insert(
      gitSyncs,
      defined({ id: space.id, space: space.id, organization: organization.id, ...settings }),
    );
  else await tx.update(gitSyncs, space.id, settings);
  await showRepository(context, same !== undefined && unstated === 'keep', request, target.url);
  return { target, isLocal, credentials, commitUrl };
}

async function showRepository(
  { tx, space, now, caller }: RunContext,
  isKept: boolean,
  { gitInfo, repoTreeURL }: RepositoryRequest,
  url: string,
): Promise<void> {
  const before = isKept ? space.gitSync : undefined;
  const gitSync = defined({
    repoName: repositoryName(url),
    installationProvider: gitInfo?.provider ?? before?.installationProvider,
    integration: caller.integration?.name ?? before?.integration,
    url: gitInfo?.url ?? repoTreeURL ?? before?.url,
  });
  const { updatedAt, ...unchanged } = space.gitSync ?? {};
  if (updatedAt !== undefined && JSON.stringify(unchanged) === JSON.stringify(gitSync)) return;
  await tx.update(spaces, space.id, { gitSync: { ...gitSync, updatedAt: now } });
}

/** Cancels the waiting runs of a space. */
export async function cancelRuns(
  tx: WriteTransaction,
  spaceId: string,
  now: string,
  problem: NonNullable<GitRunRow['problem']>,
): Promise<void> {
  // The newest run comes first, so that the repository before the oldest run is restored last.
  for (const row of (await collectRows(tx, gitRuns, 'byQueue', [spaceId, 'open'])).toReversed()) {
    await restoreRepository(tx, row);
    await tx.update(gitRuns, row.id, {
      queue: 'done',
      former: undefined,
      state: 'failure',
      completedAt: now,
      problem,
    });
  }
}

async function removeOldRuns(tx: WriteTransaction, spaceId: string): Promise<void> {
  const done = await collectRows(tx, gitRuns, 'byQueue', [spaceId, 'done']);
  for (const { id } of done.slice(0, Math.max(0, done.length - maxKeptRuns))) await tx.remove(gitRuns, id);
}
