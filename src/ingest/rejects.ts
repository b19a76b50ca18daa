import { whyUnwritable } from '../files/unreadable-file.ts';
import { closeSync, constants, existsSync, openSync, readSync, writeSync } from 'node:fs';
import { Problem } from '../errors/problem.ts';
import type { SourceRecord } from './source-record.ts';

export interface Rejects {
  add(entry: Pick<SourceRecord, 'file' | 'line' | 'itemLine' | 'number' | 'value'>, reason: string): void;
  close(): void;
}

interface RejectsOptions {
  /** The file to write to, if any. */
  readonly path: string | undefined;
  /** The path as the user wrote it. */
  readonly name?: string | undefined;
  /** Appends to an existing file of rejects. */
  readonly append: boolean;
  /** Whether the file is created only with the first record. */
  readonly lazy?: boolean;
  readonly note: (line: string) => void;
  /** The sentence after the first ten notes, which says where all rejects are. */
  readonly moreHint: string;
}

/**
 * Creates a collection of rejects. The first ten become notes, and all are written to the file if there is one.
 *
 * @throws Problem(invalid-input)
 */
export function createRejects({
  path,
  name = path ?? '',
  append,
  lazy = false,
  note,
  moreHint,
}: RejectsOptions): Rejects {
  let descriptor = path === undefined || lazy ? undefined : openRejects(path, name, append);
  let shown = 0;
  return {
    add: ({ file, line: ownLine, itemLine: line = ownLine, number, value }, reason) => {
      if (path !== undefined)
        writeSync(
          (descriptor ??= openRejects(path, name, append)),
          `${JSON.stringify({ file, line, reason, record: number, value })}\n`,
        );
      if (++shown <= 10)
        note(`${file}:${line}${number === undefined ? '' : ` (record ${number})`}: ${reason}`);
      else if (shown === 11) note(`… and more. ${moreHint}`);
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

/** Opens a new file of rejects, or with `append` also one of an earlier run. */
function openRejects(path: string, name: string, append: boolean): number {
  const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  try {
    if (append && existsSync(path) && isRejects(path))
      return openSync(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
    return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(
      'invalid-input',
      code === 'EEXIST'
        ? `The file ${name} for rejects already exists.`
        : `The file ${name} for rejects cannot be created: ${whyUnwritable(name, error)}.`,
      {
        hint: 'Choose a new file for --rejects.',
        cause: error,
      },
    );
  }
}

/** Whether a file is empty or begins with a reject, so that it is safe to append to it. */
function isRejects(path: string): boolean {
  const start = Buffer.alloc(65_536);
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const text = start.toString('utf8', 0, readSync(file, start));
    return text === '' || /^\{"file":.*"line":\d+,"reason":/.test(text);
  } finally {
    closeSync(file);
  }
}
