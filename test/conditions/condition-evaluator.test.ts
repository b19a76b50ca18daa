import { describe, expect, it } from 'vitest';
import { assertValidCondition, ConditionEvaluator } from '../../src/conditions/condition-evaluator.ts';
import type { Problem } from '../../src/errors/problem.ts';
import { visitorSchema } from './support.ts';

describe('checking conditions against an adaptive schema', () => {
  const broken = (condition: string) => new ConditionEvaluator(visitorSchema).explainError(condition);
  const c = 'visitor.claims';

  it.each([
    `${c}.beta == true && !${c}.beta`,
    `${c}.plan == "pro" || "free" === ${c}.plan`,
    `["free", "else"].includes(${c}.plan)`,
    `${c}.plan == null && ${c}.plan === undefined`,
    `${c}.seats > 3 && -1 < ${c}.seats`,
    `${c}.name < "m" && ${c}.name == "Ana" && ${c}.name.length > 2`,
    `${c}.products.some((p, i) => p == "api" && i == 0)`,
    `${c}.products[0] == "api" && ${c}.products.at(-1) == "docs" && "api" in ${c}.products`,
    `"language" in ${c}.unsigned && ${c}.unsigned["language"] == "fr"`,
    `${c}.plan == space.vars.plan && page.vars.x > 1`,
    `(${c}.beta ? ${c}.plan : "free") == "pro"`,
    `${c}.plan.toUpperCase() == "PRO"`,
  ])('accepts %s', (condition) => {
    expect(broken(condition)).toBeUndefined();
  });

  it.each([
    [`${c}.plann == "pro"`, 'column 16: there is no claim "plann" in visitor.claims; did you mean "plan"?'],
    [`${c}["toString"]`, 'column 16: there is no claim "toString" in visitor.claims'],
    [
      `${c}.unsigned.langauge`,
      'column 25: there is no claim "langauge" in visitor.claims.unsigned; did you mean "language"?',
    ],
    [`${c}.plan == "por"`, 'column 24: visitor.claims.plan is never "por"; did you mean "pro"?'],
    [
      `"enterprise" != ${c}.plan`,
      'column 1: visitor.claims.plan is never "enterprise"; its values are: free, pro',
    ],
    [`["a", "b"].includes(${c}.plan)`, 'column 21: these two values can never be equal'],
    [`(${c}.beta ? "a" : "b") == ${c}.plan`, 'column 38: these two values can never be equal'],
    [
      `${c}.beta == "true"`,
      'column 24: visitor.claims.beta is true or false, and never equals the string "true"',
    ],
    [`${c}.seats === "3"`, 'column 26: visitor.claims.seats is a number, and never equals the string "3"'],
    [
      `${c}.products == "api"`,
      'column 28: visitor.claims.products is a list, and never equals the string "api"',
    ],
    [
      `${c}.plan == ${c}.beta`,
      'column 24: visitor.claims.plan is a string, and never equals visitor.claims.beta, which is true or false',
    ],
    [
      `${c}.products.includes("apis")`,
      'column 34: an item of visitor.claims.products is never "apis"; did you mean "api"?',
    ],
    [
      `"x" in ${c}.products`,
      'column 1: an item of visitor.claims.products is never "x"; its values are: api, docs',
    ],
    [
      `"x" in ${c}.plan`,
      'column 8: "in" takes a list or an object on its right; visitor.claims.plan is a string',
    ],
    [`${c}.beta > 1`, 'column 1: ">" compares numbers or strings, but visitor.claims.beta is true or false'],
    [
      `${c}.seats > "1"`,
      'column 24: ">" compares two numbers or two strings, but visitor.claims.seats is a number and "1" is a string',
    ],
    [`${c}.beta.includes("x")`, 'column 1: visitor.claims.beta is true or false, which has no "includes"'],
    [`${c}.plan.some(p => p)`, 'column 1: visitor.claims.plan is a string, which has no "some"'],
    [`${c}.plan.size`, 'column 21: visitor.claims.plan is a string, which has no "size"'],
    [`${c}.name.startsWith(1)`, 'column 32: startsWith takes a string; this is a number'],
    [`${c}.products.at("x")`, 'column 28: "at" takes a number; "x" is a string'],
    [`-${c}.name > 1`, 'column 1: "-" takes a number; visitor.claims.name is a string'],
  ])('refuses %s with the message: %s', (condition, message) => {
    expect(broken(condition)).toBe(message);
  });

  it('reports every error, but does not show the condition', () => {
    const condition = `!${c}.gone || ${c}.plan == "x"`;
    const problem = (() => {
      try {
        assertValidCondition(condition, '/body/condition', visitorSchema);
      } catch (error) {
        return error as Problem;
      }
      throw new Error('not refused');
    })();
    expect(problem.violations).toEqual([
      { path: '/body/condition', message: expect.stringMatching(/^column 17: .*"gone"/) },
      { path: '/body/condition', message: expect.stringMatching(/^column 48: /) },
    ]);
    expect(new ConditionEvaluator(visitorSchema).evaluate(condition, { visitor: { claims: {} } }).shown).toBe(
      false,
    );
    expect(new ConditionEvaluator().evaluate(condition, { visitor: { claims: {} } }).shown).toBe(true);
  });
});
