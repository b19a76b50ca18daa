import {
  closeSync,
  constants,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Problem } from '../../errors/problem.ts';
import type { RunHeader, JournalLine } from './journal-lines.ts';

/** Journals that are kept; older ones go when a new one begins. */
export const keptRuns = 50;

/** Where the lines of a run go. */
export interface Journal {
  append(line: JournalLine): void;
  /** Returns when the disk has all that was appended. */
  sync(): Promise<void>;
}

export interface JournalFile extends Journal {
  /** Absent as long as nothing was written. */
  readonly path: string | undefined;
  close(): void;
}

const ending = '.ndjson';
const idPattern = /^\d{8}T\d{9}Z-[0-9a-f]{6}$/;

/** The folder of the journals that go with a lock: `docsctl.runs` beside `docsctl.lock.json`. */
export function runsFolder(lockPath: string): string {
  return join(dirname(lockPath), `${basename(lockPath).replace(/(\.lock)?\.json$/, '')}.runs`);
}

/** `20260105T090000000Z-4f2a9c`: in the order of names runs are in the order of time. */
export function newRunId(now: number, randomBytes: (count: number) => Uint8Array): string {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '');
  return `${time}-${Buffer.from(randomBytes(3)).toString('hex')}`;
}

export function isRunId(id: string): boolean {
  return idPattern.test(id);
}

/** The id of a run by its last six digits, where those are of one alone; anything else as it is given. */
export function wholeRunId(folder: string, given: string): string {
  if (!/^[0-9a-f]{6}$/.test(given)) return given;
  const found = listRunIds(folder).filter((id) => id.endsWith(`-${given}`));
  if (found.length > 1)
    throw new Problem('ambiguous', `${given} is the end of ${found.join(' and ')}.`, {
      hint: 'Give the whole id of the one you mean.',
    });
  return found[0] ?? given;
}

/** Whether there is a folder for journals; a Problem where a link or a file has its name, since old journals are deleted in it. */
export function hasRuns(folder: string): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isDirectory()) return true;
  throw new Problem(
    'invalid-input',
    `${folder} is ${stat.isSymbolicLink() ? 'a symbolic link' : 'no folder'}; the journals of runs go only into a folder of that name.`,
    {
      hint: 'Move it out of the way, then run this again; nothing was changed.',
    },
  );
}

/** Ids of the runs in a folder, the newest first. */
export function listRunIds(folder: string): string[] {
  if (!hasRuns(folder)) return [];
  const ids = readdirSync(folder).flatMap((name) =>
    name.endsWith(ending) && isRunId(name.slice(0, -ending.length)) ? [name.slice(0, -ending.length)] : [],
  );
  return ids.sort().reverse();
}

export function runPath(folder: string, id: string): string {
  return join(realpathSync(folder), `${id}${ending}`);
}

/** A journal that is made at its first line, so that a run that changes nothing leaves none. What cannot be its folder is refused at once. */
export function openJournal(folder: string, head: RunHeader): JournalFile {
  hasRuns(folder);
  let file: { readonly path: string; readonly descriptor: number } | undefined;
  const open = (): number => {
    if (!hasRuns(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = runPath(folder, head.id);
    const descriptor = openSync(
      path,
      constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_APPEND,
      0o600,
    );
    file = { path, descriptor };
    writeSync(descriptor, `${JSON.stringify(head)}\n`);
    for (const old of listRunIds(folder).slice(keptRuns)) rmSync(runPath(folder, old), { force: true });
    return descriptor;
  };
  return {
    get path() {
      return file?.path;
    },
    append: (line) =>
      void writing(folder, () => writeSync(file?.descriptor ?? open(), `${JSON.stringify(line)}\n`)),
    sync: async () => {
      if (file === undefined) return;
      await sync(file.descriptor).catch((error: unknown) =>
        writing(folder, () => Promise.reject(error as Error)),
      );
    },
    close: () => {
      if (file !== undefined) closeSync(file.descriptor);
    },
  };
}

const sync = promisify(fsync);

function writing<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(
      'store-failed',
      `The journal of the run in ${folder} could not be written: ${(error as Error).message}.`,
      {
        hint: 'Make room or give yourself the right to write there, then run this again: what was done is found again.',
        cause: error,
      },
    );
  }
}
