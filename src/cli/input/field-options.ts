import { Option, type Command } from 'commander';
import type { Operation } from '../../contract/operation.ts';
import { nullWordOf } from '../../contract/schema.ts';
import { defined, joinAnd } from '../../contract/values.ts';
import {
  isClearedList,
  isStructured,
  isText,
  periodSign,
  propertiesIn,
  shapeOf,
  takesNull,
  withoutNull,
  type Schema,
} from './field-schema.ts';
import { collect } from './collect.ts';
import { fieldFlag, flagsOfField, paramFlag } from './flags.ts';
import { namesFor } from '../names/name-kinds.ts';
import { globalNames } from '../settings/global-options.ts';
import { describeWays } from './body-flags.ts';
import { markRequired, markRequiredInBody } from './required.ts';

/** Adds an option for each field of the query and body. Required fields that are positional arguments have hidden options. */
export function addFields(command: Command, operation: Operation, positionals: readonly string[] = []): void {
  const { query, body, cli } = operation;
  const required = requiredFields(operation);
  const ofBody = propertiesIn(body);
  for (const [name, schema] of [...propertiesIn(query), ...ofBody]) {
    const isOfBody = ofBody.some(([field]) => field === name);
    const [flag, ...others] = flagsOfField(name, operation);
    if (name === 'body' || hasFlag(command, flag)) continue;
    const option = fieldOption(flag, name, schema, operation);
    if (required.has(name) || isOnlyChange(operation, name))
      (isOfBody ? markRequiredInBody : markRequired)(option);
    const isHidden = positionals.includes(name) && required.has(name);
    command.addOption(isHidden ? option.hideHelp() : option);
    for (const other of others)
      if (!hasFlag(command, other)) command.addOption(fieldOption(other, name, schema, operation).hideHelp());
    if (withoutNull(schema).type === 'boolean' && !hasFlag(command, `no-${flag}`))
      command.addOption(new Option(`--no-${flag}`).hideHelp());
  }
  for (const { name, value, summary, repeatable } of cli.flags ?? []) {
    if (hasFlag(command, name)) continue;
    const option = new Option(`--${name} <${value.toLowerCase()}>`, summary);
    command.addOption(repeatable ? option.argParser(collect) : option);
  }
  if (body === undefined) return;
  command.option(
    '--body <file>',
    `file with the fields as JSON or YAML, or - for standard input; options override them${neededWithout(operation, positionals)}`,
  );
  command.option('--skeleton', 'print a file for --body to fill in; nothing is sent');
  if (!hasFlag(command, 'set') && propertiesIn(body).length > 0)
    command.option(
      '--set <path=value>',
      'set a field, or a field inside it: --set FIELD.PART=VALUE',
      collect,
    );
  const lists = propertiesIn(body).filter(([name]) => isClearedList(operation, name));
  const nullables = propertiesIn(body).filter(([, schema]) => takesNull(schema));
  // A word such as "none" is clearer than "remove the value".
  const wordless = [...nullables.filter(([, schema]) => nullWordOf(schema) === undefined), ...lists];
  const [example] = wordless[0] ?? nullables[0] ?? [];
  if (example === undefined) return;
  const unset = new Option(
    '--unset <field>',
    `remove the value of a field, such as --unset ${flagsOfField(example, operation)[0]}`,
  ).argParser(collect);
  // A new resource has no values to remove.
  command.addOption(unset.hideHelp(wordless.length === 0 || operation.returns.status === 201));
}

/** Whether an update can change only this field, and is therefore refused without it. */
function isOnlyChange({ id, body, cli }: Operation, name: string): boolean {
  const [first, second] = propertiesIn(body);
  return (
    /\.update(?:-\w+)?$/.test(id) && cli.flags === undefined && first?.[0] === name && second === undefined
  );
}

/** Returns the help text about options that a file of --body makes unnecessary. */
function neededWithout(operation: Operation, positionals: readonly string[]): string {
  const fields: readonly string[] = operation.body?.required ?? [];
  const required = requiredFields(operation);
  const ways = fields
    .filter((name) => !isFilledIn(operation, name))
    .map((name) =>
      positionals.includes(name)
        ? `the argument <${fieldFlag(paramFlag(name))}>`
        : required.has(name)
          ? `--${flagsOfField(name, operation)[0]}`
          : describeWays(operation, name).replaceAll(/ [A-Z][A-Z-]*\b/g, ''),
    );
  return ways.length === 0 ? '' : `. Without --body, required: ${joinWays(ways)}`;
}

/** Joins texts of which some list alternatives, such as "--url or --text". */
function joinWays(ways: readonly string[]): string {
  const marked = ways.map((way) => (/, -.* or /.test(way) ? `one of ${way}` : way));
  return ways.some((way) => way.includes(' or ')) ? marked.join('; and ') : joinAnd(marked);
}

/** Whether a field is filled with the organization in the settings. The target of a transfer is not. */
export function isFilledIn({ id }: Pick<Operation, 'id'>, name: string): boolean {
  return name === 'organization' && !id.endsWith('.transfer');
}

