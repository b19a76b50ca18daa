import { getOrInsert, listSome } from '../../contract/values.ts';
import { Problem, withPath } from '../../errors/problem.ts';
import type { Session } from './session.ts';

/** The results of work on several things, and one error for all failures. */
interface Outcome<T> {
  readonly results: readonly T[];
  readonly failed: Problem | undefined;
}

/**
 * Does the work for each thing that a command names, one after another. If there are several, an error is printed when it occurs,
 * and the work continues with the next thing, unless the command was interrupted.
 */
export async function doEach<Thing extends { readonly name: string }, T>(
  session: Session,
  things: readonly Thing[],
  work: (thing: Thing) => Promise<T>,
  isSeveral = things.length > 1,
): Promise<Outcome<T>> {
  const results: T[] = [];
  const failures: { name: string; problem: Problem }[] = [];
  for (const thing of things) {
    try {
      results.push(await work(thing));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!isSeveral || session.runtime.signal.aborted) return { results, failed: error };
      const { name } = thing;
      failures.push({ name, problem: error });
      const more = error.violations
        .filter(({ message }) => !error.message.includes(message))
        .map(({ path, option, message }) => `\n${withPath({ path: option ?? path, message })}`);
      session.noteError(`error: ${name}: ${error.message}${more.join('')}`);
    }
  }
  const [first] = failures;
  if (first === undefined) return { results, failed: undefined };
  const counts = `${results.length} done, ${failures.length} failed.`;
  const isSame =
    results.length === 0 && failures.every(({ problem }) => problem.reason === first.problem.reason);
  const reason = isSame ? first.problem.reason : 'partly-failed';
  return { results, failed: new Problem(reason, counts, { hint: hintOf(failures) }) };
}

/** Returns the hint of several failures. A hint that does not belong to all of them begins with the names of the things that it belongs to. */
function hintOf(failures: readonly { name: string; problem: Problem }[]): string | undefined {
  const names = new Map<string, string[]>();
  for (const { name, problem } of failures)
    if (problem.hint !== undefined) getOrInsert(names, problem.hint, () => []).push(name);
  const hints = [...names].map(([hint, of]) =>
    of.length === failures.length ? hint : `${listSome(of)}: ${hint}`,
  );
  return hints.length === 0 ? undefined : hints.join('\n');
}
