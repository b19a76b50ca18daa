import { expect, it } from 'vitest';
import { compareSpecifications } from '../../src/specification/compare-specifications.ts';

type Fields = Record<string, unknown>;

const answer = (schema: unknown): Fields => ({
  responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
});
const request = (schema: unknown): Fields => ({
  requestBody: { content: { 'application/json': { schema } } },
  responses: {},
});
const withOperation = (operation: Fields, more: Fields = {}): Fields => ({
  openapi: '3.1.0',
  info: {},
  paths: { '/a': { post: operation } },
  ...more,
});
const withSchema = (schema: unknown, operation: Fields): Fields =>
  withOperation(operation, { components: { schemas: { Pet: schema } } });
const ref = { $ref: '#/components/schemas/Pet' };

/** The changes as lines such as `! schema Pet name: removed`, where `!` marks breaking changes. */
const linesOf = (before: Fields, after: Fields): string[] =>
  compareSpecifications(before, after).map(
    ({ kind, name, part, breaking, message }) =>
      `${breaking ? '! ' : ''}${kind} ${name}${part === '' ? '' : ` ${part}`}: ${message}`,
  );

/** The changes of a schema in requests, and of the same schema in responses. */
const inBoth = (before: unknown, after: unknown): string[][] =>
  [request, answer].map((place) =>
    linesOf(withSchema(before, place(ref)), withSchema(after, place(ref))).map((line) =>
      line.replace('schema Pet', '').replace(/ +/g, ' ').trim(),
    ),
  );

it('ignores changed descriptions and examples', () => {
  const before = withSchema({ type: 'string', description: 'a', example: 'b' }, answer(ref));
  const after = withSchema(
    { type: 'string', description: 'c', 'x-more': 1 },
    { ...answer(ref), summary: 'd' },
  );
  expect(linesOf(before, after)).toEqual([]);
});

it('finds a format that a Swagger operation no longer consumes', () => {
  const swagger = (...consumes: readonly string[]) => ({
    swagger: '2.0',
    paths: {
      '/a': { post: { consumes, parameters: [{ in: 'body', name: 'b', schema: {} }], responses: {} } },
    },
  });
  const [both, one] = [swagger('application/json', 'application/xml'), swagger('application/json')];
  expect(linesOf(both, one)).toEqual([
    expect.stringMatching(/^! operation POST \/a body.*application\/xml.*removed/),
  ]);
  expect(linesOf(one, both)).toEqual([
    expect.stringMatching(/^operation POST \/a body.*application\/xml.*added/),
  ]);
});

it('lists added and removed operations and schemas, breaking changes first', () => {
  const before = withSchema({ type: 'string' }, answer(true));
  const after = {
    openapi: '3.1.0',
    paths: { '/a': { get: answer(true) } },
    components: { schemas: { Dog: {} } },
  };
  expect(linesOf(before, after)).toEqual([
    '! operation POST /a: removed',
    'operation GET /a: added',
    'schema Pet: removed',
    'schema Dog: added',
  ]);
  expect(compareSpecifications(before, after)[0]).toEqual({
    change: 'removed',
    kind: 'operation',
    name: 'POST /a',
    part: '',
    breaking: true,
    message: 'removed',
  });
});

it('matches operations whose paths differ only in the names of parameters', () => {
  const at = (path: string, name: string): Fields => ({
    openapi: '3.1.0',
    paths: {
      [path]: { get: { ...answer(true), parameters: [{ in: 'path', name, required: true, schema: {} }] } },
    },
  });
  expect(linesOf(at('/a/{id}', 'id'), at('/a/{pet}', 'pet'))).toEqual([
    'operation GET /a/{pet} path parameter pet: name: id → pet',
  ]);
});

