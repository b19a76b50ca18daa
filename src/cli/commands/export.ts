import { Option } from 'commander';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { interruptedFiles, isBareInterruption, yieldToEvents } from '../../contract/event-loop.ts';
import { Problem, isProblem } from '../../errors/problem.ts';
import { withExportedContent } from '../../manifest/content.ts';
import {
  updateState,
  exportedFiles,
  knownFromState,
  recordFiles,
} from '../../manifest/export/update-state.ts';
import { selectKinds, exportOrganization, type Exported } from '../../manifest/export/export-organization.ts';
import { kinds as allKinds } from '../../manifest/kinds/index.ts';
import { findStatePath, readState, type StateHandle } from '../../manifest/state-file.ts';
import { findFolder } from '../../content-sync/write-folder.ts';
import { ContentFolders, findContentDirs, isContentPath } from '../../content-sync/export-content.ts';
import {
  compareExport,
  checkExport,
  planTextWrites,
  writeExport,
  type FolderChanges,
} from '../../content-sync/export-folder.ts';
import { addConcurrencyOption } from '../manifest/options.ts';
import { noteDryRun, printExport } from '../manifest/export-report.ts';
import { withLockedState, targetAt, type Target } from '../manifest/target.ts';
import { resolveOrganization } from '../names/names.ts';
import { checkFolder, makeFolder } from '../../files/make-folders.ts';
import { createProgress } from '../output/progress.ts';
import type { Session } from '../session/session.ts';
import { requiredOption, type CommandHelp, type DefineCommand } from '../composite-command.ts';

interface Options {
  readonly dir?: string;
  readonly kinds?: string;
  readonly force?: boolean;
  readonly state: boolean;
  readonly portable?: boolean;
  readonly content: boolean;
  readonly concurrency: number;
}

