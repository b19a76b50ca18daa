import type { RichDocumentValue } from '../../contract/shapes.ts';
import { table } from '../../core/store.ts';

/** Something that somebody had trouble with; what it has of its conversation is a copy, as that may be replaced before it is analysed anew. */
export interface IssueRow {
  readonly id: string;
  readonly organization: string;
  /** The id that its caller gave it. */
  readonly conversation: string;
  readonly cluster: string;
  /** What the analysis calls it by: issues that say the same have one point. */
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

/** Issues of one cause, with counters of what is in it: a list of clusters looks at the last issue of each, and at no other. */
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
  /** Issues of each source. */
  readonly sources: Readonly<Record<string, number>>;
  readonly impacts: Readonly<Record<Impact, number>>;
  /** Issues of each week that a pulse may still show, by its number. */
  readonly weeks: Readonly<Record<string, number>>;
  /** What a language model called it, and of how many issues. */
  readonly words?: { readonly label: string; readonly summary: string; readonly issues: number };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const clusters = table<ClusterRow>()('conversation_clusters', {
  byUpdate: { on: ['organization'], by: ['updatedAt'] },
  byIssues: { on: ['organization'], by: ['issues'] },
  byConversations: { on: ['organization'], by: ['conversations'] },
});

export type Impact = 'low' | 'medium' | 'high';
