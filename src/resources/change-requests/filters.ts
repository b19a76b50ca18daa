import type { ChangeRequestRow } from '../../core/rows/change-requests.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { requestedReviewers } from '../change-request-reviewers/rows.ts';
import { contributors, participantId } from './rows.ts';

interface ChangeRequestFilters {
  readonly creator?: string;
  readonly contributor?: string;
  readonly requestedReviewer?: string;
  readonly conversationsIssuesCluster?: string;
}

/** What a list leaves out by its filters; undefined where it takes all. */
export function createFilter(
  view: ReadTransaction,
  { creator, contributor, requestedReviewer, conversationsIssuesCluster }: ChangeRequestFilters,
): ((row: ChangeRequestRow) => Promise<boolean>) | undefined {
  if (
    creator === undefined &&
    contributor === undefined &&
    requestedReviewer === undefined &&
    conversationsIssuesCluster === undefined
  )
    return undefined;
  return async (row) => {
    if (
      conversationsIssuesCluster !== undefined &&
      row.conversationsIssuesCluster !== conversationsIssuesCluster
    )
      return false;
    if (creator !== undefined && row.createdBy !== creator) return false;
    if (
      contributor !== undefined &&
      (await view.get(contributors, participantId(row.id, contributor))) === undefined
    )
      return false;
    return (
      requestedReviewer === undefined ||
      (await view.get(requestedReviewers, participantId(row.id, requestedReviewer))) !== undefined
    );
  };
}
