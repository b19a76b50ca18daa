import type { Api } from '../../contract/api.ts';
import type { Operation } from '../../contract/operation.ts';
import { valueAt } from '../../contract/paths.ts';
import { joinOr } from '../../contract/values.ts';
import { isProblem } from '../../errors/problem.ts';

/** The commands that list resources of a space which are identified by a number or ID. */
const listCommands: Readonly<Record<string, (spaceId: string) => string>> = {
  'change request': (spaceId) => `docsctl change-requests list ${spaceId} --status all`,
  revision: (spaceId) => `docsctl revisions list --space ${spaceId}`,
};

/** Wraps an Api so that errors about missing resources suggest the command that lists the existing ones. */
export function withListHints(api: Api): Api {
  const call: Api['call'] = async (operation, input, options) => {
    try {
      return await api.call(operation, input, options);
    } catch (error) {
      throw await withListHint(api, error, operation, input);
    }
  };
  return { ...api, call };
}

/** Returns the error. If it is about a missing resource, the command that lists the existing ones is added, if there is one. */
async function withListHint(
  api: Api,
  error: unknown,
  operation: Operation,
  input: unknown,
): Promise<unknown> {
  if (!isProblem(error, 'not-found') || error.hint !== undefined) return error;
  const [, kind = '', id = ''] = /^There is no ([\w ]+) "(.*?)"/s.exec(error.message) ?? [];
  const things = `${kind.replace(/(?<=[^aeiou])y$/, 'ie')}s`;
  const inSpace = listInSpace(kind, input);
  const found =
    inSpace === undefined ? await listOfOthers(operation, input, { things, id }) : { command: inSpace };
  if (found === undefined) return error;
  // Integrations are identified by their names.
  const near = kind === 'integration' ? await similarIntegrations(api, id) : [];
  if (near.length > 0) return error.withHint(`Did you mean ${joinOr(near.map((name) => `"${name}"`))}?`);
  return error.withHint(`To see the ${things}, run \`${found.command}\`${found.note ?? ''}.`);
}

async function similarIntegrations(api: Api, name: string): Promise<readonly string[]> {
  const [{ listIntegrations }, { similarNames }] = await Promise.all([
    import('../../resources/integrations/contract.ts'),
    import('../suggestions.ts'),
  ]);
  try {
    const { items } = await api.call(listIntegrations, { query: { limit: 1000 } });
    return similarNames(
      name,
      items.map((each) => each.name),
    );
  } catch {
    return [];
  }
}

function listInSpace(kind: string, input: unknown): string | undefined {
  const spaceId = valueAt(input, 'params.spaceId') ?? valueAt(input, 'body.space');
  return typeof spaceId === 'string' ? listCommands[kind]?.(spaceId) : undefined;
}

interface ListCommand {
  readonly command: string;
  /** The end of a sentence with the command: the required role, if the caller may not have it. */
  readonly note?: string;
}

/** Returns the command that lists the resources of the missing kind: that of a path parameter, or one with the word of a noun. */
async function listOfOthers(
  operation: Operation,
  input: unknown,
  { things, id }: { things: string; id: string },
): Promise<ListCommand | undefined> {
  const [{ findOperation, listCommand }, { kinds, kindOf, listIn }] = await Promise.all([
    import('../find-operation.ts'),
    import('./name-kinds.ts'),
  ]);
  const params = (valueAt(input, 'params') ?? {}) as Readonly<Record<string, string>>;
  const param = operation.paramNames.findLast((name) => params[name] === id);
  // A field of the body may name a member or a team of the organization.
  const kind: Parameters<typeof listIn>[0] | undefined =
    param === undefined
      ? [kinds.member, kinds.team].find(({ word }) => things === `${word}s`)
      : kindOf(param, operation.id);
  const describe = async (list: string, command: string): Promise<ListCommand> => {
    const level = levelOf(await findOperation(list));
    // The caller was allowed to use the operation, but may lack the role for the list.
    return levels.indexOf(level) > levels.indexOf(levelOf(operation))
      ? { command, note: `, which requires the ${level} role` }
      : { command };
  };
  if (kind !== undefined) {
    const list = listIn(kind, params);
    return describe(list, await listCommand(list, params, kind));
  }
  // Some resources are listed by the noun with the same word: `audit` lists "audit events".
  const words = operation.id.split('.').slice(0, -1);
  const at = words.findLastIndex((word) => things.replaceAll(' ', '-').startsWith(word));
  if (at === -1) return undefined;
  const list = [...words.slice(0, at + 1), 'list'].join('.');
  return (await findOperation(list)) === undefined
    ? undefined
    : describe(list, await listCommand(list, params));
}

const levels: readonly string[] = [
  'any',
  'caller',
  'member',
  'read',
  'comment',
  'edit',
  'review',
  'create',
  'admin',
];

function levelOf(operation: Operation | undefined): string {
  return operation?.access.replace(/^.*\./, '') ?? 'any';
}
