import { capitalize } from '../contract/values.ts';
import { CommanderError, type Command } from 'commander';
import { Problem } from '../errors/problem.ts';
import {
  addStubs,
  createRoot,
  fillStub,
  findCommand,
  loadHelp,
  positionals,
  withNouns,
  wordsAfter,
} from './command-tree.ts';
import { ExitCode } from './composite-command.ts';
import { globalNames } from './settings/global-options.ts';
import { hasFlag, valueOf } from './option-value.ts';
import { memorySink } from './output/stream-sink.ts';
import { withValues, type Runtime } from './runtime.ts';
import type { UsageWords } from './usage-hints.ts';

/** Runs the command line and returns the exit code. It throws only for bugs. */
export async function run(runtime: Runtime): Promise<number> {
  const { argv, terminal } = runtime;
  const isHelp = argv.length === 0 || argv[0] === 'help' || argv.some(isHelpFlag);
  return isHelp && terminal.stdoutIsTTY ? runPaged(runtime) : runCommand(runtime);
}

/** Runs a command line that prints help, through a pager if it is longer than the screen. */
async function runPaged(runtime: Runtime): Promise<number> {
  const { createPagedSink } = await import('./output/pager.ts');
  const { argv, terminal } = runtime;
  const stdout = memorySink();
  const exit = await runCommand(withValues(runtime, { terminal: withValues(terminal, { stdout }) }));
  const paged = createPagedSink({
    runtime,
    isWanted: !argv.includes('--no-pager'),
    note: (message) => void terminal.stderr.write(`${message}\n`),
  });
  await paged.write(stdout.text());
  await paged.flush();
  return exit;
}

async function runCommand(runtime: Runtime): Promise<number> {
  const { argv } = runtime;
  let words: readonly string[] = argv;
  try {
    if (argv[0] === '__complete') {
      const { complete } = await import('./completion/complete.ts');
      return await complete(runtime);
    }
    const program = createRoot(runtime);
    const isAfterHelp = argv[0] === 'help';
    if (isAfterHelp && argv.length > 1) {
      const { printTopic } = await import('./help/topics.ts');
      if (await printTopic(runtime, program, positionals(program, argv.slice(1)))) return 0;
    }
    words = withNouns(program, putHelpLast(argv));
    addStubs(program, positionals(program, words)[0]);
    const isHelp = words.length === 0 || words.some(isHelpFlag);
    if (isHelp) await loadHelp();
    if (words.length === 0) {
      program.outputHelp();
      return 0;
    }
    await checkFirstWord(program, runtime, words);
    program.hook('preSubcommand', async (_, stub) => {
      const path = wordsAfter(stub, words);
      await fillStub(stub, runtime, words);
      // A noun without a verb shows its help.
      if (findCommand(stub, path).commands.length === 0 && !isHelp) return;
      await loadHelp();
      const { checkKnown } = await import('./suggestions.ts');
      await checkKnown(stub, path, isAfterHelp);
    });
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    if (!(error instanceof CommanderError)) return reportFailure(runtime, error);
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help') return 64;
    const { explainUsage, hintForSpelling } = await import('./usage-hints.ts');
    const better = await explainUsage(error, runtime, words);
    const hint = better.hint ?? hintForSpelling(error.message);
    return reportFailure(runtime, usageProblem(error, { ...better, hint }));
  }
}

function usageProblem(error: CommanderError, better: UsageWords): Problem {
  const [message = ''] = error.message
    .replace(/^error: /, '')
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument missing/, '$1 needs a value')
    .replace(
      /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. Allowed choices are /,
      '$1 "$2" is not one of: ',
    )
    .replace(/^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\./, '$1 does not take "$2".')
    .replace(/^missing required argument '([\w|-]+)'/, 'The argument "$1" is required')
    .replace(/^unknown option '(.*?)'/, 'unknown option "$1"')
    .split('\n');
  const [, unfilled] = /^--([\w-]+) needs a value/.exec(message) ?? [];
  const { help = 'docsctl help options' } = globalNames.has(unfilled ?? '') ? {} : better;
  const general = `To see the arguments and options, run \`${help}\`.`;
  const own = `${capitalize(message).replace(/\.$/, '')}.`;
  return new Problem(
    error.code === 'commander.invalidArgument' ? 'invalid-input' : 'usage',
    better.message ?? own,
    { hint: better.hint ?? general },
  );
}

