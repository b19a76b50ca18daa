import { orUndefined } from '../../../errors/problem.ts';
import { listChangeRequests } from '../../../resources/change-requests/contract.ts';
import type { RevisionSummary } from '../../../resources/content/revision/contract.ts';
import type { Static } from '../../../contract/schema.ts';
import type { Session } from '../../session/session.ts';

/** Reads the merged change requests of a space, and returns a function that adds their numbers to revisions as `from`. */
export async function addRequestNumbers(
  session: Session,
  spaceId: string,
): Promise<(items: readonly unknown[]) => readonly object[]> {
  const query = { status: 'merged', limit: 1000 } as const;
  const merged = await orUndefined(
    session.call(listChangeRequests, { params: { spaceId }, query }),
    'not-found',
    'forbidden',
    'not-implemented',
  );
  const numbers = new Map(merged?.items.map(({ id, number }) => [id, number]));
  return (items) =>
    (items as readonly Static<typeof RevisionSummary>[]).map((item) => ({
      ...item,
      from: numbers.get(item.changeRequest ?? '') ?? item.changeRequest,
    }));
}
