import { describe, expect, it, test } from 'vitest';
import { acceptCondition, createJudge } from '../../src/conditions/judge.ts';
import { parseCondition } from '../../src/conditions/parse.ts';
import { claimsIn, fitClaims, type ClaimSchema } from '../../src/conditions/claims.ts';
import { Problem } from '../../src/errors/problem.ts';
import { outcomeOf } from './support.ts';

test.each([
  ['visitor.claims.a ==', 'column 20: the expression ends too early'],
  ['visitor.claims.a = 1', 'column 18: a condition cannot assign; compare with "=="'],
  ['visitor.claims.a == "', 'column 21: unterminated string constant'],
  [
    'visitor.claims.a == 1 visitor',
    'column 23: the expression ended before this; a condition is one expression',
  ],
  ['visitor.claims.a)', 'column 17: the expression ended before this; a condition is one expression'],
  ['visitor.claims.a?.b', 'column 17: a missing claim is undefined already; write "." for "?."'],
  ['visitor.claims.a ?? 1', 'column 18: "??" is not part of a condition'],
  ['visitor.claims.a + 1', 'column 18: "+" is not part of a condition'],
  ['visitor.claims.a == 1n', 'column 21: "1n" is not part of a condition'],
  ['visitor.claim.a', 'column 9: visitor has only "claims"'],
  [
    'visitor["cla" in visitor]',
    'column 18: "visitor" by itself says nothing; write visitor.claims and a name',
  ],
  [
    'claims.a',
    'column 1: there is no "claims"; a condition begins with visitor.claims, space.vars or page.vars',
  ],
  [
    'visitor.claims.a.startswith("x")',
    'column 18: there is no method "startswith"; did you mean "startsWith"?',
  ],
  ['visitor.claims.a.trim(1)', 'column 18: trim takes nothing'],
  ['visitor.claims.a.includes()', 'column 18: includes takes one value'],
  [
    'visitor.claims.a.some("x")',
    'column 23: this takes a function of one expression, such as p => p == "api"',
  ],
  [
    'visitor.claims.a.some(async p => p)',
    'column 23: this takes a function of one expression, such as p => p == "api"',
  ],
  ['visitor.claims.a.some((p = 1) => p)', 'column 26: a condition cannot assign; compare with "=="'],
  ['visitor.claims.a.some(visitor => visitor)', 'column 23: a parameter cannot be called "visitor"'],
  ['visitor.claims.a.some((a, b, c) => a)', 'column 23: a function takes an item and, if need be, its place'],
  ['visitor.claims["some"](p => p)', 'column 1: only methods can be called, by their names'],
  ['[1,,2]', 'column 1: a list has no holes'],
  ['visitor.claims.a.prototype', 'column 18: "prototype" cannot be used in a condition'],
  [`${'('.repeat(40)}true${')'.repeat(40)}`, 'column 33: brackets can lie at most 32 deep'],
  [`${'!'.repeat(600)}true`, 'column 513: a condition has at most 512 words and signs'],
  [`${'!'.repeat(200)}true`, 'column 65: expressions can lie at most 64 deep'],
  [`"${'x'.repeat(1023)}"`, 'column 1025: a condition has at most 1024 characters'],
])('%s: %s', (condition, message) => {
  expect(outcomeOf(condition, { visitor: { claims: {} } })).toBe(message);
});

test('long chains are not deep', () => {
  expect(
    outcomeOf(Array.from({ length: 250 }, () => '1').join('&&'), { visitor: { claims: {} } }),
  ).toMatchObject({ shown: true });
});

