import type { Watcher } from '../../contract/progress.ts';
import type { RequestContext, WriteContext } from '../../core/handler.ts';
import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import type { OrganizationRow } from '../../core/rows/organizations.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { collectRows } from '../../core/store.ts';
import type { Resolutions } from '../../content/conflict-resolver.ts';
import { publishRevision } from '../content/publish.ts';
import { checkMergeRules } from './merge-rules.ts';
import { mergeWithSpace } from './merge-with-space.ts';
import { checkUnlocked } from '../../core/check-unlocked.ts';
import { checkActive, setStatus } from './rules.ts';
import { contributors } from './rows.ts';

/** A change request with its space and organization, and the caller who merges it. */
export interface MergedRequest extends WriteContext, Watcher, Pick<RequestContext, 'onHeavy'> {
  readonly organization: OrganizationRow;
  readonly space: SpaceRow;
  readonly changeRequest: ChangeRequestRow;
}

/**
 * Merges a change request into its space, and returns the new revision. `check` may throw to refuse the merge.
 *
 * @throws Problem(conflict) if there are unresolved conflicts, a merge rule is not met, or the space is locked
 */
export async function mergeRequest(
  context: MergedRequest,
  resolutions: Resolutions,
  check: (revision: string) => Promise<void> = async () => {},
): Promise<string> {
  const { tx, space, changeRequest, now } = context;
  checkActive(changeRequest);
  checkUnlocked(space);
  await checkMergeRules(context, resolutions);
  const revision = await mergeWithSpace(context, resolutions, {
    type: 'merge',
    parents: [space.revision, changeRequest.revision],
    mergedFrom: changeRequest.id,
  });
  await check(revision);
  const { space: counted } = await setStatus(tx, space, changeRequest, 'merged', {
    revisionMerged: revision,
    updatedAt: now,
  });
  const wrote = await collectRows(tx, contributors, 'byChangeRequest', [changeRequest.id]);
  await publishRevision(context, counted, revision, { contributors: wrote.map(({ user }) => user) });
  return revision;
}
