import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { pointerToken } from '../contract/paths.ts';
import { Problem, type Violation } from '../errors/problem.ts';
import { getOrInsert, isObject, isRecord, ownValue } from '../contract/values.ts';
import { RecentMap } from './recent-map.ts';

/** Limits of a JSON Schema that a user supplies, and of the values that are checked against it. */
export const schemaLimits = {
  /** Levels of schemas within schemas. */
  depth: 16,
  /** Schemas and values in the schema. */
  nodes: 2000,
  /** Characters of a text in the schema. */
  text: 1024,
  /** Levels of a checked value. */
  valueDepth: 32,
  /** Values within a checked value. */
  valueNodes: 2000,
  /** Uses of `uniqueItems`, which is slow to check. */
  unique: 10,
} as const;

const knownFormats = [
  'date',
  'date-time',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
] as const;

interface SchemaCounts {
  nodes: number;
  unique: number;
}

/** The value of a keyword: a schema, a list of schemas, schemas by name, data, or a schema or a list of them. */
type KeywordValue = 'schema' | 'schemas' | 'named' | 'data' | 'either';

/** The supported keywords of draft 7. */
const keywords: Readonly<Record<string, KeywordValue>> = {
  ...keywordsOf(
    'data',
    '$schema',
    '$id',
    '$comment',
    'title',
    'description',
    'default',
    'examples',
    'readOnly',
    'writeOnly',
    'type',
    'enum',
    'const',
    'format',
  ),
  ...keywordsOf(
    'data',
    'multipleOf',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
    'maxItems',
    'minItems',
    'uniqueItems',
  ),
  ...keywordsOf('data', 'maxProperties', 'minProperties', 'required'),
  ...keywordsOf(
    'schema',
    'additionalItems',
    'contains',
    'additionalProperties',
    'propertyNames',
    'if',
    'then',
    'else',
    'not',
  ),
  ...keywordsOf('schemas', 'allOf', 'anyOf', 'oneOf'),
  properties: 'named',
  items: 'either',
};

/** Keywords of draft 7 that are not supported, with the reason. */
const unsupported: Readonly<Record<string, string>> = {
  $ref: 'references to other schemas are not supported; write the schema out in place',
  pattern:
    'patterns are not supported, because some take very long to match; use enum, format, minLength and maxLength',
  patternProperties:
    'patterns are not supported, because some take very long to match; list the properties by name',
};

/**
 * Returns the errors of a JSON Schema (draft 7), at most ten. If there are none, `compileSchema` accepts it. `at` is the
 * JSON pointer of the schema.
 */
export function checkSchema(schema: unknown, at = ''): Violation[] {
  const found: Violation[] = [];
  const counts = { nodes: 0, unique: 0 };
  for (const violation of schemaViolations(schema, at, 1, counts)) {
    found.push(violation);
    if (found.length === 10) return found;
  }
  if (found.length > 0) return found;
  schemaOfSchemas ??= new Ajv({ strict: false, logger: false });
  if (schemaOfSchemas.validateSchema(schema as object) === true) return [];
  return violationsFrom(schemaOfSchemas.errors ?? [], at).slice(0, 10);
}

/** Validates schemas. It is kept, because the schema of draft 7 takes long to compile. */
let schemaOfSchemas: Ajv | undefined;
/** Compiled schemas by their JSON. Integrations have a schema for each level, and each event is checked against one. */
const compiled = new RecentMap<ValidateFunction>(100);

/**
 * Compiles a JSON Schema into a check of values. `at` is the JSON pointer of the value.
 *
 * @throws Problem(invalid-input) for a schema that `checkSchema` refuses.
 */
export function compileSchema(schema: unknown): (value: unknown, at?: string) => Violation[] {
  const violations = checkSchema(schema);
  const [first] = violations;
  if (first !== undefined)
    throw new Problem(
      'invalid-input',
      `The JSON Schema is not valid: ${first.path || '/'}: ${first.message}.`,
      { violations },
    );
  const text = JSON.stringify(schema);
  const validate = getOrInsert(compiled, text, () => compileChecked(schema));
  return (value, at = '') => {
    const size = describeExcess(value);
    if (size !== undefined) return [{ path: at, message: size }];
    return validate(value) ? [] : violationsFrom(validate.errors ?? [], at);
  };
}

/** Compiles a schema that `checkSchema` accepts, so that Ajv need not check it again. */
function compileChecked(schema: unknown): ValidateFunction {
  const ajv = new Ajv({
    strict: false,
    allErrors: false,
    logger: false,
    ownProperties: true,
    meta: false,
    validateSchema: false,
  });
  formats.default(ajv, { mode: 'fast', formats: [...knownFormats] });
  const { $id: _, ...rest } = schema as Record<string, unknown>;
  return ajv.compile(typeof schema === 'boolean' ? schema : rest);
}

