import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../src/errors/problem.ts';
import { checkClaims } from '../../../src/resources/site-adaptive-schema/rules.ts';

/** Returns the violations of claims, each with path and message. */
function violationsOf(claims: Record<string, unknown>): string[] {
  try {
    checkClaims(claims);
    return [];
  } catch (error) {
    const { reason, violations = [] } = error as Problem;
    expect(reason).toBe('invalid-input');
    return violations.map(
      ({ path, message }) => `${path.replace('/body/jsonSchema/properties', '')} ${message}`,
    );
  }
}

const flag = { type: 'boolean', description: 'A flag' };
const objectOf = (properties: unknown, more: object = {}) => ({
  type: 'object',
  description: 'An object',
  additionalProperties: false,
  properties,
  ...more,
});
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Returns nested claims. */
function nested(levels: number): Record<string, unknown> {
  return levels === 1 ? { x: flag } : { x: objectOf(nested(levels - 1)) };
}

describe('the maximum of', () => {
  it('5 nested levels', () => {
    expect(violationsOf(nested(5))).toEqual([]);
    expect(violationsOf(nested(6))).toEqual([
      `${'/x/properties'.repeat(5)} must not nest claims more than 5 levels deep`,
    ]);
  });

  it('500 claims at all levels together', () => {
    const claims = (count: number) => ({
      first: objectOf(Object.fromEntries(times(count - 1, (index) => [`c${index}`, flag]))),
    });
    expect(violationsOf(claims(500))).toEqual([]);
    expect(violationsOf(claims(501))).toEqual([
      '/first/properties exceeds the limit of 500 claims in a schema',
    ]);
  });

  it('100 characters in a name', () => {
    expect(violationsOf({ ['n'.repeat(100)]: flag })).toEqual([]);
    expect(violationsOf({ ['n'.repeat(101)]: flag })[0]).toContain(
      `/${'n'.repeat(100)} must have a name of 1 to 100 characters`,
    );
    for (const name of ['', '__proto__', 'constructor'])
      expect(
        violationsOf(JSON.parse(JSON.stringify({ [`${name}~`]: flag }).replace('~', '')) as never),
      ).toHaveLength(1);
  });

  it('1,024 characters in a description, which can be empty', () => {
    for (const length of [0, 1024])
      expect(violationsOf({ a: { ...flag, description: 'd'.repeat(length) } })).toEqual([]);
    expect(violationsOf({ a: { ...flag, description: 'd'.repeat(1025) } })).toEqual([
      '/a/description must be a string of at most 1024 characters',
    ]);
    expect(violationsOf({ a: { type: 'boolean' } })).toEqual([
      '/a/description is required and must be a string of at most 1024 characters',
    ]);
  });

  it('100 values of 256 characters each, and the minimum of 1 value', () => {
    const claim = (values: unknown) => ({ a: { type: 'string', description: '', enum: values } });
    expect(violationsOf(claim(times(100, String)))).toEqual([]);
    for (const values of [[], times(101, String), 'a'])
      expect(violationsOf(claim(values))).toEqual(['/a/enum must be a list of 1 to 100 strings']);
    expect(violationsOf(claim(['v'.repeat(256)]))).toEqual([]);
    expect(violationsOf(claim(['a', 'v'.repeat(257), 7]))).toEqual([
      '/a/enum/1 must be a string of at most 256 characters',
      '/a/enum/2 must be a string of at most 256 characters',
    ]);
    expect(violationsOf(claim(['a', 'a']))).toEqual(['/a/enum must not contain a value twice']);
  });

  it('10 listed violations', () => {
    const claims = (count: number) => Object.fromEntries(times(count, (index) => [`c${index}`, 7]));
    expect(violationsOf(claims(9))).toHaveLength(9);
    expect(violationsOf(claims(11))).toHaveLength(10);
  });
});

describe('a claim', () => {
  it.each<[string, unknown, string[]]>([
    ['a value that is not an object', 7, ['/a must be an object']],
    ['no type', { description: '' }, ['/a/type must be one of: boolean, string, number, array, object']],
    [
      'an unknown type',
      { type: 'null', description: '' },
      ['/a/type must be one of: boolean, string, number, array, object'],
    ],
    ['a field of another type', { ...flag, enum: ['a'] }, ['/a/enum is not a known field']],
    [
      'a list',
      { type: 'array', description: '', items: { type: 'string', description: '', enum: ['a'] } },
      [],
    ],
    ['a list without an item type', { type: 'array', description: '' }, ['/a/items is required']],
    [
      'a list of lists',
      { type: 'array', description: '', items: { type: 'array', description: '', items: flag } },
      ['/a/items/items is not a known field', '/a/items/type must be one of: boolean, string, number'],
    ],
    [
      'an open object',
      { ...objectOf({ b: flag }), additionalProperties: true },
      ['/a/additionalProperties must be false'],
    ],
    ['an object without claims', objectOf(undefined), ['/a/properties is required']],
    [
      'a claim without a description',
      objectOf({ 'b/~': { type: 'number' } }),
      ['/a/properties/b~1~0/description is required and must be a string of at most 1024 characters'],
    ],
  ])('is checked with its violations: %s', (_name, claim, expected) => {
    expect(violationsOf({ a: claim })).toEqual(expected);
  });

  it('named "unsigned" at the top level must be an object with the description of the platform', () => {
    const unsigned = objectOf({}, { description: 'Unsigned claims of the site visitor.' });
    expect(violationsOf({ unsigned })).toEqual([]);
    expect(violationsOf({ unsigned: flag })).toEqual([
      '/unsigned/type must be "object"',
      '/unsigned/description must be "Unsigned claims of the site visitor."',
    ]);
    expect(violationsOf({ a: objectOf({ unsigned: flag }) })).toEqual([]);
  });
});
