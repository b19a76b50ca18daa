import type { MergeRulesValue } from '../../contract/shapes.ts';
import { removeGitSync } from '../git-sync/removal.ts';
import type { ChangeContext } from '../../core/handler.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { memberId, members } from '../../core/rows/organizations.ts';
import { collectRows, type ReadTransaction } from '../../core/store.ts';
import { notFound } from '../../errors/problem.ts';
import { uninstallAllFromSpace } from '../integrations/removal.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { removeFromSites } from '../site-structure/removal.ts';
import { withVisibilityEvents } from '../sites/visibility-events.ts';
import { daysToRestore } from './contract.ts';

/** Milliseconds for which a deleted space can be restored. */
export const lifetimeOfDeleted = daysToRestore * 24 * 60 * 60 * 1000;

/** Whether a space was deleted 7 or more days ago. */
export function hasExpired({ deletedAt }: SpaceRow, now: string): boolean {
  return deletedAt !== null && Date.parse(now) - Date.parse(deletedAt) >= lifetimeOfDeleted;
}

/** Whether a space was deleted and can no longer be restored. */
export function isBeyondRestore(space: SpaceRow, now: string): boolean {
  return space.state === 'removed' || hasExpired(space, now);
}

/**
 * Moves a space with its change requests to another organization. The sites that show it let go of it, its permissions are
 * removed, and its integrations are uninstalled.
 */
export async function moveSpaceToOrganization(
  context: ChangeContext,
  space: SpaceRow,
  organization: string,
  place: { parent: string | null; position: string },
): Promise<SpaceRow> {
  const { tx, now } = context;
  const owner = { ...context, organization: { id: space.organization } };
  await withVisibilityEvents(owner, [space.id], () => removeFromSites(tx, space.id));
  await removePermissionsOn(tx, space.id);
  for (const { id } of await collectRows(tx, changeRequests, 'bySpace', [space.id]))
    await tx.update(changeRequests, id, { organization });
  await uninstallAllFromSpace({ tx, now }, space.id);
  await removeGitSync(tx, space.id);
  return tx.update(spaces, space.id, { organization, ...place });
}

/**
 * Checks that merge rules name only members of the organization.
 * @throws Problem(not-found)
 */
export async function checkMergeRules(
  view: ReadTransaction,
  organization: string,
  mergeRules: MergeRulesValue,
): Promise<void> {
  if (mergeRules.type !== 'rules') return;
  for (const user of new Set(mergeRules.rules.flatMap((rule) => rule.users ?? []))) {
    if ((await view.get(members, memberId(organization, user))) === undefined) throw notFound('member', user);
  }
}
