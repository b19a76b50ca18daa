import { isQuiet } from '../../../analysis/sparkline.ts';
import type { Static } from '../../../contract/schema.ts';
import type { IssuesCluster } from '../../../resources/conversation-clusters/contract.ts';
import { drawBars } from '../../output/bars.ts';
import { sparkline } from '../../output/cell.ts';

type Cluster = Static<typeof IssuesCluster>;

const barWidth = 6;

/** A cluster as the row of a table. A terminal shows the issues per week as a drawing, other outputs as numbers. */
export function clusterRow(cluster: Cluster, isInteractive: boolean): object {
  const { weeklyPulse, lastIssueAt } = cluster;
  const pulse = isInteractive ? drawPulse(cluster) : weeklyPulse.join(' ');
  return { ...cluster, pulse, latest: lastIssueAt?.slice(0, 10) };
}

/** Returns a function that makes rows of the clusters of a page, with bars for their issues relative to the largest. */
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
 * Draws the issues of the past 13 weeks. Without any, draws those of the 13 weeks up to the newest issue, with its month, or
 * says since which month there were none.
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
