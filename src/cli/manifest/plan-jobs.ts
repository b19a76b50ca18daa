import { closeSync, realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { closed, Type } from '../../contract/schema.ts';
import { violationsOf } from '../../contract/check.ts';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { expandGlob } from '../../files/glob.ts';
import { limits } from '../../manifest/read/limits.ts';
import { CheckpointSchema, matchCheckpoint, type Checkpoint } from '../../ingest/checkpoint.ts';
import { openSource, type Source } from '../../ingest/source.ts';
import type { Session } from '../session.ts';
import type { Live } from './live.ts';
import type { Job } from './read-jobs.ts';

/** How a file stands beside what was ingested of it: more of the same, all of it, or another one than then. */
export type FileState = 'new' | 'more' | 'unchanged' | 'changed' | 'unreadable';

export interface PlannedFile {
  readonly file: string;
  readonly state: FileState;
  readonly bytes: number;
  /** Bytes that are not ingested yet. */
  readonly new: number;
  readonly reason?: string;
}

/** What a job will do, as data. */
export interface PlannedJob {
  readonly job: string;
  readonly at: string;
  readonly files: readonly PlannedFile[];
}

/** A job with its files. */
export interface FoundJob {
  readonly job: Job;
  readonly sources: readonly JobSource[];
  readonly planned: PlannedJob;
}

export interface JobSource extends Source {
  /** Under this name the lock has how far it got. */
  readonly checkpoint: string;
}

const JobCheckpointSchema = closed({ how: Type.String(), mark: CheckpointSchema });

/** The mark that the lock has of a file of a job; none where the job does now something else with it. */
export function markIn(lock: ManifestState, checkpoint: string, how: string): Checkpoint | undefined {
  const saved = lock.checkpoint(checkpoint) as { how: string; mark: Checkpoint } | undefined;
  if (saved === undefined || violationsOf(JobCheckpointSchema, saved, '').length > 0) return undefined;
  return saved.how === how ? saved.mark : undefined;
}

/** Finds the files of the jobs, and what is new in them. */
export function planJobs(
  { runtime }: Session,
  jobs: readonly Job[],
  { lockOptions }: Pick<Live, 'lockOptions'>,
  lock: ManifestState,
): FoundJob[] {
  const cwd = realpathSync(runtime.cwd);
  const base = jobs.length === 0 ? '' : realpathSync(dirname(lockOptions.path));
  const rejects = new Set(jobs.flatMap((job) => job.rejects ?? []));
  const owners = new Map<string, Job>();
  return jobs.map((job) => {
    const paths = [
      ...new Set(job.files.flatMap((files) => ('path' in files ? [files.path] : matching(files, job)))),
    ].filter((path) => !rejects.has(path));
    for (const path of paths) {
      const other = owners.get(path);
      if (other !== undefined)
        throw new Problem(
          'invalid-input',
          `${job.at}: ${relative(cwd, path)} is a file of the job at ${other.at} already.`,
          {
            hint: 'Each file belongs to one job; make the patterns narrower.',
          },
        );
      owners.set(path, job);
    }
    const sources = paths.map((path): JobSource => ({
      name: slashes(relative(cwd, path)),
      path,
      confined: true,
      checkpoint: `ingest ${slashes(relative(base, path))}`,
    }));
    return {
      job,
      sources,
      planned: { job: job.name, at: job.at, files: sources.map((source) => planFile(source, lock, job)) },
    };
  });
}

/** Whether there is anything to ingest. */
export function hasNew({ files }: PlannedJob): boolean {
  return files.some((file) => file.new > 0);
}

function planFile(source: JobSource, lock: ManifestState, { how }: Job): PlannedFile {
  const file = source.name;
  let descriptor: number | undefined;
  try {
    const opened = openSource(source);
    ({ descriptor } = opened);
    const bytes = opened.size;
    const mark = markIn(lock, source.checkpoint, how);
    if (mark === undefined || matchCheckpoint(descriptor, mark) === undefined)
      return {
        file,
        state: lock.checkpoint(source.checkpoint) === undefined ? 'new' : 'changed',
        bytes,
        new: bytes,
      };
    return { file, state: mark.bytes < bytes ? 'more' : 'unchanged', bytes, new: bytes - mark.bytes };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { file, state: 'unreadable', bytes: 0, new: 0, reason: error.message };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function matching(
  { folder, pattern }: { readonly folder: string; readonly pattern: string },
  { at }: Job,
): string[] {
  const found = expandGlob(folder, pattern, limits.walked);
  if (found === undefined)
    throw new Problem(
      'too-large',
      `${at}: a pattern of this job looks at more than ${limits.walked} entries.`,
      { hint: 'Name a smaller folder.' },
    );
  return found;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
