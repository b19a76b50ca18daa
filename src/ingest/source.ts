import { closeSync, constants, existsSync, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { openReadable } from '../files/open-stream.ts';
import { expandGlob, isGlob, splitGlob } from '../files/glob.ts';
import { reasonOf } from '../files/read-regular.ts';

/** Maximum number of folder entries that a pattern is compared with. */
const maxEntries = 100_000;

/** A file to ingest, or standard input. */
export interface Source {
  /** The name in messages and checkpoints; "-" for standard input. */
  readonly name: string;
  readonly path: string;
  /** Whether only a regular file is accepted, without a symbolic link in its path (default false). */
  readonly confined?: boolean;
}

/**
 * Returns the files that arguments name, in order. An argument that is not an existing file may be a glob pattern.
 *
 * @throws Problem(invalid-input) for a pattern that matches no file; Problem(too-large) for one that covers too many
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
        { hint: 'Choose a smaller folder.' },
      );
    if (found.length === 0)
      throw new Problem('invalid-input', `${name} matches no file.`, { hint: 'Check the pattern.' });
    return found.map((file) => ({ name: relative(cwd, file).replaceAll('\\', '/'), path: file }));
  });
}

/** Whether a source can be read twice, unlike standard input, pipes and devices. True for a missing file. */
export function isRereadable({ path }: Source): boolean {
  return path !== '-' && statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
}

/**
 * Opens a source for reading. `isFile` means that it is a regular file, with a size, that can be read from any offset.
 *
 * @throws Problem(invalid-input)
 */
export function openSource({ name, path, confined = false }: Source): {
  descriptor: number;
  isFile: boolean;
  size: number;
} {
  // Windows does not have the first three.
  const { O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
  let descriptor: number | undefined;
  try {
    descriptor = confined
      ? openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
      : openReadable(path);
    const stat = fstatSync(descriptor);
    if (stat.isDirectory())
      throw new Problem('invalid-input', `${name} is a folder, not a file.`, {
        hint: `Give its files by a pattern in quotes, such as "${name.replace(/\/+$/, '')}/**/*.json".`,
      });
    // Checked after opening, so that the checked file is the one that is read.
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
