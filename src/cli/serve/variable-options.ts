import type { Command } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { isGlobal } from '../settings/global-options.ts';
import type { Runtime } from '../runtime.ts';

/** Returns the variable for an option: DOCSCTL_SITES_PORT for `--sites-port`. */
export function variableOf(flag: string): string {
  return `DOCSCTL_${flag.replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`;
}

interface VariableOptions<T> {
  readonly options: T;
  /** Returns the name of the source of an option's value, for errors: `--port` or `DOCSCTL_PORT`. */
  readonly from: (flag: string) => string;
}

/**
 * Adds the values of variables to the options of a command. An option on the command line overrides its variable. The variable of
 * an option without a value is `yes` or `no`.
 *
 * @throws Problem(invalid-input) for another value of such a variable
 */
export function withVariables<T extends { [K in keyof T]: unknown }>(
  command: Command,
  options: T,
  env: Runtime['env'],
): VariableOptions<T> {
  const values: Record<string, unknown> = { ...(options as Record<string, unknown>) };
  const used = new Map<string, string>();
  // Global options have their own variables.
  for (const option of command.options.filter((each) => !isGlobal(each))) {
    const { long, required, optional } = option;
    const name = option.attributeName();
    const variable = variableOf(long ?? '');
    const value = env[variable];
    if (long == null || value === undefined || value === '' || command.getOptionValueSource(name) === 'cli')
      continue;
    values[name] = required || optional ? value : readSwitch(variable, value);
    used.set(long, variable);
  }
  return { options: values as T, from: (flag) => used.get(flag) ?? flag };
}

function readSwitch(variable: string, value: string): boolean {
  if (value === 'yes' || value === 'no') return value === 'yes';
  throw new Problem('invalid-input', `${variable} takes yes or no, not "${value.slice(0, 60)}".`, {
    hint: 'Unset it to use the default.',
  });
}
