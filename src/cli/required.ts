import { Argument, Option } from 'commander';

/**
 * Arguments and options that a command needs, although commander accepts it without them: where somebody is at the
 * terminal, what is missing is chosen from a list.
 */
const required = new WeakSet<Argument | Option>();

/** Creates an argument that a command needs. */
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

export function isRequired(one: Argument | Option): boolean {
  return required.has(one);
}
