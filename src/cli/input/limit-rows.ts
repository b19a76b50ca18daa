import type { Command } from 'commander';
import type { PrinterDefaults, Session } from '../session/session.ts';
import { readWholeNumber } from './whole-number.ts';

/** Adds --limit to a command with a list that the API does not limit. `nouns` are the items, such as "runs". */
export function addLimitOption(command: Command, nouns: string): Command {
  return command.option('--limit <number>', `maximum number of ${nouns} to list (default: all)`, (text) =>
    readWholeNumber('--limit', text, { min: 1 }),
  );
}

/** Prints the first rows up to --limit, and notes that there are more. A sorted list is sorted before it is cut. */
export async function printLimited(
  session: Session,
  rows: readonly object[],
  limit: number | undefined,
  defaults: PrinterDefaults,
): Promise<void> {
  if (limit === undefined || rows.length <= limit) return session.printAll(rows, defaults);
  if (session.flags.sortBy === undefined) await session.printAll(rows.slice(0, limit), defaults);
  else await session.printAll(rows, { ...defaults, top: limit });
  session.note(`Showing ${limit} of ${rows.length}. --limit shows more.`);
}
