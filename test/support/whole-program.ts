import type { Command } from 'commander';
import { createWholeProgram, withNouns } from '../../src/cli/command-tree.ts';
import { runtimeOf, splitWords } from './cli.ts';

/** Returns every command of the program, including the commands of nouns. */
export async function allCommands(): Promise<Command[]> {
  return (await createWholeProgram(runtimeOf([], { home: '/nowhere' }).runtime)).commands.flatMap(
    withThoseBelow,
  );
}

/** Returns a function that parses a command line without running it, and throws its errors. */
export async function createParser(): Promise<(line: string) => Promise<void>> {
  const program = await createWholeProgram(runtimeOf([], { home: '/nowhere' }).runtime);
  for (const command of withThoseBelow(program)) if (command.commands.length === 0) command.action(() => {});
  return async (line) => {
    const [first, ...words] = splitWords(line);
    if (first !== 'docsctl') throw new Error(`${line}: not a command line of docsctl`);
    await program.parseAsync(withNouns(program, words), { from: 'user' });
  };
}

function withThoseBelow(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withThoseBelow)];
}
