import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import { storeFailure } from '../failures.ts';
import { lockFile } from '../file-lock.ts';
import { createParentFolder, isFile, syncParentFolder } from '../files.ts';
import { closeFiles } from '../sqlite/close-files.ts';
import { holdSqliteFile } from '../sqlite/hold-file.ts';
import type { StoreUrl } from '../url.ts';

/** The suffixes of the files of a store. The empty one is the store itself. */
const suffixes = ['', '-wal', '-shm', '-journal', '.lock'] as const;

/** Milliseconds to wait until no other process uses the old file. */
const timeout = 2000;

/** What happened to the old file. `aside` is the new path of a damaged one. */
export interface PlacedFile {
  readonly aside?: string;
}

/**
 * Moves a complete store to the path of another one, or to a free path. There is a complete file at the path all the time. A
 * damaged old store is moved to `aside`.
 *
 * @throws Problem(store-busy) if another process uses the old file; Problem(store-failed) if the new one is incomplete
 */
export async function placeFile(files: {
  readonly scheme: StoreUrl['scheme'];
  readonly partial: string;
  readonly path: string;
  readonly isDamaged: boolean;
  readonly aside: string;
}): Promise<PlacedFile> {
  const { scheme, partial, path, isDamaged, aside } = files;
  if ((lstatSync(`${partial}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new Problem('store-failed', `The new store ${partial} could not be completed.`, {
      hint: 'Check that the disk has room for two copies of the store, then run the command again.',
    });
  let release = await hold(scheme, path, isDamaged);
  try {
    if (scheme === 'sqlite' && platform() === 'win32') {
      // Windows cannot rename or delete an open file.
      release();
      release = () => {};
      await closeFiles();
    }
    if (isDamaged) {
      if (existsSync(path)) linkSync(path, aside);
      moveAside(path, aside);
    }
    if (isFile(path)) {
      keepOwner(path, partial);
      renameSync(partial, path);
    } else {
      createParentFolder(path);
      // Files of a removed store, such as its WAL, would damage the new one.
      moveAside(path, aside);
      linkSync(partial, path);
      unlinkSync(partial);
    }
    syncParentFolder(path);
  } catch (error) {
    throw storeFailure(path, error);
  } finally {
    release();
  }
  return suffixes.some((suffix) => existsSync(`${aside}${suffix}`)) ? { aside } : {};
}

/** Keeps other processes from using a file. A damaged file cannot be locked. */
async function hold(scheme: StoreUrl['scheme'], path: string, isDamaged: boolean): Promise<() => void> {
  if (scheme === 'json') return lockFile(path, timeout);
  return isDamaged || !isFile(path) ? () => {} : holdSqliteFile(path, timeout);
}

/** Gives a new file to the owner of the old one, so that a server of another user can open what root restored. */
function keepOwner(path: string, partial: string): void {
  const { uid, gid } = lstatSync(path);
  try {
    chownSync(partial, uid, gid);
  } catch {
    // Only root may change the owner.
  }
}

function moveAside(path: string, aside: string): void {
  for (const suffix of ['-wal', '-shm', '-journal'])
    if (existsSync(`${path}${suffix}`)) renameSync(`${path}${suffix}`, `${aside}${suffix}`);
}

/** Removes temporary files that killed restores have left beside a store. */
export function removeLeftovers(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  const start = `${basename(path)}.`;
  for (const name of readdirSync(folder))
    if (name.startsWith(start) && /^[\da-f]{16}\.restore(?:[-.].*)?$/.test(name.slice(start.length)))
      rmSync(join(folder, name), { force: true });
}

/** Removes the files of a temporary store, as far as possible: what made the store fail may also prevent this. */
export function removeStore(path: string): void {
  for (const suffix of suffixes)
    try {
      rmSync(`${path}${suffix}`, { force: true });
    } catch {
      // The error of the store itself says more.
    }
}

/** Returns the total size of the files of a store, in bytes. */
export function sizeOfFiles(path: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (lstatSync(`${path}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
