import type { RichDocumentValue } from '../../contract/shapes.ts';
import { table } from '../store.ts';

export type ChangeRequestStatus = 'draft' | 'open' | 'archived' | 'merged';

export interface ChangeRequestRow {
  readonly id: string;
  readonly organization: string;
  readonly space: string;
  readonly number: number;
  readonly status: ChangeRequestStatus;
  readonly subject: string;
  readonly description?: RichDocumentValue;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly revision: string;
  readonly revisionInitial: string;
  readonly revisionMergedAncestor?: string;
  readonly revisionMerged?: string;
  readonly comments: number;
  /** The cluster of issues that it was made for. */
  readonly conversationsIssuesCluster?: string;
}
export const changeRequests = table<ChangeRequestRow>()('change_requests', {
  byNumber: { on: ['space', 'number'], unique: true },
  bySpace: { on: ['space'], by: ['updatedAt'] },
  byStatus: { on: ['space', 'status'], by: ['updatedAt'] },
  byStatusCreated: { on: ['space', 'status'], by: ['createdAt'] },
  byOrganization: { on: ['organization', 'status'], by: ['updatedAt'] },
  byOrganizationCreated: { on: ['organization', 'status'], by: ['createdAt'] },
  byOrganizationAny: { on: ['organization'], by: ['updatedAt'] },
  byOrganizationAnyCreated: { on: ['organization'], by: ['createdAt'] },
  byCluster: { on: ['conversationsIssuesCluster', 'status'] },
});

/** A verdict of a reviewer on one revision of a change request; the last one of each reviewer counts. */
export interface ReviewRow {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly reviewer: string;
  readonly requestedBy?: string;
  readonly status: 'approved' | 'changes-requested';
  readonly revision: string;
  /** Id of the comment that was left with it. */
  readonly comment?: string;
  readonly createdAt: string;
}
export const reviews = table<ReviewRow>()('reviews', {
  bySpace: { on: ['space'] },
  byChangeRequest: { on: ['changeRequest'], by: ['createdAt'] },
});

/** Somebody asked to review a change request; its id is `<change request>.<user>`. */
export interface RequestedReviewerRow {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly user: string;
  readonly requestedBy: string;
  readonly revision: string;
  readonly createdAt: string;
}
export const requestedReviewers = table<RequestedReviewerRow>()('requested_reviewers', {
  bySpace: { on: ['space'] },
  byChangeRequest: { on: ['changeRequest'], by: ['createdAt'] },
});

/** Somebody who edited the content of a change request; its id is `<change request>.<user>`. */
export interface ContributorRow {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly user: string;
  readonly count: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}
export const contributors = table<ContributorRow>()('contributors', {
  bySpace: { on: ['space'] },
  byChangeRequest: { on: ['changeRequest'], by: ['createdAt'] },
});

/** The id of a requested reviewer or contributor of a change request. */
export function participantId(changeRequest: string, user: string): string {
  return `${changeRequest}.${user}`;
}
