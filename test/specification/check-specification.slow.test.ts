import { describe, expect, it } from 'vitest';
import { readSpecification } from '../../src/specification/read-specification.ts';
import { renderPages } from '../../src/specification/specification-pages.ts';
import { formatError } from '../../src/specification/specification.ts';

const in20 = (fields: string) => `swagger: "2.0"\ninfo: { title: A, version: "1" }\n${fields}`;
const in30 = (fields: string) => `openapi: 3.0.3\ninfo: { title: A, version: "1" }\n${fields}`;
const in31 = (fields: string) => `openapi: 3.1.0\ninfo: { title: A, version: "1" }\n${fields}`;
const get = (fields: string) => `paths: { "/a/{id}": { get: { ${fields} } } }`;
const ok = 'responses: { default: { description: d } }';
const id = '{ name: id, in: path, required: true, schema: { type: string } }';
const cycle = 'T: { type: object, properties: { t: { $ref: "#/components/schemas/T" } } }';
const schemas = (text: string) => `paths: { /b: {} }\ncomponents: { schemas: { ${text} } }`;

const errorsOf = async (text: string) =>
  (await readSpecification(text)).errors.map((error) => `${error.code} ${formatError(error)}`);

describe('a valid specification', () => {
  it.each([
    ['of 3.1 with empty paths', in31('paths: {}')],
    ['of 3.1 with empty webhooks', in31('webhooks: {}')],
    [
      'with extensions among paths and responses',
      in30(
        `x-a: 1\npaths: { x-note: soon, /a: { get: { responses: { x-b: 4, default: { description: d } } } } }\ncomponents: { x-c: 1, x-d: { a b: 1 } }`,
      ),
    ],
    [
      'with the largest whole numbers',
      in30(
        schemas(
          'A: { type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807 }',
        ),
      ),
    ],
    [
      'of 3.0 with references in examples and extensions, where they are data',
      in30(
        `x-a: { $ref: "#/none" }\npaths: { /a: { get: { x-b: { $ref: "#/none" }, responses: { 200: { description: d, content: { a/b: { schema: { default: { $ref: "#/none" } }, examples: { a: { value: { $ref: "#/none" } }, b: { $ref: "#/components/examples/b" } } } } } } } } }\ncomponents: { examples: { b: { value: [{ $ref: "#/none" }] } } }`,
      ),
    ],
    ...[
      'example: { $ref: "#/none" }',
      'example: { a: [{ $ref: "#/none" }] }',
      'default: { $ref: "#/none" }',
    ].map((field): [string, string] => [
      `of 3.0 with a reference in the ${field}`,
      in30(schemas(`A: { type: object, ${field} }`)),
    ]),
    [
      'of 3.1 with a reference in a list of examples',
      in31(schemas('A: { type: object, examples: [{ $ref: "#/none" }] }')),
    ],
    [
      'of 2.0 with a reference in a default',
      `${in20('paths: {}')}\ndefinitions: { A: { default: { $ref: "#/none" } } }`,
    ],
    [
      'of 2.0 with a reference in an example',
      in20(
        'paths: { /a: { get: { responses: { 200: { description: d, examples: { a/b: { $ref: "#/none" } } } } } } }',
      ),
    ],
    ['with a YAML directive', `%YAML 1.2\n---\n${in30('paths: {}')}`],
    [
      'of 3.0 with fields beside references, which are ignored',
      in30(
        `${get(`parameters: [{ $ref: "#/components/parameters/id", required: no, x: 1 }], responses: { 200: { $ref: "#/components/responses/R", summary: s } }`)}\ncomponents: { parameters: { id: ${id} }, responses: { R: { description: d } } }`,
      ),
    ],
    [
      'of 3.1 with keywords beside references',
      in31(
        `${get(`parameters: [{ $ref: "#/components/parameters/id", summary: s, description: d }], ${ok}`)}\ncomponents: { parameters: { id: ${id} } }`,
      ),
    ],
    [
      'of 3.1 with schemas that are true or false',
      in31(
        `${get(`parameters: [{ name: id, in: path, required: true, schema: true }, { $ref: "#/components/parameters/q" }], ${ok}`)}\ncomponents: { parameters: { q: { name: q, in: query, schema: { $ref: "#/components/schemas/A" } } }, schemas: { A: true, B: false } }`,
      ),
    ],
    [
      'of 3.1 with references to $id and $anchor',
      in31(
        schemas(
          'A: { $anchor: a, properties: { b: { $ref: "https://a.example/b" }, c: { $ref: "https://a.example/b#/properties/n" } } }, B: { $id: "https://a.example/b", properties: { n: { type: string }, m: { $ref: "#/properties/n" } } }, C: { $ref: "#a" }',
        ),
      ),
    ],
    [
      'of 3.1 with a reference to a path parameter that has a schema with a cycle',
      in31(
        `${get(`parameters: [{ $ref: "#/components/parameters/P" }], ${ok}`)}\ncomponents: { schemas: { ${cycle} }, parameters: { P: { name: id, in: path, required: true, schema: { $ref: "#/components/schemas/T" } } } }`,
      ),
    ],
    [
      'of 3.1 with a property "paths" that leads back to its schema',
      in31(
        schemas(
          'T: { type: object, properties: { paths: { type: array, items: { $ref: "#/components/schemas/T" } } } }',
        ),
      ),
    ],
    [
      'with variables of a server that have their default among their values, or no values',
      in31(
        'paths: {}\nservers: [{ url: "{a}{b}", variables: { a: { enum: [b], default: b }, b: { default: c } } }]',
      ),
    ],
    [
      'of 3.1 with security schemes named like keywords of schemas',
      in31('paths: {}\ncomponents: { securitySchemes: { items: { type: http, scheme: basic } } }'),
    ],
    [
      'of 2.0 with definitions that are named as generators name them',
      in20(
        'paths: { /a: { get: { responses: { 200: { description: d, schema: { $ref: "#/definitions/List«Pet»" } } } } } }\ndefinitions: { "List«Pet»": { type: object } }',
      ),
    ],
    [
      'of 2.0 with required properties in a schema that is not an object',
      in20('paths: {}\ndefinitions: { A: { type: array, items: {}, required: [length] } }'),
    ],
  ])('is accepted: %s', async (_name, text) => {
    expect(await errorsOf(text)).toEqual([]);
  });

  it('includes the operations of path items defined elsewhere in its count', async () => {
    const { facts } = await readSpecification(
      in31(
        `paths: { /a: { $ref: "#/components/pathItems/A", summary: s }, /b: { $ref: "#/components/pathItems/A", post: { ${ok} } } }\ncomponents: { pathItems: { A: { get: { ${ok} } } } }`,
      ),
    );
    expect(facts).toMatchObject({ operations: 3 });
  });
});

