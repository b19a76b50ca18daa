import type { Api } from '../contract/api.ts';
import { valueAt } from '../contract/paths.ts';
import { isProblem, Problem } from '../errors/problem.ts';

/** The commands that list what belongs to a space and is named by a number or ID. */
const listCommands: Readonly<Record<string, (spaceId: string) => string>> = {
  'change request': (spaceId) => `docsctl change-requests list ${spaceId} --status all`,
  revision: (spaceId) => `docsctl revisions list --space ${spaceId}`,
};

/** An Api whose errors about a change request or revision that does not exist name the command that lists those that do. */
export function withListHints(api: Api): Api {
  const call: Api['call'] = async (operation, input, options) => {
    try {
      return await api.call(operation, input, options);
    } catch (error) {
      throw withListHint(error, input);
    }
  };
  return { ...api, call };
}

/** The error itself; for a change request or revision that does not exist, with the command that lists those that do. */
function withListHint(error: unknown, input: unknown): unknown {
  if (!isProblem(error, 'not-found') || error.hint !== undefined) return error;
  const spaceId = valueAt(input, 'params.spaceId') ?? valueAt(input, 'body.space');
  const [, kind = ''] = /^There is no (change request|revision) "/.exec(error.message) ?? [];
  const command = listCommands[kind];
  if (command === undefined || typeof spaceId !== 'string') return error;
  const { message, requestId, violations } = error;
  return new Problem('not-found', message, {
    hint: `To see the ${kind}s, run \`${command(spaceId)}\`.`,
    requestId,
    violations,
    cause: error,
  });
}
