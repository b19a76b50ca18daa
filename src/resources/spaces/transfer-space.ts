import type { ChangeContext, Handler } from '../../core/handler.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { spaces, type SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows } from '../../core/store.ts';
import { findReceiver, positionAmong } from '../collections/rules.ts';
import { removeGitSync } from '../git-sync/removal.ts';
import { uninstallAllFromSpace } from '../integrations/removal.ts';
import { removePermissionsOn } from '../permissions/rules.ts';
import { removeFromSites } from '../site-structure/removal.ts';
import { withVisibilityEvents } from '../sites/visibility-events.ts';
import type * as contract from './contract.ts';
import { shapeForCaller } from './shape.ts';

export const transferSpace: Handler<typeof contract.transferSpace> = async (context, { body }) => {
  const { tx, space } = context;
  const target = await findReceiver(context, space.organization, body.organization, 'space');
  const position = await positionAmong(tx, target.organization.id, null);
  const row = await moveSpaceToOrganization(context, space, target.organization.id, {
    parent: null,
    position,
  });
  return shapeForCaller({ ...context, ...target }, row);
};

/**
 * Moves a space with its change requests to another organization. It is removed from sites, and loses its permissions and
 * integrations.
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
    // Clusters belong to the former organization.
    await tx.update(changeRequests, id, { organization, conversationsIssuesCluster: undefined });
  await uninstallAllFromSpace({ tx, now }, space.id);
  await removeGitSync(tx, space.id);
  // The former sites of a deleted space belong to the former organization.
  return tx.update(spaces, space.id, { organization, ...place, formerSites: undefined });
}
