import { closeSync, constants, existsSync, openSync, readSync, writeSync } from 'node:fs';
import { Problem } from '../errors/problem.ts';
import type { Entry } from './records.ts';
import type { Session } from './session.ts';

export interface Rejects {
  add(entry: Entry, reason: string): void;
  close(): void;
}

/** Collects what was not taken: the first few as notes, all of it in the file where one is named. */
export function createRejects(session: Session, path: string | undefined, goesOn: boolean): Rejects {
  const descriptor = path === undefined ? undefined : openRejects(path, goesOn);
  let shown = 0;
  return {
    add: (entry, reason) => {
      if (descriptor !== undefined) writeSync(descriptor, `${JSON.stringify({ file: entry.file, line: entry.line, reason, value: entry.value })}\n`);
      if (++shown <= 10) session.note(`${entry.file}:${entry.line}: ${reason}`);
      else if (shown === 11) session.note('… more like these; --rejects FILE collects them all.');
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** A file of our own for what was not taken: a new one, or with --resume one that an earlier run made. */
function openRejects(path: string, goesOn: boolean): number {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    if (goesOn && existsSync(path) && isRejects(path)) return openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
    return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new Problem('invalid-input', code === 'EEXIST' ? `The file ${path} for rejects exists already.` : `The file ${path} for rejects cannot be made (${code}).`, {
      hint: 'Name a new file with --rejects.',
      cause: error,
    });
  }
}

function isRejects(path: string): boolean {
  const start = Buffer.alloc(65_536);
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const text = start.toString('utf8', 0, readSync(file, start));
    return text === '' || /^\{"file":.*"line":\d+,"reason":/.test(text);
  } finally {
    closeSync(file);
  }
}
