import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { StateHandle } from '../../manifest/state-file.ts';
import type { Checkpoint, Checkpoints } from '../../ingest/checkpoint.ts';
import { createRejects } from '../../ingest/rejects.ts';
import { runIngest, type IngestResult } from '../../ingest/run-ingest.ts';
import { noteRepeated } from '../../ingest/summarize-ingest.ts';
import { reportCounts } from '../../ingest/summarize-ingest.ts';
import type { ApplyResult } from '../../manifest/apply-plan.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import { ingestHost } from '../input/files.ts';
import { summarizeJobs } from './jobs-text.ts';
import type { Target } from './target.ts';
import { savedCheckpoint, type FoundJob, type JobSource } from './plan-jobs.ts';
import { filesWithNew, hasNew, type PlannedFile, type PlannedJob } from './planned-job.ts';
import type { IngestJob } from './read-jobs.ts';

export interface JobResult {
  readonly job: string;
  readonly status: 'done' | 'failed' | 'skipped' | 'stopped';
  readonly files: readonly string[];
  readonly counts?: IngestResult['counts'];
  readonly redacted?: IngestResult['redacted'];
  readonly problem?: Problem;
  readonly because?: string;
}

/** Jobs that are ready to run after the steps of a plan. */
export interface PreparedJobs {
  readonly planned: readonly PlannedJob[];
  /** The text to confirm; undefined if there is nothing to do. */
  readonly summary: string | undefined;
  readonly files: readonly string[];
  /** Runs the jobs, unless the steps failed or were interrupted. */
  readonly run: (result: ApplyResult) => Promise<JobResult[]>;
}

/**
 * Milliseconds between two writes of the state file. After a kill, records since the last write are sent again, which is
 * harmless.
 */
const saveInterval = 1000;

/** Prepares the ingests of a manifest; undefined if it has none. */
export function prepareJobs(
  session: Session,
  jobs: readonly FoundJob[],
  target: Target,
  handle: StateHandle,
): PreparedJobs | undefined {
  if (jobs.length === 0) return undefined;
  const planned = jobs.map((job) => job.planned);
  return {
    planned,
    summary: planned.some(hasNew) ? `ingest ${summarizeJobs(planned)}` : undefined,
    files: planned.flatMap(filesWithNew).map(({ file }) => file),
    run: async (result) => {
      const results: JobResult[] = [];
      let because = result.rows.find(({ status }) => status === 'failed' || status === 'stopped')?.key;
      for (const {
        job,
        sources,
        planned: { files },
      } of jobs) {
        const due = new Set(files.filter(isDue).map(({ file }) => file));
        if (due.size === 0) continue;
        const base = { job: job.name, files: [...due] };
        if (result.interrupted || session.runtime.signal.aborted)
          results.push({ ...base, status: 'stopped' });
        else if (because !== undefined) results.push({ ...base, status: 'skipped', because });
        else {
          const dueSources = sources.filter(({ name }) => due.has(name));
          const done = await runJob(session, job, dueSources, { target, handle });
          results.push({ ...base, ...done });
          if (done.problem !== undefined && fatalReasons.has(done.problem.reason)) because = job.name;
        }
      }
      return results;
    },
  };
}

/** Whether a file must be ingested, or its problem reported. */
function isDue({ state, new: bytes }: PlannedFile): boolean {
  return bytes > 0 || state === 'unreadable';
}

/** Reasons after which no other job can succeed. */
const fatalReasons: ReadonlySet<string> = new Set([
  'unauthenticated',
  'forbidden',
  'unreachable',
  'store-failed',
]);

async function runJob(
  session: Session,
  job: IngestJob,
  sources: readonly JobSource[],
  { target: { api, organization }, handle }: { target: Target; handle: StateHandle },
): Promise<Omit<JobResult, 'job' | 'files'>> {
  const { runtime, terminal, note } = session;
  const checkpoints = createStateCheckpoints(handle, sources, job.how, runtime.clock);
  const { format, mapping, redact, onDuplicate, idFromContent } = job;
  try {
    const rejects = createRejects({ ...locateRejects(job, runtime.cwd), append: true, lazy: true, note });
    const progress = createProgress(terminal, { label: job.name, clock: runtime.clock });
    const done = await runIngest(
      ingestHost(session),
      { api, organizationId: organization },
      {
        sources,
        format,
        mapping,
        redact,
        onDuplicate,
        idFromContent,
        concurrency: 2,
        checkpoints,
        rejects,
        progress,
      },
    );
    const { counts, redacted, failure, interrupted } = done;
    await checkpoints.save();
    noteRepeated(done, { mapping, groupBy: 'groupBy:' }, note);
    const outcome = { counts, ...(redact.length === 0 ? {} : { redacted }) };
    if (interrupted) return { status: 'stopped', ...outcome };
    if (failure === undefined) return { status: 'done', ...outcome };
    if (!(failure instanceof Problem)) throw failure as Error;
    return { status: 'failed', ...outcome, problem: failure };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: 'failed', problem: error };
  }
}

/** Creates checkpoints in the state file. The file is written from time to time. */
function createStateCheckpoints(
  handle: StateHandle,
  sources: readonly JobSource[],
  how: string,
  clock: () => number,
): Checkpoints & { save(): Promise<void> } {
  const names = new Map(sources.map(({ name, checkpoint }) => [name, checkpoint]));
  let savedAt = clock();
  let isFresh = false;
  return {
    get: (name) => {
      const checkpoint = names.get(name);
      return checkpoint === undefined ? undefined : savedCheckpoint(handle.state, checkpoint, how);
    },
    set: (name, mark: Checkpoint) => {
      const checkpoint = names.get(name);
      if (checkpoint === undefined) return;
      handle.state.setCheckpoint(checkpoint, { how, mark });
      isFresh = true;
      if (clock() - savedAt < saveInterval) return;
      savedAt = clock();
      // If this fails, the last save fails too and reports it.
      handle.save().catch(() => {});
    },
    save: async () => {
      if (isFresh) await handle.save();
    },
  };
}

/** Returns the file for the rejects of a job. @throws Problem(invalid-input) if its folder is missing */
function locateRejects({ rejects: path }: IngestJob, cwd: string) {
  if (path === undefined)
    return { path, moreHint: 'Set "rejects" of the import to a file to keep all of them.' };
  const name = relative(cwd, path);
  checkFolder(path, name);
  return { path, name, moreHint: `All of them are in ${name}.` };
}

/** Refuses symbolic links in the path of a file, because they could lead out of the folder of the manifest. */
function checkFolder(path: string, name: string): void {
  let real: string | undefined;
  try {
    real = realpathSync(dirname(path));
  } catch {
    real = undefined;
  }
  if (real !== dirname(path))
    throw new Problem(
      'invalid-input',
      `The folder of ${name} does not exist or is behind a symbolic link, which is not followed.`,
      { hint: 'Create the folder, or choose another in "rejects".' },
    );
}

/** Returns the result of a job as data. */
export function jobData({ problem, counts, redacted, ...rest }: JobResult): object {
  return {
    ...rest,
    ...(counts === undefined
      ? {}
      : reportCounts({ counts, redacted: redacted ?? {} }, { kept: true, redacted: redacted !== undefined })),
    ...(problem && { problem: problem.toJSON().error }),
  };
}
