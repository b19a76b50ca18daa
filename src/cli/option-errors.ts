import type { Operation } from '../contract/operation.ts';
import { valueAt } from '../contract/paths.ts';
import { plural } from '../contract/values.ts';
import { isProblem, Problem, type Violation } from '../errors/problem.ts';
import { flagsOfField, optionKey } from './flags.ts';
import { positionalsOf } from './positionals.ts';
import type { Session } from './session.ts';

/** The command line behind the input of an operation. */
interface GivenInput {
  readonly options: Readonly<Record<string, unknown>>;
  /** The words that were given by position. */
  readonly args: readonly string[];
}

/** A session whose errors about the input of an operation name its options. */
export function withOptionErrors(session: Session, operation: Operation, given: GivenInput): Session {
  const call: Session['call'] = async (called, input, options) => {
    try {
      return await session.call(called, input, options);
    } catch (error) {
      throw called.id === operation.id ? inOptionWords(error, operation, given, input) : error;
    }
  };
  return { ...session, call };
}

/**
 * An error about invalid input in the words of the command line: `--expires-at "soon" is not a valid date-time` in place of
 * the name of the field. Other errors, and those about a file of --body, are returned unchanged.
 */
function inOptionWords(error: unknown, operation: Operation, given: GivenInput, input: unknown): unknown {
  if (!isProblem(error, 'invalid-input') || !error.message.startsWith('The input is not valid: '))
    return error;
  const [first, ...others] = error.violations;
  const words = first === undefined ? undefined : describe(first, operation, given, input);
  if (first === undefined || words === undefined) return error;
  const more =
    others.length === 0
      ? ''
      : ` There ${others.length === 1 ? 'is' : 'are'} ${plural(others.length, 'more error')}.`;
  const example = first.message.includes('date-time')
    ? 'Write a date and time like 2040-01-31T12:00:00Z. '
    : '';
  return new Problem('invalid-input', `${words}.${more}`, {
    violations: error.violations,
    hint: `${example}${error.hint ?? ''}`.trim(),
    requestId: error.requestId,
    cause: error,
  });
}

function describe(
  { path, message }: Violation,
  operation: Operation,
  { options, args }: GivenInput,
  input: unknown,
): string | undefined {
  const [, part = '', field = '', index] = /^\/(query|body)\/([^/]+)(?:\/(\d+))?$/.exec(path) ?? [];
  if (field === '') return undefined;
  const flags = flagsOfField(field, operation);
  const isGiven = flags.some((flag) => options[optionKey(flag)] !== undefined);
  const position = positionalsOf(operation).indexOf(field);
  const isPositional = position >= 0 && args[position] !== undefined;
  if (!isGiven && !isPositional && message !== 'is required') return undefined;
  if (position >= 0 && !isGiven && !isPositional) return `The argument "${flags[0]}" is required`;
  const name = isPositional ? flags[0].toUpperCase() : `--${flags[0]}`;
  const value: unknown = valueAt(input, [part, field, ...(index === undefined ? [] : [index])].join('.'));
  const shown = typeof value === 'string' && value !== '' && value.length <= 80 ? ` "${value}"` : '';
  const place = index === undefined ? '' : ` (value ${Number(index) + 1})`;
  const fault = message
    .replace(/, null$/, '')
    .replace(/^must be one of: /, shown === '' ? '$&' : 'is not one of: ');
  return `${name}${shown}${place} ${fault}`;
}
