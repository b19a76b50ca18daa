import { table } from '../../core/store.ts';

/** A user who edited the content of a change request; the id is `<change request>.<user>`. */
interface ContributorRow {
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
