import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../errors/problem.ts';

/** Returns the name of an input for messages; "-" is standard input. */
export function nameInput(path: string): string {
  return path === '-' ? 'Standard input' : path;
}

/** Returns the Problem for an input that could not be read. */
export function unreadableFile(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new Problem('interrupted', 'Interrupted.');
  const code = (error as NodeJS.ErrnoException).code;
  const isRefused = code === 'EACCES' || code === 'EPERM';
  const why =
    code === 'ENOENT'
      ? 'does not exist'
      : isRefused
        ? 'cannot be read: permission denied'
        : `cannot be read (${code ?? String(error)})`;
  return new Problem('invalid-input', `${nameInput(path)} ${why}.`, {
    hint: isRefused ? 'Make it readable for your user.' : 'Check the path.',
    cause: error,
  });
}

/** Returns why a file or folder could not be used, created or written, as the end of a sentence. */
export function whyUnwritable(path: string, error: unknown): string {
  const { code = String(error) } = error as NodeJS.ErrnoException;
  const known: Readonly<Record<string, string>> = {
    ENOENT: existsSync(dirname(path))
      ? 'no file can be created there'
      : `the folder ${dirname(path)} does not exist`,
    ENOTDIR: 'a part of its path is a file',
    EEXIST: 'a file with this name exists',
    EISDIR: 'a folder with this name exists',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    ENAMETOOLONG: 'a name in it is too long',
    ELOOP: 'it has too many symbolic links',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  return known[code] ?? code;
}
