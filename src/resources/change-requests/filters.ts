import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import type { ReadTransaction, Table } from '../../core/store.ts';
import { requestedReviewers } from '../change-request-reviewers/rows.ts';
import { contributors, participantId } from './rows.ts';

interface ChangeRequestFilters {
  readonly creator?: string;
  readonly contributor?: string;
  readonly requestedReviewer?: string;
  readonly conversationsIssuesCluster?: string;
}

/** Returns the filter for a list of change requests; undefined if the query has no filters. */
export function createFilter(
  view: ReadTransaction,
  { creator, contributor, requestedReviewer, conversationsIssuesCluster: cluster }: ChangeRequestFilters,
): ((row: ChangeRequestRow) => Promise<boolean>) | undefined {
  if ([creator, contributor, requestedReviewer, cluster].every((value) => value === undefined))
    return undefined;
  const hasParticipant = async (table: Table, { id }: ChangeRequestRow, user: string | undefined) =>
    user === undefined || (await view.get(table, participantId(id, user))) !== undefined;
  return async (row) =>
    (cluster === undefined || row.conversationsIssuesCluster === cluster) &&
    (creator === undefined || row.createdBy === creator) &&
    (await hasParticipant(contributors, row, contributor)) &&
    (await hasParticipant(requestedReviewers, row, requestedReviewer));
}
