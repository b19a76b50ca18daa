import type { Command } from 'commander';
import { nearest } from '../contract/nearest.ts';
import { Problem } from '../errors/problem.ts';

/**
 * Checks the words behind a command, without flags, before its help is shown: for an unknown word commander would show
 * the help of the noun. @throws Problem(usage)
 */
export function checkKnown(stub: Command, words: readonly string[]): void {
  let command = stub;
  for (const word of words) {
    const { commands, registeredArguments } = command;
    if (commands.length === 0 || registeredArguments.length > 0) return;
    const inner = commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner === undefined) throw unknownCommand(command, word);
    command = inner;
  }
}

function unknownCommand(parent: Command, word: string): Problem {
  const names = parent.commands.map((command) => command.name());
  const [close] = nearest(word, names);
  return new Problem('usage', `Unknown command '${word}'.`, {
    hint:
      close === undefined ? `\`${pathOf(parent)} --help\` shows those there are.` : `Did you mean ${close}?`,
  });
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

const maxSuggestions = 3;

/** Up to three names like one that does not exist: spelled alike, or else with many of the same words. */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  const close = nearest(wanted, names);
  if (close.length > 0) return close;
  const stems = stemsOf(wanted);
  return [...new Set(names)]
    .map((name) => ({ name, score: [...stemsOf(name)].filter((stem) => stems.has(stem)).length }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxSuggestions)
    .map(({ name }) => name);
}

/** The beginnings of the words of a text, short words left out: "declined" is like "declining". */
function stemsOf(text: string): Set<string> {
  return new Set([...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)].map(([word]) => word.slice(0, 5)));
}

/** Quotes a word for a POSIX shell where that is necessary. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./][\w@%+:,./=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
