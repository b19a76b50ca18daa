import type { Command } from 'commander';
import { nearest } from '../contract/nearest.ts';
import { Problem } from '../errors/problem.ts';

/** Refuses to help with a command that there is not: commander would show the help of what it would belong to. `words` are those behind the command, without flags. */
export function checkKnown(stub: Command, words: readonly string[]): void {
  let at = stub;
  for (const word of words) {
    if (at.commands.length === 0 || at.registeredArguments.length > 0) return;
    const inner = at.commands.find((command) => command.name() === word || command.aliases().includes(word));
    if (inner === undefined) throw unknown(at, word);
    at = inner;
  }
}

function unknown(at: Command, word: string): Problem {
  const [close] = nearest(
    word,
    at.commands.map((command) => command.name()),
  );
  return new Problem('usage', `Unknown command '${word}'.`, {
    hint: close === undefined ? `\`${pathOf(at)} --help\` shows those there are.` : `Did you mean ${close}?`,
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
