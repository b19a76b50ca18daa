import { table } from '../../core/store.ts';

export interface ConversationPart {
  readonly type: 'message';
  readonly role: 'user' | 'assistant' | 'team-member';
  readonly body: string;
}

export interface ConversationMetadata {
  readonly url?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly createdAt?: string;
}

/** Kept flat and without what can be worked out from the rest: there are many of them. */
export interface ConversationRow {
  /** `<organization>.<id of the conversation>`: see conversationId. */
  readonly id: string;
  readonly organization: string;
  readonly source: string;
  /** When it was first taken in. */
  readonly ingestedAt: string;
  /** Absent until it has been analysed, and again after its content changed. */
  readonly processedAt?: string;
  readonly impact?: 'low' | 'medium' | 'high';
  readonly subject?: string;
  readonly metadata?: ConversationMetadata;
  readonly parts: readonly ConversationPart[];
}

export const conversations = table<ConversationRow>()('conversations', {
  byOrganization: { on: ['organization'] },
  bySource: { on: ['organization', 'source'] },
});

/** Conversations that were taken in together and wait to be analysed; the oldest has the least id. */
export interface AnalysisBatchRow {
  readonly id: string;
  readonly organization: string;
  /** Ids that their callers gave them. */
  readonly conversations: readonly string[];
}

export const analysisBatches = table<AnalysisBatchRow>()('analysis_batches', {
  byOrganization: { on: ['organization'] },
});

/** What the analysis of an organization remembers, a JSON value by its key (src/analysis/state.ts). */
export interface AnalysisStateRow {
  /** See analysisStateId. */
  readonly id: string;
  readonly value: unknown;
}

export const analysisStates = table<AnalysisStateRow>()('analysis_states', {});

/** The id of a row: ids of conversations are the caller's own, so only the organization makes them unique. */
export function conversationId(organization: string, id: string): string {
  return `${organization}.${id}`;
}

export function analysisStateId(organization: string, key: string): string {
  return `${organization}.${key}`;
}
