import { expect, it } from 'vitest';
import { findOperation, viewEntry } from '../../src/specification/view-operation.ts';

const view = (operation: object, root: object = { openapi: '3.1.0' }) => {
  const whole = { ...root, paths: { '/a': { post: operation } } };
  const found = findOperation(whole, { path: '/a', method: 'post', isWebhook: false });
  if (found === undefined) throw new Error('The operation is missing.');
  return viewEntry(whole, found, 'paths');
};
const three = { openapi: '3.0.0' };
const swagger = { swagger: '2.0' };
const pets = {
  properties: { id: { type: 'integer', readOnly: true }, key: { type: 'string', writeOnly: true } },
};

it.each<[string, object, object, string[]]>([
  ['its own example', { example: 'b', schema: { type: 'string', example: 's' } }, three, ['b']],
  ['its first example', { examples: { one: { value: 7 } }, schema: {} }, three, ['7']],
  ['a value of its type', { schema: { type: 'integer', minimum: 3 } }, three, ['3']],
  ['the first value of its enum', { schema: { enum: ['v1', 'v2'] } }, three, ['v1']],
  ['a text, without a type', { schema: {} }, three, ['text']],
  ['the values of a list', { example: [1, 2], schema: { type: 'array' } }, three, ['1', '2']],
  ['an empty list', { schema: { type: 'array' } }, three, ['text']],
  ['a list joined in one text', { example: [1, 2], explode: false, schema: {} }, three, ['1,2']],
  ['a list with another separator', { example: [1, 2], style: 'pipeDelimited', schema: {} }, three, ['1|2']],
  ['a list in a header', { example: [1, 2], in: 'header', schema: {} }, three, ['1,2']],
  ['a list in Swagger', { type: 'array', default: [1, 2] }, swagger, ['1,2']],
  [
    'a repeated list in Swagger',
    { type: 'array', default: [1, 2], collectionFormat: 'multi' },
    swagger,
    ['1', '2'],
  ],
])('returns as samples of a parameter %s', (_name, parameter, root, expected) => {
  const { parameters } = view({ parameters: [{ name: 'p', in: 'query', ...parameter }] }, root);
  expect(parameters[0]?.fields[0]?.samples).toEqual(expected);
});

it('prefers the example of a parameter to that of its schema', () => {
  const parameter = { name: 'p', in: 'query', example: 'big', schema: { type: 'string', example: 'small' } };
  expect(view({ parameters: [parameter] }).parameters[0]?.fields[0]?.schema.example).toBe('big');
});

it('omits read-only fields in the example of a body, and write-only fields in that of a response', () => {
  const content = { 'application/json': { schema: pets } };
  const { body, responses } = view({ requestBody: { content }, responses: { 200: { content } } });
  expect(JSON.parse(body?.contents[0]?.examples[0]?.text ?? '')).toEqual({ key: 'text' });
  expect(JSON.parse(responses[0]?.contents[0]?.examples[0]?.text ?? '')).toEqual({ id: 1 });
});

it('shares the view of a schema between formats, and shows examples only in their format', () => {
  const examples = { far: { externalValue: 'https://example.com/pets.json' } };
  const content = {
    'application/xml': { schema: pets },
    'application/json': { schema: pets },
    'text/json': { schema: {}, examples },
  };
  const [xml, json, far] = view({ requestBody: { content } }).body?.contents ?? [];
  expect(xml?.schema).toBe(json?.schema);
  expect(xml?.examples).toEqual([]);
  expect(json?.examples).toHaveLength(1);
  expect(far?.examples.map(({ text }) => text)).toEqual(['null']);
});

it('does not count the fields of a deep body against the limit of responses', () => {
  const fields = (value: object) => ({
    properties: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, value])),
  });
  const content = { 'application/json': { schema: fields(fields({ type: 'string' })) } };
  const { responses } = view({ requestBody: { content }, responses: { 200: { content } } });
  expect(responses[0]?.contents[0]?.schema.fields).toHaveLength(30);
});

it('shows a Swagger body in all formats that the operation consumes', () => {
  const operation = {
    consumes: ['application/json', 'application/xml'],
    parameters: [{ in: 'body', schema: {} }],
  };
  expect(view(operation, swagger).body?.contents.map(({ mediaType }) => mediaType)).toEqual(
    operation.consumes,
  );
});

it('uses a Swagger base path without a host as a server', () => {
  expect(view({}, { ...swagger, basePath: '/v2' }).servers).toEqual(['/v2']);
  expect(view({}, { ...swagger, basePath: '/' }).servers).toEqual([]);
});
