import { expect, it } from 'vitest';
import { renderPages } from '../../src/specification/specification-pages.ts';

const ref = { $ref: '#/components/schemas/Pet' };

it.each<[object, string]>([
  [ref, '`Pet`'],
  [{ type: 'array', items: ref }, 'array of `Pet`'],
  [{ oneOf: [ref, { type: 'string', format: 'date' }, ref] }, '`Pet` or string · date'],
  [{ allOf: [ref, { type: 'object' }] }, '`Pet`'],
  [{ type: ['integer', 'null'], enum: [1, 2] }, 'integer or null: `1`, `2`'],
  [{ type: 'string', nullable: true, enum: ['a', null, true] }, 'string or null: `a`, `null`, `true`'],
  [{ type: 'array', nullable: true, items: ref }, 'array of `Pet` or null'],
  [{ allOf: [ref, { properties: {} }] }, 'object'],
  [{ $ref: '#/components/schemas/Page%3CPet%3E' }, '`Page<Pet>`'],
  [{ $ref: '#/components/parameters/Limit/schema' }, 'integer'],
  [{}, 'any'],
])('shows the type of a parameter: %j', (schema, expected) => {
  const get = { parameters: [{ name: 'q', in: 'query', schema }], responses: {} };
  const root = {
    openapi: '3.1.0',
    info: {},
    paths: { '/a': { get } },
    components: { schemas: { Pet: {} }, parameters: { Limit: { schema: { type: 'integer' } } } },
  };
  expect(renderPages(root, 'pets').get('operations.md')).toContain(`| \`q\` | ${expected} | no |`);
});

const describe = (operation: object, components: object = {}, more: object = {}): string => {
  const root = { openapi: '3.0.3', info: {}, paths: { '/a': { get: operation } }, components, ...more };
  return renderPages(root, 'pets').get('operations.md') ?? '';
};
const jsonOf = (schema: object) => ({ 'application/json': { schema } });

it('shows the limits, default and example of a field', () => {
  const schema = { type: 'integer', minimum: 1, maximum: 9, default: 3, example: 4 };
  expect(describe({ parameters: [{ name: 'q', in: 'query', description: 'Size.', schema }] })).toContain(
    '| `q` | integer | no | Size. `min: 1`, `max: 9`, `default: 3`, `example: 4` |',
  );
  expect(describe({ parameters: [{ name: 'q', in: 'query', schema: { pattern: 'a|`b' } }] })).toContain(
    '`` pattern: a\\|`b ``',
  );
});

it('shows the fields of nested objects, but only the names of shared schemas', () => {
  const Pet = { properties: { id: { type: 'string' } } };
  const owner = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const tags = { type: 'array', items: { properties: { pet: { $ref: '#/components/schemas/Pet' } } } };
  const schema = { properties: { owner, tags, map: { additionalProperties: { properties: { deep: {} } } } } };
  const text = describe({ responses: { 200: { content: jsonOf(schema) } } }, { schemas: { Pet } });
  expect(text).toContain(
    '| `owner` | object | no |  |\n| `owner.name` | string | yes |  |\n| `tags` | array of object | no |  |\n| `tags[].pet` | `Pet` | no |  |\n| `map` | map of object | no |  |\n| `map.*.deep` | any | no |  |\n',
  );
});

it('omits the deepest fields of a schema with too many, and shows their number', () => {
  const inner = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, { type: 'string' }]));
  const schema = { properties: { a: { properties: inner }, b: { properties: inner } } };
  const text = describe({ responses: { 200: { content: jsonOf(schema) } } });
  expect(text).toContain('| `b` | object | no |  |\n\n120 more fields are not listed.\n');
});

it('shows the headers and links of a response', () => {
  const headers = { 'X-Left': { description: 'Requests left', schema: { type: 'integer', minimum: 0 } } };
  const links = {
    next: { operationId: 'getA', parameters: { id: '$response.body#/id' }, description: 'The pet.' },
    other: { operationRef: '#/paths/~1a/get' },
    far: { operationRef: 'https://example.com/api.json#/paths/~1b/get', requestBody: { id: 1 } },
  };
  const text = describe({ operationId: 'getA', responses: { 200: { description: 'Fine', headers, links } } });
  expect(text).toContain(
    '`200` Fine\n\nHeaders:\n\n| Name | Type | Required | Description |\n| --- | --- | --- | --- |\n| `X-Left` | integer | no | Requests left `min: 0` |\n',
  );
  expect(text).toContain(
    'Links:\n\n* `next`: `GET /a` with `id: $response.body#/id`. The pet.\n* `other`: `GET /a`\n* `far`: `https://example.com/api.json#/paths/~1b/get` with `body: {"id":1}`\n',
  );
});

it('shows that credentials are optional', () => {
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'Ask us.' } };
  expect(describe({ security: [{ key: [] }, {}] }, { securitySchemes })).toContain(
    '**Security**\n\n* `key` (`header X-Key`): Ask us.\n* No credentials\n',
  );
  expect(describe({ security: [{}] }, { securitySchemes })).not.toContain('Security');
});

it('shows which value of a discriminator selects which schema', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    Cat: { properties: { lives: { type: 'integer' } } },
    Dog: { properties: { bark: { type: 'string' } } },
  };
  const discriminator = { propertyName: 'kind', mapping: { cat: ref('Cat').$ref, dog: 'Dog' } };
  const schema = { oneOf: [ref('Cat'), ref('Dog')], discriminator };
  const text = describe({ requestBody: { content: jsonOf(schema) } }, { schemas });
  expect(text).toContain(
    '`application/json`: `Cat` or `Dog`; `kind` is `cat` for `Cat`, `dog` for `Dog`\n\n`Cat`:\n\n| Name | Type | Required | Description |\n| --- | --- | --- | --- |\n| `lives` | integer |',
  );
});

it('shows the requests that the API sends to callbacks', () => {
  const post = {
    description: 'New data.',
    requestBody: { required: true, content: jsonOf({ properties: { at: { type: 'string' } } }) },
    responses: { 204: { description: 'Taken' } },
  };
  const callback = { '{$request.query.url}/data': { post } };
  const text = describe(
    { callbacks: { onData: { $ref: '#/components/callbacks/onData' } } },
    { callbacks: { onData: callback } },
  );
  expect(text).toContain(
    '**Callback `onData`**\n\n`POST {$request.query.url}/data`\n\nNew data.\n\n**Body** (required)\n\n`application/json`: object\n\n',
  );
  expect(text).toContain('`204` Taken');
});
