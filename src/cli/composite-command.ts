import { Argument, Option, type Command } from 'commander';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import { markRequired } from './input/required.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session/session.ts';

/** The help of a command besides its summary, arguments and options. */
export interface CommandHelp {
  /** Paragraphs, separated by empty lines. Lines that start with a space are not wrapped. */
  readonly description?: string;
  /** Command lines that work as printed; a test runs each of them. */
  readonly examples: readonly string[];
  /** Exit codes with a special meaning in this command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** An alternative to --dry-run, for commands that make changes and refuse --dry-run because they cannot show them. */
  readonly noDryRun?: string;
  /** The columns of a list that the command creates itself, for completion. */
  readonly columns?: readonly string[];
  readonly operation?: Operation;
}

const helpOfCommands = new WeakMap<Command, CommandHelp>();

/** Sets the help of a command. */
export function setHelp(command: Command, help: CommandHelp): void {
  helpOfCommands.set(command, help);
}

/** Returns the help of a command; empty help if none is set. */
export function helpOf(command: Command): CommandHelp {
  return helpOfCommands.get(command) ?? { examples: [] };
}

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

/** Creates a required argument. */
export function requiredArgument(name: string, description: string): Argument {
  return markRequired(new Argument(name, description));
}

/** Creates a required option. */
export function requiredOption(flags: string, description: string): Option {
  return markRequired(new Option(flags, description));
}
