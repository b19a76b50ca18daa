import { table } from '../../core/store.ts';

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
