import { wordsOf } from '../command-words.ts';
import type { Command, Option } from 'commander';
import type { Access, Level } from '../../contract/operation.ts';
import { catalog } from '../../errors/catalog.ts';
import { helpOf } from '../composite-command.ts';
import { isAlwaysRequired, isCommaSeparated, isRequired } from '../input/required.ts';
import { isRepeatable } from '../input/collect.ts';
import { isGlobal } from '../settings/global-options.ts';

export interface ArgumentDescription {
  readonly name: string;
  readonly summary: string;
  /** The text in help: the summary, and whether a value is required. */
  readonly text: string;
  readonly required: boolean;
  readonly variadic: boolean;
}

type OptionType = 'switch' | 'boolean' | 'number' | 'choice' | 'json' | 'markdown' | 'file' | 'time' | 'text';

export interface OptionDescription {
  /** The notation in help: "-f, --file <path>". */
  readonly flags: string;
  /** The long flag without dashes. */
  readonly name: string;
  readonly summary: string;
  /** The text in help: the summary, the choices, the default, and whether a value is required. */
  readonly text: string;
  /** The notation of its value in help, such as "<path>"; null for a switch. */
  readonly value: string | null;
  readonly type: OptionType;
  readonly choices: readonly string[] | null;
  readonly default: unknown;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Whether its value is a list of choices, separated by commas. */
  readonly commaSeparated: boolean;
  readonly deprecated: boolean;
}

/** The description of a command for help, documentation, man pages and `docsctl commands`. */
export interface CommandDescription {
  /** The words after `docsctl`: "sites sections add". */
  readonly words: string;
  readonly summary: string;
  readonly usage: string;
  readonly description: string | null;
  readonly arguments: readonly ArgumentDescription[];
  /** Its own options, without the global ones. */
  readonly options: readonly OptionDescription[];
  readonly examples: readonly string[];
  /** The possible exit codes. */
  readonly exitCodes: Readonly<Record<string, string>>;
  /** If it is a single operation: the request that it sends, and the role that it requires. */
  readonly request: string | null;
  readonly requires: string | null;
  readonly operation: string | null;
  readonly file: boolean;
  readonly access: Access | null;
  readonly deprecated: boolean;
}

/** Describes a command that `fillStub` has defined. */
export function describeCommand(command: Command): CommandDescription {
  const { description, examples, operation } = helpOf(command);
  const options = command.options.filter((option) => !option.hidden && !isGlobal(option)).map(describeOption);
  const args = command.registeredArguments.map((argument) => {
    const required = argument.required || isRequired(argument);
    return {
      name: argument.name(),
      summary: argument.description,
      text: withNotes(
        argument.description,
        argument.required || isAlwaysRequired(argument) ? ['required'] : [],
      ),
      required,
      variadic: argument.variadic,
    };
  });
  const words = wordsOf(command);
  const usage = [
    'docsctl',
    words,
    ...args.map(({ name, required, variadic }) => {
      const text = `${name}${variadic ? '...' : ''}`;
      return required ? `<${text}>` : `[${text}]`;
    }),
    ...options.filter(({ required }) => required).map(({ name, value }) => `--${name} ${value ?? ''}`.trim()),
    ...(options.some(({ required }) => !required) ? ['[options]'] : []),
  ];
  return {
    words,
    summary: command.summary(),
    usage: usage.join(' '),
    description: description?.trim() ?? null,
    arguments: args,
    options,
    examples,
    exitCodes: exitCodesOf(command),
    request:
      operation === undefined
        ? null
        : `${operation.method} /v1${operation.path.replaceAll(/:(\w+)/g, '{$1}')}`,
    requires: operation === undefined ? null : requirementOf(operation.access),
    operation: operation?.id ?? null,
    file: operation?.returns.file === true,
    access: operation?.access ?? null,
    deprecated: operation?.deprecated ?? false,
  };
}