it.each<[string, Fields[], Fields[], string[]]>([
  ['a new required parameter', [], [{ required: true }], ['! added, required']],
  ['a new optional parameter', [], [{}], ['added']],
  ['a removed parameter', [{}], [], ['! removed']],
  ['a parameter that became required', [{}], [{ required: true }], ['! is required now']],
  ['a parameter that became optional', [{ required: true }], [{}], ['is no longer required']],
  ['a parameter that became deprecated', [{}], [{ deprecated: true }], ['is deprecated now']],
  ['another style', [{ style: 'form' }], [{ style: 'pipeDelimited' }], ['! style: form → pipeDelimited']],
  [
    'another type',
    [{ schema: { type: 'integer' } }],
    [{ schema: { type: 'number' } }],
    ['type: integer → number'],
  ],
  ['a lower limit', [{ schema: { maximum: 100 } }], [{ schema: { maximum: 50 } }], ['! maximum: 100 → 50']],
])('compares parameters: %s', (_name, before, after, expected) => {
  const operation = (parameters: readonly Fields[]): Fields =>
    withOperation({
      ...answer(true),
      parameters: parameters.map((each) => ({ in: 'query', name: 'limit', ...each })),
    });
  const lines = expected.map((line) =>
    line.replace(/^(! )?/, (mark) => `${mark}operation POST /a query parameter limit: `),
  );
  expect(linesOf(operation(before), operation(after))).toEqual(lines);
});

it('compares the IDs of operations', () => {
  const of = (operationId?: string): Fields => withOperation({ ...answer(true), operationId });
  expect(linesOf(of('a'), of('b'))).toEqual(['operation POST /a: operationId: a → b']);
  expect(linesOf(of(), of('b'))).toEqual(['operation POST /a: operationId: none → b']);
  expect(linesOf(of('a'), of())).toEqual(['operation POST /a: operationId: a → none']);
});

it('matches parameters of a path with those of its operations, and headers in any case', () => {
  const at = (name: string, field: 'item' | 'operation'): Fields => {
    const parameters = [{ in: 'header', name, schema: { type: 'string' } }];
    return {
      openapi: '3.1.0',
      paths: {
        '/a': {
          get: { ...answer(true), ...(field === 'operation' && { parameters }) },
          ...(field === 'item' && { parameters }),
        },
      },
    };
  };
  expect(linesOf(at('X-Trace', 'item'), at('x-trace', 'operation'))).toEqual([]);
});

