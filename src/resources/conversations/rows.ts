import { audited } from '../../core/audit/audited.ts';
import { table } from '../../core/store.ts';

interface ConversationPart {
  readonly type: 'message';
  readonly role: 'user' | 'assistant' | 'team-member';
  readonly body: string;
}

interface ConversationMetadata {
  readonly url?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly createdAt?: string;
}

/** A conversation. The row is flat and has no redundant fields, because there are many conversations. */
export interface ConversationRow {
  /** `<organization>.<id of the conversation>`; see `conversationId`. */
  readonly id: string;
  readonly organization: string;
  readonly source: string;
  /** When it was first ingested. */
  readonly ingestedAt: string;
  /** Absent until it is analyzed, and again after its content changed. */
  readonly processedAt?: string;
  readonly impact?: 'low' | 'medium' | 'high';
  readonly subject?: string;
  readonly metadata?: ConversationMetadata;
  readonly parts: readonly ConversationPart[];
}

export const conversations = audited(
  table<ConversationRow>()('conversations', {
    byOrganization: { on: ['organization'] },
    bySource: { on: ['organization', 'source'] },
  }),
  { type: 'conversation', counted: true },
);

/** Conversations that were ingested together and wait for their analysis. The oldest batch has the smallest id. */
export interface AnalysisBatchRow {
  readonly id: string;
  readonly organization: string;
  /** The ids that the caller chose. */
  readonly conversations: readonly string[];
}

export const analysisBatches = table<AnalysisBatchRow>()('analysis_batches', {
  byOrganization: { on: ['organization'] },
});

/** A value of the state of an organization's analysis (see src/analysis/state.ts). */
interface AnalysisStateRow {
  /** See `analysisStateId`. */
  readonly id: string;
  readonly value: unknown;
}

export const analysisStates = table<AnalysisStateRow>()('analysis_states', {});

/** Returns the id of a row. Callers choose the ids of conversations, so they are unique only within an organization. */
export function conversationId(organization: string, id: string): string {
  return `${organization}.${id}`;
}

/** Returns the ID of the row for a value of an organization's analysis. */
export function analysisStateId(organization: string, key: string): string {
  return `${organization}.${key}`;
}