export const help: CommandHelp = {
  description: `
Writes the organization as a manifest with a state file. \`docsctl plan -f FOLDER\` then shows no changes. The content of
each space becomes a folder of Markdown in content/, as with \`docsctl spaces export\`. Secrets and the content of translated
spaces are not exported.

If you export into the same folder again, docsctl writes only what has changed, keeps the names of blocks, and deletes
the files of deleted pages. If it would replace or delete files that you have edited since the last export, it writes
nothing (exit 9), unless you give --force.

With --portable, the manifest contains no IDs. It also leaves out the title, logo, hostname and email domains of the
organization. \`docsctl apply -f FOLDER --org OTHER\` then creates the same resources in another organization, and invites
the members to it.
`,
  examples: [
    'docsctl export --org Acme -d acme && docsctl plan -f acme',
    'docsctl export -d acme --kinds teams,collections,spaces --no-content',
    'docsctl export -d template --portable',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .addOption(requiredOption('-d, --dir <folder>', 'folder to write: new, empty, or from an earlier export'))
    .option(
      '--kinds <list>',
      'kinds of resources to export, with everything inside them, separated by commas: teams, members, saml, collections, spaces, openapi, sites, org, integrations, translations (default: all)',
    )
    .option('--no-content', 'do not export the content of spaces; files of an earlier export are kept')
    .option('--force', 'write into a folder that has other files, and replace or delete edited files')
    .option('--portable', 'leave out IDs and the state file, to apply the manifest to another organization')
    .option('--no-state', 'write no state file; a plan then finds resources by their titles and adopts them')
    .addOption(new Option('--no-lock').hideHelp())
    .on('option:no-lock', () => command.setOptionValue('state', false))
    .action(inSession(exportInto));
  addConcurrencyOption(command);
};

async function exportInto(session: Session, options: Options): Promise<void> {
  const { runtime, flags } = session;
  if (options.dir === undefined)
    throw new Problem('usage', 'The option --dir is missing.', {
      hint: 'Name a folder: `docsctl export -d FOLDER`.',
    });
  const kinds = options.kinds?.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  selectKinds(kinds);
  const organization = await resolveOrganization(session);
  const folder = resolve(runtime.cwd, options.dir);
  const there = findFolder(folder);
  if (flags.dryRun !== true) checkFolder(folder, options.dir);
  const target = await targetAt(session, organization, findStatePath(there ?? folder));
  const state = readState(target.stateOptions);
  const left = exportedFiles(state, isContentPath);
  // Reading an organization takes long, so a folder that cannot be an export is refused first.
  const names = there === undefined || left !== undefined ? [] : readdirSync(there);
  const isForeign = names.length > 0 && !names.some((name) => name === 'content' || /\.ya?ml$/.test(name));
  if (isForeign && options.force !== true) checkExport({ isForeign, edited: [] }, options.dir);
  const hadFile = (path: string) => left?.has(path) === true;
  const content = new ContentFolders({
    api: target.api,
    organization,
    there,
    jobs: options.concurrency,
    dirOf: findContentDirs(state),
    signal: runtime.signal,
    showProgress: (label, total) => createProgress(session.terminal, { label, total, clock: runtime.clock }),
  });
  const table = options.content ? withExportedContent(allKinds, content) : allKinds;
  const exported = await exportOrganization({
    api: target.api,
    organization,
    kinds,
    concurrency: options.concurrency,
    signal: runtime.signal,
    known: knownFromState(state),
    hadFile,
    table,
    portable: options.portable,
  }).catch((error: unknown) => {
    if (!isProblem(error, 'forbidden')) throw error;
    throw new Problem('forbidden', error.message, {
      hint: 'Use a token with a higher role, or export less: name the kinds, for example `docsctl export -d FOLDER --kinds collections,spaces`, or leave out the content with --no-content.',
      requestId: error.requestId,
    });
  });
  // Content that is not part of this export is kept from an earlier one.
  const hasContent =
    options.content && exported.kinds.has('space') && !exported.unsupported.has('space.content');
  const [ours, spared] = hasContent ? [left, new Map<string, string>()] : separateContent(left);
  const found = compareExport(there, [planTextWrites(there, exported.files), ...content.writes], ours);
  const changes =
    options.force === true ? { ...found, remove: [...found.remove, ...found.kept], kept: [] } : found;
  const isDry = flags.dryRun === true;
  if (options.force !== true && (!isDry || changes.isForeign)) checkExport(changes, options.dir);
  const writing = {
    folder,
    changes,
    exported,
    content,
    target,
    serial: state.serial,
    withState: options.state && options.portable !== true,
    spared,
    left,
  };
  if (isDry) noteDryRun(session, changes, options.force === true);
  const more = isDry ? [] : await write(session, writing);
  if (!isDry && writing.withState && left === undefined)
    session.note(
      'In git, commit docsctl.state.json with the manifest, and ignore docsctl.state.json.lock and docsctl.runs/.',
    );
  await printExport(session, {
    folder,
    exported,
    changes,
    contents: content.writes.length,
    warnings: [...exported.notes, ...content.warnings, ...more],
  });
}

interface Writing {
  readonly folder: string;
  readonly changes: FolderChanges;
  readonly exported: Exported;
  readonly content: ContentFolders;
  readonly target: Target;
  readonly serial: number;
  readonly withState: boolean;
  /** Files of an earlier export that this export does not change. */
  readonly spared: ReadonlyMap<string, string>;
  readonly left: ReadonlyMap<string, string> | undefined;
}

/**
 * Writes the files, and then the state file. Without the state file, the export is still usable, and the next one recognizes
 * equal files. Returns warnings.
 */
async function write(session: Session, writing: Writing): Promise<readonly string[]> {
  const { folder, changes, exported, content, target, serial, withState, spared, left } = writing;
  const { owned, kinds } = exported;
  const { signal } = session.runtime;
  // Kept files are not part of this export: the next one reports them again, or deletes them if it is forced.
  const kept = changes.kept.map((path) => [path, left?.get(path) ?? ''] as const);
  const oids = new Map([
    ...spared,
    ...kept,
    ...[...changes.create, ...changes.replace, ...changes.same].map(({ path, oid }) => [path, oid] as const),
  ]);
  const isUnwritten = changes.create.length + changes.replace.length + changes.remove.length > 0;
  const isStateOld = withState && updateState(readState(target.stateOptions), owned, kinds, oids);
  if (!isUnwritten && !isStateOld) return [];
  await yieldToEvents(signal);
  const dir = makeFolder(folder, folder);
  const written = new Map<string, string>();
  if (!withState) await writeFiles(session, dir, writing, written);
  else
    await withLockedState(target, async (handle) => {
      if (handle.state.serial !== serial)
        throw new Problem('precondition-failed', 'Another apply ran during the export.', {
          hint: 'Nothing was written. Run the export again.',
        });
      await writeFiles(session, dir, writing, written).catch(async (error: unknown) => {
        await recordPart(handle, writing, written);
        throw error;
      });
      if (updateState(handle.state, owned, kinds, new Map([...oids, ...written]))) await handle.save();
    });
  return content.leftOut(dir, written);
}

async function writeFiles(
  session: Session,
  dir: string,
  { changes, exported, content }: Writing,
  written: Map<string, string>,
): Promise<void> {
  const { clock, randomBytes, signal } = session.runtime;
  const total = changes.create.length + changes.replace.length;
  const progress = createProgress(session.terminal, {
    label: 'written',
    total,
    clock,
  });
  const onWritten = ({ path, oid }: { path: string; oid: string }): void => {
    written.set(path, oid);
    progress.tick();
  };
  try {
    await writeExport(dir, {
      changes,
      content: content.read(),
      texts: exported.files,
      randomBytes,
      signal,
      onWritten,
    });
  } catch (error) {
    throw isBareInterruption(error) ? interruptedFiles(written.size, total) : error;
  } finally {
    progress.done();
  }
}

/** Records the files of an export that failed half-way, so that the next one does not treat them as edited. */
async function recordPart(
  { state, save }: StateHandle,
  { left }: Writing,
  written: ReadonlyMap<string, string>,
): Promise<void> {
  if (left === undefined || written.size === 0) return;
  recordFiles(state, new Map([...left, ...written]));
  await save().catch(() => undefined);
}

/** Separates the content of an earlier export from its other files. */
function separateContent(
  left: ReadonlyMap<string, string> | undefined,
): [ReadonlyMap<string, string> | undefined, ReadonlyMap<string, string>] {
  const content = new Map([...(left ?? [])].filter(([path]) => isContentPath(path)));
  return [left && new Map([...left].filter(([path]) => !content.has(path))), content];
}
