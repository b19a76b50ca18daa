import { describe, expect, it } from 'vitest';
import { checkParameter } from '../../src/specification/parameter-rules.ts';

const place = ['paths', '/a', 'get', 'parameters', '0'];
const found = (parameter: object, isSwagger = false) =>
  checkParameter({ name: 'ids', in: 'query', ...parameter }, place, isSwagger).map(({ message, pointer }) => [
    message,
    pointer.slice(place.length).join('/'),
  ]);
const array = { schema: { type: 'array', items: { type: 'string' } } };

describe('a parameter of OpenAPI 3', () => {
  it.each([
    ['query', 'form'],
    ['query', 'spaceDelimited'],
    ['query', 'deepObject'],
    ['header', 'simple'],
    ['path', 'matrix'],
    ['cookie', 'form'],
  ])('in %s can have the style %s', (location, style) => {
    expect(found({ in: location, required: true, explode: false, style, ...array })).toEqual([]);
  });

  it.each([
    [
      { in: 'header', style: 'form', ...array },
      'the "style" of a header parameter must be "simple", not "form"',
      'style',
    ],
    [
      { in: 'path', required: true, style: 'form', ...array },
      'the "style" of a path parameter must be one of simple, label, matrix, not "form"',
      'style',
    ],
    [{ explode: 1, ...array }, '"explode" must be true or false, not 1', 'explode'],
    [{ required: 'yes', ...array }, '"required" must be true or false, not "yes"', 'required'],
    [
      { collectionFormat: 'csv', ...array },
      '"collectionFormat" is of Swagger 2.0; OpenAPI 3 has "style" and "explode"',
      'collectionFormat',
    ],
    [
      { items: { type: 'string' }, ...array },
      'in OpenAPI 3 the "items" of a parameter belong in its "schema"',
      'items',
    ],
    [
      { type: 'array', items: { type: 'string' } },
      'in OpenAPI 3 the "type" of a parameter belongs in its "schema"',
      'type',
    ],
  ])('gets a specific error: %j', (parameter, message, field) => {
    expect(found(parameter)).toEqual([[message, field]]);
  });
});

it('allows collectionFormat in a parameter of Swagger 2.0', () => {
  expect(found({ type: 'array', items: { type: 'string' }, collectionFormat: 'csv' }, true)).toEqual([]);
});
