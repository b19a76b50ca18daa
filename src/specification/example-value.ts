import { isRecord } from '../contract/values.ts';
import { asRecord } from './specification-tree.ts';
import type { SchemaViewer } from './view-schema.ts';

const maxDepth = 6;
const formats: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00',
  email: 'name@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
  byte: 'dGV4dA==',
};

/** Makes a value that fits a schema: its own example where it has one, else of the examples of its parts. */
export function exampleOf(viewer: SchemaViewer, given: unknown, above: readonly unknown[] = []): unknown {
  const schema = viewer.resolve(given);
  if ('example' in schema) return schema['example'];
  const {
    examples,
    default: standard,
    enum: values,
    const: only,
    allOf,
    oneOf,
    anyOf,
    items,
    properties,
  } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (standard !== undefined) return standard;
  if (only !== undefined) return only;
  if (Array.isArray(values) && values.length > 0) return values[0];
  if (above.length >= maxDepth || above.includes(schema) || above.includes(asRecord(given)['$ref'] ?? schema))
    return null;
  const inside = [...above, asRecord(given)['$ref'] ?? schema];
  const inner = (value: unknown): unknown => exampleOf(viewer, value, inside);
  if (Array.isArray(allOf)) {
    const parts = [...allOf, ...(isRecord(properties) ? [{ type: 'object', properties }] : [])].map(inner);
    return parts.every(isRecord) ? Object.assign({}, ...parts) : parts.find((part) => part !== null);
  }
  const [variant] = [oneOf, anyOf].flatMap((list): unknown[] =>
    Array.isArray(list) ? list.filter((each) => asRecord(each)['type'] !== 'null') : [],
  );
  if (variant !== undefined) return inner(variant);
  if (isRecord(properties)) {
    const shown = Object.entries(properties).filter(
      ([, value]) => viewer.resolve(value)['deprecated'] !== true,
    );
    return Object.fromEntries(shown.map(([name, value]) => [name, inner(value)]));
  }
  if (items !== undefined) return [inner(items)];
  return plainExample(schema);
}

function plainExample({ type, format, minimum, additionalProperties }: Record<string, unknown>): unknown {
  const [first] = (Array.isArray(type) ? type : [type]).filter((each) => each !== 'null');
  switch (first) {
    case 'string':
      return formats[String(format)] ?? 'text';
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'null':
      return null;
    default:
      return first === 'object' || additionalProperties !== undefined ? {} : null;
  }
}
