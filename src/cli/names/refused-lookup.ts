import { readRequiredRole, withAction } from '../../contract/required-role.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { findOperation } from '../find-operation.ts';

/** A name that a command looked up in a list. */
interface Lookup {
  readonly name: string;
  /** The kind of resource, such as "token". */
  readonly word: string;
  readonly listId: string;
  /** The operation of the command; '' for a composite command. */
  readonly operationId: string;
}

/**
 * Returns the error. If the caller may not read the list in which a name was looked up, the error is about the command instead,
 * because the caller did not request the list.
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
