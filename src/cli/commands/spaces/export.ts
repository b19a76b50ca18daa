import type { Command } from 'commander';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { Problem } from '../../../errors/problem.ts';
import { editsIn, type FolderEdits } from '../../../content-sync/folder-edits.ts';
import { planExport, type ExportedFile } from '../../../content-sync/plan-export.ts';
import { oidsOf, readFolder } from '../../../content-sync/read-folder.ts';
import {
  compareFolder,
  findFolder,
  isEmptyFolder,
  removeInside,
  withOids,
  writeInside,
  type WritePlan,
} from '../../../content-sync/write-folder.ts';
import { gitOid } from '../../../content/hashing.ts';
import { readExportRecord, writeExportRecord, type ExportRecord } from './export-record.ts';
import { createNames } from '../../names.ts';
import { createProgress } from '../../output/progress.ts';
import type { Session } from '../../session.ts';
import { openContent, type ContentReader } from '../../../content-sync/space-content.ts';
import type { RunInSession } from '../../composite-command.ts';

interface Options {
  readonly changeRequest?: string;
  readonly revision?: string;
  readonly force?: boolean;
  readonly prune?: boolean;
}

export function define(command: Command, run: RunInSession): void {
  command
    .argument('[space]', 'space, by id or title')
    .argument(
      '[folder]',
      'folder to write: a new one, an empty one, or one that was exported or imported before',
    )
    .option('--change-request <cr>', 'the content of this change request instead')
    .option('--revision <revision>', 'the content of this revision instead')
    .option('--force', 'write into a folder that holds something else, and over what was edited in it')
    .option('--prune', 'delete the files of an earlier export that the space has no more')
    .addHelpText(
      'after',
      `
What was imported and not edited is written as it was, byte for byte; files that are as they should be are not touched.
A file that was edited in the folder since it was exported or imported, or that comes from somewhere else, is never
replaced or deleted without --force; --dry-run names every such file. Paths are those below the folder that was
imported: what an import took with --root docs is written without docs/, so export into that folder.

Examples:
  docsctl spaces export Handbook ./handbook
  docsctl spaces export Handbook ./handbook --prune
  docsctl spaces export Handbook ./draft --change-request 7
`,
    )
    .action((space: string | undefined, folder: string | undefined, options: Options) =>
      run((session) => exportSpace(session, space, folder, options)),
    );
}

async function exportSpace(
  session: Session,
  space: string | undefined,
  folder: string | undefined,
  { changeRequest, revision, ...options }: Options,
): Promise<void> {
  if (space === undefined || folder === undefined)
    throw new Problem('usage', 'An export needs a space and a folder.', {
      hint: 'docsctl spaces export SPACE FOLDER',
    });
  if (changeRequest !== undefined && revision !== undefined)
    throw new Problem('usage', 'Give either --change-request or --revision, not both.');
  const spaceId = await createNames(session).resolve('spaceId', space, {}, 'spaces.export');
  const place = {
    spaceId,
    ...(changeRequest === undefined ? {} : { changeRequestId: changeRequest }),
    ...(revision === undefined ? {} : { revisionId: revision }),
  };
  const content = await openContent(await session.api(), place, session.runtime.signal);
  const plan = planExport(await content.read(true));
  const target = resolve(session.runtime.cwd, folder);
  const there = findFolder(target);
  const files = await withOids(there, plan.files, content.download);
  const writes = compareFolder(there, files);
  const force = options.force === true;
  const isDry = session.flags.dryRun === true;
  const record = there === undefined ? undefined : readExportRecord(session.runtime, { dir: there, spaceId });
  if (there !== undefined && !force && record === undefined) checkFolder(there, folder, plan.markers, writes);
  const paths = writes.replace.map(({ path }) => path);
  const edited = there === undefined ? [] : editsIn(there, paths, record ?? new Map<string, string>()).edited;
  if (edited.length > 0 && !force && !isDry) throw editedProblem(folder, edited);
  const gone = there === undefined ? { unedited: [], edited: [] } : await goneFrom(there, files, record);
  const pruned =
    options.prune !== true ? [] : force ? [...gone.unedited, ...gone.edited].sort() : gone.unedited;
  const printer = session.format === 'table' ? undefined : await session.printer({ idField: 'folder' });
  for (const { file, message } of plan.warnings.slice(0, 30)) session.note(`warning: ${file}: ${message}`);
  if (!isDry) {
    const dir = prepare(target);
    const known = new Set([...files.map(({ path }) => path), ...gone.unedited, ...gone.edited]);
    const before = [...(record ?? [])].filter(([path]) => known.has(path));
    await writeAll(session, { dir, spaceId, writes, pruned, content, before });
  }
  const result = {
    folder: target,
    ...plan.counts,
    created: writes.create.length,
    changed: writes.replace.length,
    unchanged: writes.same.length,
    edited: edited.length,
    deleted: pruned.length,
    gone: gone.unedited.length + gone.edited.length,
    warnings: plan.warnings.length,
  };
  await printer?.one(result);
  await printer?.end();
  if (isDry) noteDry(session, { writes, edited, pruned, force });
  const kept = [...gone.unedited, ...gone.edited].filter((path) => !pruned.includes(path)).sort();
  const why =
    options.prune === true
      ? 'they were edited, or no export or import wrote them; --force deletes them'
      : '--prune was not given';
  if (kept.length > 0)
    session.note(
      `Not in the space any more, and kept because ${why}: ${named(kept, isDry ? Infinity : 10)}.`,
    );
  noteVerdict(session, result, isDry);
}

