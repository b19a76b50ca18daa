import { purgeAction } from '../../core/audit/actions.ts';
import { recordApart } from '../../core/audit/record-changes.ts';
import { dequeue } from '../../core/jobs.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { revisions } from '../../core/rows/revisions.ts';
import type { Row, Table, WriteTransaction } from '../../core/store.ts';
import { noteUnusedContent } from '../../content/collection/record-references.ts';
import { sections } from '../../content/rows.ts';
import { uninstallFromTarget } from '../integrations/removal.ts';
import { comments, commenters, replies } from '../comments/rows.ts';
import { spaceInstallations, type SpaceInstallationRow } from '../../core/rows/installed.ts';
import { reviews } from '../change-request-reviews/rows.ts';
import { requestedReviewers } from '../change-request-reviewers/rows.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { contributors } from '../change-requests/rows.ts';
import { gitRuns, gitSyncJobKind, gitSyncs } from '../git-sync/rows.ts';
import { translations } from '../translations/rows.ts';
import { removeTranslation } from '../translations/rules.ts';
import { hasExpired } from '../spaces/rules.ts';

/** Maximum number of rows that one step removes, so that it stays short. */
const maxRows = 100;

/** The tables whose rows are removed with their space. */
export const ownedTables: readonly Table<Row, 'bySpace'>[] = [
  replies,
  comments,
  commenters,
  reviews,
  requestedReviewers,
  contributors,
  changeRequests,
  spaceInstallations,
  gitRuns,
  gitSyncs,
  sections,
  revisions,
];

/**
 * Removes some rows of spaces that can no longer be restored: first of spaces that were deleted with the option `now`, then of
 * spaces that were deleted 7 or more days ago. Records an event when a space itself is removed. Returns whether there may be
 * more.
 */
export async function purgeSpaces(tx: WriteTransaction, now: string): Promise<boolean> {
  const actor = { type: 'system', id: 'docsctl', label: 'docsctl' } as const;
  let hasMore = false;
  await recordApart(
    tx,
    async (apart) => {
      const { space, isRemoved } = await purgeNext(apart, now);
      hasMore = space !== undefined;
      return isRemoved ? space : undefined;
    },
    (space) =>
      space && {
        action: purgeAction.id,
        actor,
        source: 'workflow',
        origin: { kind: 'job', job: 'removal' },
        now,
        organization: space.organization,
        targetIds: [space.id],
      },
  );
  return hasMore;
}

interface PurgeStep {
  readonly space?: SpaceRow;
  readonly isRemoved: boolean;
}

async function purgeNext(tx: WriteTransaction, now: string): Promise<PurgeStep> {
  const space = await findPurged(tx, now);
  if (space === undefined) return { isRemoved: false };
  // A running job ends at its next write.
  for (const kind of [gitSyncJobKind, 'index']) await dequeue(tx, kind, space.id);
  let remainingRows = maxRows;
  for (const row of await tx.find(translations, { index: 'bySource', equals: [space.id], limit: maxRows })) {
    await removeTranslation({ tx, now }, row);
    remainingRows -= 1;
  }
  for (const table of ownedTables) {
    if (remainingRows <= 0) return { space, isRemoved: false };
    const rows = await tx.find(table, { index: 'bySpace', equals: [space.id], limit: remainingRows });
    for (const row of rows)
      await (table.name === spaceInstallations.name
        ? uninstallFromTarget({ tx, now }, row as SpaceInstallationRow)
        : tx.remove(table, row.id));
    remainingRows -= rows.length;
  }
  if (remainingRows <= 0) return { space, isRemoved: false };
  await removePermissionsOn(tx, space.id);
  await tx.remove(spaces, space.id);
  await noteUnusedContent(tx, now);
  return { space, isRemoved: true };
}

/**
 * Returns the next space to remove. A space that was deleted 7 days ago is first marked, so that it cannot be restored anymore.
 */
async function findPurged(tx: WriteTransaction, now: string): Promise<SpaceRow | undefined> {
  const [marked] = await tx.find(spaces, { index: 'byDeletion', equals: ['removed'], limit: 1 });
  if (marked !== undefined) return marked;
  const [oldest] = await tx.find(spaces, { index: 'byDeletion', equals: ['deleted'], limit: 1 });
  if (oldest === undefined || !hasExpired(oldest, now)) return undefined;
  return tx.update(spaces, oldest.id, { state: 'removed' });
}