function* schemaViolations(
  schema: unknown,
  at: string,
  depth: number,
  seen: SchemaCounts,
): Generator<Violation> {
  if (++seen.nodes > schemaLimits.nodes)
    return yield { path: at, message: `a schema has at most ${schemaLimits.nodes} parts` };
  if (depth > schemaLimits.depth)
    return yield { path: at, message: `schemas can be nested at most ${schemaLimits.depth} levels deep` };
  if (typeof schema === 'boolean') return;
  if (!isRecord(schema)) return yield { path: at, message: 'must be a schema: an object, true or false' };
  for (const [keyword, value] of Object.entries(schema)) {
    const path = `${at}/${pointerToken(keyword.slice(0, 100))}`;
    const valueKind = ownValue(keywords, keyword);
    if (valueKind === undefined)
      yield {
        path,
        message: ownValue(unsupported, keyword) ?? 'is not a known keyword of draft 7',
      };
    else if (valueKind === 'schema' || (valueKind === 'either' && !Array.isArray(value)))
      yield* schemaViolations(value, path, depth + 1, seen);
    else if (keyword === '$id' && depth > 1)
      yield { path, message: 'an $id is allowed only at the top level of the schema' };
    else if (valueKind === 'data') yield* dataViolations(keyword, value, path, seen);
    else if (valueKind === 'named' ? !isRecord(value) : !Array.isArray(value))
      yield { path, message: `must be ${valueKind === 'named' ? 'an object' : 'a list'} of schemas` };
    else
      for (const [name, inner] of Object.entries(value as object)) {
        if (name === '__proto__') yield { path, message: 'no property can be called __proto__' };
        else yield* schemaViolations(inner, `${path}/${pointerToken(name.slice(0, 100))}`, depth + 1, seen);
      }
  }
}

function* dataViolations(
  keyword: string,
  value: unknown,
  path: string,
  seen: SchemaCounts,
): Generator<Violation> {
  const size = describeExcess(value, schemaLimits.nodes - seen.nodes, schemaLimits.depth);
  if (size !== undefined) return yield { path, message: size };
  seen.nodes += countNodes(value);
  if (typeof value === 'string' && value.length > schemaLimits.text)
    yield { path, message: `must have at most ${schemaLimits.text} characters` };
  if (keyword === 'enum' && Array.isArray(value) && value.length === 0)
    yield { path, message: 'must have a value' };
  if (keyword === 'uniqueItems' && ++seen.unique > schemaLimits.unique)
    yield { path, message: `can be used at most ${schemaLimits.unique} times in a schema` };
  if (keyword === 'format' && !knownFormats.includes(value as (typeof knownFormats)[number]))
    yield { path, message: `must be one of: ${knownFormats.join(', ')}` };
  if (keyword === '$schema' && !/^http:\/\/json-schema\.org\/draft-07\/schema#?$/.test(String(value)))
    yield { path, message: 'must be http://json-schema.org/draft-07/schema#' };
}

/** Returns a message if a value exceeds a limit. Not recursive, because a deep value would overflow the stack. */
function describeExcess(
  value: unknown,
  maxNodes: number = schemaLimits.valueNodes,
  maxDepth: number = schemaLimits.valueDepth,
): string | undefined {
  const pending: [value: unknown, depth: number][] = [[value, 1]];
  let nodes = 0;
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const [next, depth] = item;
    if (++nodes > maxNodes) return `holds more than ${maxNodes} values`;
    if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`;
    if (isObject(next)) {
      const children = Object.values(next);
      if (children.length > maxNodes) return `holds more than ${maxNodes} values`;
      for (const child of children) pending.push([child, depth + 1]);
    }
  }
  return undefined;
}

function countNodes(value: unknown): number {
  return isObject(value)
    ? Object.values(value).reduce<number>((sum, inner) => sum + countNodes(inner), 1)
    : 1;
}

function violationsFrom(errors: readonly ErrorObject[], at: string): Violation[] {
  return errors.map(({ instancePath, keyword, params, message = 'is not valid' }) => {
    if (keyword === 'additionalProperties')
      return {
        path: `${at}${instancePath}/${pointerToken(String(params['additionalProperty']).slice(0, 100))}`,
        message: 'is not a known field',
      };
    if (keyword === 'required')
      return {
        path: `${at}${instancePath}/${pointerToken(String(params['missingProperty']).slice(0, 100))}`,
        message: 'is required',
      };
    if (keyword === 'enum') {
      const allowed = (params['allowedValues'] as unknown[]).slice(0, 20).map(String);
      return {
        path: at + instancePath,
        message: `must be ${allowed.length === 1 ? '' : 'one of: '}${allowed.join(', ')}`,
      };
    }
    return { path: at + instancePath, message };
  });
}

function keywordsOf(value: KeywordValue, ...names: readonly string[]): Record<string, KeywordValue> {
  return Object.fromEntries(names.map((name) => [name, value]));
}
