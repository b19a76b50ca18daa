import { existsSync } from 'node:fs';
import { Problem } from '../errors/problem.ts';

/**
 * Adds to an error where the text is that could not be sent, and the option that sends it. The file is gone once the text
 * is sent; the error then stays as it is.
 */
export function withKeptText(
  error: unknown,
  path: string | undefined,
  { failed, option }: { readonly failed: string; readonly option: string },
): unknown {
  if (path === undefined || !existsSync(path)) return error;
  const kept = `Your text is kept in ${path}; send it with ${option}.`;
  if (!(error instanceof Problem)) return new Problem('unexpected', `${failed} ${kept}`, { cause: error });
  const { reason, message, hint, violations, requestId } = error;
  return new Problem(reason, message, {
    hint: [kept, hint].filter(Boolean).join(' '),
    violations,
    requestId,
    cause: error,
  });
}
