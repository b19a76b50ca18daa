import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, type Violation } from '../../errors/problem.ts';
import type { Desired } from '../../manifest/desired.ts';
import { readDesired } from '../../manifest/read-desired.ts';
import type { Kind } from '../../manifest/kind.ts';
import { withContentDirs } from '../../manifest/read/content-dirs.ts';
import { Faults, formatLocation } from '../../manifest/read/faults.ts';
import { readManifest, type Manifest } from '../../manifest/read/read-manifest.ts';
import { readText } from '../input/files.ts';
import type { WaitingContent } from '../../content-sync/manifest-content.ts';
import type { Session } from '../session/session.ts';
import { readVariables, type ReadOptions } from './options.ts';
import { jobFields, readJobs, type IngestJob, type WarnAt } from './read-jobs.ts';
import { kindsWithContent, type PlannedContent } from './content-kinds.ts';

/** A manifest that was read and checked without calls of the API. */
export interface LoadedManifest {
  readonly files: Manifest['files'];
  /** The fields of resources, without those of jobs. */
  readonly root: Manifest['root'];
  readonly desired: Desired;
  readonly jobs: readonly IngestJob[];
  /** The kinds with which it was read. */
  readonly table: readonly Kind[];
  /** Content that waits for an approval. It is filled while the manifest is planned and applied. */
  readonly waiting: readonly WaitingContent[];
  /** Planned changes of spaces from their folders, by ID. It is filled while the manifest is planned. */
  readonly contents: ReadonlyMap<string, PlannedContent>;
  /** Warnings with their locations. More are added while the manifest is planned. */
  readonly warnings: readonly Violation[];
}

/**
 * Reads the manifest in the options. Warnings are noted unless `warn` is given.
 * @throws Problem(invalid-input) with all faults and their locations
 */
export async function loadManifest(
  session: Session,
  options: ReadOptions,
  warn: WarnAt = (at, _, message) => session.note(`warning: ${formatLocation(at)}: ${message}.`),
): Promise<LoadedManifest> {
  const { cwd, env } = session.runtime;
  const sources = options.file ?? [findDefaultSource(cwd)];
  const {
    root: written,
    files,
    foldersOf,
  } = await readManifest({
    sources,
    cwd,
    env,
    vars: readVariables(options),
    readStdin: () => readText(session, '-'),
  });
  const folder = realpathSync(files[0]?.root ?? cwd);
  const waiting: WaitingContent[] = [];
  const warnings: Violation[] = [];
  const contents = new Map<string, PlannedContent>();
  const table = kindsWithContent(session, folder, waiting, contents, warnings);
  const faults = new Faults();
  const root = withContentDirs(written, folder, foldersOf, faults);
  const desired = readDesired(root, table, jobFields, faults);
  const jobs = readJobs(desired.beside, {
    foldersOf,
    faults,
    warn: (at, rule, message) => {
      warnings.push({ path: formatLocation(at), message });
      warn(at, rule, message);
    },
  });
  faults.throwIfAny();
  const entries = new Map([...root.entries].filter(([name]) => !Object.hasOwn(jobFields, name)));
  return { files, root: { ...root, entries }, desired, jobs, table, waiting, contents, warnings };
}

function findDefaultSource(cwd: string): string {
  const look = (name: string) => statSync(join(cwd, name), { throwIfNoEntry: false });
  if (look('docsctl.yaml') !== undefined) return 'docsctl.yaml';
  if (look('docsctl')?.isDirectory() === true) return 'docsctl';
  throw new Problem('usage', 'There is no docsctl.yaml and no folder docsctl/ here.', {
    hint: 'Name the manifest with -f FILE, or write one with `docsctl export -d docsctl`.',
  });
}
