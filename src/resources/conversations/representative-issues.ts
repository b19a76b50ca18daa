import { representativePoints } from '../../analysis/describe-cluster.ts';
import type { AnalysisState } from '../../analysis/state.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { issues, type IssueRow } from '../conversation-issues/rows.ts';

/** The oldest issue of a point. */
export async function findIssueOfPoint(
  view: ReadTransaction,
  organization: string,
  point: string,
): Promise<IssueRow | undefined> {
  const [issue] = await view.find(issues, { index: 'byPoint', equals: [organization, point], limit: 1 });
  return issue;
}

/** One issue of each point that represents a cluster best, best first. */
export async function readSample(
  state: AnalysisState,
  read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>,
  organization: string,
  cluster: string,
): Promise<IssueRow[]> {
  const points = await representativePoints(state, cluster);
  return read(async (view) => {
    const found: IssueRow[] = [];
    for (const point of points) {
      const issue = await findIssueOfPoint(view, organization, point);
      if (issue !== undefined) found.push(issue);
    }
    return found;
  });
}
