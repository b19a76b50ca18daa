import { closeSync, constants, existsSync, fstatSync, openSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Problem } from '../errors/problem.ts';
import { expandGlob, isGlob, splitGlob } from '../files/glob.ts';
import { reasonOf } from '../files/read-regular.ts';

/** Entries of folders that one pattern may look at. */
const mostEntries = 100_000;

/** A file of a bulk job, or standard input. */
export interface Source {
  /** As it is shown, and by which it is remembered; "-" for standard input. */
  readonly name: string;
  readonly path: string;
  /** Nothing behind a symbolic link is read. */
  readonly confined?: boolean;
}

/** The files that words of a command name: a name as it is, or a pattern for those that match, in order. */
export function findSources(words: readonly string[], cwd: string): Source[] {
  return words.flatMap((word) => {
    if (word === '-') return [{ name: '-', path: '-' }];
    const path = resolve(cwd, word);
    if (!isGlob(word) || existsSync(path)) return [{ name: word, path }];
    const { folder, pattern } = splitGlob(word.replaceAll('\\', '/'));
    const found = expandGlob(resolve(cwd, folder), pattern, mostEntries);
    if (found === undefined)
      throw new Problem('too-large', `${word} matches in a folder of more than ${mostEntries} entries.`, {
        hint: 'Name a smaller folder.',
      });
    if (found.length === 0)
      throw new Problem('invalid-input', `${word} matches no file.`, { hint: 'Check the pattern.' });
    return found.map((file) => ({ name: relative(cwd, file).replaceAll('\\', '/'), path: file }));
  });
}

/** Opens a source for reading; `isFile` says whether it has a size and can be read from any place. */
export function openSource({ name, path, confined = false }: Source): {
  readonly descriptor: number;
  readonly isFile: boolean;
  readonly size: number;
} {
  const { O_NOCTTY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
  let descriptor: number | undefined;
  try {
    // Without O_NONBLOCK the open of a pipe waits for its other end; a command may mean just that.
    descriptor = openSync(path, confined ? O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY : O_RDONLY);
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw new Problem('invalid-input', `${name} is a folder, not a file.`);
    // After the open, so that what was opened is what was checked.
    if (confined && (!stat.isFile() || realpathSync(path) !== path || statSync(path).ino !== stat.ino))
      throw new Problem(
        'invalid-input',
        `${name} is no regular file, or lies behind a symbolic link, which is not followed.`,
      );
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
