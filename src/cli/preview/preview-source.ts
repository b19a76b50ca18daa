import type { Core } from '../../core/embedded.ts';

/** What a preview shows, and how it follows what it is made from. */
export interface PreviewSource {
  /** What is shown now. */
  readonly core: Core;
  /** What is wrong with what is shown, as lines for the page and the terminal. */
  readonly problems: readonly string[];
  /** The ID of the organization, where the source knows it. */
  readonly organization?: string | undefined;
  /** Looks for changes and applies them. Returns whether there were any. Faults are added to the problems. */
  readonly update: () => Promise<boolean>;
}
