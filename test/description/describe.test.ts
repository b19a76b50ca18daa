import { beforeAll, describe as suite, expect, it } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { describe } from '../../src/description/describe.ts';
import { nouns } from '../../src/resources/index.ts';
import { operationsOf } from '../../src/description/schemas.ts';

interface Described {
  readonly deprecated?: boolean;
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly $ref?: string;
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: object;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: object }>;
  };
  readonly responses: Record<
    string,
    {
      readonly $ref?: string;
      readonly description?: string;
      readonly content?: Record<string, { readonly schema: { readonly $ref?: string } }>;
    }
  >;
  readonly security?: readonly unknown[];
  readonly 'x-docsctl-access': string;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Described>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: Record<string, Record<string, Record<string, unknown>>>;
  readonly security: unknown;
  readonly servers: unknown;
}

let document: Document;
let operations: readonly Operation[];
const described = (operation: Operation): Described =>
  document.paths[operation.path.replace(/:(\w+)/g, '{$1}')]![operation.method.toLowerCase()]!;

beforeAll(async () => {
  // Converted to JSON and back, as a client sees it.
  document = JSON.parse(
    JSON.stringify(await describe(nouns, { version: '1.2.3', url: 'https://docs.test' })),
  ) as Document;
  operations = (await operationsOf(nouns)).flatMap((noun) => noun.operations);
});

