import { restoreRepository } from '../../resources/git-sync/request-run.ts';
import type { Api } from '../../contract/api.ts';
import { defined, truncate } from '../../contract/values.ts';
import type { Engine, JobContext } from '../../core/jobs.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces } from '../../core/rows/spaces.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { setStatus } from '../../resources/change-requests/rules.ts';
import { gitRuns, gitSyncs, type GitRunRow } from '../../resources/git-sync/rows.ts';
import { pointOf } from '../../resources/git-sync/rules.ts';
import { connect, type ResolveHost } from './connect.ts';
import { exportRevision } from './export-revision.ts';
import { importCommit } from './import-commit.ts';
import { findObstacle, readAuthor, type RunReport, type SyncRun } from './sync-run.ts';

/** Maximum number of changes that are stored for a run. */
const maxChanges = 500;
/** Maximum attempts of a synchronization. It starts again if the branch gets another commit meanwhile. */
const maxAttempts = 3;

/** Makes the engine that synchronizes spaces with repositories. `api` reads content with all rights. */
export function createGitSyncEngine({ api, resolveHost }: { api: Api; resolveHost: ResolveHost }): Engine {
  return {
    async run(job) {
      let warning: string | undefined;
      for (;;) {
        const started = await job.write((tx) => startRun(tx, job));
        if (started === undefined) return defined({ warning });
        const sync: SyncRun = { job, api, ...started, report: { changes: [], warnings: [] } };
        const problem = await doRun(sync, resolveHost);
        await job.write((tx) => endRun(tx, job, sync.run, sync.report, problem));
        if (problem !== undefined)
          warning = `of space ${job.job.subject} failed: ${truncate(problem.message, 2000)}`;
      }
    },
    async failed(tx, { subject }, problem, now) {
      for (const row of await tx.find(gitRuns, { index: 'byQueue', equals: [subject, 'open'], limit: 100 }))
        await endRun(tx, { now: () => now }, row, { changes: [], warnings: [] }, problem);
    },
  };
}

/** Starts the next waiting run of the space; undefined if there is none. Runs that are no longer possible end with an error. */
async function startRun(
  tx: WriteTransaction,
  job: JobContext,
): Promise<Pick<SyncRun, 'run' | 'author' | 'since'> | undefined> {
  const spaceId = job.job.subject;
  const [row] = await tx.find(gitRuns, { index: 'byQueue', equals: [spaceId, 'open'], limit: 1 });
  if (row === undefined) return undefined;
  const space = await tx.get(spaces, spaceId);
  const obstacle = await findObstacle(tx, row, space);
  if (space === undefined || obstacle !== undefined) {
    await endRun(tx, job, row, { changes: [], warnings: [] }, obstacle);
    return startRun(tx, job);
  }
  // A process that was stopped may have left this change request incomplete.
  const left = row.changeRequest === undefined ? undefined : await tx.get(changeRequests, row.changeRequest);
  const known = await tx.get(gitSyncs, spaceId);
  const isWaiting = known?.waiting?.changeRequest === left?.id;
  if (left?.status === 'draft' && !isWaiting) await setStatus(tx, space, left, 'archived', {});
  const run = await tx.update(gitRuns, row.id, {
    state: 'running',
    startedAt: job.now(),
    changeRequest: undefined,
    changeRequestNumber: undefined,
  });
  return { run, author: await readAuthor(tx, run), since: pointOf(known?.base, run)?.revision };
}

/** Performs a run, and returns why it failed; undefined if it succeeded. @throws problems after which the job is repeated */
async function doRun(sync: SyncRun, resolveHost: ResolveHost): Promise<Problem | undefined> {
  try {
    for (let attempt = 1; ; attempt++) {
      const end = await synchronize(sync, resolveHost);
      if (end === 'done') return undefined;
      if (sync.run.direction === 'export' || attempt === maxAttempts)
        return new Problem('conflict', 'The branch got another commit during the export.', {
          hint: 'Synchronize again.',
        });
    }
  } catch (error) {
    if (!(error instanceof Problem) || ['interrupted', 'store-busy', 'store-failed'].includes(error.reason))
      throw error;
    return error;
  }
}

async function synchronize(sync: SyncRun, resolveHost: ResolveHost): Promise<'done' | 'moved'> {
  const { job, run } = sync;
  job.progress('fetching the branch');
  const repository = await connect(sync, resolveHost, { mayLackRef: true });
  try {
    if (run.direction !== 'export') await importCommit(sync, repository);
    return run.direction === 'import' ? 'done' : await exportRevision(sync, repository);
  } finally {
    repository.discard();
  }
}

async function endRun(
  tx: WriteTransaction,
  { now }: Pick<JobContext, 'now'>,
  run: GitRunRow,
  { changes, warnings, commit, revision, changeRequest, redirects }: RunReport,
  problem: Problem | undefined,
): Promise<void> {
  // After a failed first run, the repository is not stored for the next run, because its address may be mistyped.
  if (problem !== undefined && commit === undefined && changeRequest === undefined)
    await restoreRepository(tx, run);
  await tx.update(gitRuns, run.id, {
    queue: 'done',
    former: undefined,
    state: problem === undefined ? 'success' : 'failure',
    completedAt: now(),
    changes: changes.slice(0, maxChanges),
    changeCount: changes.length,
    warnings,
    ...defined({ commit, revision, redirects }),
    ...(changeRequest === undefined
      ? {}
      : { changeRequest: changeRequest.id, changeRequestNumber: changeRequest.number }),
    ...(problem === undefined
      ? {}
      : {
          problem: defined({
            reason: problem.reason,
            message: truncate(problem.message, 2000),
            hint: problem.hint === undefined ? undefined : truncate(problem.hint, 2000),
          }),
        }),
  });
}
