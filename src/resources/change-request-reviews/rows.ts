import { audited } from '../../core/audit/audited.ts';
import { changeRequests } from '../../core/rows/change-requests.ts';
import { users } from '../../core/rows/organizations.ts';
import { table } from '../../core/store.ts';

/** A review of one revision of a change request. Only the last review of each reviewer counts. */
export interface ReviewRow {
  readonly id: string;
  readonly space: string;
  readonly changeRequest: string;
  readonly reviewer: string;
  readonly requestedBy?: string;
  readonly status: 'approved' | 'changes-requested';
  readonly revision: string;
  /** The id of the comment of the review. */
  readonly comment?: string;
  readonly createdAt: string;
}

export const reviews = audited(
  table<ReviewRow>()('reviews', {
    bySpace: { on: ['space'] },
    byChangeRequest: { on: ['changeRequest'], by: ['createdAt'] },
  }),
  {
    type: 'change-request-review',
    fields: ['changeRequest', 'reviewer', 'status', 'revision'],
    sizes: ['comment'],
    describe: ({ reviewer, status, changeRequest }) => [
      { table: users, id: reviewer },
      `: ${status} for change request `,
      { table: changeRequests, id: changeRequest },
    ],
  },
);
