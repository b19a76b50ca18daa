import { redactLabel } from '../../analysis/describe-cluster.ts';
import { mapDocumentTexts } from '../../analysis/map-document-texts.ts';
import { sparkline } from '../../analysis/sparkline.ts';
import type { Static } from '../../contract/schema.ts';
import { defined } from '../../contract/values.ts';
import type { ReadContext, RequestContext } from '../../core/handler.ts';
import { changeRequests, type ChangeRequestStatus } from '../../core/rows/change-requests.ts';
import { createRedactor } from '../../redaction/create-redactor.ts';
import { privateKinds } from '../../redaction/kinds.ts';
import type { IssuesCluster } from './contract.ts';
import { issues as issueTable, type ClusterRow } from '../conversation-issues/rows.ts';

type ClusterContext = ReadContext & Pick<RequestContext, 'now'>;

const { redactText } = createRedactor(privateKinds);

/**
 * Returns a cluster in the form of the API. Private data that the rules find is removed, because an older version may have
 * described the cluster. Its tasks are the change requests that were created for it.
 */
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
  const tasks = (status: ChangeRequestStatus) => tx.count(changeRequests, 'byCluster', [id, status]);
  const backlog = await tasks('draft');
  const started = await tasks('open');
  const completed = await tasks('merged');
  const cancelled = await tasks('archived');
  const [last] = await tx.find(issueTable, {
    index: 'byCluster',
    equals: [organization, id],
    order: 'desc',
    limit: 1,
  });
  const countByWeek = new Map(Object.entries(weeks).map(([week, count]) => [Number(week), count]));
  const latestPulse = last === undefined ? [] : sparkline(countByWeek, Date.parse(last.createdAt));
  return {
    object: 'issues-cluster',
    id,
    label: shapeLabel(label),
    createdAt,
    updatedAt,
    icon,
    summary: mapDocumentTexts(summary, redactText),
    muted,
    impact,
    weeklyPulse: sparkline(countByWeek, Date.parse(now)),
    ...defined({
      lastIssueAt: last?.createdAt,
      // Older versions of docsctl did not store the counts of past weeks.
      latestPulse: latestPulse.some((count) => count > 0) ? latestPulse : undefined,
    }),
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

/** Returns the label of a cluster, without private data that the rules find. */
export function shapeLabel(label: string): string {
  return redactLabel(label, redactText);
}
