import type { Command } from 'commander';
import { createWholeProgram } from '../command-tree.ts';
import { wordsOf } from '../command-words.ts';
import { helpOf, type CommandHelp, type DefineCommand } from '../composite-command.ts';
import {
  describeCommand,
  globalOptionsOf,
  type CommandDescription,
  type OptionDescription,
} from '../help/describe-command.ts';
import type { Runtime } from '../runtime.ts';
import type { Session } from '../session/session.ts';

/** A command as data: `id` is the words after `docsctl`. */
export interface CommandEntry extends Omit<CommandDescription, 'words'> {
  readonly id: string;
  readonly group: string;
}

/** A noun: the words above commands, such as `sites` or `sites sections`. */
export interface NounEntry {
  readonly id: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
}

const columns = ['id', 'summary'];

export const help: CommandHelp = {
  columns,
  description:
    'Lists all commands, for scripts and documentation. With `-o json`, every command comes with its usage, arguments, options, examples and exit codes. `globalOptions` lists the options that all commands have.',
  examples: ['docsctl commands', "docsctl commands -o json --query 'items[?deprecated].id'"],
};

export const define: DefineCommand = (command, inSession) => {
  command.action(inSession(printCommands));
};

async function printCommands(session: Session): Promise<void> {
  const { commands, nouns, globalOptions } = await listCommands(session.runtime);
  const printer = await session.printer({ columns, noun: 'commands' });
  const listing = { count: commands.length, items: commands, nouns, globalOptions };
  await printer.page(listing);
  await printer.end();
}

/** Lists all commands that can be run, and their nouns. */
export async function listCommands(runtime: Runtime): Promise<{
  commands: readonly CommandEntry[];
  nouns: readonly NounEntry[];
  globalOptions: readonly OptionDescription[];
}> {
  const program = await createWholeProgram(runtime);
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  const all = program.commands.flatMap(below);
  const commands = all
    .filter((command) => command.commands.length === 0)
    .map((command) => {
      const { words, ...description } = describeCommand(command);
      return { id: words, group: groupOf(command), ...description };
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const nouns = all
    .filter((command) => command.commands.length > 0)
    .map((command) => {
      const { description = '', examples } = helpOf(command);
      return {
        id: wordsOf(command),
        group: groupOf(command),
        summary: command.summary(),
        description,
        examples,
      };
    });
  return { commands, nouns, globalOptions: globalOptionsOf(program) };
}

/** Returns the group in which the help of the program shows a command or its noun. */
function groupOf(command: Command): string {
  let top = command;
  while (top.parent?.parent) top = top.parent;
  return top.helpGroup().replace(/:$/, '');
}
