import type { Static } from '../../../contract/schema.ts';
import type { IssuesCluster } from '../../../resources/conversation-clusters/contract.ts';
import { drawBars } from '../../output/bars.ts';
import { sparkline } from '../../output/cell.ts';

type Cluster = Static<typeof IssuesCluster>;

const barWidth = 6;

/** A cluster as the row of a table. A terminal shows the issues per week as a drawing, other outputs as numbers. */
export function clusterRow(cluster: Cluster, isInteractive: boolean): object {
  const { weeklyPulse, lastIssueAt } = cluster;
  const pulse = isInteractive ? drawPulse(weeklyPulse, lastIssueAt) : weeklyPulse.join(' ');
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

/** Draws the issues per week, or says since which month there were none. */
export function drawPulse(counts: readonly number[], lastIssueAt: string | undefined): string {
  if (counts.some((count) => count > 0)) return sparkline(counts);
  return lastIssueAt === undefined ? 'quiet' : `quiet since ${lastIssueAt.slice(0, 7)}`;
}
