import type { Command } from 'commander';

/** Returns the words of a command after `docsctl`. */
export function wordsOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : [wordsOf(parent), command.name()].filter((word) => word !== '').join(' ');
}
