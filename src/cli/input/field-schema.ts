import type { Operation } from '../../contract/operation.ts';
import type { TSchema } from '../../contract/schema.ts';

/** The parts of a JSON Schema that flags and their help use. */
export type Schema = TSchema & {
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  required?: string[];
  const?: unknown;
};

const maxLength = 160;
const maxDepth = 4;
const maxChoices = 5;

/** Returns a sketch of a JSON value: `{"type": "rules", "rules"?: […]}`. "?" marks optional fields. */
export function shapeOf(schema: Schema): string {
  for (let depth = maxDepth; depth > 1; depth--) {
    const shape = sketch(schema, depth);
    if (shape.length <= maxLength) return shape;
  }
  return sketch(schema, 1);
}

function sketch(
  { const: value, format, anyOf, enum: choices, type, ...schema }: Schema,
  depth: number,
): string {
  if (value !== undefined) return JSON.stringify(value);
  if (format === 'rich-document') return '{…}';
  if (anyOf !== undefined) return [...new Set(anyOf.map((choice) => sketch(choice, depth)))].join(' or ');
  if (choices !== undefined) {
    const words = choices.slice(0, maxChoices).map((word) => JSON.stringify(word));
    return [...words, ...(choices.length > maxChoices ? ['…'] : [])].join('|');
  }
  const { items, properties = {}, patternProperties = {}, required = [] } = schema;
  if (type === 'array')
    return `[${depth > 1 ? (items === undefined ? '"…"' : sketch(items, depth - 1)) : ''}…]`;
  if (type === undefined || type === 'string') return '"…"';
  if (type !== 'object') return type;
  const [pattern] = Object.values(patternProperties);
  const fields = Object.entries(properties);
  if (depth <= 1 || (fields.length === 0 && pattern === undefined)) return '{…}';
  const sketches = fields.map(
    ([name, field]) => `"${name}"${required.includes(name) ? '' : '?'}: ${sketch(field, depth - 1)}`,
  );
  if (pattern !== undefined) sketches.push(`"…": ${sketch(pattern, depth - 1)}`);
  return `{${sketches.join(', ')}}`;
}

/** The schema of a nullable field without null. */
export function withoutNull(schema: Schema): Schema {
  const [choice, second] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  return second === undefined ? (choice ?? schema) : schema;
}

/** Whether a field is a rich document, or an object that may contain one as Markdown, such as a comment. */
export function isText({ format, type, properties }: Schema): boolean {
  return format === 'rich-document' || (type === 'object' && properties?.['markdown']?.type === 'string');
}

/** Whether a value is given as JSON. */
export function isStructured(schema: Schema | undefined): boolean {
  return schema?.type === 'object' || schema?.anyOf?.some(isStructured) === true;
}

/** Whether a field accepts null, which removes its value. */
export function takesNull({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === 'null');
}

/** Whether a field is a list that is cleared by an empty list instead of null. */
export function isClearedList({ method, body }: Pick<Operation, 'method' | 'body'>, name: string): boolean {
  const { type, minItems } = new Map(propertiesIn(body)).get(name) ?? ({} as Schema);
  return method === 'PATCH' && type === 'array' && minItems === undefined;
}

/** Returns the fields of an object schema, or of the object among several alternatives. */
export function propertiesIn(schema: TSchema | undefined): [string, Schema][] {
  return Object.entries(objectIn(schema).properties ?? {});
}

/** Returns the required fields of such an object. */
export function requiredIn(schema: TSchema | undefined): readonly string[] {
  return objectIn(schema).required ?? [];
}

function objectIn(schema: TSchema | undefined): Partial<Schema> {
  const { properties, anyOf = [] } = (schema ?? {}) as Schema;
  return (properties === undefined ? anyOf.find(({ type }) => type === 'object') : schema) ?? {};
}

/** Whether a period such as 7d means a time in the future (1), for fields about expiry, or in the past (-1). */
export function periodSign(name: string): 1 | -1 {
  return name.startsWith('expires') ? 1 : -1;
}
