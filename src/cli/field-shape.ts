import type { TSchema } from '../contract/schema.ts';

/** The parts of a JSON Schema that flags and their help are made of. */
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

/** Sketches a value that is given as JSON: `{"type": "rules", "rules"?: […]}`, where "?" marks optional fields. */
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
  if (anyOf !== undefined) return anyOf.map((choice) => sketch(choice, depth)).join(' or ');
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
