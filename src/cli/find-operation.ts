import type { Operation, PathParams } from '../contract/operation.ts';
import { nounOf } from '../resources/index.ts';
import { paramFlag } from './input/flags.ts';
import { shellWord } from '../contract/shell-word.ts';

/** Loads the declaration of an operation of an existing noun; undefined if there is none. */
export async function findOperation(id: string): Promise<Operation | undefined> {
  const declarations: readonly Partial<Operation>[] = Object.values(await nounOf(id).contract());
  return declarations.find((operation) => operation.id === id) as Operation | undefined;
}

/** Loads the declaration of an existing operation. */
export async function operationById(id: string): Promise<Operation> {
  return (await findOperation(id)) as Operation;
}

/** Returns the command that lists resources, ready to paste. */
export async function listCommand(
  operationId: string,
  params: PathParams,
  { query = {} }: { query?: Readonly<Record<string, unknown>> } = {},
): Promise<string> {
  const { paramNames } = await operationById(operationId);
  const flags = paramNames.flatMap((name) =>
    name === 'organizationId' || params[name] === undefined
      ? []
      : [`--${paramFlag(name)} ${shellWord(params[name])}`],
  );
  const filters = Object.keys(query).map((name) => `--${name}`);
  return ['docsctl', ...operationId.split('.'), ...flags, ...filters].join(' ');
}
