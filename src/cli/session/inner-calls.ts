import { readRequiredRole, withAction } from '../../contract/required-role.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { findOperation } from '../find-operation.ts';

/**
 * The error itself; for a role that a call of a command requires, an error that says so, unless the call is the command
 * itself: who runs `docsctl access report` has not asked to list the members. A command that stands for an operation, and
 * makes another call that requires the same, has the error of that operation.
 */
export async function describeInnerCall(error: unknown, words: string): Promise<unknown> {
  if (!isProblem(error, 'forbidden') || error.operationId === undefined) return error;
  const missing = readRequiredRole(error.message);
  const own = await findOperation(words.replaceAll(' ', '.')).catch(() => undefined);
  if (missing === undefined || error.operationId === own?.id) return error;
  const { hint, violations, requestId } = error;
  const isSame = own?.access.endsWith(`.${missing.level}`) === true;
  return new Problem(
    'forbidden',
    isSame
      ? withAction(missing, own)
      : `\`docsctl ${words}\` has to ${missing.action}. This requires ${missing.rest}`,
    { hint, violations, requestId, cause: error },
  );
}
