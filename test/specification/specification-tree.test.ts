import { expect, it } from 'vitest';
import { countExpandedValues, isSchemaAt } from '../../src/specification/specification-tree.ts';

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

it('counts nested values only down to 1,000 levels, so that no depth crashes the process', () => {
  expect(countExpandedValues(nested(3))).toBe(4);
  expect(countExpandedValues(nested(1001))).toBe(1002);
  expect(countExpandedValues(nested(5000))).toBe(1002);
});

it('counts a reference like its target, and a cycle once', () => {
  const schema = { type: 'string', enum: ['a', 'b'] };
  expect(countExpandedValues({ a: { $ref: '#/b' }, b: schema })).toBe(
    1 + (1 + 1 + countExpandedValues(schema)) + countExpandedValues(schema),
  );
  expect(countExpandedValues({ a: { $ref: '#/a' } })).toBe(4);
  expect(countExpandedValues({ a: { $ref: 'https://example.com#/b' } })).toBe(3);
});

it.each<[string, boolean]>([
  ['components/schemas/Pet', true],
  ['components/schemas/Pet/x', false],
  ['x/components/schemas/Pet', false],
  ['paths/schemas/Pet', false],
  ['components/parameters/Limit', false],
  ['definitions/Pet', true],
  ['x/definitions/Pet', false],
  ['definitions', false],
  ['x/properties/name', true],
  ['x/patternProperties/^a', true],
  ['x/$defs/a', true],
  ['x/dependentSchemas/a', true],
  ['x/allOf/0', true],
  ['x/oneOf/12', true],
  ['x/anyOf/a', false],
  ['x/anyOf/1a', false],
  ['x/examples/0', false],
  ['x/items', true],
  ['x/schema', true],
  ['x/if', true],
  ['x/enum', false],
  ['components/securitySchemes/schema', false],
])('decides whether the pointer %s leads to a schema: %s', (pointer, expected) => {
  expect(isSchemaAt(pointer.split('/'))).toBe(expected);
});
