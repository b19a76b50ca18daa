import { expect, it } from 'vitest';
import { createConsole } from '../../../src/script-runtime/guest/console.ts';

type Guest = Record<keyof Console, (...values: unknown[]) => void>;

/** Returns what a script writes with the console. */
function traceOf(write: (guest: Guest) => void): [level: string, text: string][] {
  const lines: [string, string][] = [];
  write(createConsole((level, text) => lines.push([level, text])) as Guest);
  return lines;
}
const shown = (...values: unknown[]): string | undefined => traceOf((guest) => guest.log(...values))[0]?.[1];

it('assigns each method a level', () => {
  const ways = [
    ['debug', 'debug'],
    ['trace', 'debug'],
    ['log', 'info'],
    ['info', 'info'],
    ['dir', 'info'],
    ['table', 'info'],
    ['warn', 'warn'],
    ['error', 'error'],
    ['group', 'info'],
    ['groupCollapsed', 'info'],
  ] as const;
  for (const [way, level] of ways) expect(traceOf((guest) => guest[way]('x'))).toEqual([[level, 'x']]);
  for (const way of ['groupEnd', 'time', 'timeLog', 'timeEnd', 'count'] as const)
    expect(traceOf((guest) => guest[way]('x'))).toEqual([]);
});

it('reports only assertions that fail', () => {
  expect(traceOf((guest) => guest.assert(true, 'x'))).toEqual([]);
  expect(traceOf((guest) => guest.assert(false, 'x', 1))).toEqual([['error', 'Assertion failed x 1']]);
});

it.each<[string, unknown[], string]>([
  ['a text', ['a "b"'], 'a "b"'],
  ['several values', ['a', 1, true, null, undefined], 'a 1 true null undefined'],
  ['a text in a list', [['a', 2n]], '[ "a", 2n ]'],
  ['an object', [{ a: 'b', c: { d: [] } }], '{ a: "b", c: { d: [  ] } }'],
  ['a symbol and a function', [Symbol('s'), function f() {}], 'Symbol(s) [Function f]'],
  ['a date', [new Date(0), new Date(NaN)], '1970-01-01T00:00:00.000Z Invalid Date'],
  ['collections', [new Map([['a', 1]]), new Set([1])], 'Map [ [ "a", 1 ] ] Set [ 1 ]'],
  ['an object with its own toString', [{ toJSON: () => ({ a: 1 }) }], '{ a: 1 }'],
  [
    'an object that cannot be read',
    [
      {
        get a() {
          throw new Error('no');
        },
      },
      'b',
    ],
    '[not readable] b',
  ],
])('shows %s', (_name, values, expected) => {
  expect(shown(...values)).toBe(expected);
});

it('shows the stack of an error, and its message if the stack lacks it', () => {
  const error = new TypeError('bad');
  expect(shown(error)).toBe(error.stack);
  error.stack = 'at x';
  expect(shown(error)).toBe('TypeError: bad\nat x');
  error.stack = '';
  expect(shown(error)).toBe('TypeError: bad');
});

it('shows four nested levels, and no circular references', () => {
  expect(shown([[[['x']]]])).toBe('[ [ [ [ "x" ] ] ] ]');
  expect(shown([[[[['x']]]]])).toBe('[ [ [ [ [Array] ] ] ] ]');
  expect(shown([[[[{}]]]])).toBe('[ [ [ [ [Object] ] ] ] ]');
  const loop: unknown[] = [];
  loop.push({ loop });
  expect(shown(loop)).toBe('[ { loop: [Circular] } ]');
  const twice = {};
  expect(shown([twice, twice])).toBe('[ {  }, {  } ]');
});

it('shows at most 100 items of a list or an object, and 16,384 characters of a line', () => {
  const list = Array.from({ length: 101 }, (_, index) => index);
  expect(shown(list)?.split(', ')).toHaveLength(100);
  const fields = Object.fromEntries(list.map((index) => [`k${index}`, index]));
  expect(shown(fields)).toMatch(/, k99: 99 }$/);
  expect(shown('x'.repeat(16_385))).toHaveLength(16_384);
});
