import type { TSchema } from '../contract/schema.ts';

/** What is looked at of a schema to say what its values are like. */
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

/** More would bury the other flags of a help. */
const longest = 160;
const deepest = 4;
const mostWords = 5;

/** The form of a value that is given as JSON, such as `{"type": "rules", "rules": […]}`; a "?" marks what may be left out. */
export function shapeOf(schema: Schema): string {
  for (let depth = deepest; depth > 1; depth--) {
    const shape = draw(schema, depth);
    if (shape.length <= longest) return shape;
  }
  return draw(schema, 1);
}

function draw(schema: Schema, depth: number): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.format === 'rich-document') return '{…}';
  if (schema.anyOf !== undefined) return schema.anyOf.map((choice) => draw(choice, depth)).join(' or ');
  if (schema.enum !== undefined) {
    const words = schema.enum.slice(0, mostWords).map((word) => JSON.stringify(word));
    return [...words, ...(schema.enum.length > mostWords ? ['…'] : [])].join('|');
  }
  if (schema.type === 'array')
    return `[${depth > 1 ? draw(schema.items ?? ({} as Schema), depth - 1) : ''}…]`;
  if (schema.type !== 'object')
    return schema.type === 'null'
      ? 'null'
      : schema.type === 'string' || schema.type === undefined
        ? '"…"'
        : schema.type;
  const known = Object.entries(schema.properties ?? {});
  const free = Object.values(schema.patternProperties ?? {})[0];
  if (depth <= 1 || (known.length === 0 && free === undefined)) return '{…}';
  const fields = known.map(
    ([name, value]) =>
      `"${name}"${schema.required?.includes(name) === true ? '' : '?'}: ${draw(value, depth - 1)}`,
  );
  return `{${[...fields, ...(free === undefined ? [] : [`"…": ${draw(free, depth - 1)}`])].join(', ')}}`;
}
