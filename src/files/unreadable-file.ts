import { Problem } from '../errors/problem.ts';

export function nameInput(path: string): string {
  return path === '-' ? 'Standard input' : path;
}

/** Why an input could not be read, in words. */
export function unreadableFile(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new Problem('interrupted', 'Stopped by a signal.');
  const code = (error as NodeJS.ErrnoException).code;
  const why =
    code === 'ENOENT'
      ? 'does not exist'
      : code === 'EACCES' || code === 'EPERM'
        ? 'may not be read'
        : `cannot be read (${code ?? String(error)})`;
  return new Problem('invalid-input', `${nameInput(path)} ${why}.`, {
    hint: 'Check the path.',
    cause: error,
  });
}
