import { generateKeyBetween } from 'fractional-indexing';
import { defined } from '../contract/values.ts';
import { invalid } from '../errors/problem.ts';
import type { Query } from './store.ts';

/** Finds the rows of a list that match this part of a query, in each of its tables. */
export type FindRows = (
  nearest: Pick<Query, 'order' | 'after' | 'limit'>,
) => Promise<readonly { readonly position: string }[]>;

/**
 * Returns a fractional position directly before `next`, or else directly after `previous`, or at the end without either.
 *
 * @throws Problem(invalid-input) if `previous` does not come before `next`
 */
export async function positionNextTo(
  { previous, next }: { previous?: string | undefined; next?: string | undefined },
  find: FindRows,
): Promise<string> {
  if (next !== undefined && previous !== undefined && previous >= next)
    throw invalid('/body/position', 'The item in "after" must come before the item in "before".');
  if (next !== undefined) return generateKeyBetween(await nearestPosition(find, 'desc', next), next);
  return previous === undefined
    ? generateKeyBetween(await nearestPosition(find, 'desc'), null)
    : generateKeyBetween(previous, await nearestPosition(find, 'asc', previous));
}

/**
 * Returns the nearest fractional position before (`desc`) or after (`asc`) `from`; without `from`, the last or first position.
 * Null if there is none.
 */
export async function nearestPosition(
  find: FindRows,
  order: 'asc' | 'desc',
  from?: string,
): Promise<string | null> {
  const after = from === undefined ? undefined : [from, order === 'asc' ? '\u{10ffff}' : ''];
  const rows = await find({ order, limit: 1, ...defined({ after }) });
  const positions = rows.map(({ position }) => position).sort();
  return (order === 'asc' ? positions[0] : positions.at(-1)) ?? null;
}
