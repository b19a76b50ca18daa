import type { Command } from 'commander';

/** The words of a command after `docsctl`. */
export function wordsOf(command: Command): string {
  const { parent } = command;
  return parent === null ? '' : [wordsOf(parent), command.name()].filter((word) => word !== '').join(' ');
}