it.each([
  [
    'flows of OAuth named like members of objects',
    in30(
      'paths: {}\ncomponents: { securitySchemes: { a: { type: oauth2, flows: { constructor: {}, toString: {} } } } }',
    ),
  ],
])('refuses a specification without a crash if it has %s', async (_, text) => {
  expect(await errorsOf(text)).not.toEqual([]);
});

describe('a specification that would take too long to check', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}` }));
  const specification = (fields: object) =>
    JSON.stringify({ openapi: '3.0.3', info: { title: 'A', version: '1' }, paths: {}, ...fields });

  it.each([
    ['a path of 2,001 characters', { paths: { [`/${'a'.repeat(2000)}`]: {} } }, 'more than 2000 characters'],
    [
      '5,001 operations',
      { paths: Object.fromEntries(many(5001).map(({ name }) => [`/${name}`, {}])) },
      'more than 5000 operations',
    ],
    [
      '501 parameters in a list',
      { paths: { '/a': { parameters: many(501) } } },
      'more than 500 parameters in one list',
    ],
    ['4,473 objects in a list', { tags: many(4473) }, 'have too many items to compare'],
  ])('is refused: %s', async (_, fields, reason) => {
    expect(await errorsOf(specification(fields))).toEqual([expect.stringContaining(reason)]);
  });

  it('can have long lists that are only data', async () => {
    const data = many(4473);
    const A = { type: 'array', items: {}, default: data, example: data, 'x-a': data };
    expect(await errorsOf(specification({ components: { schemas: { A } } }))).toEqual([]);
  });
});

describe('an invalid specification', () => {
  it.each([
    [
      'a path without its slash',
      in30('paths: { a: {} }'),
      'SPEC_INVALID line 3, column 10: a path must begin with a slash: write "/a" (/paths/a)',
    ],
    [
      'an optional parameter of the path',
      in20(get(`parameters: [{ name: id, in: path, type: string }], ${ok}`)),
      /column 43: a path parameter needs "required: true"/,
    ],
    [
      'a file in a header',
      in20(
        get(
          `parameters: [{ name: id, in: path, required: true, type: string }, { name: f, in: header, type: file }], ${ok}`,
        ),
      ),
      /only a parameter "in: formData" can be a file/,
    ],
    [
      'a parameter of Swagger 2.0 in 3.0',
      in30(`paths: { /a: { post: { parameters: [{ name: a, in: body, schema: {} }], ${ok} } } }`),
      /"in: body" is of Swagger 2\.0; OpenAPI 3 has a "requestBody"/,
    ],
    [
      'a type outside of the schema',
      in31(get(`parameters: [{ name: id, in: path, required: true, type: string }], ${ok}`)),
      /in OpenAPI 3 the "type" of a parameter belongs in its "schema"/,
    ],
    [
      'neither schema nor content',
      in30(get(`parameters: [{ name: id, in: path, required: true }], ${ok}`)),
      /this parameter needs a "schema" or "content"/,
    ],
    [
      'an unknown type in 3.1',
      in31(schemas('A: { properties: { b: { type: [string, nul] } } }')),
      /"type" must be one of array, .*, not "nul" \(\/components\/schemas\/A\/properties\/b\/type\)/,
    ],
    [
      'a discriminator that is not an object in 3.1',
      in31(schemas('A: { discriminator: "" }')),
      /a discriminator must be an object with a "propertyName"/,
    ],
    [
      'a default outside of the enum of a server',
      in31('paths: {}\nservers: [{ url: "{a}", variables: { a: { enum: [b], default: c } } }]'),
      /the default of a server variable must be one of its "enum"/,
    ],
    [
      'a security scheme that is not an object',
      in31('paths: {}\ncomponents: { securitySchemes: { a: true } }'),
      'SCHEMA_INVALID line 4, column 34: must be object (/components/securitySchemes/a)',
    ],
    [
      'fields that exclude each other',
      'openapi: 3.1.0\ninfo: { title: A, version: "1", license: { name: l, url: u, identifier: i } }\npaths: {}',
      /use either "identifier" or "url", not both \(\/info\/license\)/,
    ],
    [
      'a parameter without a name',
      in30(
        'paths: { /a: { post: { parameters: [{ in: query, schema: {} }], responses: { 200: { description: d } } } } }',
      ),
      /this parameter needs "name"/,
    ],
    [
      'a parameter without a place',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, schema: {} }], responses: { 200: { description: d } } } } }',
      ),
      /this parameter needs "in"/,
    ],
    [
      'a parameter in an unknown place',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, in: nowhere, schema: {} }], responses: { 200: { description: d } } } } }',
      ),
      /"in" must be one of /,
    ],
    [
      'a parameter of 3.0 with an example and examples',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, in: query, schema: {}, example: 1, examples: {} }], responses: { 200: { description: d } } } } }',
      ),
      /use either "example" or "examples", not both/,
    ],
    [
      'a parameter of 3.0 with a schema and a content',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, in: query, schema: {}, content: { a/b: {} } }], responses: { 200: { description: d } } } } }',
      ),
      /use either "schema" or "content", not both/,
    ],
    [
      'a parameter of 3.0 without a schema',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, in: query }], responses: { 200: { description: d } } } } }',
      ),
      /this parameter needs a "schema" or "content"/,
    ],
    [
      'a parameter of 3.0 with a type',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, in: query, type: string }], responses: { 200: { description: d } } } } }',
      ),
      /the "type" of a parameter belongs in its "schema"/,
    ],
    [
      'a parameter of 3.0 in the body',
      in30(
        'paths: { /a: { post: { parameters: [{ name: a, in: body, schema: {} }], responses: { 200: { description: d } } } } }',
      ),
      /"in: body" is of Swagger 2\.0/,
    ],
    [
      'a body of 2.0 without a schema',
      in20(
        'paths: { /a: { post: { parameters: [{ name: a, in: body }], responses: { 200: { description: d } } } } }',
      ),
      /a parameter "in: body" needs a "schema"/,
    ],
    [
      'a parameter of 2.0 with a schema',
      in20(
        'paths: { /a: { post: { parameters: [{ name: a, in: query, schema: {} }], responses: { 200: { description: d } } } } }',
      ),
      /only a parameter "in: body" can have a "schema"/,
    ],
    [
      'a parameter of 2.0 without a type',
      in20(
        'paths: { /a: { post: { parameters: [{ name: a, in: query }], responses: { 200: { description: d } } } } }',
      ),
      /this parameter needs "type"/,
    ],
    [
      'a parameter of 2.0 of another type',
      in20(
        'paths: { /a: { post: { parameters: [{ name: a, in: query, type: thing }], responses: { 200: { description: d } } } } }',
      ),
      /the "type" of a parameter must be one of /,
    ],
    [
      'a file of 2.0 in the query',
      in20(
        'paths: { /a: { post: { parameters: [{ name: a, in: query, type: file }], responses: { 200: { description: d } } } } }',
      ),
      /only a parameter "in: formData" can be a file/,
    ],
    ...[
      '/b: { $ref: "#/paths/~1a", post: { responses: { 200: {} } } }',
      `/b: { post: { callbacks: { c: { "{$request.body#/url}": { $ref: "#/paths/~1a", post: { responses: { 200: {} } } } } }, ${ok} } }`,
    ].map((item): [string, string, RegExp] => [
      `a mistake beside the reference of a path item: ${item}`,
      in30(`paths: { /a: { get: { ${ok} } }, ${item} }`),
      /a response needs "description"/,
    ]),
    [
      'a mistake in a path item that has a schema with a cycle',
      in31(
        `paths: { /a: { $ref: "#/components/pathItems/P" } }\ncomponents: { schemas: { T: { type: object, properties: { t: { $ref: "#/components/schemas/T" } } } }, pathItems: { P: { get: { responses: { 200: { content: { a/b: { schema: { $ref: "#/components/schemas/T" } } } } } } } } }`,
      ),
      /a response needs "description"/,
    ],
    [
      'a mistake in the path item of a webhook that has a schema with a cycle',
      in31(
        `webhooks: { w: { $ref: "#/components/pathItems/P" } }\ncomponents: { schemas: { T: { type: object, properties: { t: { $ref: "#/components/schemas/T" } } } }, pathItems: { P: { get: { responses: { 200: { content: { a/b: { schema: { $ref: "#/components/schemas/T" } } } } } } } } }`,
      ),
      /a response needs "description"/,
    ],
    [
      'missing parameters of a path whose path item has a schema with a cycle',
      in31(
        `paths: { "/a/{id}": { $ref: "#/components/pathItems/P" } }\ncomponents: { schemas: { ${cycle} }, pathItems: { P: { get: { parameters: [{ name: no, in: path, required: true, schema: { $ref: "#/components/schemas/T" } }], ${ok} } } } }`,
      ),
      /the path does not have \{no\}/,
    ],
    [
      'an operationId in two path items, one of which has a schema with a cycle',
      in31(
        `paths: { /a: { $ref: "#/components/pathItems/P" }, /b: { get: { operationId: o, ${ok} } } }\ncomponents: { schemas: { ${cycle} }, pathItems: { P: { get: { operationId: o, parameters: [{ name: q, in: query, schema: { $ref: "#/components/schemas/T" } }], ${ok} } } } }`,
      ),
      /another operation has the operationId "o"/,
    ],
    [
      'two bodies in 2.0, one of which has a schema with a cycle',
      in20(
        `paths: { /a: { post: { parameters: [{ $ref: "#/parameters/P" }, { name: x, in: body, schema: {} }], ${ok} } } }\nparameters: { P: { name: b, in: body, schema: { $ref: "#/definitions/T" } } }\ndefinitions: { T: { type: object, properties: { t: { $ref: "#/definitions/T" } } } }`,
      ),
      /has 2 body parameters/,
    ],
    ['nothing to describe in 3.1', in31(''), /"paths", "webhooks" or "components"/],
    [
      'a space in the name of a component',
      in30('paths: {}\ncomponents: { schemas: { a b: {} } }'),
      /the name of a component can contain only letters/,
    ],
    [
      'a reference that lacks its slash',
      in30(schemas('A: { $ref: "#components/schemas/B" }, B: {}')),
      /leads to nothing: write "#\/components\/schemas\/B"/,
    ],
    ['a reference to a missing anchor', in31(schemas('A: { $ref: "#b" }')), /"#b" leads to nothing/],
    [
      'a version that is an object',
      'openapi: { toString: 1, valueOf: 1 }',
      'UNSUPPORTED_VERSION line 1, column 1: openapi {"toString":1,"value is not supported; use swagger 2.0, openapi 3.0 or openapi 3.1 (/openapi)',
    ],
    [
      'a version in a list',
      '{"swagger":[{"toString":1}]}',
      /^UNSUPPORTED_VERSION line 1, column 2: swagger \[\{"toString":1\}\] is not supported/,
    ],
    [
      'an empty version',
      'openapi: null',
      /^UNSUPPORTED_VERSION line 1, column 1: openapi null is not supported/,
    ],
    [
      'equal keys in JSON',
      '{ "openapi": "3.0.3",\n "paths": {},\n "pat\\u0068s": {} }',
      'PARSE_ERROR line 3, column 2: the key "paths" is already used in line 2, column 2',
    ],
    [
      'an undeclared security requirement',
      in30(
        `${get(`parameters: [${id}], security: [{ }, { key: [], none: [] }], ${ok}`)}\ncomponents: { securitySchemes: { key: { type: http, scheme: basic } } }`,
      ),
      /^SPEC_INVALID line 3, column 137: "none" is not defined in "securitySchemes" of "components" \(\/paths\/~1a~1\{id\}\/get\/security\/1\/none\)$/,
    ],
    [
      'an undeclared security requirement at the top level',
      in20('paths: {}\nsecurity: [{ toString: [] }]'),
      /^SPEC_INVALID line 4, column 14: "toString" is not defined in "securityDefinitions"/,
    ],
    [
      'responses that are a single reference',
      in30('paths: { /a: { get: { responses: { $ref: "#/x-r" } } } }\nx-r: { default: { description: d } }'),
      'SPEC_INVALID line 3, column 36: "responses" cannot be a reference; each response can (/paths/~1a/get/responses/$ref)',
    ],
    [
      'a second document',
      `${in30('paths: {}')}\n---\na: 1`,
      'PARSE_ERROR line 5, column 1: a second document begins here; a specification must be a single document',
    ],
    [
      'more values than are allowed in YAML',
      `${in30('paths: {}')}\nx-data: [${'1,'.repeat(100_000)}]`,
      /^PARSE_ERROR line 4, column \d+: more than 100000 values; write it as JSON, which may hold 400000$/,
    ],
    [
      'JSON with a comment',
      '{\n  // it\n  "openapi": "3.0.3" }',
      /^PARSE_ERROR line 2, column 3: not valid JSON: /,
    ],
    [
      'UTF-16',
      Buffer.from('{"openapi":"3.0.3"}', 'utf16le').toString(),
      /this is UTF-16, or not text at all/,
    ],
    ['AsyncAPI', 'asyncapi: 2.6.0', /NOT_OPENAPI .*; this is an AsyncAPI document/],
    [
      'a Postman collection',
      '{ "info": { "name": "a" }, "item": [] }',
      /NOT_OPENAPI .*; this is a Postman collection/,
    ],
  ])('is refused with one clear message: %s', async (_name, text, error) => {
    expect(await errorsOf(text)).toEqual([typeof error === 'string' ? error : expect.stringMatching(error)]);
  });

  it('is checked without a crash, with unexpected values anywhere', async () => {
    const whole = { openapi: '3.1.0', info: { title: 'A', version: '1', license: { name: 'l' } }, tags: [{ name: 't' }], servers: [{ url: '/', variables: { a: { default: 'b' } } }], security: [{ k: [] }], paths: { '/a/{id}': { get: { operationId: 'o', tags: ['t'], summary: 's', parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', $id: 'https://a.example/b' } }], responses: { 200: { description: 'd', content: { 'a/b': { schema: { $ref: '#/components/schemas/S' } } } } } } } }, webhooks: { w: { post: { responses: { 200: { description: 'd' } } } } }, components: { schemas: { S: { discriminator: { propertyName: 'p' }, required: ['p'], properties: { p: { type: ['string'] } } } }, securitySchemes: { k: { type: 'http', scheme: 'basic' } } } }; // prettier-ignore
    expect(await errorsOf(JSON.stringify(whole))).toEqual([]);
    const odd = { toString: 1, valueOf: 1, toJSON: 1 };
    const put = async (root: object, holder: Record<string, unknown>): Promise<void> => {
      for (const [key, value] of Object.entries(holder)) {
        holder[key] = odd;
        // This is not always an error; the test checks only that it is read without a crash.
        const { value: taken } = await readSpecification(JSON.stringify(root));
        if (taken !== undefined) renderPages(taken, 'odd');
        holder[key] = value;
        if (typeof value === 'object' && value !== null) await put(root, value as Record<string, unknown>);
      }
    };
    await put(whole, whole);
  }, 60_000);

  it('with a duplicate parameter gets a single error', async () => {
    const twice = `${id}, ${id.replace('string', 'number')}`;
    expect(await errorsOf(in30(get(`parameters: [${twice}], ${ok}`)))).toEqual([
      expect.stringMatching(/Found multiple `path` parameters named `id`/),
    ]);
  });
});
