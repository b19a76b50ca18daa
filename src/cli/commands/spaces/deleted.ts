import { plural } from '../../../contract/values.ts';
import { daysToRestore } from '../../../resources/spaces/contract.ts';

const day = 24 * 60 * 60 * 1000;

/** Returns a function that adds to deleted spaces when they were deleted and until when they can be restored. */
export function describeDeletions(now: number): (spaces: readonly unknown[]) => object[] {
  return (spaces) =>
    (spaces as readonly { deletedAt?: string }[]).map((space) => {
      if (space.deletedAt === undefined) return space;
      const at = Date.parse(space.deletedAt);
      const end = new Date(at + daysToRestore * day).toISOString().slice(0, 10);
      return { ...space, deleted: `${ageOf(now - at)}; gone for good on ${end}` };
    });
}

function ageOf(milliseconds: number): string {
  const days = Math.floor(milliseconds / day);
  return days < 1 ? 'today' : `${plural(days, 'day')} ago`;
}