suite('the OpenAPI document', () => {
  it('the OpenAPI description has the defaults that its texts name', () => {
    const named: string[] = [];
    const differing: unknown[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      const { description, schema, ...own } = value as Record<string, Record<string, unknown> | undefined>;
      const given = (schema ?? own)['default'];
      const [, name] = /\(default: ([^ )]*)\)/.exec(String(description)) ?? [];
      if (name !== undefined && given !== undefined) {
        named.push(name);
        if (String(given) !== name) differing.push([description, given]);
      }
      for (const inner of Object.values(value)) visit(inner);
    };
    visit(document);
    expect(differing).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it('the OpenAPI description has the lengths of parameters in paths that the server accepts', () => {
    const parameters = Object.values(document.paths).flatMap((path) =>
      Object.values(path).flatMap(({ parameters: own = [] }) => own),
    );
    const inPaths = parameters.filter((parameter) => parameter.in === 'path');
    expect(inPaths.length).toBeGreaterThan(100);
    for (const { schema } of inPaths)
      expect(schema).toEqual({ type: 'string', minLength: 1, maxLength: 1024 });
  });

  it('the OpenAPI description has the format of the optional idempotency key', () => {
    const { IdempotencyKey: parameter = {} } = document.components['parameters'] ?? {};
    expect(parameter).toMatchObject({ name: 'Idempotency-Key', in: 'header', required: false });
    const { schema } = parameter as { schema: { minLength: number; maxLength: number; pattern: string } };
    expect(schema).toEqual({ type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' });
    for (const [key, matches] of [
      ['a', true],
      ['!~', true],
      ['a b', false],
      ['', false],
      ['\u007f', false],
    ] as const)
      expect(new RegExp(schema.pattern).test(key)).toBe(matches);
  });

  it('the texts of the OpenAPI description name no command options', () => {
    const texts: string[] = [];
    JSON.stringify(document, (key, value: unknown) => {
      if ((key === 'description' || key === 'summary') && typeof value === 'string') texts.push(value);
      return value;
    });
    // Options may occur inside whole command lines.
    const withoutCommands = texts.map((text) => text.replace(/`docsctl [^`]*`/g, ''));
    expect(withoutCommands.filter((text) => /(?:^|[^-\w])--[a-z]/.test(text))).toEqual([]);
  });

  it('the description is OpenAPI 3.1 with a server, a token and common components', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'docsctl', version: '1.2.3' },
      servers: [{ url: 'https://docs.test/v1' }],
      security: [{ token: [] }],
    });
    expect(document.components['securitySchemes']).toEqual({ token: { type: 'http', scheme: 'bearer' } });
  });

  it('the description has every operation exactly once, with its own ID', () => {
    const all = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(all).toHaveLength(operations.length);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(operations.length);
    for (const { operationId, summary, tags } of all) {
      expect(operationId).toMatch(/^[a-z][a-zA-Z0-9]*$/);
      expect(summary).not.toBe('');
      for (const tag of tags) expect(document.tags.map(({ name }) => name)).toContain(tag);
    }
  });

  it('the description marks the operations that are deprecated', () => {
    const marked = operations.filter((operation) => described(operation).deprecated === true);
    expect(marked).not.toEqual([]);
    expect(marked).toEqual(operations.filter(({ deprecated }) => deprecated));
  });

  it('the description has a parameter for each path parameter and query field', () => {
    for (const operation of operations) {
      const parameters = described(operation).parameters ?? [];
      const of = (place: string) => parameters.filter((parameter) => parameter.in === place);
      expect(of('path').map(({ name, required }) => [name, required])).toEqual(
        operation.paramNames.map((name) => [name, true]),
      );
      expect(of('query').map(({ name }) => name)).toEqual(Object.keys(operation.query.properties));
      expect(parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey')).toBe(
        operation.method !== 'GET',
      );
    }
  });

  it('the description has the body, the answer and the errors of each operation', () => {
    for (const operation of operations) {
      const { requestBody, responses, security, 'x-docsctl-access': access } = described(operation);
      expect(access).toBe(operation.access);
      expect(requestBody === undefined).toBe(operation.body === undefined);
      const { status, schema, file } = operation.returns;
      expect(Object.keys(responses[status]?.content ?? {}), operation.id).toEqual(
        schema === undefined ? [] : [file ? 'application/octet-stream' : 'application/json'],
      );
      if (file)
        expect(responses[status]?.content?.['application/octet-stream']?.schema).toEqual({
          type: 'string',
          format: 'binary',
        });
      expect(responses['400']).toEqual({ $ref: '#/components/responses/InvalidInput' });
      expect(responses).toHaveProperty('default');
      const isOpen = operation.access.endsWith('.any');
      expect([security, '401' in responses]).toEqual(isOpen ? [[], false] : [undefined, true]);
    }
  });

  it('the description has exactly the errors that an operation can return', () => {
    const statusesOf = (id: string) => {
      const operation = operations.find((one) => one.id === id);
      if (operation === undefined) throw new Error(`no operation ${id}`);
      return Object.keys(described(operation).responses);
    };
    expect(statusesOf('orgs.list')).toEqual(['200', '400', '401', '429', 'default']);
    expect(statusesOf('spaces.get')).toEqual(['200', '400', '401', '403', '404', '429', 'default']);
    expect(statusesOf('spaces.delete')).toEqual([
      '204',
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '422',
      '429',
      'default',
    ]);
    expect(statusesOf('spaces.update')).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '412',
      '413',
      '415',
      '422',
      '429',
      'default',
    ]);
  });

  it('a body is optional in the description only if none of its fields is required', () => {
    for (const operation of operations.filter(({ body }) => body?.['type'] === 'object')) {
      expect(described(operation).requestBody?.required, operation.id).toBe(
        operation.body!['required'] !== undefined,
      );
    }
  });

  it('every reference in the description has a target', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
    expect(references.length).toBeGreaterThan(operations.length);
    for (const reference of new Set(references)) {
      const [root, components, kind, name] = reference.split('/');
      expect([root, components]).toEqual(['#', 'components']);
      expect(document.components[kind!], reference).toHaveProperty(name!);
    }
  });

  it('the schemas of resources are written once, and none refers to itself', () => {
    const schemas = document.components['schemas']!;
    expect(schemas['Collection']).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: expect.arrayContaining(['id', 'title']),
    });
    const got =
      document.paths['/collections/{collectionId}']!['get']!.responses['200']!.content!['application/json']!
        .schema;
    expect(got).toEqual({ $ref: '#/components/schemas/Collection' });
    for (const [name, schema] of Object.entries(schemas))
      expect(schema['$ref']).not.toBe(`#/components/schemas/${name}`);
  });

  it('all errors in the description have the same schema', () => {
    expect(document.components['schemas']!['Error']).toMatchObject({
      required: ['error'],
      properties: { error: { required: ['code', 'message', 'reason', 'requestId'] } },
    });
    for (const response of Object.values(document.components['responses']!))
      expect(response).toMatchObject({
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      });
  });
});
