import type { Command } from 'commander';
import { Problem } from '../errors/problem.ts';
import type { CommandHelp } from './command-help.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session/session.ts';

/** Converts the work of a command to an action of commander that runs it in a session. */
type InSession = <Arguments extends unknown[]>(
  work: (session: Session, ...args: Arguments) => Promise<void>,
) => (...args: Arguments) => Promise<void>;

/** Adds the arguments, options, help and action of a command. */
export type DefineCommand = (command: Command, inSession: InSession, runtime: Runtime) => void;

/** A command that is not a single operation. */
export interface CompositeCommand {
  readonly words: string;
  readonly summary: string;
  /** An output format that only this command has. */
  readonly format?: string;
  readonly load: () => Promise<{ readonly define: DefineCommand; readonly help: CommandHelp }>;
}

/** Ends a command with an exit code and no error message, because its output is sufficient. */
export class ExitCode extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

/** Returns the value of an argument. @throws Problem(usage) with this question if it is missing */
export function requireArgument(value: string | undefined, question: string, hint: string): string {
  if (value === undefined) throw new Problem('usage', question, { hint });
  return value;
}
