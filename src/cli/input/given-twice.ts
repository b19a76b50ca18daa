import { joinAnd } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { fieldFlag } from './flags.ts';

/** Returns the error for an argument whose option, which has the same name, is given as well. */
export function givenTwice(name: string, argument: unknown): Problem {
  return new Problem(
    'usage',
    `The argument "${name}" (${JSON.stringify(argument)}) and --${name} cannot be used together.`,
    { hint: 'Use only one of them.' },
  );
}

/** Returns the error for a named space beside --all-spaces. */
export function allSpacesAndOne(): Problem {
  return new Problem('usage', '--all-spaces cannot be used with the name of a space.', {
    hint: 'Leave out --all-spaces, or the spaces.',
  });
}

/** Checks options that exclude each other, by their keys. @throws Problem(usage) if more than one is given */
export function refuseTogether(options: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(options).filter((key) => options[key] !== undefined);
  if (given.length > 1) throw givenTogether(given.map((key) => `--${fieldFlag(key)}`));
}

/** Checks options that have no effect without another one, by their keys. @throws Problem(usage) */
export function refuseWithout(
  [needed, value]: readonly [key: string, value: unknown],
  options: Readonly<Record<string, unknown>>,
): void {
  const [first] = Object.keys(options).filter((key) => options[key] !== undefined);
  if (first === undefined || (value !== undefined && value !== false)) return;
  const flag = `--${fieldFlag(needed)}`;
  throw new Problem('usage', `--${fieldFlag(first)} works only with ${flag}.`, { hint: `Add ${flag}.` });
}

/** Returns the error for options that exclude each other. */
export function givenTogether(flags: readonly string[], hint = 'Use only one of them.'): Problem {
  return new Problem('usage', `${joinAnd(flags)} cannot be used together.`, { hint });
}