async function reportFailure(runtime: Runtime, error: unknown): Promise<number> {
  const { printProblem } = await import('./output/print-problem.ts');
  const { withPlaceInHint } = await import('./output/place-in-commands.ts');
  const { terminal } = runtime;
  const color = wantsColor(runtime);
  return printProblem(error instanceof Problem ? withPlaceInHint(runtime, error) : error, {
    terminal: withValues(terminal, { stderrIsTTY: terminal.stderrIsTTY || color, color }),
    json: await wantsJson(runtime),
    width: terminal.stderrIsTTY ? terminal.columns : undefined,
    debug: hasFlag(runtime.argv, '--debug'),
  });
}

/** Whether errors are printed as JSON. It parses the words itself, because an error may occur before they are parsed. */
async function wantsJson(runtime: Runtime): Promise<boolean> {
  const { argv, env } = runtime;
  const format = valueOf(argv, '--output', '-o') ?? (env['DOCSCTL_OUTPUT'] || (await savedFormat(runtime)));
  return format === 'json' || format === 'ndjson';
}

/** Returns the output format in the project file or profile. */
async function savedFormat(runtime: Runtime): Promise<string | undefined> {
  const { argv, env } = runtime;
  const profile = valueOf(argv, '--profile');
  // The token file may be standard input.
  const withoutToken = withValues(runtime, { env: { ...env, DOCSCTL_TOKEN_FILE: undefined } });
  try {
    const { resolveSettings } = await import('./settings/settings.ts');
    return resolveSettings(withoutToken, profile === undefined ? {} : { profile }).output?.value;
  } catch {
    // The error to print may be an error of the settings.
    return undefined;
  }
}

/** Whether errors are colored. Without --color, a pipe gets colors with FORCE_COLOR, unless NO_COLOR is set. */
function wantsColor({ argv, env, terminal }: Runtime): boolean {
  const flag = valueOf(argv, '--color');
  if (flag === 'always' || flag === 'never') return flag === 'always';
  if (terminal.stderrIsTTY) return terminal.color;
  return (
    flag === undefined &&
    !['', '0', 'false'].includes(env['FORCE_COLOR'] ?? '') &&
    (env['NO_COLOR'] ?? '') === ''
  );
}

/** Converts `help spaces list` to `spaces list --help`, because the commands of a noun are created only when they are needed. */
function putHelpLast(argv: readonly string[]): string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
}

function isHelpFlag(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Runs the plugin of an unknown first word. @throws Problem(usage) that names similar commands, if there is no plugin */
async function checkFirstWord(program: Command, runtime: Runtime, words: readonly string[]): Promise<void> {
  const [first = ''] = positionals(program, words);
  if (first === '' || program.commands.some((one) => one.name() === first)) return;
  // MCP clients must not run other programs.
  if (runtime.literalValues !== true) {
    const { runPlugin } = await import('./run-plugin.ts');
    const code = await runPlugin(runtime, first, words);
    if (code !== undefined) throw new ExitCode(code);
  }
  const { checkKnown } = await import('./suggestions.ts');
  // The word after an option of an unknown command may be the value of the option and not a noun: `undo -f docs`.
  const known = new Set(program.options.flatMap(({ long, short }) => [long, short]));
  const end = words.findIndex((word) => word.startsWith('-') && !known.has(word.replace(/=.*$/s, '')));
  // Before the first word, its value looks like a command: `--foo 1 spaces list`.
  if (end !== -1 && end < words.indexOf(first))
    throw new CommanderError(1, 'commander.unknownOption', `error: unknown option '${words[end]}'`);
  await checkKnown(program, positionals(program, end === -1 ? words : words.slice(0, end)));
}
