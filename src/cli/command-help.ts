import type { Argument, Command, Option } from 'commander';
import type { Operation } from '../contract/operation.ts';

/** What the help of a command says beyond its summary, arguments and options. */
export interface CommandHelp {
  /** Paragraphs, separated by empty lines. Lines that begin with a space keep their breaks. */
  readonly description?: string;
  /** Command lines that work as printed; a test runs each of them. */
  readonly examples: readonly string[];
  /** Exit codes with a meaning of their own in this command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** What to do in place of --dry-run, which a command that changes something refuses if it cannot show what it would do. */
  readonly noDryRun?: string;
  /** The columns of a list that the command makes itself, for completion. */
  readonly columns?: readonly string[];
  readonly operation?: Operation;
}

const helpOfCommands = new WeakMap<Command, CommandHelp>();

/** Sets what the help of a command says. */
export function setHelp(command: Command, help: CommandHelp): void {
  helpOfCommands.set(command, help);
}

/** Returns the help of a command; without one, help without examples. */
export function helpOf(command: Command): CommandHelp {
  return helpOfCommands.get(command) ?? { examples: [] };
}

/**
 * Required arguments and options. They are optional for commander, because on a terminal the user can choose a missing
 * value from a list.
 */
const required = new WeakSet<Argument | Option>();

/** Marks an argument or option as one that the command needs. */
export function markRequired<T extends Argument | Option>(one: T): T {
  required.add(one);
  return one;
}

/** Required arguments and options that a file of --body can stand for. */
const inBody = new WeakSet<Argument | Option>();

/** Marks an argument or option as one that the command needs unless a file of --body has its value. */
export function markRequiredInBody<T extends Argument | Option>(one: T): T {
  inBody.add(one);
  return markRequired(one);
}

/** Whether an argument or option was marked as required, whatever a file of --body holds. */
export function isAlwaysRequired(one: Argument | Option): boolean {
  return required.has(one) && !inBody.has(one);
}

/** Whether an argument or option was marked as required. */
export function isRequired(one: Argument | Option): boolean {
  return required.has(one);
}