function describeOption(option: Option): OptionDescription {
  const { flags, long, short, description, argChoices, defaultValue, required, optional } = option;
  const [, value] = /\s([<[].*)$/.exec(flags) ?? [];
  const isNeeded = isRequired(option);
  const repeatable = isRepeatable(option);
  const commaSeparated = isCommaSeparated(option);
  const notes = [
    ...(repeatable ? ['repeatable'] : []),
    ...(argChoices !== undefined && !flags.includes('|') ? [`one of: ${argChoices.join(', ')}`] : []),
    ...(commaSeparated ? [separateByCommas] : []),
    ...(defaultValue == null || description.includes('default') ? [] : [`default: ${String(defaultValue)}`]),
    ...(isAlwaysRequired(option) ? ['required'] : []),
  ];
  return {
    flags,
    name: (long ?? short ?? '').replace(/^-+/, ''),
    summary: description,
    text: withNotes(description, notes),
    value: required || optional ? (value ?? null) : null,
    type: typeOf(value, argChoices),
    choices: argChoices ?? null,
    default: (defaultValue as unknown) ?? null,
    required: isNeeded,
    repeatable,
    commaSeparated,
    deprecated: /^deprecated\b/i.test(description),
  };
}

/** How help says that the value of an option can be a list. */
export const separateByCommas = 'separate several by commas';

function withNotes(summary: string, notes: readonly string[]): string {
  return [summary, ...notes.map((note) => `(${note})`)].join(' ');
}

/** Returns the global options. */
export function globalOptionsOf(program: Command): OptionDescription[] {
  return program.options.filter(isGlobal).map(describeOption);
}

const typesOfValues: Readonly<Record<string, OptionType>> = {
  'true|false': 'boolean',
  number: 'number',
  seconds: 'number',
  json: 'json',
  markdown: 'markdown',
  file: 'file',
  'file.har': 'file',
  path: 'file',
  folder: 'file',
  time: 'time',
};

function typeOf(value: string | undefined, choices: readonly string[] | undefined): OptionType {
  if (choices !== undefined) return 'choice';
  if (value === undefined) return 'switch';
  return typesOfValues[value.replace(/[<>[\]]|\.\.\./g, '')] ?? 'text';
}

const levels: Readonly<Record<Level, string>> = {
  any: 'no token',
  caller: 'a token, unless the store is embedded',
  member: 'membership in the organization',
  read: 'the read role',
  comment: 'the comment role',
  edit: 'the edit role',
  review: 'the review role',
  create: 'the create role',
  admin: 'the admin role',
};

/** Returns the requirement of an operation: "the admin role". */
function requirementOf(access: Access): string {
  return levels[access.split('.').at(-1) as Level];
}

/** The meaning of exit codes in all commands. */
export const exitCodeMeanings: Readonly<Record<number, string>> = {
  0: 'Success.',
  1: 'Standard output could not be written, or docsctl itself has an error. Please report the latter.',
  2: 'There are changes, or content waits for an approval (only with --detailed-exitcode).',
  3: 'Some items failed, or `spaces links --fail-on broken` found broken links.',
  4: 'The token is missing, invalid or expired.',
  5: 'Not found, or a name matches more than one thing.',
  6: 'Conflict: someone else changed the same thing, or the request does not fit the current state.',
  7: 'Too many requests; try again later.',
  8: 'The input is invalid: an option, field or environment variable has a wrong value, or a file is missing, unreadable or wrong.',
  9: 'Refused for safety (confirmation, protection or a limit on deletions), or a check found problems in a site, a domain, a merge, a specification or the access of members.',
  10: 'Not supported by this server.',
  11: 'The role does not allow this, or single sign-on is required.',
  64: 'Wrong usage: unknown command, unknown or missing option or argument.',
  69: 'The store, the server or a service failed, was not available or took too long, or `store check`, `audit verify` or `doctor` found a fault.',
  130: 'Interrupted.',
  143: 'Stopped by SIGTERM.',
};

function exitCodesOf(command: Command): Record<string, string> {
  const { operation, exitCodes } = helpOf(command);
  const codes = new Set<number>([0, 1, 64, 69, 130]);
  if (operation !== undefined) for (const code of [4, 5, 7, 8, 11]) codes.add(code);
  if (operation !== undefined && !operation.safe) codes.add(6).add(10);
  if (operation?.cli.destructive ?? operation?.method === 'DELETE') codes.add(9);
  if (command.registeredArguments.some(({ variadic }) => variadic)) codes.add(3);
  if (operation === undefined) for (const { exit } of Object.values(catalog)) codes.add(exit);
  const meanings = [...codes].map((code) => [code, exitCodeMeanings[code] ?? ''] as const);
  return { ...Object.fromEntries(meanings), ...exitCodes };
}
