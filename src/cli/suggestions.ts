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

export function unknown(at: Command, word: string): Problem {
  const [close] = nearest(
    word,
    at.commands.map((command) => command.name()),
  );
  return new Problem('usage', `Unknown command '${word}'.`, {
    hint: close === undefined ? `\`${pathOf(at)} --help\` shows those there are.` : `Did you mean ${close}?`,
  });
}

export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The most that are named. */
export const most = 3;

/** Names like one that is not there: written nearly so, or else with most of its words; labels of clusters change with what is in them. */
export function similarNames(wanted: string, names: readonly string[]): string[] {
  const close = nearest(wanted, names);
  if (close.length > 0) return close;
  const words = wordsOf(wanted);
  const shared = (name: string): number => [...wordsOf(name)].filter((word) => words.has(word)).length;
  return [...new Set(names)]
    .map((name) => ({ name, score: shared(name) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Its words by their beginnings: "declined" is like "declining". Short ones say nothing. */
export function wordsOf(text: string): Set<string> {
  return new Set([...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)].map(([word]) => word.slice(0, 5)));
}

/** A word as it can be typed into a shell: quoted where it must be, so that nothing in it is run. */
export function shellWord(text: string): string {
  return /^[\w@%+:,./][\w@%+:,./=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
