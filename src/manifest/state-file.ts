import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { violationsOf } from '../contract/check.ts';
import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { ManifestState, StateFileSchema, type StateFile } from './manifest-state.ts';
import { readRegular } from '../files/read-regular.ts';

export const stateFileName = 'docsctl.lock.json';

/** Bytes of a lock that are read at most. */
export const maxStateBytes = 64 * 1024 * 1024;

export interface StateOptions {
  /** Where `docsctl.lock.json` is, or will be. */
  readonly path: string;
  /** How the backend calls itself: `Api.place`. */
  readonly place: string;
  readonly organization: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Reads what a manifest owns; where there is no lock yet, it owns nothing. */
export function readState(options: StateOptions): ManifestState {
  return stateIn(readStateFile(options.path), options);
}

/** A lock that may be changed: nobody else holds it meanwhile. */
export interface StateHandle {
  readonly state: ManifestState;
  /** Writes all changes made so far; returns when the disk has them. Several asked for at once are written as one. */
  save(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock for a run that changes things. `hold` takes a lock of the system on a path, which dies with its owner;
 * `read` reads the file then, where that is not to fail on a damaged one.
 */
export async function openStateFile(
  options: StateOptions,
  hold: (path: string) => Promise<() => void>,
  read: (path: string) => StateFile = readStateFile,
): Promise<StateHandle> {
  const release = await holding(options.path, hold);
  try {
    const file = read(options.path);
    removeLeftovers(options.path);
    return openedState(options.path, file, stateIn(file, options), release);
  } catch (error) {
    release();
    throw error;
  }
}

function openedState(path: string, file: StateFile, lock: ManifestState, release: () => void): StateHandle {
  const others = file.sections
    .filter(({ organization }) => organization !== lock.organization)
    .map((section) => new ManifestState(section));
  const sections = [...others, lock].sort((a, b) =>
    `${a.place} ${a.organization}` < `${b.place} ${b.organization}` ? -1 : 1,
  );
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return {
    state: lock,
    save() {
      next ??= running.then(() => {
        next = undefined;
        lock.advance();
        const written = replaceFile(
          path,
          `{ "version": 1, "sections": [\n${sections.map((section) => section.toText()).join(',\n')}\n]}\n`,
        );
        running = written.catch(() => {});
        return written;
      });
      return next;
    },
    async release() {
      await next?.catch(() => {});
      await running;
      release();
    },
  };
}

async function holding(path: string, hold: (path: string) => Promise<() => void>): Promise<() => void> {
  try {
    return await hold(path);
  } catch (error) {
    if (!(error instanceof Problem) || error.reason !== 'store-busy') throw error;
    throw new Problem('store-busy', `Another apply is at work with ${path}.`, {
      hint: 'Let it finish or end it, then run this again.',
      cause: error,
    });
  }
}

/** Reads the file of a lock; `invalid-input` where it is damaged. */
export function readStateFile(path: string): StateFile {
  if (!existsSync(path)) return { version: 1, sections: [] };
  // What is no file has no size to speak of, and is refused below.
  const stat = lstatSync(path);
  if (stat.isFile() && stat.size > maxStateBytes) throw tooLarge(path);
  const read = readRegular(join(realpathSync(dirname(path)), basename(path)), maxStateBytes);
  if ('refused' in read) throw damaged(path, read.refused);
  const parsed = parseStateFile(read.text);
  if ('wrong' in parsed) throw damaged(path, parsed.wrong);
  return parsed;
}

/** The text of a lock, or what is wrong with it: half a sentence. */
export function parseStateFile(text: string): StateFile | { readonly wrong: string } {
  let value: unknown;
  try {
    checkDepth(text);
    value = JSON.parse(text);
  } catch (error) {
    if (/^(<{7}|>{7}) /m.test(text)) return { wrong: 'holds a merge conflict' };
    return {
      wrong: error instanceof Problem ? error.message.replace(/^The text |\.$/g, '') : 'is not valid JSON',
    };
  }
  const [wrong] = violationsOf(StateFileSchema, value, '');
  return wrong === undefined
    ? (value as StateFile)
    : { wrong: `does not look like a lock: ${wrong.path || '/'} ${wrong.message}` };
}

function tooLarge(path: string): Problem {
  return new Problem('too-large', `The lock ${path} is larger than ${maxStateBytes / (1024 * 1024)} MiB.`, {
    hint: 'Take the last good one from version control; or move it away and take over what is live with `docsctl lock rebuild`. Nothing was changed.',
  });
}

function damaged(path: string, what: string): Problem {
  return new Problem('invalid-input', `The lock ${path} ${what}.`, {
    hint: 'Take the last good one from version control, or make it anew with `docsctl lock rebuild`; nothing was changed.',
  });
}

/**
 * What a lock file says of an organization. Its id is the same wherever it is reached, by another address or in the store
 * itself: so is what is owned in it, which moves to the place where it is used.
 */
export function stateIn(
  { sections }: StateFile,
  { place, organization, randomBytes }: StateOptions,
): ManifestState {
  const known = sections
    .filter((section) => section.organization === organization)
    .sort((one, other) => other.serial - one.serial);
  const found = known.find((section) => section.place === place) ?? known[0];
  return new ManifestState(
    found === undefined
      ? { place, organization, key: Buffer.from(randomBytes(32)).toString('hex'), serial: 0, resources: {} }
      : { ...found, place },
    found?.place,
  );
}

/** All or nothing, also when the power fails in the middle. */
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
    throw new Problem('store-failed', `The lock ${path} could not be written: ${(error as Error).message}.`, {
      hint: 'Make room or give yourself the right to write there, then run this again: what was done is found again.',
      cause: error,
    });
  }
}

/** Makes a rename last. Windows opens no folders, and keeps renames without being asked. */
function syncFolder(path: string): void {
  let folder: number;
  try {
    folder = openSync(path, constants.O_RDONLY);
  } catch {
    return;
  }
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** What runs that were killed in the middle of a write left beside the lock; where it cannot go, it disturbs nobody. */
function removeLeftovers(path: string): void {
  const isLeftover = (name: string) =>
    name.startsWith(`${basename(path)}.`) && /\.[0-9a-f-]{36}\.tmp$/.test(name);
  try {
    for (const name of readdirSync(dirname(path)))
      if (isLeftover(name)) unlinkSync(join(dirname(path), name));
  } catch {
    // A write that fails tells why.
  }
}
