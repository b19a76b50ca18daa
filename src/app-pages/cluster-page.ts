import { isQuiet } from '../analysis/sparkline.ts';
import { markup } from '../render/markup.ts';
import { getCluster } from '../resources/conversation-clusters/contract.ts';
import { listIssues } from '../resources/conversation-issues/contract.ts';
import { facts, pager, pageQuery, rows, section, timeOf } from './page-parts.ts';
import type { PageMaker } from './page-view.ts';
import { renderText } from './render-text.ts';
import { organizationTrail } from './trails.ts';

/** The page of a cluster of issues from conversations. Private data in them is replaced by its kind. */
export const clusterPage: PageMaker = async (context, { organizationId = '', clusterId = '' }) => {
  const trail = await organizationTrail(context, organizationId);
  const cluster = await context.api.call(getCluster, { params: { organizationId, clusterId } });
  const issues = await context.api.call(listIssues, {
    params: { organizationId },
    query: { ...pageQuery(context, 'issues'), cluster: clusterId, redact: true },
  });
  const { stats, weeklyPulse, latestPulse, lastIssueAt } = cluster;
  return {
    kind: 'Cluster of issues',
    title: cluster.label,
    trail,
    body: [
      facts([
        ['Impact', cluster.impact],
        ['Issues', stats.issues],
        ['Conversations', stats.conversations],
        [
          'Per week',
          isQuiet(weeklyPulse) && latestPulse !== undefined
            ? [`${latestPulse.join(' ')} (oldest first, up to `, timeOf(lastIssueAt ?? ''), ')']
            : `${weeklyPulse.join(' ')} (oldest first)`,
        ],
        [
          'Sources',
          Object.entries(cluster.sources)
            .map(([name, count]) => `${name} ${count}`)
            .join(', '),
        ],
        ['Muted', cluster.muted && 'yes'],
        ['Updated', timeOf(cluster.updatedAt)],
      ]),
      markup`<div class="app-article">${await renderText(cluster.summary)}</div>`,
      section(
        'Issues',
        [
          rows(
            issues.items.map(({ issue }) => ({
              title: issue.title,
              tags: [issue.impact],
              note: [issue.summary, ' ', timeOf(issue.createdAt)],
            })),
            'There are no issues.',
          ),
          pager(context, 'issues', issues),
        ],
        issues.count,
      ),
    ],
  };
};
