import type { Operation } from '../../contract/operation.ts';
import { isRecord, listSome } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { propertiesIn, requiredIn } from '../input/field-schema.ts';
import { flagsOfField } from '../input/flags.ts';
import { positionalsOf } from '../input/positionals.ts';

const maxFlags = 10;

/**
 * Refuses an update or a move without changes. The API accepts an empty body, and would record a change.
 * @throws Problem(usage)
 */
export function refuseNoChange(
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
  body: unknown,
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
      example === undefined
        ? `Run \`docsctl ${id.replaceAll('.', ' ')} --help\`.`
        : `For example: \`${example}\`.`,
  });
}
