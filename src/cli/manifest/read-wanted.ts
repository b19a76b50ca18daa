import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { Desired } from '../../manifest/desired.ts';
import { readDesired } from '../../manifest/read-desired.ts';
import type { Kind } from '../../manifest/kind.ts';
import { withContentDirs } from '../../manifest/read/content-dirs.ts';
import { Faults } from '../../manifest/read/faults.ts';
import { formatLocation } from '../../manifest/read/source-location.ts';
import { readManifest, type Manifest } from '../../manifest/read/read-manifest.ts';
import { readText } from '../files.ts';
import type { Waiting } from '../../content-sync/manifest-content.ts';
import type { Session } from '../session.ts';
import { varsOf, type ReadOptions } from './options.ts';
import { jobFields, readJobs, type Job } from './read-jobs.ts';
import { tableIn } from './table.ts';

/** A manifest that was read and checked, without any call. */
export interface Reading {
  readonly files: Manifest['files'];
  /** What it says of resources, and not of what stands beside them. */
  readonly root: Manifest['root'];
  readonly desired: Desired;
  /** What is to be done beside the resources. */
  readonly jobs: readonly Job[];
  /** The kinds it was read by. */
  readonly table: readonly Kind[];
  /** Content that waits for somebody to merge it, as far as the table came upon it. */
  readonly waiting: readonly Waiting[];
}

/** Reads the manifest that the options name; throws one Problem with every fault and its place. */
export async function readWanted(session: Session, options: ReadOptions): Promise<Reading> {
  const { cwd, env } = session.runtime;
  const sources = options.file ?? [defaultSource(cwd)];
  const {
    root: written,
    files,
    foldersOf,
  } = await readManifest({
    sources,
    cwd,
    env,
    vars: varsOf(options),
    readStdin: () => readText(session, '-'),
  });
  const folder = realpathSync(files[0]?.root ?? cwd);
  const waiting: Waiting[] = [];
  const table = tableIn(session, folder, waiting);
  const faults = new Faults();
  const root = withContentDirs(written, folder, foldersOf, faults);
  const desired = readDesired(root, table, jobFields);
  const jobs = readJobs(desired.beside.get('jobs'), {
    foldersOf,
    faults,
    warn: (at, message) => session.note(`warning: ${formatLocation(at)}: ${message}.`),
  });
  faults.throwIfAny();
  const entries = new Map([...root.entries].filter(([name]) => !Object.hasOwn(jobFields, name)));
  return { files, root: { ...root, entries }, desired, jobs, table, waiting };
}

function defaultSource(cwd: string): string {
  const look = (name: string) => statSync(join(cwd, name), { throwIfNoEntry: false });
  if (look('docsctl.yaml') !== undefined) return 'docsctl.yaml';
  if (look('docsctl')?.isDirectory() === true) return 'docsctl';
  throw new Problem('usage', 'Which manifest?', {
    hint: 'Name it with -f FILE; without -f it is docsctl.yaml, or the folder docsctl/, in the working folder.',
  });
}
