import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluationLimits } from '../../src/conditions/evaluate-condition.ts';
import { ConditionEvaluator } from '../../src/conditions/condition-evaluator.ts';
import type { Value } from '../../src/conditions/values.ts';
import { guarded, outcomeOf } from './support.ts';

const list = Array.from({ length: 200 }, (_, index) => `item ${index}`);
const claims: Value = {
  plan: 'pro',
  seats: 3,
  beta: true,
  list,
  long: 'a'.repeat(8000),
  unsigned: { a: { b: { c: 1 } } },
};
/** An object that throws for any access to its prototype and for any write. */
const context = guarded({ visitor: { claims }, space: { vars: { a: '1' } }, page: { vars: {} } });
const evaluator = new ConditionEvaluator({
  type: 'object',
  properties: { plan: { type: 'string', enum: ['pro'] }, list: { type: 'array', items: { type: 'string' } } },
});

const ways = [
  'constructor',
  '__proto__',
  'prototype',
  '__defineGetter__',
  '__lookupGetter__',
  'hasOwnProperty',
  'toString',
  'valueOf',
  'isPrototypeOf',
  'call',
  'apply',
  'bind',
  'caller',
  'arguments',
  'then',
];
const globals = [
  'globalThis',
  'window',
  'self',
  'global',
  'process',
  'require',
  'module',
  'Function',
  'eval',
  'this',
  'Object',
  'Reflect',
  'Proxy',
  'Symbol',
  'fetch',
  'import.meta',
  'new.target',
  'super',
  'arguments',
  'undefined.x',
];
const repeat = (text: string, times: number) => text.repeat(times);
/** Conditions with one attack each. */
const hostile: readonly string[] = [
  ...ways.flatMap((way) => [
    `visitor.${way}`,
    `visitor.claims.${way}.${way}("return process")()`,
    `visitor.claims["${way}"]("x")`,
    `"".${way}("return this")()`,
    `[].${way}.${way}`,
    `visitor.claims.plan.${way}()`,
  ]),
  ...globals.flatMap((name) => [
    name,
    `${name}.exit(1)`,
    `visitor.claims.list.some(p => ${name})`,
    `[${name}][0]`,
  ]),
  '(() => {}).constructor("return process")()',
  '(function () { return this })()',
  'visitor.claims.list.map(p => p)',
  'visitor.claims.list.some(function (p) { while (true) {} })',
  '(a => a(a))(a => a(a))',
  'visitor.claims.list.some(some => some(some))',
  'visitor.claims.plan = "x"',
  'visitor.claims.seats++',
  'delete visitor.claims.plan',
  '{}.x',
  '({}).x',
  '({ __proto__: visitor })',
  '`${process.exit(1)}`',
  'visitor.claims`x`',
  '/(a+)+$/.test("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!")',
  'visitor.claims.long.match("(a+)+$")',
  'visitor.claims.long.replace("a", "b")',
  'visitor.claims.long.split("")',
  '"a".repeat(1e9)',
  '"a".padEnd(1e9)',
  '"a".concat("b")',
  'visitor.claims.list.concat(visitor.claims.list)',
  'visitor.claims.list.flatMap(p => visitor.claims.list)',
  'visitor.claims.list.sort(() => 1)',
  'new Array(1e9)',
  'new Function("x")()',
  'new (class { x = 1 })()',
  'import("node:fs")',
  'await visitor',
  'yield 1',
  'async () => 1',
  'visitor?.constructor',
  'visitor.claims.#x',
  '#x in visitor',
  '...visitor.claims.list',
  '[...visitor.claims.list]',
  'visitor, process',
  'visitor; process',
  'a: visitor',
  'debugger',
  'throw visitor',
  'visitor.claims\u2028.constructor',
  'visitor.claims.\\u0063onstructor',
  'visitor.claims["\\x63onstructor"]',
  'visitor.claims["con" + "structor"]',
  'visitor.claims[["constructor"]]',
  'visitor.claims[visitor.claims.plan]["constructor"]',
  'visitor.claims[{ toString: () => "constructor" }]',
  'visitor.claims.list[["length"]]',
  'visitor.claims.list["__proto__"]',
  'visitor.claims.list[-1] == visitor.claims.list[4294967295]',
  'visitor.claims.list[1e308] == visitor.claims.list.at(1e308)',
  '"constructor" in visitor.claims && "__proto__" in visitor.claims',
  'void 0',
  'typeof process',
  '~visitor.claims.seats',
  '1 << 30',
  '2 ** 1e9',
  '1e999 > 1e999 || -1e999 < 1e999',
  '9007199254740993n',
  '0x7fffffff in visitor.claims.list',
  '08',
  '<!-- visitor',
  '--> visitor',
  '// visitor',
  '/* */ visitor',
  '"use strict"; visitor',
  '\u0000',
  '\ufeff visitor.claims.plan == "pro"',
  'visitor.claims.plan == "\ud800"',
  '\u202evisitor.claims.plan',
  'vіsitor.claims.plan',
  repeat('(', 512) + repeat(')', 512),
  repeat('[', 512) + repeat(']', 512),
  repeat('(', 1024),
  repeat('[', 1024),
  repeat('{', 1024),
  repeat('!', 1023) + '1',
  repeat('-', 1023) + '1',
  repeat('1?', 340) + '1' + repeat(':1', 340),
  repeat('a=>', 340) + '1',
  repeat('1||', 340) + '1',
  repeat('1==', 340) + '1',
  repeat('1&&2||', 170) + '1',
  repeat('new ', 250) + 'visitor',
  repeat('visitor.claims.', 60),
  `visitor.claims${repeat('.a', 500)}`,
  `visitor.claims${repeat('[0]', 330)}`,
  `visitor.claims.plan${repeat('.trim()', 140)}`,
  `visitor.claims.long${repeat('.toUpperCase()', 70)} == 1`,
  `visitor.claims.list${repeat('.some(p=>visitor.claims.list', 30)}${repeat('.every(p=>p))', 30)}`,
  `visitor.claims.list${repeat('.every(p => visitor.claims.list', 6)}.every(p => true)${repeat(')', 6)}`,
  `visitor.claims.list.every(p => visitor.claims.list.every(q => visitor.claims.list.every(r => p != q && q != r)))`,
  `visitor.claims.list.every(p => visitor.claims.long.includes(p) || true)`,
  `[${repeat('1,', 400)}1].every(p => p)`,
  `"${repeat('a', 1020)}" == visitor.claims.long`,
  `"${repeat('\\u{10ffff}', 100)}" == 1`,
  `"${repeat('a', 1021)}`,
  `/${repeat('(', 1000)}`,
  `/${repeat('(?:', 300)}${repeat(')*', 60)}/`,
  `\`${repeat('${', 300)}`,
];

