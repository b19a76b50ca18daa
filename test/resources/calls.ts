import { violationsOf } from '../../src/contract/check.ts';
import type { InputOf, Operation, OutputOf } from '../../src/contract/operation.ts';
import type { Problem } from '../../src/errors/problem.ts';
import type { Who, World } from '../support/world.ts';

/** Calls operations as a given user. Every answer is checked against the declaration of its operation. */
export function callsIn(world: () => World) {
  const call = async <O extends Operation>(
    operation: O,
    params: Record<string, string>,
    input: { body?: unknown; query?: unknown } = {},
    who: Who = 'admin',
  ): Promise<OutputOf<O>> => {
    const answer = await world()
      .as(who)
      .call(operation, { params, ...input } as InputOf<O>);
    const schema = operation.returns.schema;
    const wrong =
      schema === undefined
        ? answer === undefined
          ? []
          : ['a body where none is declared']
        : violationsOf(schema, answer, '');
    if (wrong.length > 0)
      throw new Error(`${operation.id} answers what it does not declare: ${JSON.stringify(wrong)}`);
    return answer;
  };
  const refusal = async (...given: Parameters<typeof call>): Promise<Problem> =>
    call(...given).then(
      () => Promise.reject(new Error(`${given[0].id} was not refused`)),
      (problem: Problem) => problem,
    );
  /** Returns "done", or the reason of the Problem. */
  const reason = async (...given: Parameters<typeof call>): Promise<string> =>
    call(...given).then(
      () => 'done',
      (problem: Problem) => problem.reason ?? String(problem),
    );
  return { call, refusal, reason };
}

export const everybody: readonly Who[] = [
  'admin',
  'create',
  'review',
  'edit',
  'comment',
  'read',
  'guest',
  'outsider',
  'nobody',
];
