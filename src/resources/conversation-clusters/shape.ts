import { sparkline } from '../../analysis/sparkline.ts';
import type { Static } from '../../contract/schema.ts';
import type { RequestContext } from '../../core/handler.ts';
import { changeRequests, type ChangeRequestStatus } from '../../core/rows/change-requests.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { IssuesCluster } from './contract.ts';
import { issues as issueTable, type ClusterRow } from '../conversation-issues/rows.ts';

type ClusterContext = Pick<RequestContext, 'url' | 'now'> & { readonly tx: ReadTransaction };

/** A cluster as the API shows it; its tasks are the change requests that were made for it. */
export async function shapeCluster(
  { tx, url, now }: ClusterContext,
  row: ClusterRow,
): Promise<Static<typeof IssuesCluster>> {
  const {
    id,
    organization,
    label,
    icon,
    summary,
    muted,
    impact,
    issues,
    conversations,
    sources,
    weeks,
    createdAt,
    updatedAt,
  } = row;
  const tasks = (status: ChangeRequestStatus): Promise<number> =>
    tx.count(changeRequests, 'byCluster', [id, status]);
  const [backlog, started, completed, cancelled] = [
    await tasks('draft'),
    await tasks('open'),
    await tasks('merged'),
    await tasks('archived'),
  ];
  const [last] = await tx.find(issueTable, {
    index: 'byCluster',
    equals: [organization, id],
    order: 'desc',
    limit: 1,
  });
  return {
    object: 'issues-cluster',
    id,
    label,
    createdAt,
    updatedAt,
    icon,
    summary,
    muted,
    impact,
    weeklyPulse: sparkline(
      new Map(Object.entries(weeks).map(([week, count]) => [Number(week), count])),
      Date.parse(now),
    ),
    ...(last === undefined ? {} : { lastIssueAt: last.createdAt }),
    sources: { ...sources },
    stats: {
      issues,
      conversations,
      tasksTotal: backlog + started + completed + cancelled,
      tasksBacklog: backlog,
      tasksStarted: started,
      tasksCompleted: completed,
      tasksCancelled: cancelled,
    },
    urls: {
      location: url(`/v1/orgs/${organization}/conversations-clusters/${id}`),
      app: url(`/o/${organization}/conversations/clusters/${id}`),
    },
  };
}
