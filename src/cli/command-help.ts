import type { Argument, Command, Option } from 'commander';
import type { Operation } from '../contract/operation.ts';

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

/**
 * Required arguments and options. For commander they are optional, because on a terminal the user can choose a missing value from
 * a list.
 */
const required = new WeakSet<Argument | Option>();

/** Marks an argument or option as required. */
export function markRequired<T extends Argument | Option>(one: T): T {
  required.add(one);
  return one;
}

/** Required arguments and options that are not needed with --body. */
const inBody = new WeakSet<Argument | Option>();

/** Marks an argument or option as required unless a file of --body contains its value. */
export function markRequiredInBody<T extends Argument | Option>(one: T): T {
  inBody.add(one);
  return markRequired(one);
}

const commaSeparated = new WeakSet<Option>();

/** Marks an option with choices as one that takes several of them, separated by commas. */
export function markCommaSeparated(option: Option): void {
  commaSeparated.add(option);
}

/** Whether an option with choices takes several of them, separated by commas. */
export function isCommaSeparated(option: Option): boolean {
  return commaSeparated.has(option);
}

/** Whether an argument or option was marked as required, even with --body. */
export function isAlwaysRequired(one: Argument | Option): boolean {
  return required.has(one) && !inBody.has(one);
}

/** Whether an argument or option was marked as required. */
export function isRequired(one: Argument | Option): boolean {
  return required.has(one);
}
