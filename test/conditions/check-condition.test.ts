import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkCondition } from '../../src/conditions/check-condition.ts';
import type { ClaimSchema } from '../../src/conditions/claims.ts';
import type { EvaluationContext } from '../../src/conditions/values.ts';
import { guarded, outcomeOf, parseValid } from './support.ts';

interface Cases {
  readonly visitorSchema: ClaimSchema;
  readonly context: EvaluationContext;
  readonly cases: readonly {
    readonly condition: string;
    readonly expected?: boolean;
    readonly error?: boolean;
  }[];
}
const file = new URL('../samples/conditions/cases.json', import.meta.url);
const { cases, context, visitorSchema } = JSON.parse(readFileSync(file, 'utf8')) as Cases;

it.each(cases.map(({ condition, ...expected }) => [condition, expected] as const))(
  'evaluates or refuses the sample condition %s',
  (condition, { expected, error }) => {
    const outcome = outcomeOf(condition, guarded(context));
    if (error === true) expect(outcome).toMatch(/^column \d+: ./);
    else expect(outcome).toMatchObject({ shown: expected });
  },
);

it('finds no claims outside the adaptive schema, except in two sample conditions', () => {
  const wrong = cases.flatMap(({ condition, error }) =>
    error === true ? [] : checkCondition(parseValid(condition), visitorSchema).map(String),
  );
  expect(wrong).toEqual([
    'column 26: there is no claim "example_attribute_A" in visitor.claims.unsigned',
    'column 16: there is no claim "missing" in visitor.claims',
  ]);
});

it('covers all sample conditions', () => {
  expect(cases).toHaveLength(28);
});
