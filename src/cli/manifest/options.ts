import { Option, type Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { allowedActions, type AllowedWord } from '../../manifest/guard-actions.ts';
import type { DeleteLimit } from '../../manifest/guard-deletes.ts';
import type { SelectionPatterns } from '../../manifest/selection.ts';
import { collect } from '../input/collect.ts';
import type { GlobalFlags } from '../settings/settings.ts';
import { readWholeNumber } from '../input/whole-number.ts';

export interface ReadOptions {
  readonly file?: readonly string[];
  readonly var?: readonly string[];
}

/** The options of commands that compare a manifest with the live organization. */
export interface LiveOptions extends ReadOptions, SelectionPatterns {
  readonly state?: string;
  readonly concurrency: number;
  readonly prune?: boolean;
  readonly maxDeletes?: DeleteLimit;
  readonly skipUnsupported?: boolean;
  readonly detailedExitcode?: boolean;
  readonly allow?: readonly AllowedWord[];
  readonly failFast?: boolean;
  readonly redirects?: boolean;
}

/** Adds the options that choose a manifest and set its variables. */
export function addReadOptions(command: Command): Command {
  return command
    .option(
      '-f, --file <path>',
      'manifest: a file, a folder, a pattern, or - for standard input (default: docsctl.yaml or the folder docsctl/)',
      collect,
    )
    .option('--var <name=value>', 'value for a variable of the manifest', collect);
}

/** Adds the option that chooses the state file, also under its former name. */
export function addStateOption(command: Command): Command {
  command.option(
    '--state <file>',
    'state file, which records what the manifest owns (default: docsctl.state.json beside the manifest)',
  );
  return addFormerFlag(command, '--lock <file>', 'state');
}

/** The options of commands that need the state file, but not the manifest. */
export interface StateSource {
  readonly state?: string;
  readonly file?: string;
}

/** Adds --state, and -f for the manifest whose folder contains the state file. */
export function addStateSourceOptions(command: Command): Command {
  return addStateOption(command).option(
    '-f, --file <path>',
    'manifest whose state file is used: a file or a folder (default: docsctl.yaml or the folder docsctl/)',
  );
}

/** Adds the option for concurrent requests, also under its former name. */
export function addConcurrencyOption(command: Command): Command {
  command.option(
    '--concurrency <number>',
    'requests to send at the same time, from 1 to 64',
    readConcurrency('--concurrency'),
    4,
  );
  return addFormerFlag(command, '--jobs <number>', 'concurrency', readConcurrency('--jobs'));
}

/** Accepts a former name of an option. Help does not show it, and using it gives a warning. */
function addFormerFlag(
  command: Command,
  flags: string,
  key: string,
  read: (text: string) => unknown = String,
): Command {
  const option = new Option(flags).hideHelp().argParser(read);
  return command.addOption(option).on(`option:${option.name()}`, () => {
    command.setOptionValueWithSource(key, command.getOptionValue(option.attributeName()), 'cli');
    const { former = [] } = command.opts<GlobalFlags>();
    command.setOptionValue('former', [...former, `--${option.name()} is deprecated. Use --${key} instead.`]);
  });
}

/** Adds the option that limits deletions. `what` is the option or command that deletes. */
export function addMaxDeletesOption(command: Command, what: string): Command {
  return command.option(
    '--max-deletes <number|percent>',
    `fail before any change if ${what} would delete more than this number of resources, or more than this percentage of those that the manifest owns, rounded down (default: 5, or 10% if that is more)`,
    readDeleteLimit,
  );
}

function readDeleteLimit(text: string): DeleteLimit {
  const [, percent] = /^(.*)%$/s.exec(text) ?? [];
  if (percent === undefined) return readWholeNumber('--max-deletes', text);
  return `${readWholeNumber('--max-deletes', percent, { max: 100, unit: '%' })}%`;
}

/** Adds the options of commands that compare a manifest with a live organization. */
export function addLiveOptions(command: Command): Command {
  const pruning = addConcurrencyOption(addStateOption(addReadOptions(command))).option(
    '--prune',
    'delete resources that the manifest owns but no longer contains; to delete all resources of a kind, leave the kind empty, as in `sites: {}`, instead of removing it',
  );
  return addMaxDeletesOption(pruning, '--prune').option(
    '--skip-unsupported',
    'skip steps that this store or server does not support, instead of failing',
  );
}

/** Adds the options that select resources by patterns of addresses. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option(
      '--only <pattern>',
      'limit the command to these resources, for example "space.*"; * stands for any characters',
      collect,
    )
    .option('--exclude <pattern>', 'leave out these resources, for example "site.*"', collect);
}

/** Adds the option that limits the actions of a plan. */
export function addAllowOption(command: Command): Command {
  return command.option(
    '--allow <actions>',
    'allowed actions, separated by commas: create, update (includes adopt and move), delete; fail if the plan has other actions (default: all actions)',
    readAllowed,
  );
}

function readAllowed(text: string): AllowedWord[] {
  const words = text.split(',').map((word) => word.trim());
  const known = Object.keys(allowedActions);
  const wrong = words.find((word) => !known.includes(word));
  if (wrong !== undefined)
    throw new Problem('invalid-input', `--allow does not take "${wrong}".`, {
      hint: `Use one or more of ${known.join(', ')}, separated by commas.`,
    });
  return words as AllowedWord[];
}

/** Refuses --max-deletes without --prune. @throws Problem(usage) */
export function checkPrune({ prune, maxDeletes }: LiveOptions): void {
  if (maxDeletes !== undefined && prune !== true)
    throw new Problem('usage', '--max-deletes needs --prune, because nothing is deleted without it.');
}

/** Reads the values given with `--var name=value`. */
export function readVariables({ var: given = [] }: ReadOptions): Record<string, string> {
  const vars = Object.create(null) as Record<string, string>;
  for (const text of given) {
    const equals = text.indexOf('=');
    if (equals < 1)
      throw new Problem('invalid-input', `--var takes NAME=VALUE, not "${text.slice(0, 60)}".`, {
        hint: 'For example: --var title=Guide',
      });
    vars[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return vars;
}

/**
 * Whether `-o markdown` is given. The output of the command is then set to `table`, because sessions do not support this format.
 */
export function takeMarkdownFormat(command: Command): boolean {
  let found = false;
  for (let at: Command | null = command; at !== null; at = at.parent) {
    if (at.getOptionValue('output') !== 'markdown') continue;
    found = true;
    at.setOptionValue('output', 'table');
  }
  return found;
}

function readConcurrency(flag: string): (text: string) => number {
  return (text) => readWholeNumber(flag, text, { min: 1, max: 64 });
}
