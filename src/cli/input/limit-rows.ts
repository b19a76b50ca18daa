import type { Command } from 'commander';
import type { Session } from '../session/session.ts';
import { readWholeNumber } from './whole-number.ts';

/** Adds --limit to a command with a list that the API does not limit. `nouns` are the items, such as "runs". */
export function addLimitOption(command: Command, nouns: string): Command {
  return command.option('--limit <number>', `maximum number of ${nouns} to list (default: all)`, (text) =>
    readWholeNumber('--limit', text, { min: 1 }),
  );
}

/**
 * Returns the first rows up to --limit, and the note that there are more. For a sorted list, all rows are returned, and the
 * printer shows the first `top`.
 */
export function limitRows<T>(
  { flags }: Session,
  rows: readonly T[],
  limit: number | undefined,
): { readonly rows: readonly T[]; readonly top?: number; readonly note?: string } {
  if (limit === undefined || rows.length <= limit) return { rows };
  const note = `Showing ${limit} of ${rows.length}. --limit shows more.`;
  return flags.sortBy === undefined ? { rows: rows.slice(0, limit), note } : { rows, top: limit, note };
}
