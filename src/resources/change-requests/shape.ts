import type { Static } from '../../contract/schema.ts';
import type { ReadContext } from '../../core/handler.ts';
import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';

import type { SpaceRow } from '../../core/rows/spaces.ts';
import { createUserLookup } from '../users/user-lookup.ts';
import type { ChangeRequest } from './contract.ts';
import { defined } from '../../contract/values.ts';

/** Returns a change request in the form of the API. */
export async function shapeChangeRequest(
  context: ReadContext,
  row: ChangeRequestRow,
  space: SpaceRow,
): Promise<Static<typeof ChangeRequest>> {
  return defined({
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    description: row.description,
    createdBy: await createUserLookup(context)(row.createdBy),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    space: row.space,
    revision: row.revision,
    revisionInitial: row.revisionInitial,
    revisionMergedAncestor: row.revisionMergedAncestor,
    revisionMerged: row.revisionMerged,
    comments: row.comments,
    outdated: isOutdated(row, space),
    conversationsIssuesCluster: row.conversationsIssuesCluster,
    urls: {
      app: context.url(`/o/${row.organization}/s/${row.space}/~/changes/${row.number}`),
      location: context.url(`/v1/spaces/${row.space}/change-requests/${row.id}`),
    },
  });
}

/** Whether the content of the space has changed since the change request was created or last updated from it. */
export function isOutdated(row: ChangeRequestRow, space: SpaceRow): boolean {
  return row.status !== 'merged' && space.revision !== (row.revisionMergedAncestor ?? row.revisionInitial);
}
