import type { Term } from './glossary.ts';

/** What a translator is told with each batch. */
export interface TranslationRequest {
  /** Codes of languages of the API, such as en and pt-br. */
  readonly from: string;
  readonly to: string;
  /** What somebody wrote about how to translate, as Markdown. */
  readonly instructions: string;
  readonly terms: readonly Term[];
  readonly signal?: AbortSignal | undefined;
}

/** A service that translates. */
export interface Provider {
  /** What its translations depend on beside the request: the service and its model. */
  readonly name: string;
  /** It follows instructions and a glossary; for others fixed terms are put in their places. */
  readonly followsInstructions: boolean;
  /** The most segments and characters of a batch, and batches at once. */
  readonly limits: { readonly segments: number; readonly characters: number; readonly parallel: number };
  /**
   * Translates segments; what it gives for one may be anything, or nothing. Throws a Problem where the service cannot be
   * used: `unreachable`, `timed-out` and `rate-limited` pass, others do not.
   */
  translate(
    segments: readonly string[],
    request: TranslationRequest,
  ): Promise<readonly (string | undefined)[]>;
}
