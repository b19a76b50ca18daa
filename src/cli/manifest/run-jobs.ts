import { realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { StateHandle } from '../../manifest/state-file.ts';
import { reportCounts } from '../../ingest/summarize-ingest.ts';
import type { Checkpoint, Checkpoints } from '../../ingest/checkpoint.ts';
import { createRejects } from '../../ingest/rejects.ts';
import { runIngest, type IngestResult } from '../../ingest/run-ingest.ts';
import type { ApplyResult } from '../../manifest/apply-plan.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import { ingestHost } from '../files.ts';
import { createStyler } from '../output/style.ts';
import { jobsSummary, jobsText } from './jobs-text.ts';
import type { Live } from './live.ts';
import { hasNew, markIn, type FoundJob, type JobSource, type PlannedFile } from './plan-jobs.ts';

/** How a job ended. */
export interface JobResult {
  readonly job: string;
  readonly status: 'done' | 'failed' | 'skipped' | 'stopped';
  readonly files: readonly string[];
  readonly counts?: IngestResult['counts'];
  readonly redacted?: IngestResult['redacted'];
  readonly problem?: Problem;
  /** The step because of which it was skipped. */
  readonly because?: string;
}

/** The jobs of an apply, ready to run after its steps. */
export interface PreparedJobs {
  /** For a person, as the plan shows them. */
  readonly text: (color: boolean) => Promise<string>;
  /** What is asked about; undefined where there is nothing to do. */
  readonly deed: string | undefined;
  /** Files that have something new. */
  readonly files: readonly string[];
  readonly run: (result: ApplyResult) => Promise<JobResult[]>;
}

/** Milliseconds between two writes of the lock: what was sent since is unchanged when it is sent again. */
const often = 1000;

export function prepareJobs(
  session: Session,
  jobs: readonly FoundJob[],
  live: Live,
  held: StateHandle,
): PreparedJobs | undefined {
  if (jobs.length === 0) return undefined;
  const planned = jobs.map((job) => job.planned);
  const isDue = ({ state, new: fresh }: PlannedFile): boolean => fresh > 0 || state === 'unreadable';
  return {
    text: async (color) => jobsText(planned, await createStyler(color)),
    deed: planned.some(hasNew) ? `ingest ${jobsSummary(planned)}` : undefined,
    files: planned.flatMap(({ files }) => files.filter((file) => file.new > 0).map(({ file }) => file)),
    run: async (result) => {
      const results: JobResult[] = [];
      let because = result.rows.find(({ status }) => status === 'failed' || status === 'stopped')?.key;
      for (const { job, sources, planned: plan } of jobs) {
        const due = sources.filter((_, index) => isDue(plan.files[index]!));
        if (due.length === 0) continue;
        const head = { job: job.name, files: due.map(({ name }) => name) };
        if (result.interrupted || session.runtime.signal.aborted)
          results.push({ ...head, status: 'stopped' });
        else if (because !== undefined) results.push({ ...head, status: 'skipped', because });
        else {
          const done = await runJob(session, { job, sources: due, planned: plan }, live, held);
          results.push({ ...head, ...done });
          if (done.problem !== undefined && fatal.has(done.problem.reason)) because = job.name;
        }
      }
      return results;
    },
  };
}

/** After these no other job can succeed. */
const fatal: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'unreachable', 'store-failed']);

async function runJob(
  session: Session,
  { job, sources }: FoundJob,
  { api, organization }: Live,
  held: StateHandle,
): Promise<Omit<JobResult, 'job' | 'files'>> {
  const { runtime, terminal, note } = session;
  const marks = lockMarks(held, sources, job.how, runtime.clock);
  const { format, mapping, redact, onDuplicate, idFromContent } = job;
  try {
    const name = job.rejects === undefined ? undefined : relative(runtime.cwd, job.rejects);
    if (job.rejects !== undefined) checkFolder(job.rejects, name!);
    const more =
      name === undefined
        ? 'the field "rejects" of the job names a file for all of them.'
        : `${name} has all of them.`;
    const rejects = createRejects({
      path: job.rejects,
      name,
      append: true,
      lazy: true,
      note,
      moreHint: more,
    });
    const progress = createProgress(terminal, { label: job.name, clock: runtime.clock });
    const ingest = {
      sources,
      format,
      mapping,
      redact,
      onDuplicate,
      idFromContent,
      concurrency: 2,
      checkpoints: marks,
      rejects,
      progress,
    };
    const { counts, redacted, failure, interrupted } = await runIngest(
      ingestHost(session),
      { api, organizationId: organization },
      ingest,
    );
    await marks.save();
    const came = { counts, ...(redact.length === 0 ? {} : { redacted }) };
    if (interrupted) return { status: 'stopped', ...came };
    if (failure === undefined) return { status: 'done', ...came };
    if (!(failure instanceof Problem)) throw failure as Error;
    return { status: 'failed', ...came, problem: failure };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { status: 'failed', problem: error };
  }
}

/** Marks that live in the lock, and reach the disk from time to time. */
function lockMarks(
  held: StateHandle,
  sources: readonly JobSource[],
  how: string,
  clock: () => number,
): Checkpoints & { save(): Promise<void> } {
  const checkpoints = new Map(sources.map(({ name, checkpoint }) => [name, checkpoint]));
  let savedAt = clock();
  let isFresh = false;
  return {
    get: (name) => markIn(held.state, checkpoints.get(name)!, how),
    set: (name, mark: Checkpoint) => {
      held.state.setCheckpoint(checkpoints.get(name)!, { how, mark });
      isFresh = true;
      if (clock() - savedAt < often) return;
      savedAt = clock();
      // The last save tells of a fault; until then nothing is lost by one.
      held.save().catch(() => {});
    },
    save: async () => {
      if (isFresh) await held.save();
    },
  };
}

/** A link in the way to the file of rejects would lead out of the manifest's folder. */
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
      `There is no folder for ${name}, or it lies behind a symbolic link, which is not followed.`,
      {
        hint: 'Make the folder, or name another in "rejects".',
      },
    );
}

/** The result of a job as data. */
export function jobBody({ problem, counts, redacted, ...rest }: JobResult): object {
  return {
    ...rest,
    ...(counts === undefined
      ? {}
      : reportCounts({ counts, redacted: redacted ?? {} }, { kept: true, redacted: redacted !== undefined })),
    ...(problem === undefined ? {} : { problem: problem.toJSON().error }),
  };
}