/** Returns the required fields of a request. */
export function requiredFields({ id, query, body, cli }: Operation): ReadonlySet<string> {
  const known = [query, body].flatMap((schema) => schema?.required ?? []);
  const byFlag = new Set((cli.flags ?? []).flatMap(({ template }) => Object.keys(template as object)));
  return new Set(known.filter((name) => !isFilledIn({ id }, name) && !byFlag.has(name)));
}

/** Describes a positional field, with a note such as how to give several values. */
export function describeField(name: string, operation: Operation, note: string): string {
  const schema = new Map([...propertiesIn(operation.query), ...propertiesIn(operation.body)]).get(name);
  return (schema === undefined ? '' : textOf(name, schema, operation)) + note;
}

/** Returns the description of a field, with the kinds of names that it accepts if it contains an ID. */
function textOf(name: string, schema: Schema, operation: Operation): string {
  const stated = schema.description ?? withoutNull(schema).description;
  const description = stated?.replace(/\bnull\b/, nullWordOf(schema) ?? 'null');
  const { names, word } = namesFor(name, operation.id);
  const { items } = withoutNull(schema);
  if (names.length === 0 || (items !== undefined && isStructured(items))) return description ?? '';
  const filled = isFilledIn(operation, name) ? ' (default: the organization of --org or the settings)' : '';
  // A default stays at the end.
  return (description ?? word).replace(/( \(default: .*\))?$/, `, by ${names.join(', ')} or ID$1`) + filled;
}

function fieldOption(flag: string, name: string, schema: Schema, operation: Operation): Option {
  const text = textOf(name, schema, operation);
  const own = withoutNull(schema);
  const { type, items } = own;
  if (type === 'boolean') {
    // Only changes and filters, whose texts begin with "true:", mean something else without the option.
    const isOff =
      propertiesIn(operation.query).some(([field]) => field === name) && !/^true:|default:/.test(text);
    const sends = own.const === true ? '' : `; --no-${flag} sends false`;
    return new Option(`--${flag} [true|false]`, `${text}${isOff ? ' (default: false)' : ''}${sends}`);
  }
  if (type === 'array') {
    const [word, shape] =
      items !== undefined && isStructured(items)
        ? ['json', `: ${shapeOf(items)}`]
        : [items === undefined ? 'text' : valueName(name, items, operation), ''];
    const list = new Option(`--${flag} <${word}...>`, `${text}${shape}`).argParser(collect);
    return withChoices(list, items === undefined ? [] : choicesOf(items));
  }
  if (isText(own)) return new Option(`--${flag} <markdown>`, `${text}, in Markdown; @FILE reads a file`);
  if (isStructured(own)) {
    // Words are given as they are, without quotation marks.
    const { anyOf } = own;
    const objects = anyOf?.filter(({ enum: words }) => words === undefined);
    const shape = shapeOf({ ...own, ...defined({ anyOf: objects }) });
    return new Option(`--${flag} <json>`, `${text}${/[;.] /.test(text) ? ';' : ','} as JSON: ${shape}`);
  }
  const choices = choicesOf(schema);
  const option = new Option(
    `--${flag} <${valueName(name, own, operation, choices)}>`,
    own.format === 'date-time' ? `${text}; also accepts a date (00:00 UTC), or ${periodText(name)}` : text,
  );
  return withChoices(option, choices);
}

/** Adds choices only for help and completion. The input is checked as a whole against the schema. */
function withChoices(option: Option, choices: string[]): Option {
  if (choices.length > 0) option.argChoices = choices;
  return option;
}

function periodText(name: string): string {
  return periodSign(name) === 1 ? '30d (30 days from now)' : '7d (7 days ago)';
}

/** Returns the allowed values of a field, with the word for null. */
function choicesOf(schema: Schema): string[] {
  const { enum: choices, anyOf = [] } = schema;
  const all = choices ?? anyOf.flatMap((choice) => choice.enum ?? []);
  const word = nullWordOf(schema);
  return word === undefined ? all : [...all, word];
}

/** Returns the placeholder of a field in help: "<space>", "<number>", "<live|locked>". */
function valueName(
  name: string,
  schema: Schema,
  { id }: Operation,
  choices: readonly string[] = choicesOf(schema),
): string {
  const { word, names } = namesFor(name, id);
  if (names.length > 0) return word.replaceAll(' ', '-').toLowerCase();
  const joined = choices.join('|');
  if (choices.length > 0) return joined.length <= maxChoices ? joined : 'choice';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  const byFormat: Readonly<Record<string, string>> = {
    'date-time': 'time',
    uri: 'url',
    url: 'url',
    email: 'email',
  };
  return byFormat[schema.format ?? ''] ?? (name.endsWith('Id') || name === 'id' ? paramFlag(name) : 'text');
}

const maxChoices = 30;

function hasFlag({ options }: Command, flag: string): boolean {
  return options.some(({ long }) => long === `--${flag}`) || globalNames.has(flag);
}
