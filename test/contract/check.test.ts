import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../src/contract/check.ts';
import { closed, nullable, oneOf, Type } from '../../src/contract/schema.ts';

const Title = Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]+$' });
const cases = Type.Union([
  closed({ type: Type.Literal('a'), x: Type.Number() }),
  closed({ type: Type.Literal('b'), y: Type.Number() }),
]);

describe('what is wrong with a value of a union', () => {
  it.each([
    ['a string that is too short', nullable(Title), 'a', '', 'is shorter than 2 characters'],
    ['a string that is too long', nullable(Title), 'abcde', '', 'is longer than 4 characters'],
    ['a string of other characters', nullable(Title), 'A1', '', 'does not match ^[a-z]+$'],
    ['a number that is too great', nullable(Type.Integer({ maximum: 3 })), 9, '', 'must be at most 3'],
    [
      'a field of the object',
      nullable(closed({ title: Title })),
      { title: '' },
      '/title',
      'is shorter than 2 characters',
    ],
    ['an item of the list', nullable(Type.Array(Title)), ['ab', 'a'], '/1', 'is shorter than 2 characters'],
    ['a value of another type', nullable(Title), 7, '', 'must be one of: string, null'],
    [
      'a word that is none of the list',
      nullable(oneOf(['read', 'edit'])),
      'write',
      '',
      'must be one of: read, edit, null',
    ],
    ['a kind of object that there is not', cases, { type: 'c' }, '', 'must be one of: type a, type b'],
    ['a field of the kind that is meant', cases, { type: 'b', y: 'no' }, '/y', 'expected number'],
    [
      'a kind beside null',
      nullable(closed({ type: Type.Literal('a') })),
      { type: 'c' },
      '',
      'must be one of: object, null',
    ],
  ])('is said of %s', (_, schema, value, path, message) => {
    expect(violationsOf(schema, value, '')).toEqual([{ path, message }]);
  });
});
