import type { Operation } from '../contract/operation.ts';
import { isReaderOf } from '../contract/reader-of.ts';
import type { Noun } from '../resources/index.ts';
import { commonComponents, errorResponses } from './components.ts';
import { namedSchemas, plainSchema, schemaNames, type SchemaNames, operationsOf } from './schemas.ts';
import { defined } from '../contract/values.ts';

interface Info {
  readonly version: string;
  /** The base address of the server, without `/v1`. */
  readonly url: string;
}

/** Creates the OpenAPI 3.1 document of the API from the declarations that the server and the commands use. */
export async function describe(nouns: readonly Noun[], { version, url }: Info): Promise<object> {
  const contracts = await operationsOf(nouns);
  const named = namedSchemas(contracts);
  const names = schemaNames(named);
  const paths: Record<string, Record<string, object>> = {};
  for (const { noun, operations } of contracts) {
    for (const operation of operations) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}');
      (paths[path] ??= {})[operation.method.toLowerCase()] = describeOperation(operation, noun, {
        names,
        canMatch: operations.some((other) => isReaderOf(other, operation)),
      });
    }
  }
  const schemas = Object.fromEntries(
    [...named].map(([name, schema]) => [name, plainSchema(schema, names, name)]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'docsctl',
      version,
      description: 'Administer a documentation platform: what `docsctl` does, over HTTP.',
    },
    servers: [{ url: `${url}/v1` }],
    security: [{ token: [] }],
    tags: contracts.map(({ noun }) => ({ name: noun.words, description: noun.summary })),
    paths,
    components: { ...commonComponents, schemas: { ...commonComponents.schemas, ...schemas } },
  };
}

function describeOperation(
  operation: Operation,
  noun: Noun,
  { names, canMatch }: { names: SchemaNames; canMatch: boolean },
): object {
  const { id, summary, description, deprecated, access, body, method } = operation;
  const parameters = [
    ...pathParameters(operation),
    ...queryParameters(operation, names),
    ...(method === 'GET' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
    ...(canMatch ? [{ $ref: '#/components/parameters/IfMatch' }] : []),
    ...(canMatch && method === 'PUT' ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return {
    operationId: camelCase(id),
    summary,
    ...defined({ description }),
    tags: [noun.words],
    ...(deprecated ? { deprecated } : {}),
    ...(access.endsWith('.any') ? { security: [] } : {}),
    'x-docsctl-access': access,
    'x-docsctl-command': id.replaceAll('.', ' '),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body['required'] !== undefined || body['type'] !== 'object',
            content: json(plainSchema(body, names)),
          },
        }),
    responses: {
      [operation.returns.status]: success(operation, names),
      ...errorResponses(operation, canMatch),
    },
  };
}

function pathParameters({ paramNames }: Operation): object[] {
  return paramNames.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 1024 },
  }));
}

function queryParameters({ query }: Operation, names: SchemaNames): object[] {
  const required = new Set(query.required as readonly string[] | undefined);
  return Object.entries(query.properties).map(([name, { description, ...schema }]) =>
    defined({
      name,
      in: 'query',
      required: required.has(name),
      description,
      schema: plainSchema(schema, names),
    }),
  );
}

function success({ returns, summary }: Operation, names: SchemaNames): object {
  if (returns.schema === undefined) return { description: 'Done' };
  const schema = plainSchema(returns.schema, names);
  return {
    description: summary,
    content: returns.file === true ? { 'application/octet-stream': { schema } } : json(schema),
  };
}

function json(schema: unknown): object {
  return { 'application/json': { schema } };
}

function camelCase(id: string): string {
  return id.replace(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase());
}
