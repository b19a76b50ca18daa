import type { RichDocumentValue } from '../../contract/shapes.ts';
import { audited } from '../audit/audited.ts';
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
  readonly conversationsIssuesCluster?: string | undefined;
}
export const changeRequests = audited(
  table<ChangeRequestRow>()('change_requests', {
    byNumber: { on: ['space', 'number'], unique: true },
    bySpace: { on: ['space'], by: ['updatedAt'] },
    byStatus: { on: ['space', 'status'], by: ['updatedAt'] },
    byStatusCreated: { on: ['space', 'status'], by: ['createdAt'] },
    byOrganization: { on: ['organization', 'status'], by: ['updatedAt'] },
    byOrganizationCreated: { on: ['organization', 'status'], by: ['createdAt'] },
    byOrganizationAny: { on: ['organization'], by: ['updatedAt'] },
    byOrganizationAnyCreated: { on: ['organization'], by: ['createdAt'] },
    byCluster: { on: ['conversationsIssuesCluster', 'status'] },
  }),
  {
    type: 'change-request',
    label: 'subject',
    describe: ({ number }) => [`#${number}`],
    fields: [
      'organization',
      'number',
      'status',
      'subject',
      'revision',
      'revisionMerged',
      'conversationsIssuesCluster',
    ],
    sizes: ['description'],
  },
);
