import { isRecord } from '../contract/values.ts';
import { createFinding, type Finding } from './specification.ts';

const swaggerTypes = ['string', 'number', 'integer', 'boolean', 'array', 'file'];
const locations = {
  swagger: ['query', 'header', 'path', 'formData', 'body'],
  openapi: ['query', 'header', 'path', 'cookie'],
};

/** The styles of OpenAPI 3 for each place of a parameter, the default first (OpenAPI 3.1.1, section 4.8.12.2). */
const styles: Readonly<Record<string, readonly string[]>> = {
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  path: ['simple', 'label', 'matrix'],
  cookie: ['form'],
};

/**
 * Finds mistakes in a parameter. The schemas have one variant for each kind of parameter, so their errors refer to the wrong
 * variant.
 */
export function checkParameter(parameter: unknown, object: readonly string[], isSwagger: boolean): Finding[] {
  if (!isRecord(parameter) || '$ref' in parameter) return [];
  const [message, field] = findMistake(parameter, isSwagger) ?? [];
  if (message === undefined) return [];
  const pointer = field !== undefined && Object.hasOwn(parameter, field) ? [...object, field] : object;
  return [createFinding('SCHEMA_INVALID', message, pointer, object)];
}

type Mistake = readonly [message: string, field?: string];

function findMistake(parameter: Record<string, unknown>, isSwagger: boolean): Mistake | undefined {
  const { name, in: location, required } = parameter;
  const known = isSwagger ? locations.swagger : locations.openapi;
  if (location === undefined) return ['this parameter needs "in"'];
  if (!isSwagger && (location === 'body' || location === 'formData'))
    return [`"in: ${location}" is of Swagger 2.0; OpenAPI 3 has a "requestBody" beside "parameters"`, 'in'];
  if (typeof location !== 'string' || !known.includes(location))
    return [`"in" must be one of ${known.join(', ')}, not ${quote(location)}`, 'in'];
  if (name === undefined) return ['this parameter needs "name"'];
  if (location === 'path' && required !== true)
    return ['a path parameter needs "required: true"', 'required'];
  return isSwagger ? findSwaggerMistake(parameter) : findOpenApiMistake(parameter);
}

function findSwaggerMistake({ in: location, type, schema }: Record<string, unknown>): Mistake | undefined {
  if (location === 'body')
    return schema === undefined ? ['a parameter "in: body" needs a "schema"'] : undefined;
  if (type === undefined && schema !== undefined)
    return ['only a parameter "in: body" can have a "schema"; this one needs a "type"', 'schema'];
  if (type === undefined) return ['this parameter needs "type"'];
  if (typeof type !== 'string' || !swaggerTypes.includes(type))
    return [
      `the "type" of a parameter must be one of ${swaggerTypes.join(', ')}, not ${quote(type)}`,
      'type',
    ];
  if (type === 'file' && location !== 'formData')
    return ['only a parameter "in: formData" can be a file', 'type'];
  return undefined;
}

function findOpenApiMistake(parameter: Record<string, unknown>): Mistake | undefined {
  const { in: location, schema, content, example, examples, type, style, explode, required } = parameter;
  const known = styles[String(location)] ?? [];
  if (style !== undefined && !known.includes(String(style)))
    return [
      `the "style" of a ${String(location)} parameter must be ${listStyles(known)}, not ${quote(style)}`,
      'style',
    ];
  for (const [field, value] of Object.entries({ explode, required }))
    if (value !== undefined && typeof value !== 'boolean')
      return [`"${field}" must be true or false, not ${quote(value)}`, field];
  if (example !== undefined && examples !== undefined)
    return ['use either "example" or "examples", not both', 'example'];
  if (schema !== undefined && content !== undefined)
    return ['use either "schema" or "content", not both', 'content'];
  if (schema !== undefined || content !== undefined) {
    const old = ['collectionFormat', 'items'].find((field) => Object.hasOwn(parameter, field));
    return old === undefined ? undefined : [adviseOn(old), old];
  }
  if (type === undefined) return ['this parameter needs a "schema" or "content"'];
  return ['in OpenAPI 3 the "type" of a parameter belongs in its "schema"', 'type'];
}

function listStyles(known: readonly string[]): string {
  return known.length === 1 ? `"${known[0]}"` : `one of ${known.join(', ')}`;
}

/** Returns the replacement of a field of Swagger 2.0. */
function adviseOn(field: string): string {
  return field === 'items'
    ? 'in OpenAPI 3 the "items" of a parameter belong in its "schema"'
    : '"collectionFormat" is of Swagger 2.0; OpenAPI 3 has "style" and "explode"';
}

function quote(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
