import type { HandlersFor } from '../core/handler.ts';

/** One noun: the words of its commands, its declarations and its logic, each loaded when it is needed. */
export interface Noun {
  /** Words before the verb, as in operation ids with spaces for dots: "sites sections". */
  readonly words: string;
  /** Empty where its commands are written by hand under other words. */
  readonly summary: string;
  readonly contract: () => Promise<object>;
  readonly handlers: () => Promise<object>;
}

/** One line of a table of contents. */
export function noun<C extends object>(
  words: string,
  summary: string,
  contract: () => Promise<C>,
  handlers: () => Promise<HandlersFor<C>>,
): Noun {
  return { words, summary, contract, handlers };
}
