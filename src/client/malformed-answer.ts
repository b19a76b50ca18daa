import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';

interface MalformedAnswer {
  readonly place: string;
  /** The fault as a sentence without its full stop: `items.0.id is required`. */
  readonly fault?: string | undefined;
  readonly cause?: unknown;
}

/** Returns the Problem for a JSON answer that does not match the schema of its operation. */
export function malformedAnswerProblem(
  { id, route }: Pick<Operation, 'id'> & { route: string },
  { place, fault, cause }: MalformedAnswer,
): Problem {
  const detail = fault === undefined ? '' : `: ${fault}`;
  return new Problem(
    'unreachable',
    `The answer of ${place} to ${route} (${id}) does not have the expected form${detail}.`,
    {
      hint: 'Check that this is the address of a docsctl server. If it is, compare its version, which /openapi.json on the server shows, with `docsctl --version`.',
      cause,
    },
  );
}
