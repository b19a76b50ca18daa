import { Problem } from '../../errors/problem.ts';

/** Returns the error for an argument whose option, which has the same name, is given as well. */
export function givenTwice(name: string, argument: unknown): Problem {
  return new Problem(
    'usage',
    `The argument "${name}" (${JSON.stringify(argument)}) and --${name} cannot be used together.`,
    { hint: 'Give one of them.' },
  );
}
