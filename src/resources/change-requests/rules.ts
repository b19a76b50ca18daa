import {
  changeRequests,
  type ChangeRequestRow,
  type ChangeRequestStatus,
} from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';

/** Checks that a change request is neither merged nor archived. @throws Problem(conflict) */
export function checkActive(row: ChangeRequestRow): void {
  if (row.status === 'merged')
    throw new Problem('conflict', `Change request ${row.number} is already merged.`, {
      hint: 'Create a new change request.',
    });
  if (row.status === 'archived')
    throw new Problem('conflict', `Change request ${row.number} is archived.`, {
      hint: `Open it again first: \`docsctl change-requests update ${row.number} --space ${row.space} --status open\`.`,
    });
}

/** Sets the status of a change request, with other changes, and updates the counts of its space. */
export async function setStatus(
  tx: WriteTransaction,
  space: SpaceRow,
  row: ChangeRequestRow,
  status: ChangeRequestStatus,
  change: Partial<ChangeRequestRow>,
): Promise<{ row: ChangeRequestRow; space: SpaceRow }> {
  const moved = await tx.update(changeRequests, row.id, { ...change, status });
  if (status === row.status) return { row: moved, space };
  const difference = (counted: ChangeRequestStatus) =>
    Number(status === counted) - Number(row.status === counted);
  const counts = {
    changeRequestsOpen: space.changeRequestsOpen + difference('open'),
    changeRequestsDraft: space.changeRequestsDraft + difference('draft'),
  };
  return { row: moved, space: await tx.update(spaces, space.id, counts) };
}
