import { representativePoints } from '../../analysis/describe-cluster.ts';
import type { AnalysisState } from '../../analysis/state.ts';
import type { ReadTransaction } from '../../core/store.ts';
import type { KnownData } from '../../redaction/kinds.ts';
import { mergeNames } from '../../redaction/known-data.ts';
import { issues, type IssueRow } from '../conversation-issues/rows.ts';
import { knownDataOf, redactIssue, redactTextOf } from './private-data.ts';
import { conversationId, conversations, type ConversationRow } from './rows.ts';

/** The oldest issue of a point. */
export async function findIssueOfPoint(
  view: ReadTransaction,
  organization: string,
  point: string,
): Promise<IssueRow | undefined> {
  const [issue] = await view.find(issues, { index: 'byPoint', equals: [organization, point], limit: 1 });
  return issue;
}

/** Issues that represent a cluster, and what redacts the texts that are made of them. */
export interface Sample {
  /** Their texts are redacted. */
  readonly issues: readonly IssueRow[];
  /** Replaces private data that rules find, and the names that the conversations of the issues state. */
  readonly redactText: (text: string) => string;
}

/** One issue of each point that represents a cluster best, best first. Private data in their texts is replaced. */
export async function readSample(
  state: AnalysisState,
  read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>,
  organization: string,
  cluster: string,
): Promise<Sample> {
  const points = await representativePoints(state, cluster);
  const found = await read(async (view) => {
    const rows = new Map<
      string,
      { readonly issue: IssueRow; readonly conversation: ConversationRow | undefined }
    >();
    for (const point of new Set(points)) {
      const issue = await findIssueOfPoint(view, organization, point);
      if (issue !== undefined) rows.set(point, { issue, conversation: await findConversation(view, issue) });
    }
    return rows;
  });
  const redacted = new Map<string, IssueRow>();
  const known: KnownData[] = [];
  for (const [point, { issue, conversation }] of found) {
    const own = knownDataOf(conversation);
    known.push(own);
    redacted.set(point, redactIssue(issue, redactTextOf(own)));
  }
  // A name that one of the conversations states, such as that of an agent, is replaced in the others too.
  const redactText = redactTextOf(mergeNames(known));
  const shared = new Map(Array.from(redacted, ([point, issue]) => [point, redactIssue(issue, redactText)]));
  return { issues: points.flatMap((point) => shared.get(point) ?? []), redactText };
}

/** The conversation that an issue was found in. */
export function findConversation(
  view: ReadTransaction,
  { organization, conversation }: IssueRow,
): Promise<ConversationRow | undefined> {
  return view.get(conversations, conversationId(organization, conversation));
}
