import type { Term } from './glossary.ts';

export interface TranslationRequest {
  /** Codes of languages of the API, such as en and pt-br. */
  readonly from: string;
  readonly to: string;
  /** How to translate, as Markdown that a person wrote. */
  readonly instructions: string;
  readonly terms: readonly Term[];
  readonly signal?: AbortSignal | undefined;
}

export interface Provider {
  /** The service and its model: translations are remembered under this name. */
  readonly name: string;
  /** Whether it reads instructions and a glossary; for others, fixed translations are put into the segments. */
  readonly followsInstructions: boolean;
  /** The most segments and characters of a batch, and the batches at once. */
  readonly limits: { readonly segments: number; readonly characters: number; readonly parallel: number };
  /**
   * Translates segments. The answers are not checked, and some may be missing.
   *
   * @throws Problem(unreachable), Problem(timed-out) or Problem(rate-limited) where trying again later helps, another
   * Problem where it does not
   */
  translate(
    segments: readonly string[],
    request: TranslationRequest,
  ): Promise<readonly (string | undefined)[]>;
}
