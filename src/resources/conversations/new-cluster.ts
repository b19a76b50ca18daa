import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import { noLabel } from '../../analysis/describe-cluster.ts';
import { withoutPlaceholders } from '../../analysis/without-placeholders.ts';
import { defaultIcon } from '../../analysis/icons.ts';
import { knownDataOf, redactTextOf } from './private-data.ts';
import type { ConversationRow } from './rows.ts';
import type { ClusterRow, IssueRow } from '../conversation-issues/rows.ts';

/**
 * Returns a cluster without a description. Its label is the title of one of its issues without private data; its counters are 0.
 */
export function newCluster(
  issue: Pick<IssueRow, 'organization' | 'title'>,
  /** The conversation of the issue, if it is still there. */
  conversation: ConversationRow | undefined,
  id: string,
  now: string,
): ClusterRow {
  const { organization } = issue;
  const title = redactTextOf(knownDataOf(conversation))(issue.title);
  return {
    id,
    organization,
    label: withoutPlaceholders(title) || noLabel,
    icon: defaultIcon,
    summary: plainTextDocument([title]),
    muted: false,
    impact: 'low',
    issues: 0,
    conversations: 0,
    sources: {},
    impacts: { low: 0, medium: 0, high: 0 },
    weeks: {},
    createdAt: now,
    updatedAt: now,
  };
}
