import { expect, it } from 'vitest';
import { closed, Type } from '../../../src/contract/schema.ts';
import { typeOf } from '../../../src/manifest/read/schema.ts';

it.each([
  ['map', 'a closed object without fields', closed({})],
  ['record', 'an open object without fields', Type.Object({}, { additionalProperties: true })],
  ['map', 'an open object with a field', Type.Object({ a: Type.String() }, { additionalProperties: true })],
  ['record', 'a record', Type.Record(Type.String({ pattern: '^a' }), Type.String())],
])('typeOf returns %s for %s', (type, _, schema) => {
  expect(typeOf(schema)).toBe(type);
});
