import type { HandlersFor } from '../core/handler.ts';

/** One noun of the API: the words of its commands, its contract and its handlers, each loaded when it is needed. */
export interface Noun {
  /** The words before the verb, which are those of the operation ids with spaces instead of dots: "sites sections". */
  readonly words: string;
  /** Empty if its commands are declared elsewhere under other words. */
  readonly summary: string;
  readonly contract: () => Promise<object>;
  readonly handlers: () => Promise<object>;
  /** Whether the words are one command, and not a group of commands. */
  readonly isCommand: boolean;
}

/** Creates a noun for the list of nouns. */
export function noun<C extends object>(
  words: string,
  summary: string,
  contract: () => Promise<C>,
  handlers: () => Promise<HandlersFor<C>>,
  isCommand = false,
): Noun {
  return { words, summary, contract, handlers, isCommand };
}
