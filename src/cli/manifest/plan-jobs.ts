import { closeSync, realpathSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { closed, Type } from '../../contract/schema.ts';
import { violationsOf } from '../../contract/check.ts';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import type { StateOptions } from '../../manifest/state-file.ts';
import { expandGlob } from '../../files/glob.ts';
import type { SelectionPatterns } from '../../manifest/selection.ts';
import { limits } from '../../manifest/read/limits.ts';
import { CheckpointSchema, matchCheckpoint, type Checkpoint } from '../../ingest/checkpoint.ts';
import { openSource, type Source } from '../../ingest/source.ts';
import type { Session } from '../session/session.ts';
import type { PlannedFile, PlannedJob } from './planned-job.ts';
import type { FilePattern, IngestJob } from './read-jobs.ts';

export interface FoundJob {
  readonly job: IngestJob;
  readonly sources: readonly JobSource[];
  readonly planned: PlannedJob;
}

export interface JobSource extends Source {
  /** The key in the state file for the ingest progress of the file. */
  readonly checkpoint: string;
}

const JobCheckpointSchema = closed({ how: Type.String(), mark: CheckpointSchema });

/** Returns the ingest progress of a file from the state file; undefined if it was ingested with other settings. */
export function savedCheckpoint(
  state: ManifestState,
  checkpoint: string,
  how: string,
): Checkpoint | undefined {
  const saved = state.checkpoint(checkpoint) as { how: string; mark: Checkpoint } | undefined;
  if (saved === undefined || violationsOf(JobCheckpointSchema, saved, '').length > 0) return undefined;
  return saved.how === how ? saved.mark : undefined;
}

/**
 * Returns the jobs that an apply runs. If it is limited to some resources, it runs none, because jobs run after all resources.
 */
export function selectJobs(
  jobs: readonly IngestJob[],
  { only, exclude }: SelectionPatterns,
): readonly IngestJob[] {
  return only === undefined && exclude === undefined ? jobs : [];
}

/** Finds the files of jobs, and their new data. @throws Problem(invalid-input) for a file of two jobs */
export function planJobs(
  { runtime }: Session,
  jobs: readonly IngestJob[],
  stateOptions: Pick<StateOptions, 'path'>,
  state: ManifestState,
): FoundJob[] {
  const cwd = realpathSync(runtime.cwd);
  const base = jobs.length === 0 ? '' : realpathSync(dirname(stateOptions.path));
  const rejects = new Set(jobs.flatMap((job) => job.rejects ?? []));
  const owners = new Map<string, IngestJob>();
  return jobs.map((job) => {
    const found = new Set(job.files.flatMap((files) => findFiles(files, job)));
    const paths = [...found].filter((path) => !rejects.has(path));
    for (const path of paths) {
      const other = owners.get(path);
      if (other !== undefined)
        throw new Problem(
          'invalid-input',
          `${job.at}: ${relative(cwd, path)} already belongs to the import at ${other.at}.`,
          { hint: 'A file can belong to one import only. Use narrower patterns.' },
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
      planned: { job: job.name, at: job.at, files: sources.map((source) => planFile(source, state, job)) },
    };
  });
}

function planFile(source: JobSource, state: ManifestState, { how }: IngestJob): PlannedFile {
  const file = source.name;
  let descriptor: number | undefined;
  try {
    const { descriptor: opened, size: bytes } = openSource(source);
    descriptor = opened;
    const mark = savedCheckpoint(state, source.checkpoint, how);
    if (mark !== undefined && matchCheckpoint(opened, mark) !== undefined)
      return { file, state: mark.bytes < bytes ? 'more' : 'unchanged', bytes, new: bytes - mark.bytes };
    const isKnown = state.checkpoint(source.checkpoint) !== undefined;
    return { file, state: isKnown ? 'changed' : 'new', bytes, new: bytes };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { file, state: 'unreadable', bytes: 0, new: 0, reason: error.message };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function findFiles(files: FilePattern, { at }: IngestJob): string[] {
  if ('path' in files) return [files.path];
  const { folder, pattern } = files;
  const found = expandGlob(folder, pattern, limits.walked);
  if (found === undefined)
    throw new Problem(
      'too-large',
      `${at}: a pattern of this import searches more than ${limits.walked} entries.`,
      { hint: 'Name a smaller folder.' },
    );
  return found;
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}
