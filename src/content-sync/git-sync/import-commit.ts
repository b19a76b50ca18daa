import { listSome, plural } from '../../contract/values.ts';
import { changeRequestOf } from '../../core/authorize.ts';
import { changeRequests, type ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { organizations } from '../../core/rows/organizations.ts';
import { getExisting, type WriteTransaction } from '../../core/store.ts';
import { readRevision } from '../../content/revisions.ts';
import { applyChanges } from '../../content/apply-changes.ts';
import { Problem } from '../../errors/problem.ts';
import { mergeRequest } from '../../resources/change-requests/merge-request.ts';
import { insertChangeRequest } from '../../resources/change-requests/new-request.ts';
import { setStatus } from '../../resources/change-requests/rules.ts';
import { gitRuns, gitSyncs, type SyncPoint } from '../../resources/git-sync/rows.ts';
import { pointOf } from '../../resources/git-sync/rules.ts';
import { recordGitSync } from '../../resources/integration-events/record.ts';
import { countDeletedPages, countImportedPages } from '../deleted-pages.ts';
import type { Warning } from '../folder.ts';
import type { OpenRepository } from '../git-checkout.ts';
import { findInside } from '../import-source.ts';
import { planExport } from '../plan-export.ts';
import type { ImportPlan } from '../plan-import.ts';
import { readFolder, refuseNoPages, unlistedMessage } from '../read-folder.ts';
import { countChanges, sendImport } from '../send-import.ts';
import { openContent, type SpaceContent } from '../space-content.ts';
import { readMessage } from './commit.ts';
import { listImported, planCommit, touchesExisting } from './plan-changes.ts';
import { redirectImported } from './redirect-imported.ts';
import {
  noBranch,
  readState,
  targetOf,
  writeBase,
  writeContext,
  markRevision,
  type SyncRun,
} from './sync-run.ts';

/** Imports that delete fewer pages than this are always merged. */
const minDeletedPages = 10;
const maxWarnings = 30;

/** A commit of the branch with its message. */
interface Commit {
  readonly oid: string;
  readonly message: string;
}

/**
 * Imports the changes of a branch since the last synchronization into the space, with a change request that is merged.
 * @throws Problem(not-found) if the branch does not exist; Problem(conflict) or Problem(guard-refused) if the change request is
 * not merged
 */
export async function importCommit(sync: SyncRun, repository: OpenRepository): Promise<void> {
  const { job, run, report } = sync;
  if (repository.commit === undefined) {
    if (run.direction === 'both') return;
    throw noBranch(run);
  }
  const commit = { oid: repository.commit, message: await readMessage(repository, repository.commit) };
  await finishSent(sync, commit);
  const waited = await mergeWaiting(sync, commit);
  const { space, sync: state } = await job.read((view) => readState(view, sync));
  const base = pointOf(state.base, run);
  report.revision = space.revision;
  if (base?.commit === commit.oid) {
    report.commit = commit.oid;
    return;
  }
  // With `take` set to the space, the space replaces everything in a new repository, so there is nothing to import.
  if (base === undefined && run.take === 'space') return;
  const baseRevision = base?.revision ?? space.revision;
  job.progress('reading the space');
  const reader = await openContent(sync.api, { spaceId: run.space, revisionId: baseRevision }, job.signal);
  const content = await reader.read(true);
  const isEmpty = content.pages.length + content.files.length + content.texts.length === 0;
  const isWhole = base?.isWhole ?? isEmpty;
  const plan = await planImportOf(sync, repository, content, isWhole);
  const point = { ...targetOf(run), commit: commit.oid, revision: baseRevision, isWhole };
  if (countChanges(plan) === 0)
    return job.write((tx) => writeBase(tx, sync, point, { ...commit, createdByGitBook: false }));
  report.changes.push(...listImported(plan, content));
  const request = await fillRequest(sync, commit, plan, baseRevision);
  const imported = { ...point, revision: request.revision };
  const deleted = countDeletedPages(plan, content.pages);
  const isDangerous = deleted >= minDeletedPages && deleted * 2 > countImportedPages(content.pages);
  const why =
    run.isStandalone === true
      ? 'standalone'
      : run.take !== undefined || waited
        ? undefined
        : isDangerous
          ? `the import would delete ${plural(deleted, 'page')}`
          : base === undefined && !isEmpty && touchesExisting(plan)
            ? `the space was never synchronized with this ${run.directory === '' ? 'branch' : 'folder of the branch'}, and the import would change pages of the space`
            : undefined;
  if (why === 'standalone') return leaveWaiting(sync, imported, request, { commit, state: 'success' });
  if (why !== undefined) {
    await leaveWaiting(sync, imported, request, { commit, state: 'failure' });
    throw new Problem('guard-refused', `Change request ${request.number} was not merged: ${why}.`, {
      hint: `Review it, then merge it with \`docsctl change-requests merge ${request.number} --space ${run.space}\`. To replace the files of the branch instead, archive it, and run \`docsctl spaces git-sync ${run.space} --direction export --take space\`.`,
    });
  }
  await mergeImport(sync, imported, request, commit);
}

/** If the branch has the commit of an export that was interrupted after its push, records the export as done. */
export async function finishSent(sync: SyncRun, { oid, message }: Commit): Promise<void> {
  const { job, run } = sync;
  const { sync: state } = await job.read((view) => readState(view, sync));
  const sent = pointOf(state.sent, run);
  if (sent?.commit !== oid) return;
  await job.write((tx) => writeBase(tx, sync, sent, { message, createdByGitBook: true }));
}

/**
 * Handles an earlier import that waits in a change request. Returns whether there was one.
 * @throws Problem(conflict) if it still waits
 */
async function mergeWaiting(sync: SyncRun, commit: Commit): Promise<boolean> {
  const { job, run } = sync;
  const { sync: state } = await job.read((view) => readState(view, sync));
  const waiting = pointOf(state.waiting, run);
  if (waiting === undefined) return false;
  const { changeRequest, ...point } = waiting;
  const [request, { git }] = await job.read(async (view) => [
    await getExisting(view, changeRequests, changeRequest),
    await readRevision(view, point.revision),
  ]);
  const waited = { oid: point.commit, message: git?.message ?? '' };
  if (request.status === 'merged') {
    const merged = request.revisionMerged === undefined ? [] : [request.revisionMerged];
    const known = { message: waited.message, createdByGitBook: false };
    await job.write((tx) => writeBase(tx, sync, point, known, merged));
    return true;
  }
  const isReplaced = run.take === 'space' && pointOf(state.base, run) === undefined;
  if (request.status === 'archived' || isReplaced) {
    await job.write(async (tx) => {
      await tx.update(gitSyncs, run.space, { waiting: undefined });
      if (!isReplaced) return;
      const { space } = await readState(tx, sync);
      const left = await getExisting(tx, changeRequests, request.id);
      if (left.status !== 'archived' && left.status !== 'merged')
        await setStatus(tx, space, left, 'archived', { updatedAt: job.now() });
    });
    return true;
  }
  sync.report.changeRequest = request;
  if (run.isStandalone !== true && (run.take !== undefined || point.commit === commit.oid)) {
    await mergeImport(sync, point, request, waited);
    return true;
  }
  throw new Problem(
    'conflict',
    `Change request ${request.number}, which imports an earlier commit of the branch, is not merged yet.`,
    {
      hint: `Merge it with \`docsctl change-requests merge ${request.number} --space ${run.space}\`, or archive it, then synchronize again.`,
    },
  );
}

/** Reads the files of the commit, and compares them with the content of the last synchronization. */
async function planImportOf(
  { job, run, report }: SyncRun,
  { dir, warnings }: OpenRepository,
  content: SpaceContent,
  isWhole: boolean,
): Promise<ImportPlan> {
  const root = findInside(dir, run.directory === '' ? undefined : run.directory);
  const shown = run.directory || '.';
  const unlisted = planExport(content).unlisted > 0 ? 'hidden' : 'skip';
  const folder = await readFolder(root, {
    unlisted,
    mayLackPages: true,
    shown,
    signal: job.signal,
    onPage: (done, total) => job.progress(`reading file ${done} of ${total}`, { done, total }),
  });
  refuseNoPages(folder, content, shown);
  const isUnlisted = ({ message }: Warning) => message === unlistedMessage;
  const skipped = folder.warnings.filter(isUnlisted).map(({ file }) => file);
  const others = [...warnings, ...folder.warnings.filter((warning) => !isUnlisted(warning))];
  if (skipped.length > 0)
    report.warnings.push(
      `skipped ${plural(skipped.length, 'Markdown file')} outside the table of contents: ${listSome(skipped)}`,
    );
  const messages = others.map(({ file, message }) => `${file}: ${message}`);
  report.warnings.push(...messages.slice(0, maxWarnings - report.warnings.length));
  return planCommit(content, { dir: root, folder, isWhole });
}

/** Creates a change request with the changes, based on the revision of the last synchronization. */
async function fillRequest(
  sync: SyncRun,
  { oid, message }: Commit,
  plan: ImportPlan,
  base: string,
): Promise<ChangeRequestRow> {
  const { job, run, report } = sync;
  const title = message.split('\n', 1)[0] ?? '';
  const subject = [...`Import ${oid.slice(0, 7)}: ${title}`].slice(0, 100).join('');
  let request = await job.write(async (tx) => {
    const { space } = await readState(tx, sync);
    await recordGitSync({ tx, now: job.now() }, space, {
      type: 'space_gitsync_started',
      revisionId: space.revision,
      commitId: oid,
    });
    const row = await insertChangeRequest(writeContext(sync, tx), space, { subject, base });
    await tx.update(gitRuns, run.id, { changeRequest: row.id, changeRequestNumber: row.number });
    return row;
  });
  report.changeRequest = request;
  const total = countChanges(plan);
  let done = 0;
  await sendImport(plan, async (changes) => {
    const answer = await job.write(async (tx) => {
      const row = await getExisting(tx, changeRequests, request.id);
      const applied = await applyChanges(
        { ...writeContext(sync, tx), signal: job.signal },
        { base: row.revision, origin: base, space: run.space },
        changes,
      );
      request = await tx.update(changeRequests, row.id, { revision: applied.revision });
      return applied;
    });
    done += changes.length;
    job.progress(`imported ${done} of ${total} changes`, { done, total });
    return answer;
  });
  return request;
}

/** Opens the change request for review, and remembers its content. */
async function leaveWaiting(
  sync: SyncRun,
  point: SyncPoint,
  { id }: ChangeRequestRow,
  { commit, state }: { commit: Commit; state: 'success' | 'failure' },
): Promise<void> {
  const { job, run } = sync;
  await job.write(async (tx) => {
    const { space } = await readState(tx, sync);
    const request = await getExisting(tx, changeRequests, id);
    await setStatus(tx, space, request, 'open', { updatedAt: job.now() });
    await tx.update(gitSyncs, run.space, { waiting: { ...point, changeRequest: id } });
    const { message } = commit;
    await markRevision(tx, sync, point.revision, point.commit, { message, createdByGitBook: false });
    await recordGitSync({ tx, now: job.now() }, space, {
      type: 'space_gitsync_completed',
      state,
      revisionId: point.revision,
      commitId: point.commit,
    });
  });
}

/** Merges a change request into the space. If it cannot be merged, it stays open. */
async function mergeImport(
  sync: SyncRun,
  point: SyncPoint,
  request: ChangeRequestRow,
  commit: Commit,
): Promise<void> {
  const { job, run, report } = sync;
  const merge = async (tx: WriteTransaction): Promise<string> => {
    const { space } = await readState(tx, sync);
    const context = {
      ...writeContext(sync, tx),
      signal: job.signal,
      space,
      organization: await getExisting(tx, organizations, space.organization),
      changeRequest: await changeRequestOf(tx, space, request.id),
    };
    const sides = { repository: 'ours', space: 'theirs' } as const;
    const revision = await mergeRequest(context, run.take === undefined ? {} : { take: sides[run.take] });
    report.redirects = await redirectImported(sync, context, revision);
    await writeBase(tx, sync, point, { message: commit.message, createdByGitBook: false }, [revision]);
    await recordGitSync({ tx, now: job.now() }, space, {
      type: 'space_gitsync_completed',
      state: 'success',
      revisionId: revision,
      commitId: point.commit,
    });
    return revision;
  };
  job.progress('merging');
  try {
    report.revision = await job.write(merge);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'conflict') throw error;
    await leaveWaiting(sync, point, request, { commit, state: 'failure' });
    const { message, violations } = error;
    // Only content conflicts have sides.
    if (violations.length === 0)
      throw new Problem('conflict', `${message} The import stays open as change request ${request.number}.`, {
        hint: error.hint,
        cause: error,
      });
    throw new Problem('conflict', message, {
      hint: `Ours is the repository, theirs is the space. Let one side win with \`docsctl spaces git-sync ${run.space} --take repository\` or \`docsctl spaces git-sync ${run.space} --take space\`. To decide page by page, use \`docsctl change-requests merge ${request.number} --space ${run.space} --edit\`, then synchronize again.`,
      violations,
      cause: error,
    });
  }
}