it.each<[string, unknown, unknown, string[], string[]]>([
  ['a new property', { type: 'object' }, { properties: { b: {} } }, ['b: added'], ['b: added']],
  [
    'a new property that is required',
    { type: 'object' },
    { properties: { b: {} }, required: ['b'] },
    ['! b: added, required'],
    ['b: added, required'],
  ],
  ['a removed property', { properties: { b: {} } }, { type: 'object' }, ['! b: removed'], ['! b: removed']],
  [
    'a property that became required',
    { properties: { b: {} } },
    { properties: { b: {} }, required: ['b'] },
    ['! b: is required now'],
    ['b: is required now'],
  ],
  [
    'a property that only the API sets',
    { properties: { b: { readOnly: true } } },
    { properties: { b: { readOnly: true } }, required: ['b'] },
    ['b: is required now'],
    ['b: is required now'],
  ],
  [
    'a property that can be missing',
    { properties: { b: {} }, required: ['b'] },
    { properties: { b: {} } },
    ['b: is no longer required'],
    ['! b: is no longer required'],
  ],
  [
    'fewer values',
    { properties: { b: { enum: ['x', 'y'] } } },
    { properties: { b: { enum: ['x'] } } },
    ['! b: removed values: y'],
    ['b: removed values: y'],
  ],
  [
    'more values',
    { items: { enum: ['x'] } },
    { items: { enum: ['x', 'z'] } },
    ['[]: added values: z'],
    ['! []: added values: z'],
  ],
  [
    'null',
    { properties: { b: { type: 'string' } } },
    { properties: { b: { type: ['string', 'null'] } } },
    ['b: type: string → string or null'],
    ['! b: type: string → string or null'],
  ],
  [
    'null as a variant',
    { properties: { b: { anyOf: [{ $ref: '#/components/schemas/Pet' }] } } },
    { properties: { b: { anyOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'null' }] } } },
    ['b: type: any type → any type or null'],
    ['! b: type: any type → any type or null'],
  ],
  [
    'a shorter text',
    { properties: { b: { maxLength: 9 } } },
    { properties: { b: { maxLength: 8 } } },
    ['! b: maxLength: 9 → 8'],
    ['b: maxLength: 9 → 8'],
  ],
  [
    'no minimum anymore',
    { properties: { b: { minimum: 1 } } },
    { properties: { b: {} } },
    ['b: minimum: 1 → none'],
    ['! b: minimum: 1 → none'],
  ],
  [
    'other properties',
    { properties: { b: {} } },
    { properties: { b: {} }, additionalProperties: false },
    ['! : other properties are refused now'],
    [': other properties are refused now'],
  ],
  [
    'a map',
    { additionalProperties: { type: 'string' } },
    { additionalProperties: { type: 'integer' } },
    ['! *: type: string → integer'],
    ['! *: type: string → integer'],
  ],
  [
    'a variant',
    { oneOf: [{ $ref: '#/components/schemas/Dog' }] },
    { oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Cat' }] },
    [': added variant Cat'],
    ['! : added variant Cat'],
  ],
  [
    'a variant without a name that changed',
    { oneOf: [{ type: 'object', properties: { b: { type: 'string' } } }] },
    { oneOf: [{ type: 'object', properties: { b: { type: 'integer' } } }] },
    ['! b: type: string → integer'],
    ['! b: type: string → integer'],
  ],
  [
    'values of which some were removed',
    { properties: { b: {} } },
    { properties: { b: { enum: ['x', 2] } } },
    ['! b: only these values now: x, 2'],
    ['b: only these values now: x, 2'],
  ],
  [
    'more values than a line can show',
    { properties: { b: {} } },
    { properties: { b: { enum: Array.from({ length: 12 }, (_, index) => index) } } },
    ['! b: only these values now: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more'],
    ['b: only these values now: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more'],
  ],
  [
    'any value',
    { properties: { b: { enum: ['x'] } } },
    { properties: { b: {} } },
    ['b: any value now'],
    ['! b: any value now'],
  ],
  [
    'a longer minimum length',
    { properties: { b: { minLength: 1 } } },
    { properties: { b: { minLength: 2 } } },
    ['! b: minLength: 1 → 2'],
    ['b: minLength: 1 → 2'],
  ],
  [
    'a larger maximum',
    { properties: { b: { maximum: 1 } } },
    { properties: { b: { maximum: 2 } } },
    ['b: maximum: 1 → 2'],
    ['! b: maximum: 1 → 2'],
  ],
  [
    'another multipleOf',
    { properties: { b: { multipleOf: 2 } } },
    { properties: { b: { multipleOf: 1 } } },
    ['! b: multipleOf: 2 → 1'],
    ['! b: multipleOf: 2 → 1'],
  ],
  [
    'a restriction that is false instead of absent',
    { properties: { b: { exclusiveMinimum: false } } },
    { properties: { b: { uniqueItems: false } } },
    [],
    [],
  ],
  [
    'a single value',
    { properties: { b: { const: true } } },
    { properties: { b: { const: false } } },
    ['! b: removed values: true', 'b: added values: false'],
    ['! b: added values: false', 'b: removed values: true'],
  ],
  [
    'a constant instead of several values',
    { properties: { b: { enum: ['x', 'y'] }, c: { enum: ['x'] } } },
    { properties: { b: { const: 'x' }, c: { const: 'x' } } },
    ['! b: removed values: y'],
    ['b: removed values: y'],
  ],
  [
    'the same schema in OpenAPI 3.0 and 3.1',
    {
      properties: {
        b: { type: 'string', nullable: true },
        c: { allOf: [{ $ref: '#/components/schemas/C' }], nullable: true },
        d: { type: 'integer', minimum: 1, exclusiveMinimum: true },
      },
    },
    {
      properties: {
        b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        c: { oneOf: [{ $ref: '#/components/schemas/C' }, { type: 'null' }] },
        d: { type: 'integer', exclusiveMinimum: 1 },
      },
    },
    [],
    [],
  ],
  [
    'another default',
    { properties: { b: { default: 1 } } },
    { properties: { b: {} } },
    ['b: default: 1 → none'],
    ['b: default: 1 → none'],
  ],
  [
    'a deprecated property',
    { properties: { b: { deprecated: true }, c: {} } },
    { properties: { b: {}, c: { deprecated: true } } },
    ['b: is no longer deprecated', 'c: is deprecated now'],
    ['b: is no longer deprecated', 'c: is deprecated now'],
  ],
  [
    'a property that became readOnly',
    { properties: { b: {}, c: { readOnly: true } } },
    { properties: { b: { readOnly: true }, c: {} } },
    ['! b: readOnly: false → true', 'c: readOnly: true → false'],
    ['b: readOnly: false → true', 'c: readOnly: true → false'],
  ],
  [
    'a property that became writeOnly',
    { properties: { b: {} } },
    { properties: { b: { writeOnly: true } } },
    ['b: writeOnly: false → true'],
    ['! b: writeOnly: false → true'],
  ],
  [
    'a writeOnly property',
    { properties: { b: { writeOnly: true } }, required: ['b'] },
    { properties: { b: { writeOnly: true } } },
    ['b: is no longer required'],
    ['b: is no longer required'],
  ],
  [
    'additional properties that are allowed again',
    { properties: { b: {} }, additionalProperties: false },
    { properties: { b: {} } },
    [': other properties are allowed now'],
    [': other properties are allowed now'],
  ],
  [
    'a map of any values',
    { properties: { b: { type: 'object' } } },
    { properties: { b: { type: 'object', additionalProperties: { type: 'string' } } } },
    ['! b.*: type: any type → string'],
    ['b.*: type: any type → string'],
  ],
  [
    'a list of any items',
    { properties: { b: { type: 'array', items: { type: 'string' } } } },
    { properties: { b: { type: 'array' } } },
    ['b[]: type: string → any type'],
    ['! b[]: type: string → any type'],
  ],
  [
    'a list that becomes a text',
    { properties: { b: { items: { type: 'string' } } } },
    { properties: { b: { type: 'string' } } },
    ['! b: type: array → string'],
    ['! b: type: array → string'],
  ],
  [
    'one variant fewer',
    { oneOf: [{ $ref: '#/components/schemas/Dog' }, { $ref: '#/components/schemas/Cat' }] },
    { oneOf: [{ $ref: '#/components/schemas/Dog' }] },
    ['! : removed variant Cat'],
    [': removed variant Cat'],
  ],
  [
    'no variants anymore',
    { anyOf: [{ $ref: '#/components/schemas/Dog' }] },
    {},
    [': removed variant Dog'],
    ['! : removed variant Dog'],
  ],
  [
    'the first variants',
    {},
    { anyOf: [{ $ref: '#/components/schemas/Dog' }] },
    ['! : added variant Dog'],
    [': added variant Dog'],
  ],
  [
    'a part of allOf',
    { allOf: [{ properties: { b: {} } }] },
    { allOf: [{ properties: { b: {} } }, { required: ['b'] }] },
    ['! b: is required now'],
    ['b: is required now'],
  ],
])(
  'compares shared schemas in requests and in responses: %s',
  (_name, before, after, inRequests, inResponses) => {
    expect(inBoth(before, after)).toEqual([inRequests, inResponses]);
  },
);

