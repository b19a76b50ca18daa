import { readRequiredRole, withAction } from '../../contract/required-role.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { findOperation } from '../find-operation.ts';

/** A name that a command looked up in a list. */
interface Lookup {
  readonly name: string;
  /** What it is the name of, such as "token". */
  readonly word: string;
  readonly listId: string;
  /** The operation of the command; empty for a command that is not one operation. */
  readonly operationId: string;
}

/**
 * The error itself; for a list that the caller may not read, an error about the command that looked up a name in the list,
 * since the caller did not ask for the list.
 */
export async function describeRefusedLookup(
  error: unknown,
  { name, word, listId, operationId }: Lookup,
): Promise<unknown> {
  if (!isProblem(error, 'forbidden') || listId === operationId || error.operationId !== listId) return error;
  const { message, requestId } = error;
  const list = await findOperation(listId);
  const missing = readRequiredRole(message);
  if (list === undefined || missing === undefined) return error;
  const own = operationId === '' ? undefined : await findOperation(operationId);
  const same = own?.access === list.access ? own : undefined;
  return new Problem(
    'forbidden',
    same === undefined
      ? `The ${word} "${name}" cannot be looked up by its name. ${message}`
      : withAction(missing, same),
    {
      hint:
        same === undefined ? `Give the ID of the ${word} instead. ${error.hint ?? ''}`.trimEnd() : error.hint,
      requestId,
      cause: error,
    },
  );
}
