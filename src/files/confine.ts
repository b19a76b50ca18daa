import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isHiddenPath } from './hidden.ts';

/** An absolute path, or the reason why it may not be used, as the end of a sentence. */
export type Confined = { readonly path: string } | { readonly refused: string };

/**
 * Resolves a relative path in a manifest, starting at `folder`. Refuses paths that lead out of the folder `root`, and hidden
 * files and folders below it such as .git and .env, except those of GitBook.
 * Does not read the disk.
 */
export function confine(root: string, folder: string, path: string): Confined {
  const shown = JSON.stringify(path.slice(0, 200));
  if (path === '') return { refused: 'the path is empty' };
  if (path.includes('\0')) return { refused: `${shown} contains a zero byte` };
  if (isAbsolute(path) || /^([a-z]:|[\\~])/i.test(path))
    return {
      refused: `${shown} is absolute; a manifest reads only files in its own folder, so give a path relative to this file`,
    };
  const target = resolve(folder, path);
  if (!isInside(root, target))
    return { refused: `${shown} is outside the folder of the manifest; move it into that folder` };
  return !isHiddenPath(relative(root, target))
    ? { path: target }
    : {
        refused: `${shown} is hidden or in a hidden folder; such files are not read, so give it a name without a dot at its beginning`,
      };
}

/** Whether a path is a folder or a path below it. Both are absolute. */
export function isInside(root: string, target: string): boolean {
  const path = relative(root, target);
  return path === '' || (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path));
}

/** Returns the real path of a file or folder that may not exist yet. */
export function realPathOf(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? realpathSync(path) : join(realPathOf(above), basename(path));
}
