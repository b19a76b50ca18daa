import { closeSync, constants, fchmodSync, fsyncSync, lstatSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { makeFolders } from '../files/make-folders.ts';
import { syncFolder } from '../files/sync-folder.ts';

/** Only the owner may read and write. The mode is set explicitly, because the umask may remove permissions of the owner. */
const privateMode = 0o600;

const newFile = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY;

/**
 * Whether a regular file exists at a path.
 *
 * @throws Problem(store-failed) for anything else, in particular for a symbolic link, which another user may have planted
 */
export function isFile(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink())
    throw new Problem('store-failed', `${path} is a symbolic link.`, {
      hint: 'Use the path that the link points to, or replace the link with the file.',
    });
  if (!stats.isFile())
    throw new Problem('store-failed', `${path} is not a file.`, {
      hint: 'Choose another path, or move it away.',
    });
  return true;
}

/** Creates the missing folders above a file. Only the owner can use them (0700), because they may also hold tokens. */
export function createParentFolder(path: string): void {
  makeFolders(dirname(path), 0o700);
}

/**
 * Creates an empty file unless the file exists. An existing file is not opened, because closing it would drop
 * SQLite's locks.
 */
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

/** Writes a new file, and returns when it is on the disk. @throws an Error with code EEXIST if the file exists */
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

/** Makes a rename or a new link in the folder of a file durable. */
export function syncParentFolder(path: string): void {
  syncFolder(dirname(path));
}
