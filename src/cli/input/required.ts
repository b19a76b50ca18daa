import type { Argument, Option } from 'commander';

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
