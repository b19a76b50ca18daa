import { expect, it } from 'vitest';
import { renderPages } from '../../src/specification/specification-pages.ts';

const ref = { $ref: '#/components/schemas/Pet' };

it.each<[object, string]>([
  [ref, '`Pet`'],
  [{ type: 'array', items: ref }, 'array of `Pet`'],
  [{ oneOf: [ref, { type: 'string', format: 'date' }, ref] }, '`Pet` or string (date)'],
  [{ allOf: [ref, { type: 'object' }] }, '`Pet` and object'],
  [{ type: ['integer', 'null'], enum: [1, 2] }, 'integer or null: `1`, `2`'],
  [{ type: 'string', nullable: true, enum: ['a', null, true] }, 'string or null: `a`, `null`, `true`'],
  [{ type: 'array', nullable: true, items: ref }, 'array of `Pet` or null'],
  [{ allOf: [ref, { properties: {} }] }, '`Pet` and object'],
  [{ $ref: '#/components/schemas/Page%3CPet%3E' }, '`Page<Pet>`'],
  [{ $ref: '#/components/parameters/Limit/schema' }, 'integer'],
  [{}, 'any'],
])('names the type of a parameter: %j', (schema, expected) => {
  const get = { parameters: [{ name: 'q', in: 'query', schema }], responses: {} };
  const root = {
    openapi: '3.1.0',
    info: {},
    paths: { '/a': { get } },
    components: { schemas: { Pet: {} }, parameters: { Limit: { schema: { type: 'integer' } } } },
  };
  expect(renderPages(root, 'pets').get('operations.md')).toContain(`| \`q\` | ${expected} | no |`);
});
