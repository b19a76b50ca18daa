import type { RichDocumentValue } from '../../contract/shapes.ts';
import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

/**
 * A problem that a user reports in a conversation. Fields of the conversation are copied, because the conversation may be
 * replaced before the next analysis.
 */
export interface IssueRow {
  readonly id: string;
  readonly organization: string;
  /** The id of the conversation that the caller chose. */
  readonly conversation: string;
  readonly cluster: string;
  /** The id of its point (a vector) in the analysis. Issues with the same text share a point. */
  readonly point: string;
  readonly title: string;
  /** The details as plain text, with an empty line between paragraphs. */
  readonly text: string;
  readonly impact: Impact;
  readonly source: string;
  readonly createdAt: string;
  readonly ingestedAt: string;
}

export const issues = table<IssueRow>()('conversation_issues', {
  byOrganization: { on: ['organization'] },
  byCluster: { on: ['organization', 'cluster'], by: ['createdAt'] },
  byConversation: { on: ['organization', 'conversation'] },
  byPoint: { on: ['organization', 'point'] },
});

/** A group of issues with the same cause. It stores counts, so that a list of clusters reads only the last issue of each. */
export interface ClusterRow {
  readonly id: string;
  readonly organization: string;
  readonly label: string;
  readonly icon: string;
  readonly summary: RichDocumentValue;
  readonly muted: boolean;
  readonly impact: Impact;
  readonly issues: number;
  readonly conversations: number;
  /** The number of issues by source. */
  readonly sources: Readonly<Record<string, number>>;
  readonly impacts: Readonly<Record<Impact, number>>;
  /** The number of issues by week, for all weeks that a sparkline up to the newest issue may show. */
  readonly weeks: Readonly<Record<string, number>>;
  /** The label and summary from a language model, and the number of issues at that time. */
  readonly words?: { readonly label: string; readonly summary: string; readonly issues: number };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const clusters = audited(
  table<ClusterRow>()('conversation_clusters', {
    byUpdate: { on: ['organization'], by: ['updatedAt'] },
    byIssues: { on: ['organization'], by: ['issues'] },
    byConversations: { on: ['organization'], by: ['conversations'] },
  }),
  { type: 'issues-cluster', label: 'label', fields: ['muted'], progress: ['muted'] },
);

type Impact = 'low' | 'medium' | 'high';