it('reports whether a property of a schema was added, removed or changed', () => {
  const before = withSchema({ properties: { a: {}, b: { type: 'string' } } }, answer(ref));
  const after = withSchema({ properties: { b: { type: 'integer' }, c: {} } }, answer(ref));
  expect(compareSpecifications(before, after).map(({ change, part }) => `${change} ${part}`)).toEqual([
    'removed a',
    'changed b',
    'added c',
  ]);
});

it('compares a shared schema that can now be null', () => {
  const components = { components: { schemas: { Pet: { type: 'string' } } } };
  const before = withOperation(answer({ allOf: [ref] }), components);
  const after = withOperation(answer({ anyOf: [ref, { type: 'null' }] }), components);
  expect(linesOf(before, after)).toEqual([
    '! operation POST /a response 200 application/json: type: string → string or null',
  ]);
});

it('merges at most 1000 parts of a schema, including the schema itself', () => {
  const whole = (parts: number, type: string) => ({
    allOf: Array.from({ length: parts }, (_, at) => (at === parts - 1 ? { type } : {})),
  });
  const changed = ['! : type: string → integer'];
  expect(inBoth(whole(999, 'string'), whole(999, 'integer'))).toEqual([changed, changed]);
  expect(inBoth(whole(1000, 'string'), whole(1000, 'integer'))).toEqual([[], []]);
});

