import type { Command, CommanderError, Option } from 'commander';
import { createProgram, fillStub, findCommand, positionals, wordsAfter } from './command-tree.ts';
import { nearest, strictShare } from '../contract/nearest.ts';
import { joinAnd, joinOr } from '../contract/values.ts';
import { isRequired } from './input/required.ts';
import { wordsOf } from './command-words.ts';
import { formats } from './output/format.ts';
import type { Runtime } from './runtime.ts';
import { shellWord } from '../contract/shell-word.ts';

/** The explanation of a wrong command line, instead of commander's message. */
export interface UsageWords {
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
  /** A command line that shows the help of the command. */
  readonly help?: string;
}

/**
 * Explains a command line that commander refused: the arguments of the command, the option for a superfluous word, or the
 * `update` command of the noun that has an unknown option.
 */
export async function explainUsage(
  { code, message }: CommanderError,
  runtime: Runtime,
  words: readonly string[],
): Promise<UsageWords> {
  const [, unknown] = /^error: unknown option '(.+?)'/s.exec(message) ?? [];
  const program = createProgram(runtime);
  const [first = ''] = positionals(program, words);
  const stub = program.commands.find((one) => one.name() === first);
  if (stub === undefined) return { hint: hintForForeign(program, unknown ?? '') };
  await fillStub(stub, runtime, 'all');
  const command = findCommand(stub, wordsAfter(stub, words));
  const help = `docsctl ${wordsOf(command)} --help`;
  if (code === 'commander.excessArguments') return explainExcess(command, words) ?? { help };
  if (unknown === undefined) return { help };
  return explainValue(command, words) ?? { hint: hintForOption(command, program, words, unknown), help };
}

/** Returns the option whose spelling is closest to an unknown option. commander also suggests less similar ones. */
export function hintForSpelling(message: string): string | undefined {
  const [, unknown = '', more = ''] = /unknown option '--([\w-]+)'(.*)/s.exec(message) ?? [];
  const names = nearest(unknown, [...more.matchAll(/--([\w-]+)/g)].map(([, name = '']) => name), strictShare); // prettier-ignore
  return names.length === 0 ? undefined : `Did you mean ${joinOr(names.map((name) => `--${name}`))}?`;
}

/** Explains a value for an option without values, such as `--yes=true`. */
function explainValue({ options }: Command, words: readonly string[]): UsageWords | undefined {
  const option = words
    .filter((word) => /^--[\w-]+=/.test(word))
    .map((word) => options.find(({ long }) => long === word.replace(/=.*$/s, '')))
    .find((found) => found !== undefined && !found.required && !found.optional);
  if (option === undefined) return undefined;
  return { message: `${option.long} takes no value.`, hint: 'Leave out what follows the "=".' };
}

/** Options to which a superfluous word probably belongs, in order of preference. */
const likelyOptions: readonly string[] = [
  '--title',
  '--name',
  '--subject',
  '--to',
  '--out',
  '--dir',
  '--folder',
];

/** Options of other tools, with the corresponding options of docsctl. A hint names the first of them that the command has. */
const optionsOfOthers: Readonly<Record<string, readonly string[]>> = {
  '--title': ['--name', '--subject', '--label'],
  '--name': ['--title', '--subject', '--label'],
  '--token': ['--token-file'],
  '--api-key': ['--token-file'],
  '--parent': ['--under', '--collection', '--parent-section-group', '--group'],
  '--under': ['--parent'],
  '--collection': ['--parent'],
  '--message': ['--subject', '--text', '--markdown', '--comment'],
  '--text': ['--comment', '--markdown', '--message'],
  '--comment': ['--text', '--message'],
  '--member': ['--user', '--users'],
  '--members': ['--users', '--user'],
  '--user': ['--member', '--members'],
  '--users': ['--members', '--member'],
  '--author': ['--creator', '--actor'],
  '--to': ['--parent', '--under', '--to-space', '--out', '--dir'],
  '--organization': ['--org'],
  '--organisation': ['--org'],
  '--dry': ['--dry-run'],
  '--directory': ['--dir'],
  '--to-org': ['--organization'],
  '--output-file': ['--out', '--dir'],
  '--login-url': ['--fallback-url'],
  '--status': ['--state'],
  '--state': ['--status'],
  '--log-level': ['--log'],
  '--sort': ['--sort-by'],
  '--order-by': ['--sort-by'],
  '--print': ['--no-browser'],
  '--no-open': ['--no-browser'],
  '--file': ['--dir', '--text'],
  '-f': ['--dir', '--text'],
  '--force': ['--replace', '--yes'],
  '-q': ['--quiet'],
  '--silent': ['--quiet'],
  '-v': ['--version', '--trace'],
  '--verbose': ['--trace'],
  '--jq': ['--query'],
  '--filter': ['--query'],
  '--template': ['--query'],
  '--fields': ['--columns'],
  '--desc': ['--sort-by'],
  '--reverse': ['--sort-by'],
  '--paginate': ['--all'],
  '--all-pages': ['--all'],
  '--page-size': ['--limit'],
  '--per-page': ['--limit'],
  '--max-items': ['--limit'],
  '-n': ['--limit'],
  '-L': ['--limit'],
  '-w': ['--watch'],
  '--confirm': ['--yes'],
  '--auto-approve': ['--yes'],
  '-auto-approve': ['--yes'],
  '--target': ['--only'],
  '--max-time': ['--timeout'],
  '--cacert': ['--ca-file'],
  '--insecure': ['--ca-file'],
  '--no-color': ['--color'],
  '--non-interactive': ['--no-input'],
  '--no-prompt': ['--no-input'],
  '--context': ['--profile'],
  '--endpoint': ['--server'],
  '--host': ['--server'],
  '--token-stdin': ['--token-file'],
};

