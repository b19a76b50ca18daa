import { readRequiredRole, withAction } from '../../contract/required-role.ts';
import { isProblem } from '../../errors/problem.ts';
import { findOperation } from '../find-operation.ts';

/**
 * Returns the error. If an inner call of a command requires a role, the error names the command instead, because the user did not
 * request that call: `docsctl access report` lists members, for example. If the command is for an operation with the same
 * requirement, the error names this operation.
 */
export async function describeInnerCall(error: unknown, words: string): Promise<unknown> {
  if (!isProblem(error, 'forbidden') || error.operationId === undefined) return error;
  const missing = readRequiredRole(error.message);
  const own = await findOperation(words.replaceAll(' ', '.')).catch(() => undefined);
  if (missing === undefined || error.operationId === own?.id) return error;
  const isSame = own?.access.endsWith(`.${missing.level}`) === true;
  return error.with({
    message: isSame
      ? withAction(missing, own)
      : `\`docsctl ${words}\` has to ${missing.action}. This requires ${missing.rest}`,
  });
}
