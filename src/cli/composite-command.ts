import type { Command } from 'commander';
import type { Session } from './session.ts';

/** Runs a command's work in a session. */
export type RunInSession = (work: (session: Session) => Promise<void>) => Promise<void>;

/** A command written by hand, because it is not one operation. */
export interface CompositeCommand {
  readonly words: string;
  readonly summary: string;
  /** A format of its own, beside those of all commands. */
  readonly format?: string;
  readonly load: () => Promise<{ define: (command: Command, run: RunInSession) => void }>;
}

/** Ends a command with an exit code that needs no error message: what it printed says it. */
export class ExitCode extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}
