import { accessSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { isFolder } from './is-folder.ts';
import { whyUnwritable } from './unreadable-file.ts';

/**
 * Creates a folder and those above it that are missing. One by one, because the recursive mkdir of Node 20 never returns where a
 * folder fails with ENOENT, such as in /proc.
 *
 * @param mode - permissions of the folders that are created, such as 0o700 (default: as the system sets them)
 * @throws the error of the system, such as EACCES, or ENOTDIR if a file is in the way
 */
export function makeFolders(path: string, mode?: number): void {
  const missing: string[] = [];
  for (
    let folder = resolve(path);
    !existsSync(folder) && folder !== dirname(folder);
    folder = dirname(folder)
  )
    missing.unshift(folder);
  // Existing folders are skipped. A file in the place of one causes an error.
  for (const folder of missing.length === 0 ? [path] : missing)
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    }
}

/** Creates a folder, unless it exists, and returns its real path. @throws Problem(invalid-input) that calls it `name` */
export function makeFolder(path: string, name: string): string {
  try {
    makeFolders(path);
  } catch (cause) {
    const why = whyUnwritable(path, cause);
    throw new Problem('invalid-input', `The folder ${name} cannot be created: ${why}.`, { cause });
  }
  return realpathSync(path);
}

/**
 * Checks before long work that files can be written into a folder, which may be missing. Returns the path that it has, or will
 * have, without symbolic links.
 *
 * @throws Problem(invalid-input)
 */
export function checkFolder(path: string, name: string): string {
  let there = resolve(path);
  while (!existsSync(there)) there = dirname(there);
  try {
    if (!isFolder(there)) throw Object.assign(new Error(`${there} is a file.`), { code: 'ENOTDIR' });
    accessSync(there, constants.W_OK);
    return join(realpathSync(there), relative(there, resolve(path)));
  } catch (cause) {
    const why = whyUnwritable(path, cause);
    throw new Problem('invalid-input', `Files cannot be written into the folder ${name}: ${why}.`, {
      hint: 'Choose another folder.',
      cause,
    });
  }
}