/** Refuses a folder that holds something else: one without a table of contents or settings whose files would be replaced. */
function checkFolder(
  dir: string,
  name: string,
  markers: readonly string[],
  { replace, same }: WritePlan,
): void {
  if (isEmptyFolder(dir) || (replace.length === 0 && same.length > 0)) return;
  const known = compareFolder(
    dir,
    markers.map((path) => ({ path, oid: '', content: { fileId: '' } })),
  );
  if (known.replace.length > 0) return;
  const paths = replace.map(({ path }) => path);
  const replaced = paths.length === 0 ? '' : `; ${named(paths, 20)} would be replaced`;
  throw new Problem(
    'guard-refused',
    `The folder ${name} holds something else than an earlier export${replaced}.`,
    {
      hint: 'Name a new folder, or add --force to write into this one.',
    },
  );
}

function editedProblem(folder: string, edited: readonly string[]): Problem {
  const files = edited.length === 1 ? '1 file' : `${edited.length} files`;
  return new Problem(
    'guard-refused',
    `${files} in ${folder} would be replaced, edited there or from somewhere else than an earlier export: ${named(edited, 20)}.`,
    {
      hint: 'Nothing was written. Import the folder first to keep the edits, or add --force to lose them; --dry-run names every file.',
    },
  );
}

function named(paths: readonly string[], most: number): string {
  return `${paths.slice(0, most).join(', ')}${paths.length > most ? ` and ${paths.length - most} more` : ''}`;
}

/** The files of an import or export before this one that are not written any more: from its record, else those that its table of contents names. */
async function goneFrom(
  dir: string,
  files: readonly ExportedFile[],
  record: ExportRecord | undefined,
): Promise<FolderEdits> {
  const kept = new Set(files.map(({ path }) => path));
  const before = record === undefined ? await listedIn(dir) : [...record.keys()];
  return editsIn(
    dir,
    before.filter((path) => !kept.has(path)),
    record ?? new Map<string, string>(),
  );
}

async function listedIn(dir: string): Promise<string[]> {
  try {
    const folder = await readFolder(dir);
    // Without a table of contents every Markdown file would count as a page of an earlier export.
    return folder.texts.some(({ role }) => role === 'summary') ? [...oidsOf(folder).keys()] : [];
  } catch (error) {
    // A folder that cannot be read as documentation is no earlier export.
    if (error instanceof Problem) return [];
    throw error;
  }
}

function prepare(dir: string): string {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    throw new Problem(
      'invalid-input',
      `The folder ${dir} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      { cause: error },
    );
  }
  return findFolder(dir)!;
}

interface Writing {
  readonly dir: string;
  readonly spaceId: string;
  readonly writes: WritePlan;
  readonly pruned: readonly string[];
  readonly content: ContentReader;
  /** What is known of the folder, without files that are gone from it. */
  readonly before: readonly (readonly [path: string, oid: string])[];
}

/** Writes and deletes, and remembers what the folder holds then, also where it stops in the middle. */
async function writeAll(
  session: Session,
  { dir, spaceId, writes, pruned, content, before }: Writing,
): Promise<void> {
  const { signal, clock, randomBytes } = session.runtime;
  const left = new Map([...before, ...writes.same.map(({ path, oid }) => [path, oid] as const)]);
  const progress = createProgress(session.terminal, {
    label: 'written',
    total: writes.create.length + writes.replace.length,
    clock,
  });
  try {
    for (const { path, oid, content: given } of [...writes.create, ...writes.replace]) {
      if (signal.aborted)
        throw new Problem('interrupted', 'Stopped by a signal.', { hint: 'Export again to write the rest.' });
      const bytes = 'bytes' in given ? given.bytes : await content.download(given.fileId);
      writeInside(dir, path, bytes, randomBytes);
      left.set(path, oid || gitOid(bytes));
      progress.tick();
    }
    removeInside(dir, pruned);
    for (const path of pruned) left.delete(path);
  } finally {
    progress.done();
    if (!writeExportRecord(session.runtime, { dir, spaceId }, left))
      session.note(
        'What was written could not be noted in the settings folder; the next export into this folder takes it for edited.',
      );
  }
}

interface DryRun {
  readonly writes: WritePlan;
  readonly edited: readonly string[];
  readonly pruned: readonly string[];
  readonly force: boolean;
}

/** What would be done, and what stands in its way. */
function noteDry(session: Session, { writes, edited, pruned, force }: DryRun): void {
  const isEdited = new Set(edited);
  const paths = [...writes.create, ...writes.replace]
    .map(({ path }) => path)
    .filter((path) => !isEdited.has(path));
  for (const path of paths.slice(0, 30)) session.note(`would write ${path}`);
  if (paths.length > 30) session.note(`would write ${paths.length - 30} more files`);
  for (const path of pruned) session.note(`would delete ${path}`);
  for (const path of edited) {
    if (force) session.note(`would replace ${path}, which was edited or comes from somewhere else`);
    else
      session.note(
        `would refuse to replace ${path}: it was edited or comes from somewhere else; --force replaces it`,
      );
  }
}

function noteVerdict(
  session: Session,
  {
    pages,
    files,
    texts,
    created,
    changed,
    unchanged,
    deleted,
    warnings,
  }: Readonly<
    Record<'pages' | 'files' | 'texts' | 'created' | 'changed' | 'unchanged' | 'deleted' | 'warnings', number>
  >,
  isDry: boolean,
): void {
  session.note(
    `${isDry ? 'Dry run, nothing was written: ' : ''}${pages} pages, ${files} files, ${texts} other texts: ${created} new, ${changed} changed, ${unchanged} as they were, ${deleted} deleted; warnings: ${warnings}.`,
  );
}
