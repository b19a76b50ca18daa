import type { Command } from 'commander';
import type { Session } from './session.ts';

/** Runs a command's work in a session. */
export type RunIn = (work: (session: Session) => Promise<void>) => Promise<void>;

/** A command written by hand, because it is not one operation. */
export interface Composite {
  readonly words: string;
  readonly summary: string;
  /** A format of its own, beside those of all commands. */
  readonly format?: string;
  readonly load: () => Promise<{ define: (command: Command, run: RunIn) => void }>;
}
