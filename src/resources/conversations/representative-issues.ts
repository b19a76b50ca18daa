import { representativePoints } from '../../analysis/describe-cluster.ts';
import type { AnalysisState } from '../../analysis/state.ts';
import type { ReadTransaction } from '../../core/store.ts';
import { createKnownRedactor, mergeNames } from '../../redaction/known-data.ts';
import { issues, type IssueRow } from '../conversation-issues/rows.ts';
import { knownDataOf, redactIssue, redactTextOf } from './private-data.ts';
import { conversationId, conversations, type ConversationRow } from './rows.ts';

/** Returns the oldest issue of a point. */
export async function findIssueOfPoint(
  view: ReadTransaction,
  organization: string,
  point: string,
): Promise<IssueRow | undefined> {
  const [issue] = await view.find(issues, { index: 'byPoint', equals: [organization, point], limit: 1 });
  return issue;
}

/** Issues that represent a cluster, and a function that redacts texts derived from them. */
interface Sample {
  /** Their texts are redacted. */
  readonly issues: readonly IssueRow[];
  /** Replaces private data that rules find, and the names in the conversations of the issues. */
  readonly redactText: (text: string) => string;
}

/** Returns one issue for each point that represents a cluster well, best first. Private data in their texts is replaced. */
export async function readSample(
  state: AnalysisState,
  read: <T>(work: (view: ReadTransaction) => Promise<T>) => Promise<T>,
  organization: string,
  cluster: string,
): Promise<Sample> {
  const points = await representativePoints(state, cluster);
  const found = await read(async (view) => {
    const rows = new Map<string, { issue: IssueRow; conversation: ConversationRow | undefined }>();
    for (const point of new Set(points)) {
      const issue = await findIssueOfPoint(view, organization, point);
      if (issue !== undefined) rows.set(point, { issue, conversation: await findConversation(view, issue) });
    }
    return rows;
  });
  const known = new Map(Array.from(found, ([point, { conversation }]) => [point, knownDataOf(conversation)]));
  // A name in one of the conversations, such as the name of an agent, is replaced in the others too.
  const shared = mergeNames([...known.values()]);
  const redactNames = createKnownRedactor(shared, ['name']);
  const redacted = new Map<string, IssueRow>();
  for (const [point, { issue }] of found) {
    const redactOwn = redactTextOf(known.get(point));
    redacted.set(
      point,
      redactIssue(issue, (text) => redactNames(redactOwn(text))),
    );
  }
  return { issues: points.flatMap((point) => redacted.get(point) ?? []), redactText: redactTextOf(shared) };
}

/** Returns the conversation of an issue. */
export function findConversation(
  view: ReadTransaction,
  { organization, conversation }: IssueRow,
): Promise<ConversationRow | undefined> {
  return view.get(conversations, conversationId(organization, conversation));
}
