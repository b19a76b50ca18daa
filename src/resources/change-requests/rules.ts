import {
  changeRequests,
  type ChangeRequestRow,
  type ChangeRequestStatus,
} from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';

/** Refuses any change of content while the space is locked. */
export function checkUnlocked(space: SpaceRow): void {
  if (space.editMode !== 'locked') return;
  throw new Problem('conflict', `All edits of the space "${space.title}" are locked.`, {
    hint: `Unlock it with \`docsctl spaces update ${space.id} --edit-mode live\`.`,
  });
}

/** Refuses to edit or merge what is merged or archived. */
export function checkActive(row: ChangeRequestRow): void {
  if (row.status === 'merged')
    throw new Problem('conflict', `Change request ${row.number} is merged already.`, {
      hint: 'Create a new change request.',
    });
  if (row.status === 'archived')
    throw new Problem('conflict', `Change request ${row.number} is archived.`, {
      hint: 'Open it again first: `docsctl change-requests update ID --status open`.',
    });
}

/** Moves a change request to a state, with other changes, and keeps the numbers its space shows. */
export async function setStatus(
  tx: WriteTransaction,
  space: SpaceRow,
  row: ChangeRequestRow,
  status: ChangeRequestStatus,
  change: Partial<ChangeRequestRow>,
): Promise<{ row: ChangeRequestRow; space: SpaceRow }> {
  const moved = await tx.update(changeRequests, row.id, { ...change, status });
  if (status === row.status) return { row: moved, space };
  const counts = {
    changeRequestsOpen: space.changeRequestsOpen + Number(status === 'open') - Number(row.status === 'open'),
    changeRequestsDraft:
      space.changeRequestsDraft + Number(status === 'draft') - Number(row.status === 'draft'),
  };
  return { row: moved, space: await tx.update(spaces, space.id, counts) };
}
