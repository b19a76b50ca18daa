import * as fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolders } from '../../files/make-folders.ts';
import { Problem } from '../../errors/problem.ts';
import type { JournalLine, RunHeader } from './journal-lines.ts';

/** Maximum number of journals that are kept. */
export const keptRuns = 50;

export interface Journal {
  append(line: JournalLine): void;
  sync(): Promise<void>;
}

interface JournalFile extends Journal {
  /** Absent before the first line is written. */
  readonly path: string | undefined;
  close(): void;
}

const ending = '.ndjson';

/** Returns the folder for the journals of a state file: `docsctl.runs` beside `docsctl.state.json`. */
export function runsFolder(statePath: string): string {
  return join(dirname(statePath), `${basename(statePath).replace(/(\.(state|lock))?\.json$/, '')}.runs`);
}

/** Makes an id such as `20260105T090000000Z-4f2a9c`. Ids sort by time. */
export function newRunId(now: number, randomBytes: (count: number) => Uint8Array): string {
  const time = new Date(now).toISOString().replace(/[-:.]/g, '');
  return `${time}-${Buffer.from(randomBytes(3)).toString('hex')}`;
}

/** Whether a text has the form of the ID of a run. */
export function isRunId(id: string): boolean {
  return /^\d{8}T\d{9}Z-[0-9a-f]{6}$/.test(id);
}

/** Completes an ID from its last six digits. Other texts are returned unchanged. @throws Problem(ambiguous) */
export function wholeRunId(folder: string, given: string): string {
  if (!/^[0-9a-f]{6}$/.test(given)) return given;
  const found = listRunIds(folder).filter((id) => id.endsWith(`-${given}`));
  if (found.length > 1)
    throw new Problem('ambiguous', `"${given}" matches several runs: ${found.join(' and ')}.`, {
      hint: 'Use the whole ID of one of them.',
    });
  return found[0] ?? given;
}

/**
 * Whether there is a folder for journals.
 * @throws Problem(invalid-input) if it is a link or a file, because old journals are deleted there
 */
export function hasRuns(folder: string): boolean {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (stat.isDirectory()) return true;
  throw new Problem(
    'invalid-input',
    `${folder} is ${stat.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}; the journals of runs need a folder of that name.`,
    { hint: 'Nothing was changed. Move it away, then run the command again.' },
  );
}

/** Lists the ids of the runs in a folder, the newest first. */
export function listRunIds(folder: string): string[] {
  if (!hasRuns(folder)) return [];
  const names = fs.readdirSync(folder).filter((name) => name.endsWith(ending));
  return names
    .map((name) => name.slice(0, -ending.length))
    .filter(isRunId)
    .sort()
    .reverse();
}

/** Returns the path of the journal of a run. */
export function runPath(folder: string, id: string): string {
  return join(fs.realpathSync(folder), `${id}${ending}`);
}

/** Opens a journal. The file is created with the first line, so that a run that changes nothing leaves no file. */
export function openJournal(folder: string, head: RunHeader): JournalFile {
  hasRuns(folder);
  let file: { path: string; descriptor: number } | undefined;
  const open = (): number => {
    if (!hasRuns(folder)) makeFolders(folder, 0o700);
    const path = runPath(folder, head.id);
    const descriptor = fs.openSync(path, 'ax', 0o600);
    file = { path, descriptor };
    fs.writeSync(descriptor, `${JSON.stringify(head)}\n`);
    for (const old of listRunIds(folder).slice(keptRuns)) fs.rmSync(runPath(folder, old), { force: true });
    return descriptor;
  };
  return {
    get path() {
      return file?.path;
    },
    append: (line) => {
      try {
        fs.writeSync(file?.descriptor ?? open(), `${JSON.stringify(line)}\n`);
      } catch (error) {
        throw writeProblem(folder, error);
      }
    },
    sync: async () => {
      if (file === undefined) return;
      await promisify(fs.fsync)(file.descriptor).catch((error: unknown) => {
        throw writeProblem(folder, error);
      });
    },
    close: () => {
      if (file !== undefined) fs.closeSync(file.descriptor);
    },
  };
}

function writeProblem(folder: string, cause: unknown): Problem {
  if (cause instanceof Problem) return cause;
  const message = `The journal of the run in ${folder} could not be written: ${(cause as Error).message}.`;
  const hint =
    'Free disk space or fix the permissions, then run the command again. Finished work is not repeated.';
  return new Problem('store-failed', message, { hint, cause });
}
