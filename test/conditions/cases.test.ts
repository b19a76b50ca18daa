import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkCondition } from '../../src/conditions/check.ts';
import type { ClaimSchema } from '../../src/conditions/claims.ts';
import { inWords } from '../../src/conditions/fault.ts';
import { parseCondition } from '../../src/conditions/parse.ts';
import type { Context } from '../../src/conditions/values.ts';
import { guarded, outcomeOf } from './support.ts';

interface Cases {
  readonly visitorSchema: ClaimSchema;
  readonly context: Context;
  readonly cases: readonly {
    readonly condition: string;
    readonly expected?: boolean;
    readonly error?: boolean;
  }[];
}
const own = new URL('cases.json', import.meta.url);
const shared = new URL('../../../shared/data/conditions/gitbook-conditions.json', import.meta.url);
const read = (from: URL) => JSON.parse(readFileSync(from, 'utf8')) as Cases;

describe.each(
  [own, shared]
    .filter((file) => existsSync(fileURLToPath(file)))
    .map((file) => [file === own ? 'own copy' : 'shared data', read(file)] as const),
)('%s', (_, { cases, context, visitorSchema }) => {
  it.each(cases.map(({ condition, ...expected }) => [condition, expected] as const))(
    '%s',
    (condition, { expected, error }) => {
      const outcome = outcomeOf(condition, guarded(context));
      if (error === true) expect(outcome).toMatch(/^column \d+: ./);
      else expect(outcome).toMatchObject({ shown: expected });
    },
  );

  it('fits the visitor schema, but for the two that ask for a claim it does not have', () => {
    const wrong = cases.flatMap(({ condition, error }) =>
      error === true ? [] : checkCondition(parseCondition(condition), visitorSchema).map(inWords),
    );
    expect(wrong).toEqual([
      'column 26: there is no claim "example_attribute_A" in visitor.claims.unsigned',
      'column 16: there is no claim "missing" in visitor.claims',
    ]);
  });
});

it('has all cases', () => {
  expect(read(own).cases).toHaveLength(28);
});
