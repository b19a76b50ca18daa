import { purgeAction } from '../../core/audit/actions.ts';
import { recordApart } from '../../core/audit/record-changes.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { revisions } from '../../core/rows/revisions.ts';
import type { Row, Table, WriteTransaction } from '../../core/store.ts';
import { uninstallFromTarget } from '../integrations/removal.ts';
import { comments, commenters, replies } from '../comments/rows.ts';
import { spaceInstallations, type SpaceInstallationRow } from '../../core/rows/installed.ts';
import { reviews } from '../change-request-reviews/rows.ts';
import { requestedReviewers } from '../change-request-reviewers/rows.ts';
import { contributors } from '../change-requests/rows.ts';
import { sections } from '../../content/rows.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { daysToRestore } from './contract.ts';

const maxAge = daysToRestore * 24 * 60 * 60 * 1000;
/** The most rows that one call removes, so that it stays fast. */
const maxRows = 20;

/** Whether a space was deleted 7 or more days ago, and can no longer be restored. */
export function isBeyondRestore(space: SpaceRow, now: string): boolean {
  return space.deletedAt !== null && Date.parse(now) - Date.parse(space.deletedAt) >= maxAge;
}

/** The tables of rows that are deleted with their space. */
const ownedTables: readonly Table<Row, 'bySpace'>[] = [
  replies,
  comments,
  commenters,
  reviews,
  requestedReviewers,
  contributors,
  changeRequests,
  spaceInstallations,
  sections,
  revisions,
];

/** Removes rows of the space that was deleted longest ago, if that was 7 or more days ago; at most 20 for each call. */
export async function purgeDeletedSpaces(tx: WriteTransaction, now: string): Promise<void> {
  const actor = { type: 'system', id: 'docsctl', label: 'docsctl' } as const;
  await recordApart(
    tx,
    (apart) => purgeOldest(apart, now),
    (space) =>
      space && {
        action: purgeAction.id,
        actor,
        source: 'workflow',
        origin: { kind: 'job', job: 'purge' },
        now,
        organization: space.organization,
        targetIds: [space.id],
      },
  );
}

/** Removes rows of the space that was deleted longest ago. Returns the space when it is removed itself. */
async function purgeOldest(tx: WriteTransaction, now: string): Promise<SpaceRow | undefined> {
  const [oldest] = await tx.find(spaces, { index: 'byDeletion', equals: ['deleted'], limit: 1 });
  if (oldest === undefined || !isBeyondRestore(oldest, now)) return undefined;
  let remainingRows = maxRows;
  for (const table of ownedTables) {
    const rows = await tx.find(table, { index: 'bySpace', equals: [oldest.id], limit: remainingRows });
    for (const row of rows)
      await (table.name === spaceInstallations.name
        ? uninstallFromTarget({ tx, now }, row as SpaceInstallationRow)
        : tx.remove(table, row.id));
    remainingRows -= rows.length;
    if (remainingRows === 0) return undefined;
  }
  await removePermissionsOn(tx, oldest.id);
  await tx.remove(spaces, oldest.id);
  return oldest;
}
