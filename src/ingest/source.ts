import { closeSync, constants, existsSync, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { expandGlob, isGlob, splitGlob } from '../files/glob.ts';
import { reasonOf } from '../files/read-regular.ts';

/** The maximum number of folder entries that one pattern looks at. */
const maxEntries = 100_000;

export interface Source {
  /** The name in messages and checkpoints; "-" for standard input. */
  readonly name: string;
  readonly path: string;
  /** Reads regular files only, and follows no symbolic link. */
  readonly confined?: boolean;
}

/**
 * Finds the files that arguments name, in order. An argument that is not an existing file may be a glob pattern.
 * @throws Problem(too-large), Problem(invalid-input)
 */
export function findSources(names: readonly string[], cwd: string): Source[] {
  return names.flatMap((name) => {
    if (name === '-') return [{ name: '-', path: '-' }];
    const path = resolve(cwd, name);
    if (!isGlob(name) || existsSync(path)) return [{ name, path }];
    const { folder, pattern } = splitGlob(name.replaceAll('\\', '/'));
    const found = expandGlob(resolve(cwd, folder), pattern, maxEntries);
    if (found === undefined)
      throw new Problem(
        'too-large',
        `The pattern ${name} covers a folder with more than ${maxEntries} entries.`,
        {
          hint: 'Choose a smaller folder.',
        },
      );
    if (found.length === 0)
      throw new Problem('invalid-input', `${name} matches no file.`, { hint: 'Check the pattern.' });
    return found.map((file) => ({ name: relative(cwd, file).replaceAll('\\', '/'), path: file }));
  });
}

/**
 * Opens a source for reading. `isFile` says whether it has a size and can be read from any offset.
 * @throws Problem(invalid-input)
 */
export function openSource({ name, path, confined = false }: Source): {
  readonly descriptor: number;
  readonly isFile: boolean;
  readonly size: number;
} {
  const { O_NOCTTY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe waits for its other end, which is what a command wants.
    descriptor = openSync(path, confined ? O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY : O_RDONLY);
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw new Problem('invalid-input', `${name} is a folder, not a file.`);
    // This comes after the open, so that the opened file is the checked one.
    if (confined && (!stat.isFile() || realpathSync(path) !== path || statSync(path).ino !== stat.ino))
      throw new Problem('invalid-input', `${name} is not a regular file. Symbolic links are not followed.`);
    return { descriptor, isFile: stat.isFile(), size: stat.isFile() ? stat.size : 0 };
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    if (error instanceof Problem) throw error;
    throw new Problem('invalid-input', `${name} ${reasonOf(error)}.`, {
      hint: 'Check the path.',
      cause: error,
    });
  }
}
