import type { Command } from 'commander';
import type { RawInput } from '../../contract/check.ts';
import type { Operation } from '../../contract/operation.ts';
import { fieldAt, valueAt } from '../../contract/paths.ts';
import { nullWordOf, type TSchema } from '../../contract/schema.ts';
import { isRecord, ownValue, recordOf } from '../../contract/values.ts';
import { isProblem, Problem, type Violation } from '../../errors/problem.ts';
import { flagsOfField, optionKey, paramFlag } from './flags.ts';
import { positionalsOf } from './positionals.ts';
import { describeWays, seeFields } from './body-flags.ts';
import type { Session } from '../session/session.ts';
import { wordsOf } from '../command-words.ts';

/** The name of a value in the command line: `--expires-at`, or `EMAILS` for a positional one. */
interface Given {
  readonly name: string;
  readonly field: string;
  /** The index of the value among several ones, from 0. */
  readonly index?: string | undefined;
}

/**
 * Returns a session whose errors about the input of an operation name the options of the command. `own` is the operation of the
 * command, whose fields can be positional.
 */
export function withOptionErrors(session: Session, command: Command, own?: Operation): Session {
  const { typedWords } = session;
  const translate = async <T>(operation: Operation, input: unknown, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw await inOptionWords(error, { operation, command, own, input: input as RawInput, typedWords });
    }
  };
  return {
    ...session,
    call: (operation, input, options) =>
      translate(operation, input, () => session.call(operation, input, options)),
    check: (operation, input) => translate(operation, input, () => session.check(operation, input)),
  };
}

interface Context {
  readonly operation: Operation;
  readonly command: Command;
  readonly own: Operation | undefined;
  readonly input: RawInput;
  /** The words that the user typed, by the IDs that were found for them. */
  readonly typedWords: ReadonlyMap<string, string>;
}

/**
 * Rewords an error about invalid input for the command line: `--expires-at "soon" is not a valid date-time` instead of the field
 * name. Other errors, and those about a file of --body, are not changed.
 */
