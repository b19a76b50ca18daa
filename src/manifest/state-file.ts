import { randomUUID } from 'node:crypto';
import { constants, existsSync, lstatSync, readdirSync, realpathSync, renameSync, unlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { violationsOf } from '../contract/check.ts';
import { parseJson } from '../contract/limits.ts';
import { isRecord } from '../contract/values.ts';
import { isProblem, Problem, withPath } from '../errors/problem.ts';
import { ManifestState, StateFileSchema, type StateFile } from './manifest-state.ts';
import { readRegular } from '../files/read-regular.ts';
import { syncFolder } from '../files/sync-folder.ts';

export const stateFileName = 'docsctl.state.json';

/** The name of state files of earlier versions. They are still read and written. */
const formerStateFileName = 'docsctl.lock.json';

/**
 * Returns the path of the state file in a folder. The file need not exist.
 * @throws Problem(ambiguous) if the folder has files with both names
 */
export function findStatePath(folder: string): string {
  const path = join(folder, stateFileName);
  const former = join(folder, formerStateFileName);
  if (!existsSync(former)) return path;
  if (!existsSync(path)) return former;
  throw new Problem(
    'ambiguous',
    `The folder ${folder} has two state files: ${stateFileName} and ${formerStateFileName}.`,
    { hint: 'Delete the outdated one, or choose one with --state FILE.' },
  );
}

/** Maximum size of a state file in bytes. */
export const maxStateBytes = 64 * 1024 * 1024;

export interface StateOptions {
  /** The path of the state file. The file need not exist. */
  readonly path: string;
  /** The name of the backend: `Api.place`. */
  readonly place: string;
  readonly organization: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Reads the resources that a manifest owns. Without a state file, there are none. */
export function readState(options: StateOptions): ManifestState {
  return stateIn(readStateFile(options.path), options);
}

/** A state that may be changed. The lock of its file is held meanwhile. */
export interface StateHandle {
  readonly state: ManifestState;
  /** Writes all changes, and returns when they are on the disk. Concurrent calls share one write. */
  save(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Opens the state file for a run that changes it. `hold` takes a lock on a path that ends with its process. `read` then reads the
 * file, and may accept a damaged one.
 * @throws Problem(store-busy) if another run holds the lock
 */
export async function openStateFile(
  options: StateOptions,
  hold: (path: string) => Promise<() => void>,
  read: (path: string) => StateFile = readStateFile,
): Promise<StateHandle> {
  const { path } = options;
  const unlock = await hold(path).catch((error: unknown) => {
    if (isProblem(error, 'store-failed'))
      throw new Problem('store-failed', `The state file ${path} cannot be locked.`, {
        hint: 'Check that its folder exists, that you may write there, and that the disk has room.',
        cause: error,
      });
    if (!isProblem(error, 'store-busy')) throw error;
    throw new Problem('store-busy', `Another apply is using ${path}.`, {
      hint: 'Wait until it ends, or stop it, then run the command again.',
      cause: error,
    });
  });
  try {
    const file = read(path);
    removeTemporaryFiles(path);
    return createHandle(path, file, stateIn(file, options), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function createHandle(path: string, file: StateFile, state: ManifestState, unlock: () => void): StateHandle {
  const others = file.sections
    .filter(({ organization }) => organization !== state.organization)
    .map((section) => new ManifestState(section));
  const sections = [...others, state].sort((a, b) =>
    `${a.place} ${a.organization}` < `${b.place} ${b.organization}` ? -1 : 1,
  );
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    state,
    save() {
      next ??= running.then(() => {
        next = undefined;
        state.advance();
        const texts = sections.map((section) => section.toText());
        const written = replaceFile(path, `{ "version": 1, "sections": [\n${texts.join(',\n')}\n]}\n`);
        running = written.catch(() => {});
        return written;
      });
      return next;
    },
    async release() {
      await next?.catch(() => {});
      await running;
      unlock();
    },
  };
}

/**
 * Reads a state file. A missing file is empty.
 * @throws Problem(invalid-input) if it is damaged
 * @throws Problem(store-failed) if a newer docsctl wrote it
 * @throws Problem(too-large) if it is larger than `maxStateBytes`
 */
export function readStateFile(path: string): StateFile {
  if (!existsSync(path)) return { version: 1, sections: [] };
  // Only regular files have a meaningful size. Others are refused below.
  const stat = lstatSync(path);
  if (stat.isFile() && stat.size > maxStateBytes)
    throw new Problem(
      'too-large',
      `The state file ${path} is larger than ${maxStateBytes / (1024 * 1024)} MiB.`,
      {
        hint: 'Nothing was changed. Restore the last good version, or move the file away and run `docsctl state rebuild`.',
      },
    );
  const read = readRegular(join(realpathSync(dirname(path)), basename(path)), maxStateBytes);
  if ('refused' in read) throw damaged(path, read.refused);
  const parsed = parseStateFile(read.text);
  if ('newer' in parsed)
    throw new Problem(
      'store-failed',
      `The state file ${path} has version ${parsed.newer}, and this docsctl reads only version 1.`,
      { hint: 'Nothing was changed. Update docsctl, or restore an earlier version of the file.' },
    );
  if ('wrong' in parsed) throw damaged(path, parsed.wrong);
  return parsed;
}

/**
 * Parses the text of a state file. `wrong` creates the error from half a sentence, and from the version if a newer docsctl wrote
 * it.
 */
export function parseStateFile(text: string): StateFile | { wrong: string } | { newer: number } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    if (/^(<{7}|>{7}) /m.test(text)) return { wrong: 'contains a merge conflict' };
    return {
      wrong: error instanceof Problem ? error.message.replace(/^The text |\.$/g, '') : 'is not valid JSON',
    };
  }
  const version = isRecord(value) ? value['version'] : undefined;
  if (typeof version === 'number' && version > 1) return { newer: version };
  const [wrong] = violationsOf(StateFileSchema, value, '');
  return wrong === undefined
    ? (value as StateFile)
    : { wrong: `is not a state file: ${withPath({ ...wrong, path: wrong.path || '/' })}` };
}

function damaged(path: string, what: string): Problem {
  return new Problem('invalid-input', `The state file ${path} ${what}.`, {
    hint: 'Nothing was changed. Restore the last good version, or run `docsctl state rebuild`.',
  });
}

/**
 * Returns the section of an organization. Its ID is unique, so a section that was used with the same backend at another address
 * is moved to this one.
 */
export function stateIn({ sections }: StateFile, options: StateOptions): ManifestState {
  const { place, organization, randomBytes } = options;
  const known = sections
    .filter((section) => section.organization === organization)
    .sort((one, other) => other.serial - one.serial);
  const found = known.find((section) => section.place === place) ?? known[0];
  if (found !== undefined) return new ManifestState({ ...found, place }, found.place);
  const key = Buffer.from(randomBytes(32)).toString('hex');
  return new ManifestState({ place, organization, key, serial: 0, resources: {} });
}

/** Replaces a file atomically, even if the power fails. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o666);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    renameSync(temporary, path);
    syncFolder(dirname(path));
  } catch (error) {
    if (existsSync(temporary)) unlinkSync(temporary);
    throw new Problem(
      'store-failed',
      `The state file ${path} could not be written: ${(error as Error).message}.`,
      {
        hint: 'Free disk space or fix the permissions, then run the command again. Finished work is not repeated.',
        cause: error,
      },
    );
  }
}

/** Removes temporary files of runs that were killed while writing. */
function removeTemporaryFiles(path: string): void {
  const prefix = `${basename(path)}.`;
  try {
    for (const name of readdirSync(dirname(path)))
      if (name.startsWith(prefix) && /\.[0-9a-f-]{36}\.tmp$/.test(name))
        unlinkSync(join(dirname(path), name));
  } catch {
    // Leftover files do no harm, and a failing write reports its own error.
  }
}
