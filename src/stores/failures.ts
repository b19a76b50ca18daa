import { accessSync, closeSync, constants, existsSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../contract/values.ts';
import { damageHint } from '../core/damage.ts';
import { Problem } from '../errors/problem.ts';

/** Turns an error of SQLite or the file system into Problem(store-failed). Returns any other error unchanged. */
export function storeFailure(path: string, error: unknown): unknown {
  if (error instanceof Problem || !isObject(error)) return error;
  const name = errorName(error);
  if (name === 'NOTADB' && isBackup(path)) return backupProblem(path, error);
  const sentence = sentences[name];
  if (sentence === undefined) {
    if (!('errcode' in error) && !('syscall' in error) && name !== 'ERR_SQLITE_ERROR') return error;
    return new Problem(
      'store-failed',
      `The store ${path} failed: ${error instanceof Error ? error.message : 'unknown error'}.`,
      {
        hint: 'Check the disk, then run `docsctl doctor`.',
        cause: error,
      },
    );
  }
  return new Problem('store-failed', `${sentence[0]}: ${path}.`, {
    hint: sentence[1],
    retryAfter: passing.has(name) ? secondsToRetry : undefined,
    cause: error,
  });
}

/** Returns the Problem for a backup in the place of a store. */
export function backupProblem(path: string, cause: unknown): Problem {
  return new Problem('store-failed', `The file is a backup of a store, and not a store: ${path}.`, {
    hint: `Restore it into a new store: \`docsctl store restore ${JSON.stringify(path)} --store sqlite:NEW.db\`.`,
    cause,
  });
}

/** Describes the damage of a store: the error of SQLite if the message of the Problem only says that there is damage. */
export function describeDamage({ message, cause }: Problem): string {
  return errorName(cause) === 'CORRUPT' && cause instanceof Error ? cause.message : message;
}

/** Whether the first bytes of a file are those of a backup (backup/format.ts). */
export function isBackup(path: string): boolean {
  const begin = Buffer.from('{"format":"docsctl-backup"');
  const start = Buffer.alloc(begin.length);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, start);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
  return start.equals(begin);
}

/**
 * Whether a write failed only because the store was read-only when it was opened. SQLite shares the files of the WAL between all
 * connections of a process, so a new connection cannot write before all others are closed.
 */
