import { realpathSync } from 'node:fs';
import { confine } from '../../files/confine.ts';
import { expandGlob, splitGlob } from '../../files/glob.ts';
import { limits } from './limits.ts';
import { reasonOf } from '../../files/read-regular.ts';

/** The files inside the manifest's folder that match a pattern written in a file of `folder`; a text says why there are none. */
export function expandInside(root: string, folder: string, path: string): readonly string[] | string {
  const { folder: front, pattern } = splitGlob(path);
  const start = confine(root, folder, front);
  if ('refused' in start) return start.refused;
  if (pattern.split('/').includes('..'))
    return `${JSON.stringify(path)} goes up behind a "*"; write the folder out`;
  try {
    if (realpathSync(start.path) !== start.path)
      return `${JSON.stringify(front)} is a symbolic link or lies behind one; links are not followed`;
  } catch (error) {
    return `${JSON.stringify(front)} ${reasonOf(error)}`;
  }
  const found = expandGlob(start.path, pattern, limits.walked);
  if (found === undefined)
    return `${JSON.stringify(path)} matches in a folder of more than ${limits.walked} entries; name a smaller folder`;
  return found.length === 0 ? `${JSON.stringify(path)} matches no file` : found;
}
