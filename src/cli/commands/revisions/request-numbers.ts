import { eachPage } from '../../../contract/each-page.ts';
import type { Static } from '../../../contract/schema.ts';
import { defined } from '../../../contract/values.ts';
import { orUndefined } from '../../../errors/problem.ts';
import { listChangeRequests } from '../../../resources/change-requests/contract.ts';
import type { RevisionSummary } from '../../../resources/content/revision/contract.ts';
import type { Session } from '../../session/session.ts';

/** Returns a function that adds the numbers of merged change requests to revisions as `from`. */
export function addRequestNumbers(
  session: Session,
  spaceId: string,
): (items: readonly unknown[]) => Promise<readonly object[]> {
  const numbers = new Map<string, number>();
  // Change requests are listed by their last update, newest first, and a merge is an update.
  let reached = '9';
  const pages = eachPage((page) =>
    session.call(listChangeRequests, {
      params: { spaceId },
      query: { status: 'merged', limit: 50, ...defined({ page }) },
    }),
  );
  return async (items) => {
    const revisions = items as readonly Static<typeof RevisionSummary>[];
    const isUnknown = ({ changeRequest: id, createdAt }: (typeof revisions)[number]) =>
      id !== undefined && !numbers.has(id) && createdAt <= reached;
    while (revisions.some(isUnknown)) {
      const read = await orUndefined(pages.next(), 'not-found', 'forbidden', 'not-implemented');
      const merged = read?.done === false ? read.value.items : [];
      for (const { id, number } of merged) numbers.set(id, number);
      reached = merged.at(-1)?.updatedAt ?? '';
    }
    return revisions.map((item) => ({
      ...item,
      from: numbers.get(item.changeRequest ?? '') ?? item.changeRequest,
    }));
  };
}
