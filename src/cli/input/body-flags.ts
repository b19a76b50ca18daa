import type { BodyFlag, Operation } from '../../contract/operation.ts';
import { isRecord, joinAnd, joinOr } from '../../contract/values.ts';
import { isText, propertiesIn, type Schema } from './field-schema.ts';
import { fieldFlag, flagsOfField, optionKey } from './flags.ts';
import { givenTogether } from './given-twice.ts';

/** Returns the groups of flags that can fill a field. All flags of a group are needed together; one group is enough. */
export function waysToFill(operation: Operation, name: string): BodyFlag[][] {
  const groups: BodyFlag[][] = [];
  for (const flag of flagsFor(operation, name)) {
    const group = groups.find((others) =>
      others.every((other) => fitTogether(operation, name, [flag, other], 'needed')),
    );
    if (group === undefined) groups.push([flag]);
    else group.push(flag);
  }
  return groups;
}

/** Describes the options that can fill a field: `--url URL, or --space SPACE and --path PATH`; `withOwn`: also its own option. */
export function describeWays(operation: Operation, name: string, withOwn = true): string {
  const schema = new Map(propertiesIn(operation.body)).get(name);
  const [own] = flagsOfField(name, operation);
  // The options of an object that may be empty cannot give an empty one.
  const mayBeEmpty =
    schema?.type === 'object' &&
    !isText(schema) &&
    (schema.required ?? []).length + ((schema.minProperties as number | undefined) ?? 0) === 0;
  const hasOwn =
    schema?.type === 'array' || schema?.anyOf?.some(({ enum: choices }) => choices !== undefined);
  const ways = [
    ...(withOwn && (hasOwn === true || mayBeEmpty) ? [withValue(own, own)] : []),
    ...waysToFill(operation, name).map((group) =>
      joinAnd(group.filter((flag) => !flag.hasDefault).map((flag) => withValue(flag.name, flag.value))),
    ),
  ];
  const last = ways.at(-1) ?? '';
  return ways.length > 1 && last.includes(' and ')
    ? `${ways.slice(0, -1).join(', ')}, or ${last}`
    : joinOr(ways);
}

/**
 * Refuses flags that fill a field in different ways. `values` are the fields whose own options are given.
 * @throws Problem(usage)
 */
export function refuseConflicts(
  operation: Operation,
  options: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>>,
): void {
  const given: Pick<BodyFlag, 'name' | 'template'>[] = [
    ...Object.entries(values).map(([name, value]) => ({
      name: fieldFlag(name),
      template: { [name]: value },
    })),
    ...(operation.cli.flags ?? []).filter(({ name }) => options[optionKey(name)] !== undefined),
  ];
  for (const [index, flag] of given.entries())
    for (const other of given.slice(index + 1))
      for (const name of Object.keys(flag.template as object))
        if (
          Object.hasOwn(other.template as object, name) &&
          !fitTogether(operation, name, [flag, other], 'allowed')
        )
          throw givenTogether([`--${flag.name}`, `--${other.name}`]);
}

/** Returns the hint on how to see the fields of a body. */
export function seeFields(words: string): string {
  return `To see the fields of the body, run \`docsctl ${words} --skeleton\`.`;
}

function withValue(name: string, value: string): string {
  return `--${name} ${value.toUpperCase()}`;
}

function flagsFor({ cli }: Operation, name: string): BodyFlag[] {
  return (cli.flags ?? []).filter(({ template }) => Object.hasOwn(template as object, name));
}

/** Whether two flags are allowed or required together to fill a field. Flags that add to a list are independent. */
function fitTogether(
  { body }: Operation,
  name: string,
  flags: readonly Pick<BodyFlag, 'template'>[],
  together: 'allowed' | 'needed',
): boolean {
  const schema = new Map(propertiesIn(body)).get(name);
  const [one, two] = flags.map(({ template }) => (template as Record<string, unknown>)[name]);
  return Array.isArray(one) || Array.isArray(two) ? together === 'allowed' : fits(schema, one, two, together);
}

function fits(
  schema: Schema | undefined,
  one: unknown,
  other: unknown,
  together: 'allowed' | 'needed',
): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other && one !== '$';
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const takesAll = branchesOf(schema).some(
    ({ properties = {}, required = [], maxProperties }) =>
      keys.every((key) =>
        together === 'needed' ? required.includes(key) : Object.hasOwn(properties, key),
      ) && keys.length <= ((maxProperties as number) ?? Infinity),
  );
  return (
    takesAll &&
    keys.every((key) => !(key in one && key in other) || fits(undefined, one[key], other[key], together))
  );
}

function branchesOf(schema: Schema | undefined): Schema[] {
  return schema === undefined ? [] : (schema.anyOf?.flatMap(branchesOf) ?? [schema]);
}
