import { Problem } from '../errors/problem.ts';

/** What is wrong with a condition, and where in its text, from 0. */
export interface Fault {
  readonly at: number;
  readonly message: string;
}

/** The Problem that a condition with faults is refused with; `path` is where the input holds it, `what` what it is called. */
export function conditionProblem(
  path: string,
  faults: readonly Fault[],
  what = 'The condition',
  hint?: string,
): Problem {
  const [first] = faults;
  const words = inWords(first!);
  return new Problem('invalid-input', `${what} is not valid: ${words}${words.endsWith('?') ? '' : '.'}`, {
    violations: faults.slice(0, 10).map((fault) => ({ path, message: inWords(fault) })),
    hint:
      hint ??
      'A condition is one expression over visitor.claims, such as visitor.claims.plan == "pro" && !visitor.claims.beta.',
  });
}

/** A fault with its column, which counts from 1. */
export function inWords({ at, message }: Fault): string {
  return `column ${at + 1}: ${message}`;
}
