import { Argument, Option } from 'commander';
import { markRequired } from '../command-help.ts';

/** Creates a required argument. */
export function requiredArgument(name: string, description: string): Argument {
  return markRequired(new Argument(name, description));
}

/** Creates a required option. */
export function requiredOption(flags: string, description: string): Option {
  return markRequired(new Option(flags, description));
}