it('reports no breaking change for a schema that no operation uses', () => {
  const before = withSchema({ type: 'string' }, answer(true));
  expect(linesOf(before, withSchema({ type: 'integer' }, answer(true)))).toEqual([
    'schema Pet: type: string → integer',
  ]);
});

it('follows references through other schemas and "default" to find used schemas', () => {
  const spec = (type: string): Fields =>
    withOperation(
      {
        responses: {
          default: {
            description: 'x',
            content: { 'a/b': { schema: { $ref: '#/components/schemas/Owner' } } },
          },
        },
      },
      {
        components: {
          schemas: {
            Owner: { properties: { pets: { items: ref } } },
            Pet: { properties: { name: { type } } },
          },
        },
      },
    );
  expect(linesOf(spec('string'), spec('integer'))).toEqual(['! schema Pet name: type: string → integer']);
});

it('reports a changed shared schema once, and in operations only that they use another schema', () => {
  const both = (operation: Fields): Fields =>
    withOperation(operation, {
      components: { schemas: { Pet: { type: 'string' }, Dog: { type: 'string', maxLength: 9 } } },
    });
  const dog = { $ref: '#/components/schemas/Dog' };
  expect(linesOf(both(request(ref)), both(request(dog)))).toEqual([
    '! operation POST /a body application/json: maxLength: none → 9',
    'operation POST /a body application/json: schema: Pet → Dog',
  ]);
});

it('terminates for recursive schemas', () => {
  const tree = (type: string): Fields => ({
    openapi: '3.1.0',
    paths: { '/a': { get: answer({ $ref: '#/x-docsctl-files/f1' }) } },
    'x-docsctl-files': {
      f1: { properties: { next: { $ref: '#/x-docsctl-files/f1' }, name: { type } } },
    },
  });
  expect(linesOf(tree('string'), tree('integer'))).toEqual([
    '! operation GET /a response 200 application/json name: type: string → integer',
  ]);
});

it('compares bodies, responses, headers and formats', () => {
  const before = withOperation({
    responses: {
      200: { description: 'x', headers: { 'X-A': {} }, content: { 'a/b': {}, 'a/c': {} } },
      201: { description: 'x' },
      404: { description: 'x' },
    },
  });
  const after = withOperation({
    requestBody: { required: true, content: {} },
    responses: { 200: { description: 'x', headers: { 'X-B': {} }, content: { 'a/b': {} } }, 202: {} },
  });
  expect(linesOf(before, after)).toEqual([
    '! operation POST /a body: added, required',
    '! operation POST /a response 200 a/c: removed',
    '! operation POST /a response 200 header X-A: removed',
    '! operation POST /a response 201: removed',
    'operation POST /a response 200 header X-B: added',
    'operation POST /a response 404: removed',
    'operation POST /a response 202: added',
  ]);
  expect(linesOf(after, before)).toContain('! operation POST /a body: removed');
});

it.each<[string, unknown, unknown, string[]]>([
  ['a scheme that became required', undefined, [{ key: [] }], ['! security: none → key']],
  ['a scheme that is no longer required', [{ key: [] }], [], ['security: key → none']],
  [
    'an alternative scheme',
    [{ key: [] }],
    [{ key: [] }, { oauth: ['read'] }],
    ['security: key → key or oauth (read)'],
  ],
  [
    'an additional scope',
    [{ oauth: ['a'] }],
    [{ oauth: ['a', 'b'] }],
    ['! security: oauth (a) → oauth (a, b)'],
  ],
])('compares security requirements: %s', (_name, before, after, expected) => {
  const operation = (security: unknown): Fields =>
    withOperation({ ...answer(true), ...(security !== undefined && { security }) });
  expect(linesOf(operation(before), operation(after))).toEqual(
    expected.map((line) => line.replace('security', 'operation POST /a security')),
  );
});

