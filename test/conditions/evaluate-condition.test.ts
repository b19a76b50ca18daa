import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { evaluationLimits, evaluateCondition } from '../../src/conditions/evaluate-condition.ts';
import type { Value } from '../../src/conditions/values.ts';
import { guarded, outcomeOf, parseValid } from './support.ts';

const claims = {
  beta: true,
  staff: false,
  plan: 'pro',
  name: ' Ana ',
  seats: 12,
  none: null,
  products: ['api', 'docs'],
  empty: [],
  account: { owner: true, toString: 'x', length: 7 },
};
const context = guarded({ visitor: { claims }, space: { vars: { version: '3' } }, page: { vars: {} } });
const shown = (condition: string) => {
  const outcome = outcomeOf(condition, context);
  return typeof outcome === 'string' ? outcome : outcome.shown;
};

describe('evaluating conditions', () => {
  const text = fc.constantFrom(
    'visitor.claims.plan',
    'visitor.claims.name',
    '"pro"',
    '"12"',
    '""',
    'visitor.claims.name.trim()',
    'visitor.claims.plan.toUpperCase()',
    'visitor.claims.products[0]',
    'visitor.claims.products.at(-1)',
  );
  const number = fc.constantFrom(
    'visitor.claims.seats',
    '12',
    '0',
    '-1',
    '1.5',
    'visitor.claims.plan.length',
    'visitor.claims.products.length',
  );
  const flag = fc.constantFrom(
    'visitor.claims.beta',
    'visitor.claims.staff',
    'true',
    'false',
    'visitor.claims.account.owner',
    'visitor.claims["beta"]',
  );
  const nothing = fc.constantFrom('null', 'undefined', 'visitor.claims.none', 'visitor.claims.nowhere');
  const any = fc.oneof(text, number, flag, nothing);
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      any,
      fc.tuple(any, fc.constantFrom('==', '!=', '===', '!=='), any).map((parts) => parts.join(' ')),
      fc
        .tuple(fc.oneof(text, number), fc.constantFrom('<', '<=', '>', '>='), fc.oneof(text, number))
        .map((parts) => parts.join(' ')),
      fc
        .tuple(text, fc.constantFrom('includes', 'startsWith', 'endsWith'), text)
        .map(([on, method, value]) => `${on}.${method}(${value})`),
      fc
        .tuple(fc.constantFrom('some', 'every'), fc.constantFrom('==', '!==', '>'), text)
        .map(
          ([method, operator, value]) =>
            `visitor.claims.products.${method}((p, i) => p ${operator} ${value} || i > 0)`,
        ),
      tie('expression').map((inner) => `!(${inner})`),
      fc
        .tuple(tie('expression'), fc.constantFrom('&&', '||'), tie('expression'))
        .map(([one, operator, other]) => `(${one}) ${operator} (${other})`),
      fc
        .tuple(tie('expression'), tie('expression'), tie('expression'))
        .map(([test, yes, no]) => `(${test}) ? (${yes}) : (${no})`),
    ),
  }));

  it('returns the same result as JavaScript', () => {
    fc.assert(
      fc.property(
        expression.filter(({ length }) => length <= 1024),
        (condition) => {
          // oxlint-disable-next-line typescript/no-implied-eval -- JavaScript itself is the model
          const really = Boolean(new Function('visitor', `return (${condition});`)({ claims }));
          expect(shown(condition)).toBe(really);
        },
      ),
      { numRuns: 3000 },
    );
  });
});

