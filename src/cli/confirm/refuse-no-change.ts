import type { Operation, PathParams } from '../../contract/operation.ts';
import { isRecord, listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { propertiesIn, requiredIn, type Schema } from '../input/field-schema.ts';
import { flagsOfField, optionKey, paramFlag } from '../input/flags.ts';
import { positionalsOf } from '../input/positionals.ts';

const maxFlags = 10;

/**
 * Refuses an update or a move without changes. The API accepts an empty body, and would record a change. `args` are the
 * arguments of the command (default: none).
 * @throws Problem(usage)
 */
export function refuseNoChange(
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
  body: unknown,
  args: readonly string[] = [],
): void {
  const { id, cli } = operation;
  const isMove = id.endsWith('.move');
  if (!isRecord(body) || Object.keys(body).length > 0 || options['body'] !== undefined) return;
  // Another error names the missing field.
  if (requiredIn(operation.body).length > 0) return;
  const { flags: own = [] } = cli;
  // Several options fill one field, and a single one may fill only a part of it.
  const filled = own.flatMap(({ template }) => Object.keys(template as object));
  const others = new Set([
    'body',
    ...positionalsOf(operation),
    ...filled.filter((name, index) => filled.indexOf(name) !== index),
  ]);
  const flags = [
    ...propertiesIn(operation.body).flatMap(([name]) =>
      others.has(name) ? [] : [flagsOfField(name, operation)[0]],
    ),
    ...own.map(({ name }) => name),
  ].map((name) => `--${name}`);
  const [example] = cli.examples ?? [];
  const missing = flags.length > 1 ? `at least one of ${listSome(flags, maxFlags)}` : (flags[0] ?? '--body');
  throw new Problem('usage', `Nothing to ${isMove ? 'move' : 'change'}: give ${missing}.`, {
    hint:
      hintForValues(operation, options, args) ??
      (example === undefined
        ? `Run \`docsctl ${id.replaceAll('.', ' ')} --help\`.`
        : `For example: \`${example}\`.`),
  });
}

/** Refuses to move an item before or after itself, which the API accepts without an effect. @throws Problem(usage) */
export function refuseSelfMove(calls: readonly { name: string; params: PathParams; body: unknown }[]): void {
  for (const { name, params, body } of calls) {
    const { item, position } = body as {
      item?: { id?: string };
      position: Readonly<Record<string, unknown>>;
    };
    const own = [item?.id, ...Object.values(params)];
    const neighbors = Object.values(position).flatMap((one) => (isRecord(one) ? Object.values(one) : []));
    if (neighbors.some((id) => id !== undefined && own.includes(id as string)))
      throw selfMoveProblem(
        item === undefined ? `"${name}"` : 'An item',
        'Give another item to move it before or after.',
      );
  }
}

export function selfMoveProblem(name: string, hint: string): Problem {
  return new Problem('usage', `${name} cannot be moved relative to itself.`, { hint });
}

/**
 * Returns the command with options, if the last argument is one of the choices of a field, and the arguments before it fit the
 * first one and the missing parameters: for `update-user ben Guide comment`, the space and the role.
 */
function hintForValues(
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
  args: readonly string[],
): string | undefined {
  const { id, paramNames, body } = operation;
  const [first = '', ...between] = args.slice(0, -1);
  const value = args.at(-1) ?? '';
  const [field] = propertiesIn(body).find(([, schema]) => choicesOf(schema).includes(value)) ?? [];
  const missing = paramNames
    .filter((name) => name !== 'organizationId' && !positionalsOf(operation).includes(name))
    .map(paramFlag)
    .filter((flag) => options[optionKey(flag)] === undefined);
  if (field === undefined || first === '' || between.length !== missing.length) return undefined;
  const flags = [...missing, flagsOfField(field, operation)[0]];
  const words = flags.map((flag, at) => `--${flag} ${shellWord(args[at + 1] ?? '')}`);
  return `Did you mean \`docsctl ${id.replaceAll('.', ' ')} ${shellWord(first)} ${words.join(' ')}\`?`;
}

/** Returns the texts that a field accepts; none if it accepts others. */
function choicesOf({ enum: choices = [], const: value, anyOf = [] }: Schema): unknown[] {
  return [...choices, value, ...anyOf.flatMap(choicesOf)];
}
