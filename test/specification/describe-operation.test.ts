import { expect, it } from 'vitest';
import { renderPages } from '../../src/specification/specification-pages.ts';

const ref = { $ref: '#/components/schemas/Pet' };

it.each<[object, string]>([
  [ref, '`Pet`'],
  [{ type: 'array', items: ref }, 'array of `Pet`'],
  [{ oneOf: [ref, { type: 'string', format: 'date' }, ref] }, '`Pet` or string (date)'],
  [{ allOf: [ref, { type: 'object' }] }, '`Pet` and object'],
  [{ type: ['integer', 'null'], enum: [1, 2] }, 'integer or null: `1`, `2`'],
  [{}, 'any'],
])('names the type of a parameter: %j', (schema, expected) => {
  const get = { parameters: [{ name: 'q', in: 'query', schema }], responses: {} };
  const root = { openapi: '3.1.0', info: {}, paths: { '/a': { get } }, components: { schemas: { Pet: {} } } };
  expect(renderPages(root, 'pets').get('operations.md')).toContain(`| \`q\` | ${expected} | no |`);
});