describe('hostile conditions', () => {
  it('have at least 200 samples', () => {
    expect(new Set(hostile).size).toBeGreaterThanOrEqual(200);
  });

  it.each([...new Set(hostile)].map((condition) => [condition.slice(0, 60), condition]))(
    'are refused, or evaluated within the step limit: %j',
    (_, condition) => {
      const outcome = outcomeOf(condition, context);
      if (typeof outcome === 'string') expect(outcome).toMatch(/^column \d+: ./);
      else expect(outcome.steps).toBeLessThanOrEqual(evaluationLimits.maxSteps);
      expect(
        evaluator.explainError(condition) === undefined ||
          typeof evaluator.explainError(condition) === 'string',
      ).toBe(true);
    },
  );

  it('are never true because of a property name that leads outside the data', () => {
    for (const way of ways) {
      expect(outcomeOf(`visitor.claims.${way}`, context)).not.toMatchObject({ shown: true });
      expect(
        outcomeOf(`visitor.claims[visitor.claims.way]`, guarded({ visitor: { claims: { way } } })),
      ).toMatchObject({ shown: false });
      expect(
        outcomeOf(`visitor.claims.way in visitor.claims`, guarded({ visitor: { claims: { way } } })),
      ).toMatchObject({ shown: false });
    }
    for (const name of globals)
      expect(outcomeOf(`!(${name})`, context)).toSatisfy(
        (outcome) => typeof outcome === 'string' || name === 'undefined.x',
      );
  });
});

describe('random conditions', () => {
  const words = [
    'visitor',
    'claims',
    'visitor.claims',
    'visitor.claims.list',
    'visitor.claims.plan',
    'visitor.claims.long',
    'space.vars.a',
    'p',
    'some',
    'every',
    'includes',
    'at',
    'length',
    'trim',
    '()',
    '(p =>',
    'constructor',
    '__proto__',
    'globalThis',
    '"x"',
    "'",
    '"',
    '`',
    '1',
    'null',
    'true',
    'in',
    '.',
    '?.',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '==',
    '===',
    '!',
    '&&',
    '||',
    '?',
    ':',
    '=>',
    ',',
    ';',
    '-',
    '+',
    '/',
    '\\u0063',
    '\n',
    '=',
    '<',
    '>=',
  ];
  const soup = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 40 })
    .map((words) => words.join(' '));
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom(
        'visitor.claims.list',
        'visitor.claims.plan',
        'visitor.claims.unsigned.a',
        'visitor.claims',
        'space.vars.a',
        '"pro"',
        '3',
        'p',
        'undefined',
        '[]',
      ),
      fc
        .tuple(tie('tree'), fc.constantFrom('some', 'every'), tie('tree'))
        .map(([on, method, body]) => `${on}.${method}(p => ${body})`),
      fc
        .tuple(tie('tree'), fc.constantFrom('includes', 'at', 'startsWith'), tie('tree'))
        .map(([on, method, value]) => `${on}.${method}(${value})`),
      fc
        .tuple(tie('tree'), fc.constantFrom('==', '<', 'in', '&&', '||', '!=='), tie('tree'))
        .map((parts) => `(${parts.join(' ')})`),
      fc.tuple(tie('tree'), tie('tree')).map(([one, other]) => `${one}[${other}]`),
      fc
        .tuple(tie('tree'), fc.constantFrom('toLowerCase()', 'length', 'constructor', 'b'))
        .map(([one, other]) => `${one}.${other}`),
      tie('tree').map((inner) => `!${inner}`),
    ),
  }));

  it('never throw, exceed the step limit or reach a prototype', () => {
    let evaluated = 0;
    const look = (condition: string): void => {
      const outcome = outcomeOf(condition, context);
      evaluator.explainError(condition);
      if (typeof outcome === 'string') return;
      evaluated++;
      expect(outcome.steps).toBeLessThanOrEqual(evaluationLimits.maxSteps);
    };
    fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary' }), look), { numRuns: 2000 });
    fc.assert(fc.property(soup, look), { numRuns: 4000 });
    fc.assert(fc.property(tree, look), { numRuns: 4000 });
    expect(evaluated).toBeGreaterThan(500);
  }, 60_000);
});
