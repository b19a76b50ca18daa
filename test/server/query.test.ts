import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closed, nullable, oneOf, Type } from '../../src/contract/schema.ts';
import { readQuery } from '../../src/server/query.ts';

const schema = closed({
  limit: Type.Integer(),
  ratio: Type.Number(),
  nested: Type.Boolean(),
  title: Type.String(),
  status: oneOf(['open', 'closed']),
  types: Type.Array(oneOf(['a', 'b'])),
  numbers: Type.Array(Type.Integer()),
  evaluated: Type.Union([Type.Boolean(), Type.Literal('deterministic-only')]),
  only: Type.Union([Type.Literal(true), Type.String()]),
  many: Type.Union([oneOf(['open', 'closed']), Type.Array(oneOf(['open', 'closed']))]),
  level: nullable(oneOf(['read'])),
});

describe('readQuery', () => {
  it.each([
    ['limit', '5', 5],
    ['limit', '-5', -5],
    ['limit', '', ''],
    ['limit', ' 5', ' 5'],
    ['limit', '1e3', '1e3'],
    ['limit', 'Infinity', 'Infinity'],
    ['limit', '99999999999999999999', '99999999999999999999'],
    ['limit', ['5', '6'], ['5', '6']],
    ['ratio', '0.5', 0.5],
    ['nested', 'true', true],
    ['nested', 'false', false],
    ['nested', '1', '1'],
    ['nested', 'TRUE', 'TRUE'],
    ['title', 'true', 'true'],
    ['title', '5', '5'],
    ['status', 'open', 'open'],
    ['types', 'a', ['a']],
    ['types', ['a', 'b'], ['a', 'b']],
    ['numbers', ['1', 'x'], [1, 'x']],
    ['evaluated', 'true', true],
    ['evaluated', 'deterministic-only', 'deterministic-only'],
    ['only', 'true', true],
    ['only', 'false', 'false'],
    ['many', 'open', 'open'],
    ['many', ['open', 'closed'], ['open', 'closed']],
    ['level', 'read', 'read'],
    ['other', '5', '5'],
    ['__proto__', '5', '5'],
    ['constructor', '5', '5'],
  ])('reads %s=%j as %j', (name, raw, value) => {
    expect(Object.entries(readQuery(schema, Object.fromEntries([[name, raw]])))).toEqual([[name, value]]);
  });

  it('keeps every integer and string unchanged, and adds nothing', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.string(),
        fc.dictionary(fc.string(), fc.string()),
        (limit, title, more) => {
          const query = readQuery(schema, { ...more, limit: String(limit), title });
          expect(query['limit']).toBe(limit);
          expect(query['title']).toBe(title);
          expect(Object.keys(query).sort()).toEqual(Object.keys({ ...more, limit: 0, title: '' }).sort());
        },
      ),
    );
  });
});
