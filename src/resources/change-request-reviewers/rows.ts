import { audited } from '../../core/audit/audited.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { users } from '../../core/rows/organizations.ts';
import { table } from '../../core/store.ts';

/** A user who was asked to review a change request; the id is `<change request>.<user>`. */
export interface RequestedReviewerRow {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly user: string;
  readonly requestedBy: string;
  readonly revision: string;
  readonly createdAt: string;
}

export const requestedReviewers = audited(
  table<RequestedReviewerRow>()('requested_reviewers', {
    bySpace: { on: ['space'] },
    byChangeRequest: { on: ['changeRequest'], by: ['createdAt'] },
  }),
  {
    type: 'change-request-requested-reviewer',
    id: 'user',
    fields: ['changeRequest', 'user', 'requestedBy'],
    describe: ({ user, changeRequest }) => [
      { table: users, id: user },
      ' for change request ',
      { table: changeRequests, id: changeRequest },
    ],
  },
);
