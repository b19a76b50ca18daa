import { resolve } from 'node:path';
import { findEdits, type FolderEdits } from '../../../content-sync/export-folder.ts';
import { planExport, type ExportedFile } from '../../../content-sync/plan-export.ts';
import { listOids, readFolder } from '../../../content-sync/read-folder.ts';
import { openContent, type ContentReader } from '../../../content-sync/space-content.ts';
import {
  planWrites,
  findFolder,
  isEmptyFolder,
  readerOf,
  removeInside,
  hashUnknownFiles,
  writeInside,
  type WritePlan,
} from '../../../content-sync/write-folder.ts';
import { gitOid } from '../../../content/hashing.ts';
import { interruptedFiles, isBareInterruption, yieldToEvents } from '../../../contract/event-loop.ts';
import { defined, listSome, plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { requiredArgument, type CommandHelp, type DefineCommand } from '../../composite-command.ts';
import { resolveName } from '../../names/names.ts';
import { createProgress, withCounts, withStep } from '../../output/progress.ts';
import { makeFolder } from '../../../files/make-folders.ts';
import { noteFiles } from '../../results/save-file.ts';
import type { Session } from '../../session/session.ts';
import { settingsFolder } from '../../settings/settings.ts';
import {
  readExportRecord,
  writeExportRecord,
  type ExportRecord,
} from '../../../content-sync/export-record.ts';
import { refuseTogether } from '../../input/given-twice.ts';

interface Options {
  readonly changeRequest?: string;
  readonly revision?: string;
  readonly force?: boolean;
  readonly prune?: boolean;
}

/** Maximum number of warnings that are shown one by one. */
const maxWarnings = 30;

export const help: CommandHelp = {
  description: `
Pages that were imported and not edited since are written exactly as they were, byte for byte. Files that are up to date are
not touched.

Without --force, the command does not replace or delete files that were edited since the last export or import, or that
came from elsewhere. If such a file is in the way, nothing is written (exit 9). --dry-run lists these files.

Paths are relative to the folder that was imported. After an import with --root docs, export into that docs folder.
`,
  examples: [
    'docsctl spaces export Guide ./guide',
    'docsctl spaces export Guide ./docs --prune',
    'docsctl spaces export Guide ./draft --change-request 7',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addArgument(requiredArgument('[space]', 'title or ID of the space'))
    .addArgument(
      requiredArgument('[folder]', 'folder to write: new, empty, or used by an earlier export or import'),
    )
    .option('--change-request <change-request>', 'export the content of this change request, by number or ID')
    .option('--revision <revision>', 'export this revision, by ID; not together with --change-request')
    .option(
      '--force',
      'write into a folder with other files; replace edited files, and with --prune delete them',
    )
    .option('--prune', 'delete files of an earlier export that the space no longer has')
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
      hint: 'Give both, for example `docsctl spaces export Guide ./guide`.',
    });
  refuseTogether({ changeRequest, revision });
  const { runtime, format, flags, note } = session;
  const isDryRun = flags.dryRun === true;
  const spaceId = await resolveName(session, 'spaceId', space);
  const place = { spaceId, ...defined({ changeRequestId: changeRequest, revisionId: revision }) };
  const content = await openContent(await session.api(), place, runtime.signal);
  const read = await withCounts(session, 'reading page', (onPages) => content.read(true, onPages));
  const target = resolve(runtime.cwd, folder);
  const dir = findFolder(target);
  const { plan, files, writes } = await withStep(session, 'comparing with the folder', async () => {
    const planned = planExport(read, readerOf(dir));
    const hashed = await hashUnknownFiles(dir, planned.files, content.download);
    return { plan: planned, files: hashed, writes: planWrites(dir, hashed) };
  });
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
  if (isDryRun) noteDryRun(session, { writes, edited, pruned, force });
  const isPruned = new Set(pruned);
  const kept = allGone.filter((path) => !isPruned.has(path));
  const why = prune
    ? 'they were edited or are not from an export; --force deletes them'
    : '--prune was not given';
  if (kept.length > 0) {
    const names = listSome(kept, isDryRun ? Infinity : 10);
    note(`Not in the space, but kept because ${why}: ${names}.`);
  }
  const verdict = `${plural(pages, 'page')}, ${plural(fileCount, 'file')}, ${plural(texts, 'other text')}: ${create.length} new, ${replace.length} changed, ${same.length} unchanged, ${pruned.length} deleted; warnings: ${plan.warnings.length}.`;
  note(isDryRun ? `Dry run, nothing was written: ${verdict}` : verdict);
}