async function inOptionWords(error: unknown, context: Context): Promise<unknown> {
  if (!(error instanceof Problem)) return error;
  if (!isProblem(error, 'invalid-input')) return withOptions(error, context);
  const [{ countOthers, violationsOfInput }, { nearest }] = await Promise.all([
    import('../../contract/check.ts'),
    import('../../contract/nearest.ts'),
  ]);
  const [first, ...others] = violationsOfInput(context.operation, context.input).violations;
  if (first === undefined) return withOptions(error, context);
  const given = findGiven(first, context) ?? findByValue(first, context);
  const words = wordsOf(context.command);
  const isOfBody = [first, ...others].some(({ path }) => path.startsWith('/body'));
  const hasSkeleton = context.command.options.some(({ long }) => long === '--skeleton');
  const hasFile = context.command.opts()['body'] !== undefined;
  // The help of `docsctl api` describes no operation.
  const isDescribed = words !== 'api' && !(isOfBody && (hasFile || (given === undefined && hasSkeleton)));
  const see = isDescribed
    ? `To see the arguments and options, run \`docsctl ${words} --help\`.`
    : hasSkeleton
      ? seeFields(words)
      : error.hint;
  const violations = [first, ...others].map((violation, at) => inWords(violation, context, at === 0));
  const more = countOthers(others);
  if (given === undefined) {
    const place = violations[0]?.option;
    const part = partAt(first, place ?? '');
    const fault = withValue(part.name, shownValue(part, context), '', faultOf(first, part, context));
    const message = place === undefined ? error.message : `${fault}${more}.`;
    return error.with({ message, violations, hint: see });
  }
  const example = first.message.includes('date-time')
    ? 'Write a date like 2040-01-31, a date and time like 2040-01-31T12:00:00Z, or a period like 7d. '
    : first.message.endsWith('valid URL')
      ? 'Write a whole URL like https://example.com/start. '
      : '';
  const [, choices] = /one of: (.*)$/s.exec(faultOf(first, given, context)) ?? [];
  const value: unknown = valueAt(context.input, given.field);
  const [close] = typeof value === 'string' ? nearest(value, choices?.split(', ') ?? []) : [];
  const meant = close === undefined ? '' : `Did you mean ${close}? `;
  const [, field] = /^body\.(\w+)$/.exec(given.field) ?? [];
  const ways =
    field !== undefined && typeof value === 'string' && /^must (have "|be an object)/.test(first.message)
      ? describeWays(context.operation, field, false)
      : '';
  const instead = ways === '' ? '' : `Instead, you can give ${ways}. `;
  const isMissing = first.message.startsWith('is required') && value === undefined;
  const [shown] = isMissing && !hasFile ? (context.own?.cli.examples ?? []) : [];
  const like = shown === undefined ? '' : `For example: \`${shown}\`. `;
  return error.with({
    message: `${describe(first, given, context)}${more}.`,
    reason: isMissing ? reasonOfMissing(context.command.opts()) : error.reason,
    hint: `${meant}${instead}${example}${like}${see ?? ''}`,
    violations,
  });
}

/** Adds options after the field names in an error of a handler. */
function withOptions(error: Problem, context: Context): Problem {
  const violations = error.violations.map((violation) => {
    const given = findGiven(violation, context) ?? findByValue(violation, context);
    const option = given?.name ?? placeOf(violation, context);
    return option === undefined ? violation : { ...violation, option };
  });
  const [option] = violations.flatMap((violation) => violation.option ?? []);
  if (option === undefined) return error;
  const message = error.message.replace(/^The value (?=is not valid)/, `${option} `);
  return error.with({ message, violations });
}

/** Returns the reason of an error about a required field: with --body, the file is invalid; otherwise the command line. */
function reasonOfMissing(options: Readonly<Record<string, unknown>>): 'invalid-input' | 'usage' {
  return options['body'] === undefined ? 'usage' : 'invalid-input';
}

function describe(violation: Violation, given: Given, context: Context): string {
  const { name, index } = given;
  const shown = shownValue(given, context);
  const place = index === undefined ? '' : ` (value ${Number(index) + 1})`;
  const fault = faultOf(violation, given, context);
  const isText = !name.startsWith('-') && shown.startsWith(' "');
  return isText ? `${shown.trimStart()} ${fault}` : withValue(name, shown, place, fault);
}

/** Returns a violation with the option or argument that gave its value, if there is one. */
function inWords(violation: Violation, context: Context, isFirst: boolean): Violation {
  const given = findGiven(violation, context) ?? findByValue(violation, context);
  const option = given?.name ?? placeOf(violation, context);
  if (option === undefined) return violation;
  const part = given ?? partAt(violation, option);
  // The message of the problem shows the value of the first violation.
  const shown = isFirst ? '' : shownValue(part, context).trimStart();
  const message = `${shown} ${faultOf(violation, part, context)}`.trimStart();
  return { ...violation, message, option };
}

/** Returns a part of a value as if an option had given it. Errors do not show the value of an unknown field. */
function partAt({ path, message }: Violation, name: string): Given {
  return { name, field: message.startsWith('is not a known') ? '' : path.slice(1).replaceAll('/', '.') };
}

/** Returns the fault of a value, with the command line's word for null. */
function faultOf({ message }: Violation, given: Given, context: Context): string {
  const word = nullWordAt(context.operation, given.field);
  const isText = typeof valueAt(context.input, given.field) === 'string';
  return message
    .replace(/^must have (?=")/, isText ? 'must be a JSON object with ' : '$&')
    .replace(/, null$/, word === undefined ? '' : `, ${word}`)
    .replace(/\(null(?=:)/, `(${word ?? 'null'}`)
    .replace(/^must be one of: (an object(?: with (?:"[^"]*"(?:, | and )?)+)?)$/, 'must be $1')
    .replace(/^must be one of: /, shownValue(given, context) === '' ? '$&' : 'is not one of: ');
}

/** Inserts a value into its fault: `--deleted must be true or false, not "x"`, `--title "x" must have …`. */
function withValue(name: string, shown: string, place: string, fault: string): string {
  return shown !== '' && /^must be (?:true or false|an? \w+)$/.test(fault)
    ? `${name}${place} ${fault}, not${shown}`
    : `${name}${shown}${place} ${fault}`;
}

/** Returns the value of an option for an error; '' if it is neither a short text nor a number. */
function shownValue({ field }: Given, { input }: Context): string {
  const value: unknown = valueAt(input, field);
  if (typeof value === 'number') return ` ${value}`;
  return typeof value === 'string' && value !== '' && value.length <= 80 ? ` "${value}"` : '';
}

/** Returns the word for null in a field such as body.role. */
function nullWordAt({ query, body }: Operation, field: string): string | undefined {
  const [part = '', ...keys] = field.split('.');
  let schema: unknown = part === 'body' ? body : part === 'query' ? query : undefined;
  for (const key of keys) schema = ownValue(recordOf(recordOf(schema)['properties']), key);
  return isRecord(schema) ? nullWordOf(schema as unknown as TSchema) : undefined;
}

/** Finds the option or argument for the value of a violation. For a required field, it is one that is missing. */
function findGiven({ path, message }: Violation, context: Context): Given | undefined {
  const { operation, command, own } = context;
  const options = command.opts<Readonly<Record<string, unknown>>>();
  const [, part, field = '', rest = ''] = /^\/(?:(query|body)\/)?([^/]+)((?:\/[^/]+)*)$/.exec(path) ?? [];
  if (field === '' || field === 'body') return undefined;
  if (part === undefined && !operation.paramNames.includes(field)) return undefined;
  const inner = rest.split('/').slice(1);
  const dotted = [field, ...inner].join('.');
  const set = options['set'];
  if (part === 'body' && Array.isArray(set) && set.some((text) => String(text).startsWith(`${dotted}=`)))
    return { name: `--set ${dotted}`, field: `${part}.${dotted}` };
  const template =
    part === 'body'
      ? findTemplate(operation, command, [field, ...inner], message.startsWith('is required'))
      : undefined;
  if (template !== undefined) return { name: `--${template}`, field: `${part}.${dotted}` };
  if (inner.length > 1 || !/^\d*$/.test(inner[0] ?? '')) return undefined;
  const flags = part === undefined ? [paramFlag(field)] : flagsOfField(field, operation);
  const offered = flags.find((flag) => command.options.some(({ long }) => long === `--${flag}`));
  const used = flags.find((flag) => options[optionKey(flag)] !== undefined);
  const position = own?.id === operation.id ? positionalsOf(own).indexOf(field) : -1;
  const isPositional = position >= 0 && command.args[position] !== undefined;
  const flag = used ?? (message.startsWith('is required') ? offered : undefined);
  if (flag === undefined && !isPositional) return undefined;
  return {
    name: isPositional
      ? (flags[0] ?? field).toUpperCase()
      : position >= 0 && used === undefined
        ? `The argument "${flags[0]}"`
        : `--${flag}`,
    field: `${part ?? 'params'}.${dotted}`,
    index: inner[0],
  };
}

/** Returns the location of a part of a value or of the body: `--json-schema: properties.plan`, `schema.json: properties.plan`. */
function placeOf({ path }: Violation, { operation, command }: Context): string | undefined {
  const options = command.opts<Readonly<Record<string, unknown>>>();
  const { body } = options;
  const file = typeof body === 'string' ? (fileOf(`@${body}`) ?? '--body') : undefined;
  if (path === '/body') return file;
  const [, pointer] = /^\/body\/(.+)$/s.exec(path) ?? [];
  if (pointer === undefined) return undefined;
  const field = fieldAt(pointer);
  const set = (options['set'] ?? []) as readonly string[];
  const sources = [
    ...set.map((text) => {
      const name = text.replace(/=.*$/s, '');
      return { name: `--set ${name}`, value: text.slice(name.length + 1), field: name };
    }),
    ...flagsOfField(field.split('.')[0] ?? '', operation).map((flag) => ({
      name: `--${flag}`,
      value: options[optionKey(flag)],
      field: field.split('.')[0] ?? '',
    })),
  ];
  for (const source of sources)
    if (source.value !== undefined && field.startsWith(`${source.field}.`))
      return inPlace(fileOf(source.value), source.name, field.slice(source.field.length + 1));
  if (file !== undefined) return `${file}: ${field}`;
  // --set names fields this way.
  return set.length > 0 ? field : undefined;
}

/** Returns the place of a part of a value: `--resolutions (value 1): take`, `schema.json: 0.take`. */
function inPlace(file: string | undefined, name: string, part: string): string {
  const inValue = part.replace(/^(\d+)\./, (_, index: string) => ` (value ${Number(index) + 1}): `);
  return file !== undefined ? `${file}: ${part}` : name + (inValue === part ? `: ${part}` : inValue);
}

/** Returns the file from which the value of an option is read; undefined for a literal value and for standard input. */
function fileOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^@(?!-$)./s.test(value) ? value.slice(1) : undefined;
}

/**
 * Finds the only option or argument with the value of a violation, in a command whose options do not have the names of fields.
 */
function findByValue({ path }: Violation, { command, input, typedWords }: Context): Given | undefined {
  const field = path.slice(1).replaceAll('/', '.');
  const value = valueAt(input, field) ?? valueAt(input, `params.${field}`);
  if (typeof value !== 'string') return undefined;
  const isValue = (given: unknown) =>
    given === value || (given !== undefined && given === typedWords.get(value));
  const options = command.opts<Readonly<Record<string, unknown>>>();
  const names = [
    ...command.options.flatMap((option) =>
      option.long && isValue(options[option.attributeName()]) ? [option.long] : [],
    ),
    ...command.args.flatMap((arg, index) => (isValue(arg) ? [argumentName(command, index)] : [])),
  ];
  const [name, second] = names;
  return name === undefined || second !== undefined ? undefined : { name, field };
}

function argumentName({ registeredArguments }: Command, index: number): string {
  return (registeredArguments[index] ?? registeredArguments.at(-1))?.name().toUpperCase() ?? 'The argument';
}

/**
 * Finds the flag whose template puts its value at this place in the body: a given one or, for a missing required field, the only
 * such flag of the command.
 */
function findTemplate(
  { cli }: Operation,
  command: Command,
  path: readonly string[],
  isMissing: boolean,
): string | undefined {
  const isPlace = (template: unknown, [key, ...more]: readonly string[]): boolean => {
    // An error may be about the whole value that a flag creates, such as a position.
    if (key === undefined) return template === '$' || (!isMissing && isRecord(template));
    if (Array.isArray(template)) return template.some((item) => isPlace(item, more));
    return isRecord(template) && isPlace(template[key], more);
  };
  const options = command.opts<Readonly<Record<string, unknown>>>();
  const matching = cli.flags?.filter(({ template }) => isPlace(template, path)) ?? [];
  const used = matching.find(({ name }) => options[optionKey(name)] !== undefined);
  const [only, second] = matching.filter(({ name }) =>
    command.options.some(({ long }) => long === `--${name}`),
  );
  return (used ?? (isMissing && second === undefined ? only : undefined))?.name;
}
