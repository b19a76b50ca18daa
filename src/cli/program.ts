import { Command, CommanderError, Option } from 'commander';
import { Problem } from '../errors/problem.ts';
import { nouns } from '../resources/index.ts';
import { compositeCommands, nounSummaries } from './commands/index.ts';
import { ExitCode, type CompositeCommand } from './composite-command.ts';
import { formats } from './output/format.ts';
import type { Runtime } from './runtime.ts';
import { createSession, type Session } from './session.ts';
import type { GlobalFlags } from './settings.ts';

/** Runs the command line and returns the exit code. Only a bug is thrown. */
export async function run(runtime: Runtime): Promise<number> {
  try {
    if (runtime.argv[0] === '__complete') {
      const { complete } = await import('./completion/complete.ts');
      return await complete(runtime);
    }
    const program = createProgram(runtime);
    if (runtime.argv.length === 0) {
      program.outputHelp();
      return 0;
    }
    const words = putHelpLast(runtime.argv);
    await refuseUnknown(program, words);
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    if (!(error instanceof CommanderError)) return reportFailure(runtime, error);
    if (error.exitCode === 0) return 0;
    return error.code === 'commander.help' ? 64 : reportFailure(runtime, usageProblem(error));
  }
}

function usageProblem(error: CommanderError): Problem {
  const [message = '', ...more] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = more
    .join(' ')
    .replace(/^\(|\)$/g, '')
    .trim();
  return new Problem('usage', `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`, {
    hint: suggestion === '' ? 'Add --help to see what it takes.' : suggestion,
  });
}

async function reportFailure(runtime: Runtime, error: unknown): Promise<number> {
  const { printProblem } = await import('./output/print-problem.ts');
  return printProblem(error, {
    terminal: runtime.terminal,
    json: wantsJson(runtime),
    debug: runtime.argv.includes('--debug'),
  });
}

/** Whether errors are printed as JSON. Reads the words themselves, because an error may come before they are parsed. */
function wantsJson({ argv, env }: Runtime): boolean {
  const at = argv.findLastIndex((word) => /^(?:-o(?:\w|$)|--output(?:=|$))/.test(word));
  const [, long, short] = /^(?:--output=(.+)|-o(\w+))/s.exec(argv[at] ?? '') ?? [];
  const format = at < 0 ? env['DOCSCTL_OUTPUT'] : (long ?? short ?? argv[at + 1]);
  return format === 'json' || format === 'ndjson';
}

/** Turns `help spaces list` into `spaces list --help`: the commands of a noun are created only on the way to it. */
function putHelpLast(argv: readonly string[]): string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
}

function isHelpFlag(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Refuses --help for an unknown first word, where commander would show the help of the program. */
async function refuseUnknown(program: Command, words: readonly string[]): Promise<void> {
  const [first = '', second = ''] = words;
  const word = isHelpFlag(first) ? second : first;
  if (word === '' || word.startsWith('-') || !words.some(isHelpFlag)) return;
  const { checkKnown } = await import('./suggestions.ts');
  checkKnown(program, [word]);
}

/** Creates the program with a stub for each first word, whose commands are added when they are asked for. */
export function createProgram(runtime: Runtime): Command {
  const { terminal, version, argv } = runtime;
  // What cannot be written is reported when the sink is flushed at the end.
  const ignoreFailure = (writing: void | Promise<void>): void => {
    if (writing instanceof Promise) writing.catch(() => {});
  };
  const program = new Command('docsctl')
    .description('Administer a documentation platform from the command line.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ignoreFailure(terminal.stdout.write(text)),
      writeErr: (text) => ignoreFailure(terminal.stderr.write(text)),
      // printProblem prints it like every other error.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(terminal.columns, 110),
    })
    .enablePositionalOptions(false)
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nhelp for one noun: docsctl spaces --help · for one command: docsctl spaces list --help\n',
    );
  addGlobalOptions(program);
  const summaries = new Map<string, string>();
  for (const { words, summary } of [...nouns, ...compositeCommands]) {
    const [first = '', second] = words.split(' ');
    if (summary !== '' && (second === undefined || !summaries.has(first)))
      summaries.set(first, second === undefined ? summary : (nounSummaries[first] ?? summary));
  }
  program.commandsGroup('Commands:');
  for (const [word, summary] of summaries) {
    const stub = program.command(word).allowExcessArguments(true).helpCommand(false);
    stub.summary(summary).description(summary);
    if (word === 'change-requests') stub.alias('cr');
  }
  program.hook('preSubcommand', async (_, stub) => {
    await fillStub(stub, runtime);
    const words = putHelpLast(argv);
    if (!words.some(isHelpFlag)) return;
    const { checkKnown } = await import('./suggestions.ts');
    checkKnown(stub, wordsAfter(stub, words));
  });
  return program;
}

