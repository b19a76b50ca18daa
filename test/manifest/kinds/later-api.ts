import type { Api } from '../../../src/contract/api.ts';
import { violationsOf } from '../../../src/contract/check.ts';
import type { Operation } from '../../../src/contract/operation.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { createWorld } from '../../support/world.ts';
import { Bench } from '../bench.ts';
import { folderOf } from '../read/folder.ts';

export type Row = Record<string, unknown>;
interface Input {
  readonly params: Record<string, string>;
  readonly body: Row;
}
export type Answers = Readonly<Record<string, (input: Input) => unknown>>;

/**
 * A bench whose server answers these operations, by their id, from what a test keeps in memory: the kinds stand on the
 * declarations alone, and work when the handlers do. Bodies that the declarations refuse are refused here too.
 */
export async function benchWith(answers: Answers): Promise<Bench> {
  const world = await createWorld();
  const api = world.as('admin');
  const call = async (operation: Operation, input: Input, options: unknown): Promise<unknown> => {
    const answer = answers[operation.id];
    if (answer === undefined) return api.call(operation, input as never, options as never);
    const wrong =
      operation.body === undefined
        ? []
        : violationsOf(operation.body, JSON.parse(JSON.stringify(input.body)), '');
    if (wrong.length > 0)
      throw new Problem('invalid-input', `${operation.id}: ${wrong[0]!.path} ${wrong[0]!.message}`);
    return answer(input);
  };
  return new Bench(world, folderOf({}), { ...api, call: call as Api['call'] });
}

/** List, create, update and delete over rows in memory. `make` gives the body of a new one, `change` what an update makes of it. */
export function answersFor(
  noun: string,
  param: string,
  rows: Map<string, Row>,
  make: (input: Input) => Row,
  change: (row: Row, body: Row) => Row = (row, body) => ({ ...row, ...body }),
): Answers {
  const get = ({ params }: Input): Row => {
    const row = rows.get(params[param]!);
    if (row === undefined) throw new Problem('not-found', `There is no ${noun} ${params[param]}.`);
    return row;
  };
  const put = (id: string, row: Row): Row => {
    rows.set(id, row);
    return row;
  };
  return {
    [`${noun}.list`]: () => ({ items: [...rows.values()] }),
    [`${noun}.get`]: get,
    [`${noun}.create`]: (input) => {
      const row = make(input);
      return put(row['id'] as string, row);
    },
    [`${noun}.update`]: (input) => put(input.params[param]!, change(get(input), input.body)),
    [`${noun}.delete`]: (input) => void rows.delete(get(input)['id'] as string),
  };
}
