import { expect, test } from 'vitest';
import { outcomeOf } from './support.ts';

test.each([
  ['visitor.claims.a ==', 'column 20: the expression ends too early'],
  ['visitor.claims.a = 1', 'column 18: a condition cannot assign; compare with "=="'],
  ['visitor.claims.a == "', 'column 21: unterminated string constant'],
  [
    'visitor.claims.a == 1 visitor',
    'column 23: a condition is a single expression, which is already complete before this',
  ],
  [
    'visitor.claims.a)',
    'column 17: a condition is a single expression, which is already complete before this',
  ],
  ['visitor.claims.a?.b', 'column 17: write "." instead of "?."; a missing claim is undefined'],
  ['visitor.claims.a ?? 1', 'column 18: "??" is not part of a condition'],
  ['visitor.claims.a + 1', 'column 18: "+" is not part of a condition'],
  ['visitor.claims.a == 1n', 'column 21: "1n" is not part of a condition'],
  ['visitor.claim.a', 'column 9: visitor has only "claims"'],
  ['visitor["cla" in visitor]', 'column 18: "visitor" alone is not a value; write visitor.claims and a name'],
  ['claims.a', 'column 1: there is no "claims"; use visitor.claims, space.vars or page.vars'],
  [
    'visitor.claims.a.startswith("x")',
    'column 18: there is no method "startswith"; did you mean "startsWith"?',
  ],
  [
    `visitor.claims.a.${'x'.repeat(41)}()`,
    `column 18: there is no method "${'x'.repeat(40)}"; use one of at, startsWith, endsWith, includes, toLowerCase, toUpperCase, trim, some, every`,
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
  ['visitor.claims.a.some((a, b, c) => a)', 'column 23: a function takes an item and, optionally, its index'],
  ['visitor.claims["some"](p => p)', 'column 1: only methods can be called, such as startsWith'],
  ['[1,,2]', 'column 1: an item of this list is missing'],
  ['visitor.claims.a.prototype', 'column 18: "prototype" cannot be used in a condition'],
  [`${'('.repeat(40)}true${')'.repeat(40)}`, 'column 33: brackets can be nested at most 32 levels deep'],
  [`${'!'.repeat(600)}true`, 'column 513: a condition can have at most 512 words and signs'],
  [`${'!'.repeat(200)}true`, 'column 65: expressions can be nested at most 64 levels deep'],
  [`"${'x'.repeat(1023)}"`, 'column 1025: a condition can have at most 1024 characters'],
])('refuses %s with the message: %s', (condition, message) => {
  expect(outcomeOf(condition, { visitor: { claims: {} } })).toBe(message);
});

test('allows long chains of operators, which are not nested', () => {
  expect(
    outcomeOf(Array.from({ length: 250 }, () => '1').join('&&'), { visitor: { claims: {} } }),
  ).toMatchObject({ shown: true });
});
