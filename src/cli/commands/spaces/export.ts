import { resolve } from 'node:path';
import { findEdits, type FolderEdits } from '../../../content-sync/export-folder.ts';
import { planExport, type ExportedFile } from '../../../content-sync/plan-export.ts';
import { listOids, readFolder } from '../../../content-sync/read-folder.ts';
import { openContent, type ContentReader } from '../../../content-sync/space-content.ts';
import {
  compareFolder,
  findFolder,
  isEmptyFolder,
  removeInside,
  hashUnknownFiles,
  writeInside,
  type WritePlan,
} from '../../../content-sync/write-folder.ts';
import { gitOid } from '../../../content/hashing.ts';
import { defined, listSome, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names.ts';
import { createProgress } from '../../output/progress.ts';
import { makeFolder, noteFiles } from '../../save-file.ts';
import type { Session } from '../../session.ts';
import { settingsFolder } from '../../settings.ts';
import {
  readExportRecord,
  writeExportRecord,
  type ExportRecord,
} from '../../../content-sync/export-record.ts';
import type { CommandHelp } from '../../command-help.ts';

interface Options {
  readonly changeRequest?: string;
  readonly revision?: string;
  readonly force?: boolean;
  readonly prune?: boolean;
}

/** Warnings that are noted one by one. */
const maxWarnings = 30;

export const help: CommandHelp = {
  description: `
What was imported and not edited is written as it was, byte for byte; files that are as they should be are not touched.
A file that was edited in the folder since it was exported or imported, or that comes from somewhere else, is never
replaced or deleted without --force; --dry-run names every such file. Paths are those below the folder that was
imported: what an import took with --root docs is written without docs/, so export into that folder.
`,
  examples: [
    'docsctl spaces export Handbook ./handbook',
    'docsctl spaces export Handbook ./handbook --prune',
    'docsctl spaces export Handbook ./draft --change-request 7',
  ],
};

export const define: DefineCommand = (command, inSession) => {
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
    .action(inSession(exportSpace));
};

async function exportSpace(
  session: Session,
  space: string | undefined,
  folder: string | undefined,
  { changeRequest, revision, force = false, prune = false }: Options,
): Promise<void> {
  if (space === undefined || folder === undefined)
    throw new Problem('usage', 'An export needs a space and a folder.', {
      hint: 'docsctl spaces export SPACE FOLDER',
    });
  if (changeRequest !== undefined && revision !== undefined)
    throw new Problem('usage', 'Give either --change-request or --revision, not both.');
  const { runtime, format, flags, note } = session;
  const isDryRun = flags.dryRun === true;
  const spaceId = await resolveName(session, 'spaceId', space);
  const place = { spaceId, ...defined({ changeRequestId: changeRequest, revisionId: revision }) };
  const content = await openContent(await session.api(), place, runtime.signal);
  const plan = planExport(await content.read(true));
  const target = resolve(runtime.cwd, folder);
  const dir = findFolder(target);
  const files = await hashUnknownFiles(dir, plan.files, content.download);
  const writes = compareFolder(dir, files);
  const { create, replace, same } = writes;
  const record = dir === undefined ? undefined : readExportRecord(settingsFolder(runtime), { dir, spaceId });
  if (dir !== undefined && !force && record === undefined) checkFolder(dir, folder, plan.markers, writes);
  const replaced = replace.map(({ path }) => path);
  const edited =
    dir === undefined ? [] : findEdits(dir, replaced, record ?? new Map<string, string>()).edited;
  if (edited.length > 0 && !force && !isDryRun) throw editedProblem(folder, edited);
  const gone = dir === undefined ? { unedited: [], edited: [] } : await findGone(dir, files, record);
  const allGone = [...gone.unedited, ...gone.edited].sort();
  const pruned = !prune ? [] : force ? allGone : gone.unedited;
  const printer = format === 'table' ? undefined : await session.printer({ idField: 'folder' });
  for (const { file, message } of plan.warnings.slice(0, maxWarnings)) note(`warning: ${file}: ${message}`);
  if (!isDryRun) {
    const known = new Set([...files.map(({ path }) => path), ...allGone]);
    const before = [...(record ?? [])].filter(([path]) => known.has(path));
    const made = makeFolder(target, target);
    await writeFolder(session, { dir: made, spaceId, writes, pruned, content, before });
  }
  const { pages, files: fileCount, texts } = plan.counts;
  await printer?.one({
    folder: target,
    ...plan.counts,
    created: create.length,
    changed: replace.length,
    unchanged: same.length,
    edited: edited.length,
    deleted: pruned.length,
    gone: allGone.length,
    warnings: plan.warnings.length,
  });
  await printer?.end();
  if (isDryRun) noteDryRun(session, { writes, edited, pruned, force });
  const isPruned = new Set(pruned);
  const kept = allGone.filter((path) => !isPruned.has(path));
  const why = prune
    ? 'they were edited, or no export or import wrote them; --force deletes them'
    : '--prune was not given';
  if (kept.length > 0) {
    const names = listSome(kept, isDryRun ? Infinity : 10);
    note(`Not in the space any more, and kept because ${why}: ${names}.`);
  }
  const verdict = `${pages} pages, ${fileCount} files, ${texts} other texts: ${create.length} new, ${replace.length} changed, ${same.length} as they were, ${pruned.length} deleted; warnings: ${plan.warnings.length}.`;
  note(isDryRun ? `Dry run, nothing was written: ${verdict}` : verdict);
}

/**
 * Refuses a folder that holds something else: without a table of contents or settings, and with files to replace.
 * @throws Problem(guard-refused)
 */
function checkFolder(
  dir: string,
  name: string,
  markers: readonly string[],
  { replace, same }: WritePlan,
): void {
  if (isEmptyFolder(dir) || (replace.length === 0 && same.length > 0)) return;
  const expected = markers.map((path) => ({ path, oid: '', content: { fileId: '' } }));
  if (compareFolder(dir, expected).replace.length > 0) return;
  const paths = replace.map(({ path }) => path);
  const replaced = paths.length === 0 ? '' : `; ${listSome(paths, 20)} would be replaced`;
  throw new Problem(
    'guard-refused',
    `The folder ${name} holds something else than an earlier export${replaced}.`,
    { hint: 'Name a new folder, or add --force to write into this one.' },
  );
}

function editedProblem(folder: string, edited: readonly string[]): Problem {
  return new Problem(
    'guard-refused',
    `${plural(edited.length, 'file')} in ${folder} would be replaced, edited there or from somewhere else than an earlier export: ${listSome(edited, 20)}.`,
    {
      hint: 'Nothing was written. Import the folder first to keep the edits, or add --force to lose them; --dry-run names every file.',
    },
  );
}

/** Finds the files of an earlier export or import that the space has no more, by its record or else its table of contents. */
async function findGone(
  dir: string,
  files: readonly ExportedFile[],
  record: ExportRecord | undefined,
): Promise<FolderEdits> {
  const kept = new Set(files.map(({ path }) => path));
  const before = record === undefined ? await listContents(dir) : [...record.keys()];
  const gone = before.filter((path) => !kept.has(path));
  return findEdits(dir, gone, record ?? new Map<string, string>());
}

async function listContents(dir: string): Promise<string[]> {
  try {
    const folder = await readFolder(dir);
    // Without a table of contents every Markdown file would count as a page of an earlier export.
    return folder.texts.some(({ role }) => role === 'summary') ? [...listOids(folder).keys()] : [];
  } catch (error) {
    // A folder that cannot be read as documentation is no earlier export.
    if (error instanceof Problem) return [];
    throw error;
  }
}

interface FolderWrite {
  readonly dir: string;
  readonly spaceId: string;
  readonly writes: WritePlan;
  readonly pruned: readonly string[];
  readonly content: ContentReader;
  /** The record of the folder, without files that are gone from it. */
  readonly before: readonly (readonly [path: string, oid: string])[];
}

/** Writes and deletes files, and records what the folder holds then, even if it stops in the middle. */
async function writeFolder(
  session: Session,
  { dir, spaceId, writes, pruned, content, before }: FolderWrite,
): Promise<void> {
  const { signal, clock, randomBytes } = session.runtime;
  const record = new Map([...before, ...writes.same.map(({ path, oid }) => [path, oid] as const)]);
  const changed = [...writes.create, ...writes.replace];
  const progress = createProgress(session.terminal, { label: 'written', total: changed.length, clock });
  try {
    for (const { path, oid, content: file } of changed) {
      if (signal.aborted)
        throw new Problem('interrupted', 'Stopped by a signal.', { hint: 'Export again to write the rest.' });
      const bytes = 'bytes' in file ? file.bytes : await content.download(file.fileId);
      writeInside(dir, path, bytes, randomBytes);
      record.set(path, oid || gitOid(bytes));
      progress.tick();
    }
    removeInside(dir, pruned);
    for (const path of pruned) record.delete(path);
  } finally {
    progress.done();
    if (!writeExportRecord(settingsFolder(session.runtime), { dir, spaceId }, record, randomBytes))
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

/** Notes what an export would do, and which edited files prevent it. */
function noteDryRun(session: Session, { writes, edited, pruned, force }: DryRun): void {
  const { note } = session;
  const isEdited = new Set(edited);
  const paths = [...writes.create, ...writes.replace]
    .map(({ path }) => path)
    .filter((path) => !isEdited.has(path));
  noteFiles(session, 'would write', paths);
  for (const path of pruned) note(`would delete ${path}`);
  for (const path of edited)
    note(
      force
        ? `would replace ${path}, which was edited or comes from somewhere else`
        : `would refuse to replace ${path}: it was edited or comes from somewhere else; --force replaces it`,
    );
}
