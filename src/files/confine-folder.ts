import { existsSync, realpathSync } from 'node:fs';
import { confine, type Confined } from './confine.ts';
import { isFolder } from './is-folder.ts';

/**
 * Resolves the path of a folder that a manifest names. Refuses a path that leads out of the folder `root`, does not lead to
 * a folder, or contains a symbolic link.
 */
export function confineFolder(root: string, folder: string, path: string): Confined {
  const confined = confine(root, folder, path);
  if ('refused' in confined) return confined;
  const shown = JSON.stringify(path.slice(0, 200));
  if (!isFolder(confined.path))
    return {
      refused: existsSync(confined.path)
        ? `${shown} is not a folder`
        : `the folder ${shown} does not exist beside this file`,
    };
  return realpathSync(confined.path) === confined.path
    ? confined
    : { refused: `${shown} is behind a symbolic link; symbolic links are not followed` };
}