/**
 * Refuses a folder with other contents: it has no table of contents or settings, but files that would be replaced.
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
  if (planWrites(dir, expected).replace.length > 0) return;
  const paths = replace.map(({ path }) => path);
  const replaced = paths.length === 0 ? '' : `; ${listSome(paths, 20)} would be replaced`;
  throw new Problem(
    'guard-refused',
    `The folder ${name} has files that are not from an earlier export${replaced}.`,
    { hint: 'Choose a new folder, or add --force to write into this one.' },
  );
}

function editedProblem(folder: string, edited: readonly string[]): Problem {
  return new Problem(
    'guard-refused',
    `${plural(edited.length, 'file')} in ${folder} would be replaced, but ${edited.length === 1 ? 'was' : 'were'} edited since the last export or ${edited.length === 1 ? 'does' : 'do'} not come from an export: ${listSome(edited, 20)}.`,
    {
      hint: 'Nothing was written. Import the folder first to keep the edits, or add --force to discard them. --dry-run lists every file.',
    },
  );
}

/** Finds the files of an earlier export or import that the space no longer has, by its record or else its table of contents. */
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
    // Without a table of contents, every Markdown file would count as a page of an earlier export.
    return folder.texts.some(({ role }) => role === 'summary') ? [...listOids(folder).keys()] : [];
  } catch (error) {
    // A folder that cannot be read as documentation is not an earlier export.
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
  /** The record of the folder, without files that were deleted since. */
  readonly before: readonly (readonly [path: string, oid: string])[];
}

/** Writes and deletes files, and records the new contents of the folder, even if it stops in the middle. */
async function writeFolder(
  session: Session,
  { dir, spaceId, writes, pruned, content, before }: FolderWrite,
): Promise<void> {
  const { signal, clock, randomBytes } = session.runtime;
  const record = new Map([...before, ...writes.same.map(({ path, oid }) => [path, oid] as const)]);
  const changed = [...writes.create, ...writes.replace];
  const progress = createProgress(session.terminal, { label: 'written', total: changed.length, clock });
  let written = 0;
  try {
    for (const { path, oid, content: file } of changed) {
      await yieldToEvents(signal);
      const bytes = 'bytes' in file ? file.bytes : await content.download(file.fileId);
      writeInside(dir, path, bytes, randomBytes);
      record.set(path, oid || gitOid(bytes));
      written++;
      progress.tick();
    }
    removeInside(dir, pruned);
    for (const path of pruned) record.delete(path);
  } catch (error) {
    throw isBareInterruption(error) ? interruptedFiles(written, changed.length) : error;
  } finally {
    progress.done();
    if (!writeExportRecord(settingsFolder(session.runtime), { dir, spaceId }, record, randomBytes))
      session.note(
        'warning: the settings folder cannot be written, so the next export into this folder will treat these files as edited.',
      );
  }
}

interface DryRun {
  readonly writes: WritePlan;
  readonly edited: readonly string[];
  readonly pruned: readonly string[];
  readonly force: boolean;
}

/** Notes the effect of an export, and which edited files prevent it. */
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
        ? `would replace ${path}, which was edited or is not from an export`
        : `would not replace ${path}, which was edited or is not from an export; --force replaces it`,
    );
}
