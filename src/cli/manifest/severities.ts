import type { Command } from 'commander';
import { warningRules } from '../../content-sync/warning-rules.ts';
import { nearest } from '../../contract/nearest.ts';
import { Problem } from '../../errors/problem.ts';
import { collect } from '../fields.ts';

/** What the warnings of `docsctl validate` mean, by the code of their rule. */
export const validationRules = {
  ...warningRules,
  'deprecated-field': 'the manifest uses the former name of a field',
  'empty-import': 'a file pattern of an import matches no file',
} as const;

export type ValidationRule = keyof typeof validationRules;

/** How a rule is taken: it fails the check, is shown, or is left out. */
export type Severity = 'error' | 'warn' | 'off';

export interface SeverityOptions {
  readonly denyWarnings?: boolean;
  readonly error?: readonly string[];
  readonly warn?: readonly string[];
  readonly off?: readonly string[];
}

/** Adds the options that choose which rules fail a check. */
export function addSeverityOptions(command: Command): Command {
  const list = 'separated by commas (repeatable)';
  return command
    .option('--deny-warnings', 'fail if there is any warning (exit 8)')
    .option('--error <rules>', `rules whose warnings are errors, ${list}`, collect)
    .option('--warn <rules>', `rules that only warn, also with --deny-warnings, ${list}`, collect)
    .option('--off <rules>', `rules to leave out, ${list}`, collect);
}

/** Reads how each rule is taken. @throws Problem(usage) for an unknown rule, or one that is given twice */
export function readSeverities({
  denyWarnings = false,
  ...lists
}: SeverityOptions): (rule: ValidationRule) => Severity {
  const given = new Map<string, Severity>();
  for (const severity of ['error', 'warn', 'off'] as const)
    for (const rule of (lists[severity] ?? []).flatMap(splitList)) {
      checkRule(rule);
      const before = given.get(rule);
      if (before !== undefined && before !== severity)
        throw new Problem('usage', `The rule ${rule} is given to --${before} and to --${severity}.`, {
          hint: 'Keep one of them.',
        });
      given.set(rule, severity);
    }
  return (rule) => given.get(rule) ?? (denyWarnings ? 'error' : 'warn');
}

function splitList(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

function checkRule(rule: string): void {
  const known = Object.keys(validationRules);
  if (known.includes(rule)) return;
  const [close] = nearest(rule, known);
  throw new Problem('usage', `There is no rule "${rule.slice(0, 60)}".`, {
    hint: close === undefined ? `The rules are ${known.join(', ')}.` : `Did you mean ${close}?`,
  });
}
