import { InvalidArgumentError, type Command } from 'commander';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { bringLock, exportedFiles, knownBy } from '../../manifest/export/bring-lock.ts';
import { chosenKinds, exportOrganization, type Exported } from '../../manifest/export/export-organization.ts';
import { lockFileName, readLock } from '../../manifest/lock-file.ts';
import { findFolder } from '../../markdown-folder/write-folder.ts';
import { checkExport, compareExport, writeExport, type FolderChanges } from '../manifest/export-folder.ts';
import { holdingLock, type Live } from '../manifest/live.ts';
import { organizationOf } from '../names.ts';
import type { Session } from '../session.ts';
import type { RunIn } from './index.ts';

interface Options {
  readonly dir?: string;
  readonly kinds?: string;
  readonly force?: boolean;
  readonly lock: boolean;
  readonly jobs: number;
}

export function define(command: Command, run: RunIn): void {
  command
    .option('-d, --dir <folder>', 'folder to write: a new one, an empty one, or that of an earlier export')
    .option('--kinds <list>', 'only these and what lies in them, as in teams,spaces')
    .option('--force', 'write into a folder that holds something else, and over what was edited in it')
    .option('--no-lock', 'write no docsctl.lock.json; a plan then finds things by their titles, and adopts them')
    .option('--jobs <number>', 'calls at once', jobsOf, 4)
    .addHelpText(
      'after',
      `
Writes an organization as a manifest, with the lock that says which block is which resource: \`docsctl plan\` of the folder
has nothing to do. Secrets are not exported; a comment says what to set. Content of spaces is exported by itself:
docsctl spaces export. A second export touches only what changed, keeps the names that it gave, and never
replaces a file that was edited since without --force.

Examples:
  docsctl export --org Acme -d acme && docsctl plan -f acme
  docsctl export -d acme --kinds teams,collections,spaces
`,
    )
    .action((options: Options) => run((session) => exportInto(session, options)));
}

async function exportInto(session: Session, options: Options): Promise<void> {
  const { runtime, flags } = session;
  if (options.dir === undefined) throw new Problem('usage', 'Into which folder?', { hint: 'docsctl export -d DIR' });
  const kinds = options.kinds?.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  chosenKinds(kinds);
  const organization = await organizationOf(session);
  const target = resolve(runtime.cwd, options.dir);
  const there = findFolder(target);
  const api = await session.api();
  const lockOptions = { path: join(there ?? target, lockFileName), place: api.place, organization, randomBytes: runtime.randomBytes };
  const lock = readLock(lockOptions);
  const left = exportedFiles(lock);
  const hadFile = (path: string): boolean => left?.has(path) === true;
  const exported = await exportOrganization({ api, organization, kinds, jobs: options.jobs, signal: runtime.signal, known: knownBy(lock), hadFile });
  const found = compareExport(there, exported.files, left);
  const changes = options.force === true ? { ...found, remove: [...found.remove, ...found.kept], kept: [] } : found;
  const isDry = flags.dryRun === true;
  if (options.force !== true && (!isDry || changes.isForeign)) checkExport(changes, options.dir);
  if (isDry) noteDry(session, changes, options.force === true);
  else await write(session, { target, changes, exported, live: { api, organization, lockOptions }, serial: lock.serial, withLock: options.lock });
  await report(session, target, exported, changes);
}

interface Writing {
  readonly target: string;
  readonly changes: FolderChanges;
  readonly exported: Exported;
  readonly live: Live;
  readonly serial: number;
  readonly withLock: boolean;
}

/** Files first: without its lock an export is still right, and the next one finds what is the same. */
async function write(session: Session, { target, changes, exported, live, serial, withLock }: Writing): Promise<void> {
  const { files, owned, kinds } = exported;
  const { signal, randomBytes } = session.runtime;
  const oids = new Map([...changes.create, ...changes.replace, ...changes.same].map(({ path, oid }) => [path, oid]));
  const isUnwritten = changes.create.length + changes.replace.length + changes.remove.length > 0;
  const isUnlocked = withLock && bringLock(readLock(live.lockOptions), owned, kinds, oids);
  if (!isUnwritten && !isUnlocked) return;
  if (signal.aborted) throw new Problem('interrupted', 'Stopped by a signal.', { hint: 'Nothing was written.' });
  const dir = prepare(target);
  if (!withLock) return writeExport(dir, changes, randomBytes);
  await holdingLock(live, async ({ lock, save }) => {
    if (lock.serial !== serial) throw new Problem('precondition-failed', 'Something was applied while the organization was read.', { hint: 'Nothing was written. Export again.' });
    writeExport(dir, changes, randomBytes);
    if (bringLock(lock, owned, kinds, new Map([...files.keys()].map((path) => [path, oids.get(path)!])))) await save();
  });
}

function prepare(target: string): string {
  try {
    mkdirSync(target, { recursive: true });
  } catch (error) {
    throw new Problem('invalid-input', `The folder ${target} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}).`, { cause: error });
  }
  return findFolder(target)!;
}

function noteDry(session: Session, { create, replace, remove, edited }: FolderChanges, isForced: boolean): void {
  const refused = new Set(isForced ? [] : edited);
  for (const { path } of [...create, ...replace])
    session.note(refused.has(path) ? `would refuse to replace ${path}: it was edited since the last export; --force replaces it` : `would write ${path}`);
  for (const path of remove) session.note(`would delete ${path}`);
}

async function report(session: Session, folder: string, { owned, unsupported, notes }: Exported, { create, replace, same, remove, kept, others }: FolderChanges): Promise<void> {
  const isDry = session.flags.dryRun === true;
  for (const why of new Set(unsupported.values())) {
    const left = [...unsupported].flatMap(([kind, reason]) => (reason === why ? [kind === 'member' ? 'what names members' : kind] : []));
    session.note(`Left out: ${left.join(', ')}. ${why}`);
  }
  for (const note of notes.slice(0, 30)) session.note(`warning: ${note}`);
  if (notes.length > 30) session.note(`… and ${notes.length - 30} more like these.`);
  if (kept.length > 0) session.note(`Not part of the export any more, and kept because they were edited: ${kept.join(', ')}; --force deletes them.`);
  if (others.length > 0) session.note(`A plan of the folder reads these as well: ${others.slice(0, 10).join(', ')}.`);
  const kinds: Record<string, number> = {};
  for (const { kind } of owned.values()) kinds[kind] = (kinds[kind] ?? 0) + 1;
  if (session.format !== 'table') {
    const printer = await session.printer({ idField: 'folder' });
    const result = {
      folder,
      resources: owned.size,
      kinds,
      created: create.length,
      changed: replace.length,
      unchanged: same.length,
      deleted: remove.length,
      leftOut: [...unsupported.keys()],
      warnings: notes.length,
    };
    await printer.one(result);
    await printer.end();
  }
  const words = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
  session.note(
    `${isDry ? 'Dry run, nothing was written: ' : ''}${words.join(', ')}; files: ${create.length} new, ${replace.length} changed, ${same.length} as they were, ${remove.length} deleted; warnings: ${notes.length}.`,
  );
}

function jobsOf(text: string): number {
  const jobs = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (jobs < 1 || jobs > 64) throw new InvalidArgumentError('It takes a number from 1 to 64.');
  return jobs;
}
