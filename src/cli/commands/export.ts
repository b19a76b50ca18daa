import { InvalidArgumentError } from 'commander';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { withExportedContent } from '../../manifest/content.ts';
import {
  updateState,
  exportedFiles,
  knownFromState,
  recordFiles,
} from '../../manifest/export/update-state.ts';
import { selectKinds, exportOrganization, type Exported } from '../../manifest/export/export-organization.ts';
import { kinds as allKinds } from '../../manifest/kinds/index.ts';
import { stateFileName, readState, type StateHandle } from '../../manifest/state-file.ts';
import { findFolder } from '../../content-sync/write-folder.ts';
import { ContentFolders, contentDirs, isContentPath } from '../../content-sync/export-content.ts';
import {
  changesTo,
  checkExport,
  compareTexts,
  writeExport,
  type FolderChanges,
} from '../../content-sync/export-folder.ts';
import { noteDryRun, printExport } from '../manifest/export-report.ts';
import { withLockedState, targetAt, type Target } from '../manifest/target.ts';
import { resolveOrganization } from '../names.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session.ts';
import type { DefineCommand } from '../composite-command.ts';

interface Options {
  readonly dir?: string;
  readonly kinds?: string;
  readonly force?: boolean;
  readonly lock: boolean;
  readonly content: boolean;
  readonly jobs: number;
}

export const define: DefineCommand = (command, inSession) => {
  command
    .option('-d, --dir <folder>', 'folder to write: a new one, an empty one, or that of an earlier export')
    .option('--kinds <list>', 'only these and what lies in them, as in teams,spaces')
    .option(
      '--no-content',
      'without the content of spaces; what an earlier export wrote of it stays as it is',
    )
    .option('--force', 'write into a folder that holds something else, and over what was edited in it')
    .option(
      '--no-lock',
      'write no docsctl.lock.json; a plan then finds things by their titles, and adopts them',
    )
    .option('--jobs <number>', 'calls at once', jobsOf, 4)
    .addHelpText(
      'after',
      `
Writes an organization as a manifest, with the lock that says which block is which resource: \`docsctl plan\` of the folder
has nothing to do. The content of each space is a folder of Markdown in content/, as \`docsctl spaces export\` writes it.
Secrets are not exported; a comment says what to set. A second export touches only what changed, keeps the names that it
gave, deletes files that it wrote of pages that are gone, and never replaces or deletes one that was edited since
without --force.

Examples:
  docsctl export --org Acme -d acme && docsctl plan -f acme
  docsctl export -d acme --kinds teams,collections,spaces --no-content
`,
    )
    .action(inSession(exportInto));
};

async function exportInto(session: Session, options: Options): Promise<void> {
  const { runtime, flags } = session;
  if (options.dir === undefined)
    throw new Problem('usage', 'Into which folder?', { hint: 'docsctl export -d DIR' });
  const kinds = options.kinds?.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  selectKinds(kinds);
  const organization = await resolveOrganization(session);
  const target = resolve(runtime.cwd, options.dir);
  const there = findFolder(target);
  const live = await targetAt(session, organization, join(there ?? target, stateFileName));
  const lock = readState(live.stateOptions);
  const left = exportedFiles(lock, isContentPath);
  const hadFile = (path: string): boolean => left?.has(path) === true;
  const content = new ContentFolders({
    api: live.api,
    organization,
    there,
    jobs: options.jobs,
    dirOf: contentDirs(lock),
    signal: runtime.signal,
    showProgress: (label, total) => createProgress(session.terminal, { label, total, clock: runtime.clock }),
  });
  const table = options.content ? withExportedContent(allKinds, content) : allKinds;
  const exported = await exportOrganization({
    api: live.api,
    organization,
    kinds,
    concurrency: options.jobs,
    signal: runtime.signal,
    known: knownFromState(lock),
    hadFile,
    table,
  });
  // Content that is not part of this export is left as an earlier one wrote it.
  const hasContent =
    options.content && exported.kinds.has('space') && !exported.unsupported.has('space.content');
  const [ours, spared] = hasContent ? [left, new Map<string, string>()] : parted(left);
  const found = changesTo(there, [compareTexts(there, exported.files), ...content.writes], ours);
  const changes =
    options.force === true ? { ...found, remove: [...found.remove, ...found.kept], kept: [] } : found;
  const isDry = flags.dryRun === true;
  if (options.force !== true && (!isDry || changes.isForeign)) checkExport(changes, options.dir);
  const writing = {
    target,
    changes,
    exported,
    content,
    live,
    serial: lock.serial,
    withLock: options.lock,
    spared,
    left,
  };
  if (isDry) noteDryRun(session, changes, options.force === true);
  const more = isDry ? [] : await write(session, writing);
  await printExport(session, {
    folder: target,
    exported,
    changes,
    contents: content.writes.length,
    warnings: [...exported.notes, ...content.warnings, ...more],
  });
}

