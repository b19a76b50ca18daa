import { table } from '../store.ts';

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

export function analysisStateId(organization: string, key: string): string {
  return `${organization}.${key}`;
}
