import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Compile } from 'typebox/schema';
import { violationsOf } from '../../src/contract/check.ts';
import type { InputOf, Operation, OutputOf } from '../../src/contract/operation.ts';
import { Problem } from '../../src/errors/problem.ts';
import { createWorld, type Who, type World } from '../support/world.ts';

export interface PeopleWorld extends World {
  /** Calls an operation as a user, in Acme by default, and checks the answer against its declaration. */
  readonly call: <O extends Operation>(
    operation: O,
    who: Who,
    input?: { params?: object; query?: object; body?: object },
  ) => Promise<OutputOf<O>>;
  /** Returns the reason of the Problem that a call throws, or "done". */
  readonly reason: (
    operation: Operation,
    who: Who,
    input?: { params?: object; query?: object; body?: object },
  ) => Promise<string>;
}

/** Creates a world with helpers for tests of people. */
export async function createPeopleWorld(storeUrl?: string): Promise<PeopleWorld> {
  const world = await createWorld(storeUrl);
  const call: PeopleWorld['call'] = async (operation, who, { params, ...rest } = {}) => {
    const answer = await world
      .as(who)
      .call(operation, { params: { organizationId: world.org, ...params }, ...rest } as unknown as InputOf<
        typeof operation
      >);
    if (operation.returns.schema !== undefined) {
      const wrong = violationsOf(operation.returns.schema, answer, '');
      if (wrong.length > 0)
        throw new Error(`${operation.id} answered what it does not declare: ${JSON.stringify(wrong)}`);
    }
    return answer;
  };
  return { ...world, call, reason: (operation, who, input) => reasonOf(call(operation, who, input)) };
}

/** Returns the reason of the Problem that a promise rejects with, or "done". */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof Problem) return error.reason;
    throw error;
  }
}

const specification: { components: { schemas: Record<string, object> } } = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json'), 'utf8'),
  (_, value) => {
    // OpenAPI 3.0 declares null by a flag beside the type.
    if (value?.nullable !== true) return value;
    const { nullable: _nullable, type, ...rest } = value;
    return 'enum' in rest ? rest : { anyOf: [{ type, ...rest }, { type: 'null' }] };
  },
);

/** Returns the violations of the published schema of this name in a value. */
export function publishedFaults(schema: string, value: unknown): unknown[] {
  if (specification.components.schemas[schema] === undefined)
    throw new Error(`no published schema ${schema}`);
  const [, faults] = Compile({
    components: specification.components,
    $ref: `#/components/schemas/${schema}`,
  } as never).Errors(value);
  return faults;
}
