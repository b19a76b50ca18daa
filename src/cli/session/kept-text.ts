import { existsSync } from 'node:fs';
import { Problem } from '../../errors/problem.ts';

/**
 * Adds to an error the path of the text that could not be sent, and the option that sends it. After the text is sent, the file no
 * longer exists, and the error is not changed.
 */
export function withKeptText(
  error: unknown,
  path: string | undefined,
  { failed, option }: { failed: string; option: string },
): unknown {
  if (path === undefined || !existsSync(path)) return error;
  const kept = `Your text is kept in ${path}; send it with ${option}.`;
  if (!(error instanceof Problem)) return new Problem('unexpected', `${failed} ${kept}`, { cause: error });
  return error.withHint([kept, error.hint].filter(Boolean).join(' '));
}
