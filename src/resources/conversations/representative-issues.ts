import { representativePoints } from '../../analysis/describe-cluster.ts';
import type { AnalysisState } from '../../analysis/state.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { issues, type IssueRow } from '../conversation-issues/rows.ts';

/** The oldest issue that a point stands for. */
export async function findOneOf(
  view: ReadTransaction,
  organization: string,
  point: string,
): Promise<IssueRow | undefined> {
  return (await view.find(issues, { index: 'byPoint', equals: [organization, point], limit: 1 }))[0];
}

/** One issue of each point that stands best for a cluster, best first. */
export async function sampleOf(
  state: AnalysisState,
  read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>,
  organization: string,
  cluster: string,
): Promise<IssueRow[]> {
  const points = await representativePoints(state, cluster);
  return read(async (view) => {
    const found: IssueRow[] = [];
    for (const point of points) {
      const issue = await findOneOf(view, organization, point);
      if (issue !== undefined) found.push(issue);
    }
    return found;
  });
}
