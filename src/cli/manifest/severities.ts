import type { Command } from 'commander';
import { warningRules } from '../../content-sync/warning-rules.ts';
import { nearest } from '../../contract/nearest.ts';
import { Problem } from '../../errors/problem.ts';
import { collect } from '../input/collect.ts';
import type { SettingName, Settings } from '../runtime.ts';
import { settingWord } from '../settings/settings.ts';

/** Explanations of the warnings of `docsctl validate`, by the code of their rule. */
export const validationRules = {
  ...warningRules,
  'deprecated-field': 'the manifest uses the former name of a field',
  'empty-import': 'a file pattern of an import matches no file',
} as const;

/** The rules in the order in which the help lists them. */
const knownRules: readonly string[] = Object.keys(validationRules).sort();

export type ValidationRule = keyof typeof validationRules;

/** The severity of a rule: it fails the check, is shown, or is ignored. */
export type Severity = 'error' | 'warn' | 'off';

export interface SeverityOptions {
  readonly denyWarnings?: boolean;
  readonly error?: readonly string[];
  readonly warn?: readonly string[];
  readonly off?: readonly string[];
}

/** Adds the options that choose which rules fail a check. */
export function addSeverityOptions(command: Command): Command {
  const list = 'separated by commas';
  return command
    .option('--deny-warnings', 'fail if there is any warning (exit 8)')
    .option('--error <rules>', `rules whose warnings are errors, ${list}`, collect)
    .option('--warn <rules>', `rules that only warn, even with --deny-warnings, ${list}`, collect)
    .option('--off <rules>', `rules to leave out, ${list}`, collect);
}

const severities = ['error', 'warn', 'off'] as const;

const settings = { error: 'validateError', warn: 'validateWarn', off: 'validateOff' } as const;

/** Returns the severity for which a setting lists rules; undefined for other settings. */
export function severitySetting(name: SettingName): Severity | undefined {
  return severities.find((severity) => settings[severity] === name);
}

/**
 * Returns the severity of each rule: from the options, or else from the settings of the project.
 * @throws Problem(invalid-input) for an unknown rule, Problem(usage) for a rule in two lists
 */
export function readSeverities(
  { denyWarnings = false, ...lists }: SeverityOptions,
  saved: Settings,
): (rule: ValidationRule) => Severity {
  const given = readRuleLists(
    (severity) => ({
      name: `--${severity}`,
      place: '',
      rules: (lists[severity] ?? []).flatMap(splitRules),
    }),
    knownRules,
  );
  const ofProject = readRuleLists((severity) => {
    const { value, from } = saved[settings[severity]] ?? {};
    return {
      name: settingWord(settings[severity]),
      place: from === undefined ? '' : ` in ${from}`,
      rules: value === undefined ? [] : splitRules(value),
    };
  }, knownRules);
  return (rule) => given.get(rule) ?? ofProject.get(rule) ?? (denyWarnings ? 'error' : 'warn');
}

interface RuleList {
  /** The option or setting that lists the rules. */
  readonly name: string;
  /** The file that contains the setting, for errors. */
  readonly place: string;
  readonly rules: readonly string[];
}

/**
 * Returns the severity of each rule from a list of rules for each severity.
 * @throws Problem(invalid-input) for an unknown rule, Problem(usage) for a rule in two lists
 */
export function readRuleLists(
  listOf: (severity: Severity) => RuleList,
  known: readonly string[],
): Map<string, Severity> {
  const found = new Map<string, Severity>();
  for (const severity of severities) {
    const { name, place, rules } = listOf(severity);
    for (const rule of rules) {
      checkRule(rule, place, known);
      const before = found.get(rule);
      if (before !== undefined && before !== severity)
        throw new Problem(
          'usage',
          `The rule ${rule} is given to ${listOf(before).name} and to ${name}${place}.`,
          { hint: 'Keep one of them.' },
        );
      found.set(rule, severity);
    }
  }
  return found;
}

/** Splits a list of rules at its commas. */
export function splitRules(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

/** Checks that a rule exists. `place` names the file that lists it. @throws Problem(invalid-input) */
export function checkRule(rule: string, place = '', known: readonly string[] = knownRules): void {
  if (known.includes(rule)) return;
  const [close] = nearest(rule, known);
  throw new Problem('invalid-input', `There is no rule "${rule.slice(0, 60)}"${place}.`, {
    hint: close === undefined ? `The rules are ${known.join(', ')}.` : `Did you mean ${close}?`,
  });
}
