import { isQuiet } from '../../../analysis/sparkline.ts';
import type { Static } from '../../../contract/schema.ts';
import type { IssuesCluster } from '../../../resources/conversation-clusters/contract.ts';
import { drawBars } from '../../output/bars.ts';
import { sparkline } from '../../output/cell.ts';

type Cluster = Static<typeof IssuesCluster>;

const barWidth = 6;

/** Returns a cluster as the row of a table. A terminal shows the issues per week as a sparkline, other outputs as numbers. */
export function clusterRow(cluster: Cluster, isInteractive: boolean): object {
  const { weeklyPulse, lastIssueAt } = cluster;
  const pulse = isInteractive ? drawPulse(cluster) : weeklyPulse.join(' ');
  return { ...cluster, pulse, latest: lastIssueAt?.slice(0, 10) };
}

/** Returns a function that converts the clusters of a page to rows, with bars for their issues relative to the largest. */
export function createClusterRows(isInteractive: boolean): (items: readonly unknown[]) => object[] {
  return (items) => {
    const clusters = items as readonly Cluster[];
    const bars = drawBars(
      clusters.map(({ stats }) => stats.issues),
      barWidth,
    );
    return clusters.map((cluster, index) => ({ ...clusterRow(cluster, isInteractive), share: bars[index] }));
  };
}

/**
 * Draws the issues per week of the past 13 weeks. If there are none, draws the 13 weeks up to the newest issue, with its month,
 * or writes the month of the last issue.
 */
export function drawPulse({
  weeklyPulse,
  latestPulse,
  lastIssueAt,
}: Pick<Cluster, 'weeklyPulse' | 'latestPulse' | 'lastIssueAt'>): string {
  if (!isQuiet(weeklyPulse)) return sparkline(weeklyPulse);
  if (lastIssueAt === undefined) return 'quiet';
  const month = lastIssueAt.slice(0, 7);
  return latestPulse === undefined ? `quiet since ${month}` : `${sparkline(latestPulse)} to ${month}`;
}