it('compares the body of a webhook like a response', () => {
  const hook = (schema: unknown): Fields => ({
    openapi: '3.1.0',
    webhooks: { paid: { post: request(schema) } },
  });
  expect(linesOf(hook({ enum: ['a'] }), hook({ enum: ['a', 'b'] }))).toEqual([
    '! webhook POST paid body application/json: added values: b',
  ]);
});

it('compares Swagger 2 with OpenAPI 3', () => {
  const swagger = {
    swagger: '2.0',
    host: 'api.example',
    paths: {
      '/a': {
        post: {
          parameters: [
            { in: 'query', name: 'limit', type: 'integer', required: true },
            { in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
          ],
          responses: { 200: { description: 'x', schema: { $ref: '#/definitions/Pet' } } },
        },
      },
    },
    definitions: { Pet: { type: 'string' } },
  };
  const operation = {
    parameters: [{ in: 'query', name: 'limit', required: true, schema: { type: 'integer' } }],
    requestBody: { required: true, content: { 'application/json': { schema: ref } } },
    ...answer(ref),
  };
  const after = withSchema({ type: 'string' }, operation);
  expect(linesOf(swagger, { ...after, servers: [{ url: 'https://api.example' }] })).toEqual([]);
  expect(linesOf(swagger, after)).toEqual(['! server https://api.example: removed']);
});

it('compares the headers of responses like their content, with names in any case', () => {
  const headers = (given: Fields, from: 'paths' | 'webhooks' = 'paths'): Fields => ({
    openapi: '3.1.0',
    [from]: { '/a': { get: { responses: { 200: { description: 'x', headers: given } } } } },
    components: { headers: { Rate: { required: true, schema: { type: 'integer' } } } },
  });
  const before = headers({
    'X-Rate': { $ref: '#/components/headers/Rate' },
    'X-Kind': { schema: { enum: ['a'] } },
    'X-Gone': { schema: {} },
  });
  const after = headers({
    'x-rate': { schema: { type: 'integer', minimum: 1 } },
    'X-Kind': { required: true, schema: { enum: ['a', 'b'] } },
    'X-New': { required: true, schema: {} },
  });
  expect(linesOf(before, after)).toEqual([
    '! operation GET /a response 200 header x-rate: is no longer required',
    '! operation GET /a response 200 header X-Kind: added values: b',
    '! operation GET /a response 200 header X-Gone: removed',
    'operation GET /a response 200 header x-rate: minimum: none → 1',
    'operation GET /a response 200 header X-Kind: is required now',
    'operation GET /a response 200 header X-New: added, required',
  ]);
  const sent = (given: Fields): Fields => headers(given, 'webhooks');
  expect(
    linesOf(sent({ 'X-Old': { schema: {} } }), sent({ 'X-New': { required: true, schema: {} } })),
  ).toEqual([
    '! webhook GET /a response 200 header X-Old: removed',
    '! webhook GET /a response 200 header X-New: added, required',
  ]);
});

it('compares callbacks with requests and responses swapped, because the API sends them', () => {
  const callback = (operation: Fields, name = 'paid'): Fields =>
    withOperation(
      { responses: {}, callbacks: { [name]: { $ref: '#/components/callbacks/paid' } } },
      {
        components: {
          callbacks: { paid: { '{$request.body#/url}': { parameters: [], post: operation } } },
        },
      },
    );
  const body = (schema: Fields, required: boolean): Fields => ({
    requestBody: { required, content: { 'application/json': { schema } } },
    responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
  });
  const place = 'operation POST /a callback paid POST {$request.body#/url}';
  const wide = { type: 'object', properties: { id: { type: ['string', 'null'] } }, required: ['id'] };
  const narrow = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  expect(linesOf(callback(body(narrow, true)), callback(body(wide, false)))).toEqual([
    `! ${place} body: is no longer required`,
    `! ${place} body application/json id: type: string → string or null`,
    `${place} response 200 application/json id: type: string → string or null`,
  ]);
  expect(linesOf(callback(body(wide, false)), callback(body(narrow, true)))).toEqual([
    `! ${place} response 200 application/json id: type: string or null → string`,
    `${place} body: is required now`,
    `${place} body application/json id: type: string or null → string`,
  ]);
  expect(linesOf(callback(body(wide, true)), callback(body(wide, true), 'refunded'))).toEqual([
    `! ${place}: removed`,
    `${place.replace('paid', 'refunded')}: added`,
  ]);
});

it('compares security schemes, whose changes are breaking if an operation uses them', () => {
  const secured = (securitySchemes: Fields, security: Fields[] = [{ key: [] }]): Fields =>
    withOperation({ responses: {} }, { security, components: { securitySchemes } });
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const flow = (tokenUrl: string, scopes: Fields): Fields => ({
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl, scopes } },
  });
  const before = secured({ key, unused: key, old: key, oauth: flow('/a', { read: 'x' }) });
  const after = secured({
    key: { ...key, name: 'X-Token' },
    unused: { type: 'http', scheme: 'bearer' },
    new: key,
    oauth: flow('/b', { read: 'y', write: '' }),
  });
  expect(linesOf(before, after)).toEqual([
    '! security-scheme key: name: x-key → x-token',
    'security-scheme unused: type: apiKey → http',
    'security-scheme unused: in: header → none',
    'security-scheme unused: name: x-key → none',
    'security-scheme unused: scheme: none → bearer',
    'security-scheme old: removed',
    'security-scheme oauth: clientCredentials.tokenUrl: /a → /b',
    'security-scheme oauth: clientCredentials.scopes: read → read, write',
    'security-scheme new: added',
  ]);
  expect(linesOf(secured({ key }), secured({ key: { ...key, name: 'x-key', description: 'x' } }))).toEqual(
    [],
  );
  const swagger = (authorizationUrl: string): Fields => ({
    swagger: '2.0',
    paths: {},
    securityDefinitions: { oauth: { type: 'oauth2', flow: 'implicit', authorizationUrl, scopes: {} } },
  });
  expect(linesOf(swagger('/a'), swagger('/b'))).toEqual([
    'security-scheme oauth: implicit.authorizationUrl: /a → /b',
  ]);
});

