import { isAbsolute, relative, resolve, sep } from 'node:path';

/** A path that may be used, or why not: half a sentence. */
export type Confined = { readonly path: string } | { readonly refused: string };

/** Resolves a relative path of a manifest. Refuses paths that lead out of the folder `root`. Does not touch the disk. */
export function confine(root: string, folder: string, path: string): Confined {
  const shown = JSON.stringify(path.slice(0, 200));
  if (path === '') return { refused: 'the path is empty' };
  if (path.includes('\0')) return { refused: `${shown} contains a zero byte` };
  if (isAbsolute(path) || /^([a-z]:|[\\~])/i.test(path))
    return {
      refused: `${shown} is absolute; a manifest reads only files in its own folder, so give a path relative to this file`,
    };
  const target = resolve(folder, path);
  return isInside(root, target)
    ? { path: target }
    : { refused: `${shown} is outside the folder of the manifest; move the file into that folder` };
}

export function isInside(root: string, target: string): boolean {
  const way = relative(root, target);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