export function wasOpenedReadOnly(path: string, error: unknown): boolean {
  if (!(error instanceof Problem) || errorName(error.cause) !== 'READONLY') return false;
  try {
    for (const file of [dirname(path), path, `${path}-wal`, `${path}-shm`])
      if (file === path || existsSync(file)) accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Failures that the operator can fix: frees space, makes the file writable, or replaces the disk. */
const passing: ReadonlySet<string> = new Set(['ENOSPC', 'SHMSIZE', 'EDQUOT', 'EFBIG', 'EROFS', 'READONLY', 'EIO', 'EMFILE', 'ENFILE']); // prettier-ignore
const secondsToRetry = 5;

/** Whether the Problem of a store is not damage. For example, its disk is full, or a newer docsctl wrote it. */
export function isNoDamage(error: unknown): boolean {
  return (
    error instanceof Problem &&
    /^(?:ENOSPC|SHMSIZE|EDQUOT|EACCES|EPERM|EROFS|READONLY|CANTOPEN|E[MN]FILE|NEWER)$/.test(
      errorName(error.cause),
    )
  );
}

/** Returns Problem(store-busy) for a lock that was not free within `waited` milliseconds. */
export function storeBusy(path: string, waited: number, cause?: unknown): Problem {
  return new Problem(
    'store-busy',
    `Another process is writing to the store ${path}. Gave up after ${waited / 1000} s.`,
    {
      hint: 'Wait until the other process ends, then try again.',
      retryAfter: 1,
      cause,
    },
  );
}

/**
 * Returns the Problem for a store whose file was replaced, removed or emptied while it was open. Writes to the old file would be
 * lost. docsctl must be started again.
 */
export function replacedProblem(path: string, what: 'removed' | 'replaced' | 'emptied'): Problem {
  const hint =
    what === 'emptied'
      ? 'Stop docsctl, and restore the file from a backup with `docsctl store restore`.'
      : 'Start docsctl again to use the current file.';
  return new Problem('store-failed', `The file ${path} was ${what} while it was in use.`, {
    hint,
    retryAfter: secondsToRetry,
  });
}

/** Whether an error means that another connection holds the lock, so that a retry can succeed. */
export function isBusy(error: unknown): boolean {
  const name = errorName(error);
  return name === 'BUSY' || name === 'LOCKED' || name === 'PROTOCOL';
}

/** Whether an error means that a unique key is taken. The statement did nothing, and the transaction can continue. */
export function isConstraint(error: unknown): boolean {
  return errorName(error) === 'CONSTRAINT';
}

/** The SQLite result codes (https://www.sqlite.org/rescode.html) that have an entry in `sentences`. */
const resultNames: Readonly<Record<number, string>> = {
  3: 'EACCES', 5: 'BUSY', 6: 'LOCKED', 8: 'READONLY', 10: 'EIO', 11: 'CORRUPT', 13: 'ENOSPC', 14: 'CANTOPEN', 15: 'PROTOCOL', 19: 'CONSTRAINT', 23: 'EACCES', 26: 'NOTADB',
}; // prettier-ignore

/** The extended result codes of SQLite that need a different sentence than their primary code. */
const extendedNames: Readonly<Record<number, string>> = {
  // SQLITE_IOERR_SHMSIZE: the shared-memory file, which every reader needs, cannot be enlarged.
  [10 | (19 << 8)]: 'SHMSIZE',
};

const noPermission = [
  'You do not have permission to use the store',
  'Make the file and its folder readable and writable for your user, or choose another store with --store.',
] as const;
const readOnly = [
  'The store is read-only',
  'Make the file and its folder writable, or choose another store with --store.',
] as const;
const full = [
  'The disk that holds the store is full; nothing was changed',
  'Free some space and try again.',
] as const;
const damaged = ['The store is damaged', damageHint] as const;
const tooManyFiles = [
  'Too many files are open, so the store cannot be used',
  'Raise the limit (`ulimit -n`) and try again.',
] as const;
const cannotOpen = [
  'The store cannot be opened',
  'Check that the path names a file, and that you may read and write the file and its folder.',
] as const;

const sentences: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: readOnly,
  READONLY: readOnly,
  ENOSPC: full,
  SHMSIZE: [
    'The disk that holds the store is full, so the store cannot be opened; nothing was changed',
    'Free some space and try again. To read the store, docsctl needs 32 KiB for a file beside it.',
  ],
  EDQUOT: full,
  EFBIG: [
    'The store has reached the limit on the size of files',
    'Raise the limit (`ulimit -f`) and try again.',
  ],
  EIO: ['The disk of the store failed, and the change may be lost', 'Check the disk before you try again.'],
  CORRUPT: damaged,
  NOTADB: [
    'The file is not a docsctl store',
    'Check the path. To go back to a backup, run `docsctl store restore FILE --replace`.',
  ],
  CANTOPEN: cannotOpen,
  EISDIR: cannotOpen,
  ENOTDIR: cannotOpen,
  ENOENT: cannotOpen,
  ELOOP: cannotOpen,
  ENAMETOOLONG: cannotOpen,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  ERR_STRING_TOO_LONG: [
    'The store is too large for a JSON file',
    'Use SQLite for a store of this size: sqlite:PATH.',
  ],
};

/** SQLite's messages for the same results. The binding gives no code for an error in the middle of a query. */
const resultMessages: Readonly<Record<string, string>> = {
  'attempt to write a readonly database': 'READONLY', 'database disk image is malformed': 'CORRUPT', 'database is locked': 'BUSY', 'database or disk is full': 'ENOSPC', 'database table is locked': 'LOCKED', 'disk I/O error': 'EIO', 'file is not a database': 'NOTADB', 'locking protocol': 'PROTOCOL', 'unable to open database file': 'CANTOPEN',
}; // prettier-ignore

function errorName(error: unknown): string {
  const { errcode, sqliteExtendedCode, code, message } = (error ?? {}) as {
    errcode?: unknown;
    /** Only errors of the SQLite package have it. It is the extended code, even if `errcode` is only the primary code. */
    sqliteExtendedCode?: unknown;
    code?: unknown;
    message?: unknown;
  };
  // The low byte is the primary result code. The other bytes usually add details.
  if (typeof errcode === 'number') {
    const extended = typeof sqliteExtendedCode === 'number' ? sqliteExtendedCode : errcode;
    return extendedNames[extended] ?? resultNames[errcode & 0xff] ?? '';
  }
  if (code === 'ERR_SQLITE_ERROR') return resultMessages[String(message)] ?? code;
  return typeof code === 'string' ? code : '';
}