test.each([
  ['"owner" in visitor.claims.account', true],
  ['"toString" in visitor.claims', false],
  ['0 in visitor.claims.products', false],
  ['"api" in visitor.claims.empty', false],
  ['"x" in visitor.claims.plan', false],
  ['visitor.claims.products.includes("API".toLowerCase())', true],
  ['[1, "pro", null].includes(visitor.claims.plan)', true],
  ['visitor.claims.account == visitor.claims.account', true],
  ['visitor.claims.account == "x"', false],
  ['visitor.claims.products == "api,docs"', false],
  ['visitor.claims.account > 1', false],
  ['!visitor.claims.nowhere.deep[1].down', true],
  ['visitor.claims.nowhere.includes("a")', false],
  ['!visitor.claims.nowhere.includes("a")', false],
  ['visitor.claims.plan.includes(1)', false],
  ['visitor.claims.account.length == 7', true],
  ['visitor.claims.plan[0] == undefined', true],
  ['visitor.claims.products["0"] == undefined', true],
  ['visitor.claims.products.some(() => true)', true],
  ['visitor.claims.products.some(p => visitor.claims.products.every(q => q != p || q == "api"))', true],
  ['visitor.claims.products.some(p => [p].some(p => p == "docs"))', true],
  ['space.vars.version == "3" && page.vars.version == undefined', true],
  ['-visitor.claims.seats < 0', true],
  ['-visitor.claims.plan < 0', false],
  ['   ', true],
])('evaluates %s to %s', (condition, expected) => {
  expect(shown(condition)).toBe(expected);
});

describe('the step limit of an evaluation', () => {
  const list = (length: number, item: Value = 'x') => Array.from({ length }, () => item);
  const spent = (condition: string, given: Value) =>
    evaluateCondition(parseValid(condition), { visitor: { claims: given } });

  it('counts every item of a list that is read', () => {
    expect(spent('visitor.claims.a.includes("y")', { a: list(9000) })).toMatchObject({
      shown: false,
      steps: expect.toSatisfy((steps: number) => steps > 9000),
    });
    expect(spent('!visitor.claims.a.includes("y")', { a: list(11_000) })).toMatchObject({
      shown: false,
      steps: evaluationLimits.maxSteps,
      error: expect.stringContaining('10000 steps'),
    });
  });

  it.each([
    ['true', 1],
    ['!true', 2],
    ['visitor.claims', 3],
    ['visitor.claims.a', 5],
    ['true && false', 3],
    ['false && true', 2],
    // The operands, and one step to read the left one.
    ['1 == 1', 4],
    // Each item, and the evaluation for it.
    ['visitor.claims.a.some(x => false)', 10],
  ])('counts a step for each part of %s', (condition, steps) => {
    expect(spent(condition, { a: ['x', 'x'] }).steps).toBe(steps);
  });

  it('is the exact maximum of steps', () => {
    const condition = 'visitor.claims.t.includes("y")';
    const { steps } = spent(condition, { t: '' });
    // A step for each 64 characters.
    const length = (evaluationLimits.maxSteps - steps) * 64 + 63;
    expect(spent(condition, { t: 'x'.repeat(length) })).toEqual({
      shown: false,
      steps: evaluationLimits.maxSteps,
    });
    expect(spent(condition, { t: 'x'.repeat(length + 1) })).toEqual({
      shown: false,
      steps: evaluationLimits.maxSteps,
      error: 'it takes more than 10000 steps',
    });
  });

  it('stops nested loops', () => {
    const outcome = spent(
      'visitor.claims.a.every(p => visitor.claims.a.every(q => visitor.claims.a.every(r => true)))',
      { a: list(100) },
    );
    expect(outcome).toMatchObject({ shown: false, steps: evaluationLimits.maxSteps });
  });

  it('counts long texts by their length', () => {
    expect(spent('visitor.claims.t.includes("y")', { t: 'x'.repeat(1_000_000) })).toMatchObject({
      shown: false,
      error: expect.any(String),
    });
    expect(
      spent('visitor.claims.a.some(p => p.toUpperCase() == "y")', { a: list(50, 'x'.repeat(4000)) }),
    ).toMatchObject({
      shown: false,
      error: expect.stringContaining('too much text'),
    });
    expect(spent('["x", "y"].includes(visitor.claims.t.toLowerCase())', { t: 'Y' })).toMatchObject({
      shown: true,
    });
  });
});