/**
 * Adds its commands to the stub of a first word. The words behind it decide what is loaded: the declarations of an inner
 * noun (`spaces comments …`) or those of the noun itself. Other commands get a name and a summary.
 */
export async function fillStub(
  stub: Command,
  runtime: Runtime,
  words: readonly string[] = runtime.argv,
): Promise<void> {
  const name = stub.name();
  const isBelow = (composite: { readonly words: string }) => `${composite.words} `.startsWith(`${name} `);
  const family = nouns.filter(isBelow);
  const composites = compositeCommands.filter(isBelow);
  const [next] = wordsAfter(stub, words);
  const inner = family.some((noun) => noun.words.split(' ')[1] === next) ? next : undefined;
  const [{ addOperation, summarize }, { isOperation }] = await Promise.all([
    import('./operation-command.ts'),
    import('../contract/operation.ts'),
  ]);
  const taken = new Set(composites.map((composite) => composite.words));
  for (const noun of family) {
    const isWanted = inner === undefined ? noun.words === name : noun.words.startsWith(`${name} ${inner}`);
    if (!isWanted) {
      if (inner === undefined) addCommand(stub, noun.words.split(' ').slice(0, 2), noun);
      continue;
    }
    for (const operation of Object.values(await noun.contract())) {
      if (!isOperation(operation) || operation.cli.composite === true) continue;
      const path = operation.id.split('.');
      if (taken.has(path.join(' '))) continue;
      const command = addCommand(stub, path, noun);
      if (words.includes(command.name())) addOperation(command, operation, runtime, noun);
      else summarize(command, operation);
    }
  }
  for (const composite of composites) {
    const path = composite.words.split(' ');
    const command = addCommand(stub, path, composite);
    if (path.slice(1).every((word) => words.includes(word)))
      await defineComposite(command, composite, runtime);
  }
}

/** The words behind that of a stub, without flags and their values: the value of `--title comments` is no noun. */
function wordsAfter(stub: Command, words: readonly string[]): string[] {
  const takesValue = (word: string): boolean =>
    stub.parent?.options.some(
      ({ required, long, short }) => required && (long === word || short === word),
    ) === true;
  const own = [stub.name(), ...stub.aliases()];
  const after = words.slice(words.findIndex((word) => own.includes(word)) + 1);
  return after.filter((word, index) => !word.startsWith('-') && !takesValue(after[index - 1] ?? ''));
}

/** Adds the command of a path below a stub, with the nouns between; the command of `words` gets the summary. */
function addCommand(
  stub: Command,
  path: readonly string[],
  { words, summary }: { readonly words: string; readonly summary: string },
): Command {
  let command = stub;
  for (const [index, name] of path.entries()) {
    if (index === 0) continue;
    const known = command.commands.find((inner) => inner.name() === name);
    command = known ?? command.command(name).helpCommand(false);
    if (known === undefined && path.slice(0, index + 1).join(' ') === words)
      command.summary(summary).description(summary);
  }
  return command;
}

async function defineComposite(
  command: Command,
  composite: CompositeCommand,
  runtime: Runtime,
): Promise<void> {
  command.summary(composite.summary).description(composite.summary).allowExcessArguments(false);
  const { define } = await composite.load();
  command.optionsGroup('Options:');
  define(
    command,
    (work) =>
      (...args) =>
        runInSession(runtime, command, (session) => work(session, ...args)),
  );
  addGlobalOptions(command, composite.format);
}

/** Runs the work of a command in a session of its flags, which is closed in any case. */
export async function runInSession(
  runtime: Runtime,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const output = command.options.find(({ long }) => long === '--output');
  const offered = output?.description.split(' | ');
  const session = createSession(runtime, command.optsWithGlobals<GlobalFlags>(), offered);
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** Adds the flags of every command. `format` is an output format that only this command has. */
export function addGlobalOptions(command: Command, format?: string): void {
  const offered = [...formats, ...(format === undefined ? [] : [format])].join(' | ');
  command
    .optionsGroup('Where:')
    .option('--store <url>', 'embedded store: sqlite:PATH, json:PATH, memory:')
    .option('--server <url>', 'run against a server')
    .option('--token-file <file>', 'file with the API token, - for standard input')
    .option('--org <id|title>', 'organization')
    .option('--profile <name>', 'settings saved by `docsctl login`')
    .option('--as <email>', 'act as this member of an embedded store')
    .optionsGroup('Output:')
    .addOption(new Option('-o, --output <format>', offered))
    .option('--columns <list>', 'columns, as in id,title,urls.app')
    .option('--sort-by <column>', 'order of a whole list, -column for descending')
    .option('--query <jmespath>', 'part of the whole result')
    .option('--no-headers', 'leave the header line out')
    .option('--color <when>', 'auto | always | never')
    .optionsGroup('Running:')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'print the request of a changing command instead of sending it')
    .option('--debug', 'show what went wrong in full');
}
