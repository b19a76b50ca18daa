import { generateKeyBetween } from 'fractional-indexing';
import { invalid } from '../errors/problem.ts';

/**
 * Returns the nearest fractional position before (`desc`) or after (`asc`) `from`; without `from`, the last or first position.
 * Null if there is none.
 */
type FindNeighbor = (order: 'asc' | 'desc', from?: string) => Promise<string | null>;

/**
 * Returns a fractional position directly before `next`, or else directly after `previous`, or at the end without either.
 *
 * @throws Problem(invalid-input) if `previous` does not come before `next`
 */
export async function positionNextTo(
  { previous, next }: { previous?: string | undefined; next?: string | undefined },
  findNeighbor: FindNeighbor,
): Promise<string> {
  if (next !== undefined && previous !== undefined && previous >= next)
    throw invalid('/body/position', 'The item in "after" must come before the item in "before".');
  if (next !== undefined) return generateKeyBetween(await findNeighbor('desc', next), next);
  return previous === undefined
    ? generateKeyBetween(await findNeighbor('desc'), null)
    : generateKeyBetween(previous, await findNeighbor('asc', previous));
}
