import { Command, CommanderError, Option } from 'commander';
import { Problem } from '../errors/problem.ts';
import { nouns } from '../resources/index.ts';
import { compositeCommands, nounSummaries } from './commands/index.ts';
import type { Runtime } from './runtime.ts';
import { formats } from './output/format.ts';
import { createSession } from './session.ts';
import type { GlobalFlags } from './settings.ts';
import { type CompositeCommand, ExitCode } from './composite-command.ts';

/** Runs the command line and gives the exit code; the only thing thrown past here is a bug. */
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
    await refuseUnknown(program, helpLast(runtime.argv));
    await program.parseAsync(helpLast(runtime.argv), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0
        ? 0
        : error.code === 'commander.help'
          ? 64
          : reportFailure(runtime, usageProblem(error));
    if (error instanceof ExitCode) return error.code;
    return reportFailure(runtime, error);
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

/** What cannot be written is said when the sink is flushed at the end. */
function quietly(writing: void | Promise<void>): void {
  if (writing instanceof Promise) writing.catch(() => {});
}

async function reportFailure(runtime: Runtime, error: unknown): Promise<number> {
  const { printProblem } = await import('./output/print-problem.ts');
  return printProblem(error, {
    terminal: runtime.terminal,
    json: wantsJson(runtime),
    debug: runtime.argv.includes('--debug'),
  });
}

/** Whether errors are asked for as JSON; read from the words themselves, because an error may come before they are parsed. */
function wantsJson({ argv, env }: Runtime): boolean {
  const at = argv.findLastIndex(
    (word) => word === '-o' || word === '--output' || word.startsWith('--output=') || /^-o\w/.test(word),
  );
  const value =
    at < 0
      ? env['DOCSCTL_OUTPUT']
      : (/^--output=(.*)|^-o(\w+)/.exec(argv[at]!)?.slice(1).find(Boolean) ?? argv[at + 1]);
  return value === 'json' || value === 'ndjson';
}

/** `docsctl help spaces list` is `docsctl spaces list --help`: nouns are filled in only on their own way. */
function helpLast(argv: readonly string[]): string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];
}

/** Asked for help with a first word that is no command, commander would show its own. */
async function refuseUnknown(program: Command, words: readonly string[]): Promise<void> {
  const isHelp = (word: string): boolean => word === '--help' || word === '-h';
  const [first = '', second = ''] = words;
  const word = isHelp(first) ? second : first;
  if (
    word === '' ||
    word.startsWith('-') ||
    !words.some(isHelp) ||
    program.commands.some((command) => command.name() === word || command.aliases().includes(word))
  )
    return;
  const { checkKnown } = await import('./suggestions.ts');
  checkKnown(program, [word]);
}

export function createProgram(runtime: Runtime): Command {
  const program = new Command('docsctl');
  program
    .description('Administer a documentation platform from the command line.')
    .version(runtime.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => quietly(runtime.terminal.stdout.write(text)),
      writeErr: (text) => quietly(runtime.terminal.stderr.write(text)),
      // Said by printProblem like every other error.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(runtime.terminal.columns, 110),
    })
    .enablePositionalOptions(false)
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nhelp for one noun: docsctl spaces --help · for one command: docsctl spaces list --help\n',
    );
  addGlobalOptions(program);
  const topics = new Map<string, string>();
  for (const { words, summary } of [...nouns, ...compositeCommands]) {
    const [first, second] = words.split(' ');
    if (first !== undefined && summary !== '' && (second === undefined || !topics.has(first)))
      topics.set(first, second === undefined ? summary : (nounSummaries[first] ?? summary));
  }
  program.commandsGroup('Commands:');
  for (const [word, summary] of topics) {
    const stub = program
      .command(word)
      .summary(summary)
      .description(summary)
      .allowExcessArguments(true)
      .helpCommand(false);
    if (word === 'change-requests') stub.alias('cr');
  }
  program.hook('preSubcommand', async (_, stub) => {
    await fill(stub, runtime);
    if (!helpLast(runtime.argv).some((word) => word === '--help' || word === '-h')) return;
    const { checkKnown } = await import('./suggestions.ts');
    checkKnown(stub, wordsAfter(stub, helpLast(runtime.argv)));
  });
  return program;
}

/**
 * Fills the stub of a first word with its commands. What the words go on with decides what is loaded: the declarations
 * of an inner noun (`spaces comments …`), else those of the noun itself; the rest is a name and a summary.
 */