function hintForForeign({ options }: Command, flag: string): string | undefined {
  const others = optionsOfOthers[flag] ?? [];
  const found = others.map((long) => options.find((one) => one.long === long && !one.hidden)).find(Boolean);
  if (found === undefined) return undefined;
  const { short, flags, description } = found;
  const shown = short === undefined ? flags : `${short}${flags.replace(/^[^ ]* [^ ]*/, '')}`;
  const why =
    found.long === '--token-file' && flag !== '--token-stdin'
      ? 'A token on the command line is visible to other users of the machine. '
      : '';
  return `${why}Use \`${shown}\`: ${description.replace(/ \(.*$/s, '')}.`;
}

/** Options for the output folder in other commands. */
const folderOptions = ['-d', '--dir', '--out'];

function explainExcess(command: Command, words: readonly string[]): UsageWords | undefined {
  const { registeredArguments: taken } = command;
  const operands = command.parseOptions([...words]).operands.slice(wordsOf(command).split(' ').length);
  const own = operands.slice(0, taken.length);
  const excess = operands.slice(own.length);
  const [first] = excess;
  if (first === undefined) return undefined;
  const names = taken.map((argument) =>
    argument.required || isRequired(argument) ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const excessive =
    names.length === 0
      ? `no arguments, but "${first}" was given`
      : `only ${joinAnd(names)}, but "${first}" was given too`;
  return {
    message: `\`docsctl ${wordsOf(command)}\` takes ${excessive}.`,
    hint:
      hintForExcess(command, { words, own, excess }) ??
      `To see the arguments and options, run \`docsctl ${wordsOf(command)} --help\`.`,
  };
}

interface Excess {
  readonly words: readonly string[];
  /** The arguments of the command. */
  readonly own: readonly string[];
  readonly excess: readonly string[];
}

function hintForExcess(command: Command, { words, own, excess }: Excess): string | undefined {
  const has = (long: string): Option | undefined => command.options.find((one) => one.long === long);
  const { registeredArguments: taken } = command;
  const [first = ''] = excess;
  if (wordsOf(command) === 'login' && excess.length === 1) {
    const server = shellWord(first.includes('://') ? first : `https://${first}`);
    return `Did you mean \`docsctl login --server ${server}\`?`;
  }
  const text = taken.at(-1)?.name() === 'title' ? own[taken.length - 1] : undefined;
  if (text !== undefined) {
    const quoted = [...own.slice(0, -1), [text, ...excess].join(' ')].map(shellWord);
    return `Did you mean \`${['docsctl', wordsOf(command), ...quoted, ...optionsIn(command, words)].join(' ')}\`?`;
  }
  // A word counts as a file if it looks like one, or if the command has no other arguments, and if no other file is given.
  const isFile =
    excess.length === 1 &&
    (taken.length === 0 || /[./]/.test(first)) &&
    !words.some((word) => /^(-f|--file(=|$))/.test(word));
  const isTime = has('--to')?.flags.includes('<time>') === true;
  const fits = (long: string) =>
    has(long) !== undefined &&
    !words.includes(long) &&
    (long !== '--to' || (excess.length === 1 && !isTime)) &&
    (long !== '--out' || isFile) &&
    (has(long)?.flags.includes('<folder>') !== true || (excess.length === 1 && isNeeded(has(long))));
  const isPair =
    excess.length === 2 &&
    ['--from', '--to'].every((long) => has(long) && !words.includes(long)) &&
    (!isTime || excess.every((word) => /^\d/.test(word)));
  const flag = isPair ? '--from' : has('--file')?.short === '-f' ? '-f' : likelyOptions.find(fits);
  if (flag === undefined || (flag === '-f' && !isFile)) return undefined;
  const given = optionsIn(command, words);
  const missing = command.options.filter(
    (one) => isNeeded(one) && !one.hidden && !(one.long === flag || given.includes(one.long ?? '')),
  );
  const hint = [
    'docsctl',
    wordsOf(command),
    ...own.map(shellWord),
    flag,
    ...(isPair ? [shellWord(first), '--to', shellWord(excess[1] ?? '')] : [shellWord(excess.join(' '))]),
    ...given.map((word) => (/^--?[\w-]+$/.test(word) ? word : shellWord(word))),
    ...missing.map(placeholderOf),
  ];
  return `Did you mean \`${hint.join(' ')}\`?`;
}

function isNeeded(option: Option | undefined): boolean {
  return option !== undefined && (isRequired(option) || option.description.endsWith('(required)'));
}

function optionsIn({ options }: Command, words: readonly string[]): string[] {
  const found: string[] = [];
  let takesValues = 0;
  for (const word of words) {
    if (word.startsWith('-') && word !== '-') {
      const option = options.find(({ long, short }) => long === word || short === word);
      takesValues = option?.variadic === true ? Infinity : option?.required === true ? 1 : 0;
      found.push(word);
    } else if (takesValues > 0) {
      takesValues--;
      found.push(word);
    }
  }
  return found;
}

/** Returns an option with a placeholder: `--role ROLE`. */
function placeholderOf({ long = '', flags }: Option): string {
  const [, value = ''] = /<([\w-]+)(?:\.\.\.)?>/.exec(flags) ?? [];
  const name = ['', 'choice', 'text', 'json'].includes(value) ? long.replace(/^--/, '') : value;
  return `${long} ${name.toUpperCase()}`;
}

/** Returns the output format for an option of other tools: `--json`, `--format json`. FORMAT if docsctl does not have it. */
function formatOf(option: string, words: readonly string[]): string | undefined {
  const [, flag = '', joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(option) ?? [];
  if (isFormat(flag)) return flag;
  if (flag !== 'format' && flag !== 'output-format') return undefined;
  const value = joined ?? words[words.indexOf(`--${flag}`) + 1] ?? '';
  return isFormat(value) ? value : 'FORMAT';
}

function isFormat(word: string): boolean {
  return formats.some((format) => format === word);
}

/** Whether an option ends with the words of another option: `--section-group` ends with `--group`. */
function endsWithOption(option = '', end = ''): boolean {
  return end.length > 2 && option.endsWith(end.slice(1)) && option !== end;
}

function hintForOption(
  command: Command,
  program: Command,
  words: readonly string[],
  unknown: string,
): string | undefined {
  const flag = unknown.replace(/=.*$/s, '');
  const { registeredArguments: taken } = command;
  const names = taken.map((argument) => argument.name());
  const isArgument =
    names.some((name) => `--${name}`.replace(/s$/, '') === flag.replace(/s$/, '')) ||
    (names.length > 0 && (flag === '--id' || flag === '--number')) ||
    (names.includes('content') && ['--space', '--site', '--collection'].includes(flag)) ||
    (names.includes('folder') && folderOptions.some((one) => one === flag));
  if (isArgument)
    return `Give it without the option: \`${['docsctl', wordsOf(command), ...names.map((name) => `<${name}>`)].join(' ')}\``;
  const format = formatOf(unknown, words);
  if (format !== undefined) return `To choose the output format, use \`-o ${format}\`.`;
  if (flag === '--space' && wordsOf(command).startsWith('search'))
    return 'To search one space, use `docsctl spaces search SPACE QUERY`.';
  if (flag === '--collection' && wordsOf(command) === 'spaces list')
    return 'To list the spaces of a collection, use `docsctl collections spaces COLLECTION`.';
  if (flag === '--name' && command.name() === 'logout') return 'Use `--profile <profile>`.';
  const elsewhere = hintForForeign(command, flag);
  if (elsewhere !== undefined) return elsewhere;
  const number = command.options.find(({ long }) => long === `${flag}s` || `${long}s` === flag)?.long;
  // A global option means something else: --retry-max-wait is not --wait.
  const longer = command.options.find(
    ({ long }) =>
      endsWithOption(flag, long) ||
      (endsWithOption(long, flag) && !program.options.some((one) => one.long === long)),
  );
  const meant = number ?? longer?.long;
  if (meant !== undefined) return `Did you mean ${meant}?`;
  const others = (command.parent?.commands ?? []).filter((one) =>
    one.options.some(({ long }) => long === flag),
  );
  // For `add-space`, `update-space` is closer than `update`.
  const [, ending = ''] = /(-.*)$/.exec(command.name()) ?? [];
  const other = [`update${ending}`, 'update', 'move']
    .map((name) => others.find((one) => one.name() === name))
    .find(Boolean);
  if (other === undefined || command.name() === 'list') return undefined;
  return `\`docsctl ${wordsOf(command)}\` has no ${flag}, but \`docsctl ${wordsOf(other)} ${flag}\` exists.`;
}