describe('against a visitor schema', () => {
  const schema: ClaimSchema = {
    type: 'object',
    properties: {
      beta: { type: 'boolean' },
      seats: { type: 'number' },
      plan: { type: 'string', enum: ['free', 'pro'] },
      name: { type: 'string' },
      products: { type: 'array', items: { type: 'string', enum: ['api', 'docs'] } },
      unsigned: { type: 'object', properties: { language: { type: 'string', enum: ['en', 'fr'] } } },
    },
  };
  const broken = createJudge(schema).broken;
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
  ])('takes %s', (condition) => {
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
      'column 1: visitor.claims.plan is never "enterprise"; it is one of: free, pro',
    ],
    [`["a", "b"].includes(${c}.plan)`, 'column 21: the two can never be equal'],
    [`(${c}.beta ? "a" : "b") == ${c}.plan`, 'column 38: the two can never be equal'],
    [
      `${c}.beta == "true"`,
      'column 24: visitor.claims.beta is true or false, and never equals the text "true"',
    ],
    [`${c}.seats === "3"`, 'column 26: visitor.claims.seats is a number, and never equals the text "3"'],
    [
      `${c}.products == "api"`,
      'column 28: visitor.claims.products is a list, and never equals the text "api"',
    ],
    [
      `${c}.plan == ${c}.beta`,
      'column 24: visitor.claims.plan is a text, and never equals visitor.claims.beta, which is true or false',
    ],
    [
      `${c}.products.includes("apis")`,
      'column 34: an item of visitor.claims.products is never "apis"; did you mean "api"?',
    ],
    [
      `"x" in ${c}.products`,
      'column 1: an item of visitor.claims.products is never "x"; it is one of: api, docs',
    ],
    [`"x" in ${c}.plan`, 'column 8: "in" takes a list or an object; visitor.claims.plan is a text'],
    [`${c}.beta > 1`, 'column 1: ">" takes numbers or texts; visitor.claims.beta is true or false'],
    [
      `${c}.seats > "1"`,
      'column 24: ">" takes two numbers or two texts; visitor.claims.seats is a number, "1" is a text',
    ],
    [`${c}.beta.includes("x")`, 'column 1: visitor.claims.beta is true or false, which has no "includes"'],
    [`${c}.plan.some(p => p)`, 'column 1: visitor.claims.plan is a text, which has no "some"'],
    [`${c}.plan.size`, 'column 21: visitor.claims.plan is a text, which has no "size"'],
    [`${c}.name.startsWith(1)`, 'column 32: startsWith takes a text; this is a number'],
    [`${c}.products.at("x")`, 'column 28: "at" takes a number; "x" is a text'],
    [`-${c}.name > 1`, 'column 1: "-" takes a number; visitor.claims.name is a text'],
  ])('refuses %s: %s', (condition, message) => {
    expect(broken(condition)).toBe(message);
  });

  it('tells every fault, and never shows what has one', () => {
    const condition = `!${c}.gone || ${c}.plan == "x"`;
    const problem = (() => {
      try {
        acceptCondition(condition, '/body/condition', schema);
      } catch (error) {
        return error as Problem;
      }
      throw new Error('not refused');
    })();
    expect(problem.violations).toEqual([
      { path: '/body/condition', message: expect.stringMatching(/^column 17: .*"gone"/) },
      { path: '/body/condition', message: expect.stringMatching(/^column 48: /) },
    ]);
    expect(createJudge(schema).judge(condition, { visitor: { claims: {} } }).shown).toBe(false);
    expect(createJudge().judge(condition, { visitor: { claims: {} } }).shown).toBe(true);
  });

  it('leaves of a visitor what the schema knows', () => {
    const given = JSON.parse(
      '{"beta":"yes","seats":3,"plan":"gold","products":["api",1,"x"],"unsigned":{"language":"fr","more":1},"__proto__":{"beta":true},"constructor":1}',
    ) as never;
    const { claims, ignored } = fitClaims(given, schema);
    expect(JSON.parse(JSON.stringify(claims))).toEqual({
      seats: 3,
      products: ['api'],
      unsigned: { language: 'fr' },
    });
    expect(ignored).toHaveLength(7);
    expect(ignored).toContain('claims.plan is none of: free, pro');
    expect(fitClaims('text', schema).claims).toEqual({});
  });
});

test('the claims that a condition asks for', () => {
  expect(
    claimsIn(
      parseCondition(
        'visitor.claims.a.b == "x" && visitor.claims.c.some(p => p == visitor.claims["d"]) && space.vars.e',
      ),
    ),
  ).toEqual([['a', 'b'], ['c'], ['d']]);
});
