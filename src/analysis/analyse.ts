import { place } from './place.ts';
import { type FoundIssue, split, type SpokenConversation } from './split.ts';
import type { AnalysisState, Writes } from './state.ts';

export interface AnalysedIssue extends FoundIssue {
  /** Stands for issues that say the same; kept with the issue, as moves and withdrawals name it. */
  readonly point: string;
  readonly cluster: string;
}

export interface Analysed {
  /** For each conversation its issues, in order; none where the user says nothing. */
  readonly issues: readonly (readonly AnalysedIssue[])[];
  /** Clusters that began with these issues. */
  readonly began: readonly string[];
  readonly writes: Writes;
  /** The version of the model that this was worked out from. */
  readonly since: number;
}

/**
 * The way in for whoever keeps the rows. One organization is one state, and one job works on it at a time:
 *
 * 1. `analyse` some hundred conversations (of one that was analysed before, `withdraw` its points first); in one
 *    transaction check that the model's version is still `since` (`undefined` counts as 0), apply `writes`, insert the
 *    issues and the clusters that `began`.
 * 2. When `isDue(model, whether more is waiting)`: `consolidate` outside any transaction, then apply its `writes` under the
 *    same check; insert the clusters that `began`.
 * 3. While `nextMoves` gives a page: set `cluster` (and `point`, where `into` is named) on all issues of each `point`, in
 *    as many transactions as that takes, then apply its `writes`.
 * 4. Remove clusters that `vanished` once no move is waiting, and `describe` those whose issues changed.
 */
export async function analyse(
  state: AnalysisState,
  conversations: readonly SpokenConversation[],
  options: { newId: () => string },
): Promise<Analysed> {
  const found = conversations.map(split);
  const all = found.flat();
  const { placements, writes, since } = await place(
    state,
    all.map(({ text }) => text),
    options,
  );
  let next = 0;
  const issues = found.map((each) =>
    each.map((issue) => {
      const { point, cluster } = placements[next++]!;
      return { ...issue, point, cluster };
    }),
  );
  return {
    issues,
    began: placements.filter(({ began }) => began).map(({ cluster }) => cluster),
    writes,
    since,
  };
}