it('compares the values and defaults of server variables', () => {
  const server = (url: string, variables: Fields = {}): Fields => ({
    ...withOperation(answer(true)),
    servers: [{ url, variables }],
  });
  const url = 'https://{region}.api.example';
  const region = (value: string, ...values: string[]): Fields => ({
    region: { default: value, ...(values.length === 0 ? {} : { enum: values }) },
  });
  const before = server(url, region('eu', 'eu', 'us'));
  expect(linesOf(before, before)).toEqual([]);
  expect(linesOf(before, server(url, region('eu', 'eu', 'asia')))).toEqual([
    '! server https://eu.api.example variable region: removed values: us',
    'server https://eu.api.example variable region: added values: asia',
  ]);
  expect(linesOf(before, server(url, region('eu')))).toEqual([
    'server https://eu.api.example variable region: any value now',
  ]);
  expect(linesOf(server(url, region('eu')), before)).toEqual([
    '! server https://eu.api.example variable region: only these values now: eu, us',
  ]);
  expect(linesOf(before, server(url, region('us', 'eu', 'us')))).toEqual([
    'server https://eu.api.example variable region: default: eu → us',
  ]);
  expect(linesOf(before, server('https://eu.api.example'))).toEqual([
    '! server https://eu.api.example variable region: removed values: us',
  ]);
  expect(linesOf(before, server('https://us.api.example'))).toEqual([
    '! server https://eu.api.example: removed',
    'server https://us.api.example: added',
  ]);
});
