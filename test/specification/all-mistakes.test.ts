import { expect, it } from 'vitest';
import { readSpecification } from '../../src/specification/read-specification.ts';

const specification = `openapi: 3.0.3
info:
  title: A
paths:
  /a/{id}:
    get:
      operationId: x
      responses:
        200:
          description: ok
          content: { a/b: { schema: { $ref: '#/components/schemas/None' } } }
  /b:
    get:
      operationId: x
      responses: { 200: { description: ok } }
  /c:
    get:
      parameters: [{ name: a, in: nowhere }]
      responses: { 200: { description: ok } }
  /d:
    get:
      responses: { 200: {} }
  /e/{e}:
    get:
      responses: { 200: { description: d, content: { a/b: { schema: { $ref: '#/components/schemas/S' } } } } }
  /f/{f}:
    get:
      parameters: [{ $ref: '#/components/parameters/F' }]
      responses: { 200: { description: d } }
components:
  schemas: { S: { type: 1 } }
`;

it('reports the position of a YAML error, from line 1 and column 1', async () => {
  const { errors } = await readSpecification('@openapi: 3.0.3\n');
  expect(errors.map(({ at }) => at)).toEqual([{ line: 1, column: 1 }]);
});

it('reports errors of all kinds in one run, each once and in the order of the text', async () => {
  const { errors } = await readSpecification(specification);
  const missing =
    'which no parameter describes: add a parameter with "in: path" and "required: true" for each';
  expect(errors.map(({ code, at, message }) => `${at.line} ${code} ${message}`)).toEqual([
    '2 SCHEMA_INVALID "info" needs "version": add the version of the API, such as "1.0.0"',
    `6 SPEC_INVALID the path has {id}, ${missing}`,
    '11 UNRESOLVED_REF "#/components/schemas/None" leads to nothing',
    '14 SPEC_INVALID another operation has the operationId "x" too: give each its own',
    '18 SCHEMA_INVALID "in" must be one of query, header, path, cookie, not "nowhere"',
    '22 SCHEMA_INVALID a response needs "description": add a text such as "OK"',
    `24 SPEC_INVALID the path has {e}, ${missing}`,
    '28 UNRESOLVED_REF "#/components/parameters/F" leads to nothing',
    '31 SCHEMA_INVALID must be a string: write it in quotes, as "1"',
  ]);
});

it.each([
  ['openapi: 3.0.3', 'schema: { type: string }'],
  ["swagger: '2.0'", 'type: string'],
])('checks the operations of %s if references of parameters lead to nothing', async (version, type) => {
  const { errors } = await readSpecification(`${version}
info: { title: A, version: '1' }
paths:
  /a/{a}/{b}/{c}:
    parameters: [{ $ref: '#/x/All' }]
    get:
      parameters: [{ $ref: '#/x/A' }, { name: b, in: path, required: true, ${type} }]
      responses: { 200: {} }
    put:
      parameters: [{ $ref: '#/x/B' }, { $ref: '#/x/C' }]
      operationId: 1
      responses: { 200: { description: d } }
`);
  expect(errors.map(({ code, at }) => `${at.line} ${code}`)).toEqual([
    '5 UNRESOLVED_REF',
    '7 UNRESOLVED_REF',
    '8 SCHEMA_INVALID',
    '10 UNRESOLVED_REF',
    '10 UNRESOLVED_REF',
    '11 SCHEMA_INVALID',
  ]);
});
