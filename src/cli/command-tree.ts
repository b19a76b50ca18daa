import type { Command, Help } from 'commander';
import type { NounHelp, Operation } from '../contract/operation.ts';
import { defined } from '../contract/values.ts';
import { nouns } from '../resources/index.ts';
import { runInSession } from './session/command-session.ts';
import { compositeCommands, compositeNouns } from './commands/index.ts';
import { firstWords } from './commands/groups.ts';
import { setHelp, type CompositeCommand } from './composite-command.ts';
import { OneValueCommand } from './one-value-command.ts';
import { addGlobalOptions } from './settings/global-options.ts';
import type { Runtime } from './runtime.ts';
import { meansMembers, nounFor, verbFor } from './verbs.ts';

let formatHelpPage: ((command: Command, help: Help) => string) | undefined;

/** Loads the code for help pages. Help pages that are requested before are empty. */
export async function loadHelp(): Promise<void> {
  ({ formatHelpPage } = await import('./help/help-page.ts'));
}

/** Creates the program with a stub for each first word. `fillStub` adds its commands when they are needed. */
export function createProgram(runtime: Runtime): Command {
  const program = createRoot(runtime);
  addStubs(program);
  return program;
}

/**
 * Creates the program with its own options, without commands. Output goes to the terminal of the runtime, and errors are thrown.
 */
