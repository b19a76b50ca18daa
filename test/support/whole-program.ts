import type { Command } from 'commander';
import { createWholeProgram, withNouns } from '../../src/cli/command-tree.ts';
import { runtimeOf } from './cli.ts';
import { splitWords } from './cli.ts';

/** Every command of the program, with its noun commands. */
export async function allCommands(): Promise<Command[]> {
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  return (await createWholeProgram(runtimeOf([], { home: '/nowhere' }).runtime)).commands.flatMap(below);
}

/** Parses a command line without running it. Throws what commander throws for unknown commands, options and arguments. */
export async function parseLine(line: string): Promise<void> {
  const program = await createWholeProgram(runtimeOf([], { home: '/nowhere' }).runtime);
  const silence = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => {});
    command.commands.forEach(silence);
  };
  silence(program);
  const [first, ...words] = splitWords(line);
  if (first !== 'docsctl') throw new Error(`${line}: not a command line of docsctl`);
  await program.parseAsync(withNouns(program, words), { from: 'user' });
}
