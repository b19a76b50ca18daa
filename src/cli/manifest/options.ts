import { InvalidArgumentError, type Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { collect } from '../fields.ts';

/** The options of commands that read a manifest. */
export interface ReadOptions {
  readonly file?: readonly string[];
  readonly var?: readonly string[];
}

/** The options of commands that compare a manifest with what is live. */
export interface LiveOptions extends ReadOptions {
  readonly lock?: string;
  readonly jobs: number;
  readonly prune?: boolean;
  readonly maxDeletes?: number;
  readonly skipUnsupported?: boolean;
  readonly detailedExitcode?: boolean;
}

export function addReadOptions(command: Command): Command {
  return command
    .option(
      '-f, --file <path>',
      'manifest: a file, a folder, a pattern, - for standard input; may be repeated (default: docsctl.yaml, or the folder docsctl/)',
      collect,
    )
    .option('--var <name=value>', 'value of a variable of the manifest; may be repeated', collect);
}

export function addLockOption(command: Command): Command {
  return command.option(
    '--lock <file>',
    'the lock, which says what the manifest owns (default: docsctl.lock.json beside the manifest)',
  );
}

export function addJobsOption(command: Command): Command {
  return command.option('--jobs <number>', 'calls at once', readConcurrency, 4);
}

export function addMaxDeletesOption(command: Command, what: string): Command {
  return command.option(
    '--max-deletes <number>',
    `resources that ${what} may delete (default: 5, or a tenth of what is owned)`,
    readCount,
  );
}

export function addLiveOptions(command: Command): Command {
  const pruning = addJobsOption(addLockOption(addReadOptions(command))).option(
    '--prune',
    'delete what the manifest made and no longer has',
  );
  return addMaxDeletesOption(pruning, '--prune').option(
    '--skip-unsupported',
    'leave out what cannot be done here',
  );
}

/** Refuses --max-deletes without --prune. @throws Problem(usage) */
export function checkPrune({ prune, maxDeletes }: LiveOptions): void {
  if (maxDeletes !== undefined && prune !== true)
    throw new Problem('usage', '--max-deletes goes with --prune; without it nothing is deleted.');
}

/** Reads the values given with `--var name=value`. */
export function readVariables({ var: given = [] }: ReadOptions): Record<string, string> {
  const vars = Object.create(null) as Record<string, string>;
  for (const text of given) {
    const equals = text.indexOf('=');
    if (equals < 1) throw new Problem('usage', `--var takes name=value, not "${text.slice(0, 60)}".`);
    vars[text.slice(0, equals)] = text.slice(equals + 1);
  }
  return vars;
}

/**
 * Whether `-o markdown` is given. Sets the output of the command to `table` then, because sessions do not know the format.
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

function readConcurrency(text: string): number {
  const jobs = readCount(text);
  if (jobs < 1 || jobs > 64) throw new InvalidArgumentError('It takes a number from 1 to 64.');
  return jobs;
}

function readCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}
