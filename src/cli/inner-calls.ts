import { isProblem, Problem } from '../errors/problem.ts';

/**
 * The error itself; for a role that a call of a command requires, an error that says so, unless the call is the command
 * itself: who runs `docsctl access report` has not asked for `members.list`.
 */
export function describeInnerCall(error: unknown, words: string): unknown {
  if (!isProblem(error, 'forbidden')) return error;
  const [start, operationId = ''] = /^([\w-]+(?:\.[\w-]+)+) requires the \w+ role/.exec(error.message) ?? [];
  if (start === undefined || operationId.replaceAll('.', ' ') === words) return error;
  const { message, hint, violations, requestId } = error;
  return new Problem(
    'forbidden',
    `\`docsctl ${words}\` calls ${operationId}, which${message.slice(operationId.length)}`,
    { hint, violations, requestId, cause: error },
  );
}
