import type { Command } from 'commander';
import { Problem, withTexts } from '../../errors/problem.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import type { Session } from '../session/session.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { placeOptions, withPlace } from '../output/place-in-commands.ts';

/** The options of a command line that select the manifest and the state file. */
export interface ManifestSource {
  readonly file?: string | readonly string[];
  readonly var?: readonly string[];
  readonly state?: string;
}

/** Commands that need the state file. Those in the group need the whole manifest as well. */
const suggested =
  /[`]docsctl (?:(apply|plan|drift|rehearse|adopt|state rebuild)|forget|state list|runs list|runs show|runs undo)(?= |[`])[^`]*(?=[`])/g;

/**
 * Adds to the commands in a text the manifest, state file, organization and store or server of the command line, so that they work when
 * copied.
 */
export function withSource(
  { runtime }: Pick<Session, 'runtime'>,
  text: string,
  { file = [], var: vars = [], state }: ManifestSource,
): string {
  const files = (typeof file === 'string' ? [file] : file).filter((path) => path !== '-');
  const sourced = text.replace(suggested, (command, isWhole?: string) => {
    const given: (readonly [string, string | undefined])[] =
      isWhole === undefined
        ? [state === undefined ? ['-f', files[0]] : ['--state', state]]
        : [
            ...files.map((path) => ['-f', path] as const),
            ...vars.map((variable) => ['--var', variable] as const),
            ['--state', state],
          ];
    const words = given.flatMap(([flag, value]) =>
      value === undefined || command.includes(` ${flag} `) ? [] : [flag, shellWord(value)],
    );
    return [command, ...words].join(' ');
  });
  return withPlace(runtime, sourced, [...placeOptions, '--as']);
}

/** Returns a plan whose hints contain complete commands. */
export function withSourceInHints<T extends PlanDocument>(
  session: Pick<Session, 'runtime'>,
  document: T,
  source: ManifestSource,
): T {
  const steps = document.steps.map((step) =>
    step.hint === undefined ? step : { ...step, hint: withSource(session, step.hint, source) },
  );
  return { ...document, steps };
}

/** Returns a problem whose texts contain complete commands. */
export function withSourceInProblem(
  session: Pick<Session, 'runtime'>,
  problem: Problem,
  source: ManifestSource,
): Problem {
  return withTexts(problem, (text) => withSource(session, text, source));
}

/** Wraps the work of a command on a manifest so that its notes and errors contain complete commands. */
export function withOwnSource<Arguments extends unknown[]>(
  command: Command,
  work: (session: Session, ...args: Arguments) => Promise<void>,
): (session: Session, ...args: Arguments) => Promise<void> {
  return async (session, ...args) => {
    const source = command.opts<ManifestSource>();
    const note: Session['note'] = (message) => session.note(withSource(session, message, source));
    try {
      await work({ ...session, note }, ...args);
    } catch (error) {
      throw error instanceof Problem ? withSourceInProblem(session, error, source) : error;
    }
  };
}
