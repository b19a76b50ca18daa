import type { Core } from '../../core/embedded.ts';

/** The content of a preview, and how it follows its sources. */
export interface PreviewSource {
  /** The current content. */
  readonly core: Core;
  /** Lines about problems of the content, for the page and the terminal. */
  readonly problems: readonly string[];
  /** The ID of the organization, if the source knows it. */
  readonly organization?: string | undefined;
  /** Checks for changes and applies them. Returns whether there were any. Faults become problems. */
  readonly update: () => Promise<boolean>;
}
