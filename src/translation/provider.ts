import type { Term } from './glossary.ts';

export interface TranslationRequest {
  /** Codes of languages of the API, such as en and pt-br. */
  readonly from: string;
  readonly to: string;
  /** Instructions for the translation, as Markdown from a person. */
  readonly instructions: string;
  readonly terms: readonly Term[];
  readonly signal?: AbortSignal | undefined;
}

export interface Provider {
  /** The name of the service and its model. Translations are stored under this name. */
  readonly name: string;
  /** Whether it reads instructions and a glossary. For other services, fixed translations are inserted into the segments. */
  readonly followsInstructions: boolean;
  /** Maximum number of segments and characters of a batch, and of concurrent batches. */
  readonly limits: { readonly segments: number; readonly characters: number; readonly parallel: number };
  /**
   * Translates segments. The answers are not validated, and some may be missing.
   *
   * @throws Problem(unreachable), Problem(timed-out) or Problem(rate-limited) if a retry may help, another Problem otherwise
   */
  translate(
    segments: readonly string[],
    request: TranslationRequest,
  ): Promise<readonly (string | undefined)[]>;
}
