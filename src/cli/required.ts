import { Argument, Option } from 'commander';

/**
 * Required arguments and options. They are optional for commander, because on a terminal the user can choose a missing
 * value from a list.
 */
const required = new WeakSet<Argument | Option>();

/** Creates a required argument. */
export function requiredArgument(name: string, description: string): Argument {
  return markRequired(new Argument(name, description));
}

/** Creates an option that a command needs. */
export function requiredOption(flags: string, description: string): Option {
  return markRequired(new Option(flags, description));
}

/** Marks an argument or option as one that the command needs. */
export function markRequired<T extends Argument | Option>(one: T): T {
  required.add(one);
  return one;
}

/** Whether an argument or option was marked as required. */
export function isRequired(one: Argument | Option): boolean {
  return required.has(one);
}
