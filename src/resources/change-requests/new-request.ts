import { defined } from '../../contract/values.ts';
import type { WriteContext } from '../../core/handler.ts';
import { changeRequests, type ChangeRequestRow } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';

interface NewRequest {
  readonly subject: string;
  /** The revision of the space on which the change request is based. */
  readonly base: string;
  /** The revision of the change request (default: `base`). */
  readonly revision?: string;
  readonly conversationsIssuesCluster?: string | undefined;
}

/** Adds a draft change request with the next number, and counts it in its space. */
export async function insertChangeRequest(
  { tx, now, newId, caller }: WriteContext,
  space: SpaceRow,
  { subject, base, revision = base, conversationsIssuesCluster }: NewRequest,
): Promise<ChangeRequestRow> {
  const number = space.changeRequests + 1;
  const row: ChangeRequestRow = defined({
    id: newId('cr'),
    organization: space.organization,
    space: space.id,
    number,
    status: 'draft',
    subject,
    createdBy: caller.user.id,
    createdAt: now,
    updatedAt: now,
    revision,
    revisionInitial: base,
    comments: 0,
    conversationsIssuesCluster,
  });
  await tx.insert(changeRequests, row);
  // Change requests are never deleted, so their number is also the highest number in use.
  await tx.update(spaces, space.id, {
    changeRequests: number,
    changeRequestsDraft: space.changeRequestsDraft + 1,
  });
  return row;
}