interface Writing {
  readonly target: string;
  readonly changes: FolderChanges;
  readonly exported: Exported;
  readonly content: ContentFolders;
  readonly live: Target;
  readonly serial: number;
  readonly withLock: boolean;
  /** What an earlier export wrote, and this one leaves alone. */
  readonly spared: ReadonlyMap<string, string>;
  /** What an earlier export wrote, all of it. */
  readonly left: ReadonlyMap<string, string> | undefined;
}

/** Files first: without its lock an export is still right, and the next one finds what is the same. Gives what is to be known of it. */
async function write(session: Session, writing: Writing): Promise<readonly string[]> {
  const { target, changes, exported, content, live, serial, withLock, spared, left } = writing;
  const { owned, kinds } = exported;
  const { signal } = session.runtime;
  // What was kept is still not of this export: the next one says so again, or deletes it when it is forced.
  const kept = changes.kept.map((path) => [path, left?.get(path) ?? ''] as const);
  const oids = new Map([
    ...spared,
    ...kept,
    ...[...changes.create, ...changes.replace, ...changes.same].map(({ path, oid }) => [path, oid] as const),
  ]);
  const isUnwritten = changes.create.length + changes.replace.length + changes.remove.length > 0;
  const isUnlocked = withLock && updateState(readState(live.stateOptions), owned, kinds, oids);
  if (!isUnwritten && !isUnlocked) return [];
  if (signal.aborted)
    throw new Problem('interrupted', 'Stopped by a signal.', { hint: 'Nothing was written.' });
  const dir = prepare(target);
  const written = new Map<string, string>();
  if (!withLock) await writeFiles(session, dir, writing, written);
  else
    await withLockedState(live, async (held) => {
      if (held.state.serial !== serial)
        throw new Problem('precondition-failed', 'Something was applied while the organization was read.', {
          hint: 'Nothing was written. Export again.',
        });
      await writeFiles(session, dir, writing, written).catch(async (error: unknown) => {
        await recordPart(held, writing, written);
        throw error;
      });
      if (updateState(held.state, owned, kinds, new Map([...oids, ...written]))) await held.save();
    });
  return content.leftOut(dir, written);
}

async function writeFiles(
  session: Session,
  dir: string,
  { changes, exported, content }: Writing,
  written: Map<string, string>,
): Promise<void> {
  const { clock, randomBytes } = session.runtime;
  const progress = createProgress(session.terminal, {
    label: 'written',
    total: changes.create.length + changes.replace.length,
    clock,
  });
  const onWritten = ({ path, oid }: { readonly path: string; readonly oid: string }): void => {
    written.set(path, oid);
    progress.tick();
  };
  try {
    await writeExport(dir, {
      changes,
      content: content.read(),
      texts: exported.files,
      randomBytes,
      onWritten,
    });
  } finally {
    progress.done();
  }
}

/** Of an export that stopped half-way the lock of an earlier one says which files it wrote, so that the next does not take them for edited; nothing else. */
async function recordPart(
  { state, save }: StateHandle,
  { left }: Writing,
  written: ReadonlyMap<string, string>,
): Promise<void> {
  if (left === undefined || written.size === 0) return;
  recordFiles(state, new Map([...left, ...written]));
  await save().catch(() => undefined);
}

/** What the earlier export wrote beside content, and its content. */
function parted(
  left: ReadonlyMap<string, string> | undefined,
): [ReadonlyMap<string, string> | undefined, ReadonlyMap<string, string>] {
  if (left === undefined) return [undefined, new Map()];
  return [
    new Map([...left].filter(([path]) => !isContentPath(path))),
    new Map([...left].filter(([path]) => isContentPath(path))),
  ];
}

function prepare(target: string): string {
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    throw new Problem(
      'invalid-input',
      `The folder ${target} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
  return findFolder(target)!;
}

function jobsOf(text: string): number {
  const jobs = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > 64) throw new InvalidArgumentError('It takes a number from 1 to 64.');
  return jobs;
}
