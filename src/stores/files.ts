import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../errors/problem.ts';

/** Only the owner may read and write; whatever the umask says. */
const privateMode = 0o600;

const newFile = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;

/** Whether a regular file exists. Refuses symbolic links, which another user may have planted, and everything else. */
export function isFile(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isSymbolicLink())
    throw new Problem('store-failed', `The store ${path} is a symbolic link.`, {
      hint: 'Use the path that the link points to: `--store PATH`.',
    });
  if (!found.isFile())
    throw new Problem('store-failed', `The store ${path} is not a file.`, {
      hint: 'Choose a file with --store.',
    });
  return true;
}

/** Makes the missing folders above a file, for the owner alone (0700): they may hold tokens beside the store. */
export function createParentFolder(path: string): void {
  const missing: string[] = [];
  for (
    let folder = dirname(path);
    !existsSync(folder) && folder !== dirname(folder);
    folder = dirname(folder)
  )
    missing.unshift(folder);
  // One by one: where the system refuses a folder with ENOENT, as in /proc, the recursive mkdir of Node 20 never ends.
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Makes an empty file where there is none. It never opens one that exists: closing it would drop SQLite's locks on it. */
export function createFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, newFile, privateMode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  fchmodSync(file, privateMode);
  closeSync(file);
}

/** Writes a new file whole and returns when the disk has it. */
export function writeDurably(path: string, chunks: Iterable<string>): void {
  const file = openSync(path, newFile, privateMode);
  try {
    fchmodSync(file, privateMode);
    for (const chunk of chunks) {
      const bytes = Buffer.from(chunk);
      for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes a rename within the folder last. */
export function syncParentFolder(path: string): void {
  let folder: number;
  try {
    folder = openSync(dirname(path), constants.O_RDONLY);
  } catch (error) {
    // Windows opens no folders, and keeps renames without being asked.
    if (['EISDIR', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code))) return;
    throw error;
  }
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
