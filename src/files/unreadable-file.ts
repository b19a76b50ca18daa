import { Problem } from '../errors/problem.ts';

/** The path of an input for messages; "-" is standard input. */
export function nameInput(path: string): string {
  return path === '-' ? 'Standard input' : path;
}

/** The Problem for an input that could not be read. */
export function unreadableFile(path: string, error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && error.name === 'AbortError')
    return new Problem('interrupted', 'Interrupted.');
  const code = (error as NodeJS.ErrnoException).code;
  const why =
    code === 'ENOENT'
      ? 'does not exist'
      : code === 'EACCES' || code === 'EPERM'
        ? 'cannot be read: permission denied'
        : `cannot be read (${code ?? String(error)})`;
  return new Problem('invalid-input', `${nameInput(path)} ${why}.`, {
    hint: 'Check the path.',
    cause: error,
  });
}