export async function fill(
  stub: Command,
  runtime: Runtime,
  words: readonly string[] = runtime.argv,
): Promise<void> {
  const word = stub.name();
  const family = nouns.filter((noun) => noun.words === word || noun.words.startsWith(`${word} `));
  const written = compositeCommands.filter((composite) => composite.words.split(' ')[0] === word);
  const [next] = wordsAfter(stub, words);
  const inner = family.some((noun) => noun.words.split(' ')[1] === next) ? next : undefined;
  const [{ addOperation, summarize }, { isOperation }] = await Promise.all([
    import('./operation-command.ts'),
    import('../contract/operation.ts'),
  ]);
  const taken = new Set(written.map((composite) => composite.words));
  for (const noun of family) {
    const wanted = inner === undefined ? noun.words === word : noun.words.startsWith(`${word} ${inner}`);
    if (!wanted) {
      if (inner === undefined) place(stub, noun.words.split(' ').slice(0, 2), noun.words, noun.summary);
      continue;
    }
    for (const operation of Object.values(await noun.contract())) {
      if (
        !isOperation(operation) ||
        operation.cli.composite === true ||
        taken.has(operation.id.replaceAll('.', ' '))
      )
        continue;
      const command = place(stub, operation.id.split('.'), noun.words, noun.summary);
      if (words.includes(command.name())) addOperation(command, operation, runtime, noun);
      else summarize(command, operation);
    }
  }
  for (const composite of written) {
    const command = place(stub, composite.words.split(' '), composite.words, composite.summary);
    if (
      composite.words
        .split(' ')
        .slice(1)
        .every((part) => words.includes(part))
    )
      await addComposite(command, composite, runtime);
  }
}

/** The words behind that of a stub; flags stand anywhere, and the value of one (`--title comments`) is no noun. */
function wordsAfter(stub: Command, words: readonly string[]): string[] {
  const takesValue = (word: string): boolean =>
    (stub.parent?.options ?? []).some(
      (option) => option.required && (option.long === word || option.short === word),
    );
  const own = [stub.name(), ...stub.aliases()];
  const after = words.slice(words.findIndex((word) => own.includes(word)) + 1);
  return after.filter((word, index) => !word.startsWith('-') && !takesValue(after[index - 1] ?? ''));
}

/** The command for these words below a stub, made with the nouns between that are not there yet. */
function place(stub: Command, words: readonly string[], nounWords: string, summary: string): Command {
  let at = stub;
  words.slice(1).forEach((word, index) => {
    const known = at.commands.find((command) => command.name() === word);
    at = known ?? at.command(word).helpCommand(false);
    if (known === undefined && words.slice(0, index + 2).join(' ') === nounWords)
      at.summary(summary).description(summary);
  });
  return at;
}

async function addComposite(command: Command, composite: CompositeCommand, runtime: Runtime): Promise<void> {
  command.summary(composite.summary).description(composite.summary).allowExcessArguments(false);
  const { define } = await composite.load();
  command.optionsGroup('Options:');
  define(command, (work) => runIn(runtime, command, work));
  addGlobalOptions(command, composite.format);
}

/** Runs a command's work in a session made from its flags, and closes it whatever happens. */
export async function runIn(
  runtime: Runtime,
  command: Command,
  work: (session: ReturnType<typeof createSession>) => Promise<void>,
): Promise<void> {
  const output = command.options.find((option) => option.long === '--output');
  const session = createSession(
    runtime,
    command.optsWithGlobals<GlobalFlags>(),
    output?.description.split(' | '),
  );
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

/** `format` is one that only this command has. */
export function addGlobalOptions(command: Command, format?: string): void {
  command.optionsGroup('Where:');
  command.option('--store <url>', 'embedded store: sqlite:PATH, json:PATH, memory:');
  command.option('--server <url>', 'run against a server');
  command.option('--token-file <file>', 'file with the API token, - for standard input');
  command.option('--org <id|title>', 'organization');
  command.option('--profile <name>', 'settings saved by `docsctl login`');
  command.option('--as <email>', 'act as this member of an embedded store');
  command.optionsGroup('Output:');
  command.addOption(
    new Option('-o, --output <format>', [...formats, ...(format === undefined ? [] : [format])].join(' | ')),
  );
  command.option('--columns <list>', 'columns, as in id,title,urls.app');
  command.option('--sort-by <column>', 'order of a whole list, -column for descending');
  command.option('--query <jmespath>', 'part of the whole result');
  command.option('--no-headers', 'leave the header line out');
  command.option('--color <when>', 'auto | always | never');
  command.optionsGroup('Running:');
  command.option('-y, --yes', 'do not ask');
  command.option('--dry-run', 'print the request of a changing command instead of sending it');
  command.option('--debug', 'show what went wrong in full');
}
