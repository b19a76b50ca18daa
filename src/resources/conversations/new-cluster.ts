import { plainTextDocument } from '../../analysis/plain-text-document.ts';
import { defaultIcon } from '../../analysis/icons.ts';
import type { ClusterRow, IssueRow } from '../conversation-issues/rows.ts';

/** A cluster that is not described yet: its label is the title of one of its issues, and its counters are 0. */
export function newCluster(
  { organization, title }: Pick<IssueRow, 'organization' | 'title'>,
  id: string,
  now: string,
): ClusterRow {
  return {
    id,
    organization,
    label: title,
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
