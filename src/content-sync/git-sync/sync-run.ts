import type { Api } from '../../contract/api.ts';
import { defined } from '../../contract/values.ts';
import { roleOfMember } from '../../core/authorize.ts';
import type { WriteContext } from '../../core/handler.ts';
import type { JobContext } from '../../core/jobs.ts';
import { can } from '../../core/permissions.ts';
import { memberId, members, organizations, users, type UserRow } from '../../core/rows/organizations.ts';
import { revisions, type RevisionCommit } from '../../core/rows/revisions.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { getExisting, type ReadTransaction, type WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import {
  gitSyncs,
  type GitRunChange,
  type GitRunRow,
  type GitSyncRow,
  type GitTarget,
  type SyncPoint,
} from '../../resources/git-sync/rows.ts';

/** The results of a run so far. */
export interface RunReport {
  readonly changes: GitRunChange[];
  readonly warnings: string[];
  redirects?: GitRunRow['redirects'];
  commit?: string;
  revision?: string;
  changeRequest?: { readonly id: string; readonly number: number };
}

/** A run in progress. */
export interface SyncRun {
  readonly job: JobContext;
  /** Reads the content of the space. */
  readonly api: Api;
  readonly run: GitRunRow;
  /** The member who requested the run. Changes are made in their name. */
  readonly author: UserRow;
  readonly report: RunReport;
  /** The revision of the last synchronization before this run. */
  readonly since: string | undefined;
}

/** The current rows of a space and its synchronization. */
interface SyncState {
  readonly space: SpaceRow;
  readonly sync: GitSyncRow;
}

/** Reads the space and its synchronization. @throws Problem(not-found) if the space was deleted meanwhile */
export async function readState(view: ReadTransaction, { run }: SyncRun): Promise<SyncState> {
  const space = await view.get(spaces, run.space);
  if (space?.state !== 'live') throw deletedSpace();
  return { space, sync: await getExisting(view, gitSyncs, run.space) };
}

function deletedSpace(): Problem {
  return new Problem('not-found', 'The space was deleted.');
}

/** Returns why a run is no longer possible; undefined if it is possible. */
export async function findObstacle(
  view: ReadTransaction,
  { requestedBy, byMember, maxRole = null }: GitRunRow,
  space: SpaceRow | undefined,
): Promise<Problem | undefined> {
  if (space?.state !== 'live') return deletedSpace();
  if (byMember !== true) return undefined;
  const organization = await getExisting(view, organizations, space.organization);
  const member = await view.get(members, memberId(organization.id, requestedBy));
  const role = member === undefined ? null : await roleOfMember(view, organization, member, space, maxRole);
  if (can(role, 'create')) return undefined;
  return new Problem(
    'forbidden',
    'The person who requested the synchronization no longer has the create role.',
    { hint: `Ask a member with this role to run \`docsctl spaces git-sync ${space.id}\`.` },
  );
}

/** Returns the branch of a run. */
export function targetOf({ url, ref, directory }: GitTarget): GitTarget {
  return { url, ref, directory };
}

/** Returns the context of writes on behalf of the member who requested a run. */
export function writeContext({ job, author }: SyncRun, tx: WriteTransaction): WriteContext {
  return {
    tx,
    now: job.now(),
    newId: job.newId,
    caller: { user: author, owner: false, operator: false, organization: null, maxRole: null },
  };
}

/** Reads the member who requested a run; one without a name if the user no longer exists. */
export async function readAuthor(
  view: ReadTransaction,
  { requestedBy, createdAt }: GitRunRow,
): Promise<UserRow> {
  return (await view.get(users, requestedBy)) ?? { id: requestedBy, email: '', displayName: '', createdAt };
}

/** Records the state that both sides now share, and the commit of its revision. */
export async function writeBase(
  tx: WriteTransaction,
  sync: SyncRun,
  base: SyncPoint,
  commit: Pick<RevisionCommit, 'message' | 'createdByGitBook'>,
  more: readonly string[] = [],
): Promise<void> {
  await tx.update(gitSyncs, sync.run.space, { base, sent: undefined, waiting: undefined });
  for (const id of [base.revision, ...more]) await markRevision(tx, sync, id, base.commit, commit);
  sync.report.commit = base.commit;
}

/** Records the commit that a revision was imported from or exported to. */
export async function markRevision(
  tx: WriteTransaction,
  { run }: SyncRun,
  revision: string,
  oid: string,
  { message, createdByGitBook }: Pick<RevisionCommit, 'message' | 'createdByGitBook'>,
): Promise<void> {
  const url = run.commitUrl === undefined ? undefined : `${run.commitUrl.replace(/\/*$/, '')}/${oid}`;
  const git = defined({ oid, message, createdByGitBook, url, ref: run.ref });
  await tx.update(revisions, revision, { git });
}

/** Returns the Problem for a branch that does not exist. */
export function noBranch({ ref }: Pick<GitRunRow, 'ref'>): Problem {
  return new Problem('not-found', `The repository has no branch ${ref.replace(/^refs\/heads\//, '')}.`, {
    hint: 'Check the name of the branch. An export creates it, if the space has content.',
  });
}
