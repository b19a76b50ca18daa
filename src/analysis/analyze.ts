import { type Placement, placeIssues } from './place-issues.ts';
import type { SentenceEmbedder } from './sentence-vectors.ts';
import { type ConversationText, type FoundIssue, splitConversation } from './split-conversation.ts';
import type { AnalysisState, StateChange } from './state.ts';

export interface IssueOf<T extends ConversationText> extends FoundIssue {
  readonly conversation: T;
}

interface AnalyzedIssue extends FoundIssue, Placement {}

export interface AnalyzedBatch extends StateChange {
  /** The issues of each conversation, in order; none if the user says nothing. */
  readonly issues: readonly (readonly AnalyzedIssue[])[];
  /** Clusters that start with these issues. */
  readonly created: readonly string[];
}

/**
 * Finds the issues of conversations and places each in a cluster. This is the entry of the analysis for the code that
 * stores its rows. An organization has one state, and one job at a time works on it:
 *
 * 1. `analyze` some hundred conversations (if they were analyzed before, `withdrawIssues` of their points first). In one
 *    transaction check that the version of the model is still `baseVersion` (0 without a model), apply `writes`, and
 *    insert the issues and the `created` clusters.
 * 2. If `isConsolidationDue`, and there is a model of sentences, `putSentences` of the points without. Then `consolidate` outside
 *    of any transaction, apply its `writes` with the same check, and insert the `created` clusters.
 * 3. While `nextMoves` returns a page: set `cluster` (and `point`, if `into` is set) on all issues of each `point`, in as
 *    many transactions as that takes, then apply its `writes`.
 * 4. When no moves are left, remove the `removed` clusters, and `describeCluster` those whose issues changed.
 */
export async function analyze<T extends ConversationText>(
  state: AnalysisState,
  conversations: readonly T[],
  options: { newId: () => string; embedder?: SentenceEmbedder<IssueOf<T>> | undefined },
): Promise<AnalyzedBatch> {
  const found = conversations.map((conversation) =>
    splitConversation(conversation).map((issue): IssueOf<T> => ({ ...issue, conversation })),
  );
  const { placed, ...change } = await placeIssues(state, found.flat(), options);
  const created = placed.filter(({ isNewCluster }) => isNewCluster).map(({ cluster }) => cluster);
  return { issues: found.map(({ length }) => placed.splice(0, length)), created, ...change };
}