export function createRoot(runtime: Runtime): Command {
  const { terminal, version } = runtime;
  // A failed write is reported when the sink is flushed at the end.
  const ignoreFailure = (writing: void | Promise<void>): void => {
    if (writing instanceof Promise) writing.catch(() => {});
  };
  const program = new OneValueCommand('docsctl')
    .description(
      'Administer a documentation platform from the command line: content, sites, people and automation.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ignoreFailure(terminal.stdout.write(text)),
      writeErr: (text) => ignoreFailure(terminal.stderr.write(text)),
      // printProblem prints it like every other error.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(terminal.columns, 100),
      getErrHelpWidth: () => Math.min(terminal.columns, 100),
      // Help has no colors. commander would access the stream of standard output to find out.
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .enablePositionalOptions(false)
    .showSuggestionAfterError(true)
    .helpCommand(false)
    .configureHelp({ formatHelp: (command, help) => formatHelpPage?.(command, help) ?? '' });
  addGlobalOptions(program);
  return program;
}

/**
 * Adds a stub for each first word of commands, or only for the first word of the command line. The others are needed only to list
 * them, and to suggest similar words for an unknown one.
 */
export function addStubs(program: Command, first?: string): void {
  const isKnown = first !== undefined && Object.values(firstWords).some((words) => words.includes(first));
  const summaries = new Map<string, string>();
  for (const { words, summary } of [...nouns, ...compositeCommands]) {
    if (summary === '' || (isKnown && !words.startsWith(first))) continue;
    const end = words.indexOf(' ');
    const word = end === -1 ? words : words.slice(0, end);
    if (end === -1) summaries.set(word, summary);
    else if (!summaries.has(word)) summaries.set(word, compositeNouns[word]?.summary ?? summary);
  }
  for (const [group, words] of Object.entries(firstWords)) {
    const wanted = isKnown ? words.filter((word) => word === first) : words;
    if (wanted.length > 0) program.commandsGroup(`${group}:`);
    for (const word of wanted) {
      const summary = summaries.get(word) ?? '';
      const stub = program.command(word).allowExcessArguments(true).helpCommand(false);
      stub.summary(summary).description(summary);
    }
  }
}

/**
 * Adds the commands of a first word to its stub. The following words decide what is loaded: declarations of an inner noun
 * (`spaces comments …`) or of the noun itself, and the one command for these words. Other commands get only a name and a summary,
 * unless all are requested.
 */
export async function fillStub(
  stub: Command,
  runtime: Runtime,
  words: readonly string[] | 'all',
): Promise<void> {
  const isBelow = (one: { words: string }) => `${one.words} `.startsWith(`${stub.name()} `);
  const family = nouns.filter(isBelow);
  const composites = compositeCommands.filter(isBelow);
  const path = words === 'all' ? [] : wordsAfter(stub, words);
  const inner = family.find((noun) => noun.words.split(' ')[1] === path[0]) && path[0];
  const [{ addOperation, summarize }, { isOperation }] = await Promise.all([
    import('./operation-command.ts'),
    import('../contract/operation.ts'),
  ]);
  const composed = new Set(composites.map((composite) => composite.words));
  const replaced = new Map<string, Operation>();
  const definitions = new Map<Command, () => void | Promise<void>>();
  for (const noun of family) {
    const isWanted =
      words === 'all' ||
      (inner === undefined ? noun.words === stub.name() : noun.words.startsWith(`${stub.name()} ${inner}`));
    if (!isWanted) {
      if (inner === undefined && !composed.has(noun.words))
        addCommand(stub, noun.words.split(' ').slice(0, 2), noun).helpGroup(
          noun.isCommand ? '' : 'Groups of commands:',
        );
      continue;
    }
    const contract: { nounHelp?: NounHelp } = await noun.contract();
    if (contract.nounHelp !== undefined)
      setHelp(addCommand(stub, noun.words.split(' '), noun), contract.nounHelp);
    for (const operation of Object.values(contract)) {
      if (!isOperation(operation) || operation.cli.composite === true) continue;
      const ownWords = operation.id.replaceAll('.', ' ');
      replaced.set(ownWords, operation);
      if (composed.has(ownWords)) continue;
      const command = addCommand(stub, operation.id.split('.'), noun);
      summarize(command, operation);
      definitions.set(command, () => addOperation(command, operation, runtime));
    }
  }
  for (const composite of composites) {
    const command = addCommand(stub, composite.words.split(' '), composite);
    definitions.set(command, () =>
      defineComposite(command, composite, { runtime, operation: replaced.get(composite.words) }),
    );
  }
  const nounHelp = compositeNouns[stub.name()];
  if (nounHelp !== undefined) setHelp(stub, nounHelp);
  if (words === 'all') for (const define of definitions.values()) await define();
  else await definitions.get(findCommand(stub, path))?.();
}

/**
 * Returns the command for some words. Another verb, such as `rm` for `delete`, becomes an alias of the command. With `edit`, the
 * fields are edited in the editor unless some are given.
 */
export function findCommand(stub: Command, words: readonly string[]): Command {
  let command = stub;
  for (const word of words) {
    const named = (name: string | undefined) =>
      command.commands.find((one) => one.name() === name || one.aliases().includes(name ?? ''));
    const found: Command | undefined =
      named(word) ??
      named(
        verbFor(
          word,
          command.commands.map((one) => one.name()),
        ),
      )?.alias(word);
    if (found === undefined) break;
    if (word === 'edit' && found.name() === 'update') found.setOptionValue('edit', 'word');
    command = found;
  }
  return command;
}

/** Returns the words after the name of a stub, without flags and the values of global flags. */
export function wordsAfter(stub: Command, words: readonly string[]): string[] {
  const after = words.slice(words.indexOf(stub.name()) + 1);
  return positionals(stub.parent, after);
}

/** Returns the words without flags and the values of the program's flags, because the value of `--org comments` is not a noun. */
export function positionals(program: Command | null, words: readonly string[]): string[] {
  const takesValue = (word: string) =>
    program?.options.some(({ required, long, short }) => required && (long === word || short === word)) ===
    true;
  return words.filter((word, index) => !word.startsWith('-') && !takesValue(words[index - 1] ?? ''));
}

/** Replaces alternative words for a noun at the start of a command line: `space list` becomes `spaces list`. */
export function withNouns(program: Command, argv: readonly string[]): string[] {
  const words = [...argv];
  const given = positionals(program, argv);
  const [first = '', verb = ''] = given;
  if (meansMembers(first, verb)) words[words.indexOf(first)] = given[0] = 'members';
  const path: string[] = [];
  let at = 0;
  for (const word of given) {
    at = words.indexOf(word, at);
    const next = wordsBelow(path);
    const noun = nounFor(word, [...next]);
    if (noun === undefined && !next.has(word)) break;
    path.push((words[at++] = noun ?? word));
  }
  return words;
}

/** Returns the words that can follow a path of commands. */
function wordsBelow(path: readonly string[]): ReadonlySet<string> {
  const start = path.map((word) => `${word} `).join('');
  const found = new Set<string>();
  for (const { words, summary } of [...nouns, ...compositeCommands]) {
    // A noun without a summary has no commands.
    if (summary === '' || !words.startsWith(start)) continue;
    const end = words.indexOf(' ', start.length);
    found.add(words.slice(start.length, end === -1 ? undefined : end));
  }
  return found;
}

/** Adds the command of a path below a stub, with the nouns between. The command for `words` gets the summary. */
function addCommand(
  stub: Command,
  path: readonly string[],
  { words, summary }: { words: string; summary: string },
): Command {
  let command = stub;
  for (const [index, name] of path.entries()) {
    if (index === 0) continue;
    const known = command.commands.find((inner) => inner.name() === name);
    command = known ?? command.command(name).helpCommand(false);
    // A command may have commands below it that were added first.
    if (command.summary() === '' && path.slice(0, index + 1).join(' ') === words)
      command.summary(summary).description(summary);
  }
  return command;
}

async function defineComposite(
  command: Command,
  { format, load }: CompositeCommand,
  { runtime, operation }: { runtime: Runtime; operation: Operation | undefined },
): Promise<void> {
  command.allowExcessArguments(false);
  const [{ define, help }, { withOptionErrors }] = await Promise.all([
    load(),
    import('./input/option-errors.ts'),
  ]);
  setHelp(command, { ...help, ...defined({ operation }) });
  command.optionsGroup('Options:');
  define(
    command,
    (work) =>
      (...args) =>
        runInSession(runtime, command, async (session) => {
          if (operation === undefined || command.opts()['skeleton'] !== true)
            return work(withOptionErrors(session, command), ...args);
          const { printSkeleton } = await import('./input/skeleton.ts');
          return printSkeleton(session, operation);
        }),
    runtime,
  );
  addGlobalOptions(command, format);
}

/** Creates the program with all commands, for documentation, man pages, MCP and tests. */
export async function createWholeProgram(runtime: Runtime): Promise<Command> {
  const program = createProgram(runtime);
  for (const stub of program.commands) await fillStub(stub, runtime, 'all');
  return program;
}
