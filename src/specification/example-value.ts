import { isObject, isRecord, recordOf } from '../contract/values.ts';
import type { SchemaViewer } from './view-schema.ts';

const maxDepth = 6;
/** Maximum number of values in one example. Schemas that refer to each other could create millions within the maximum depth. */
const maxValues = 1000;
/** Number of JSON characters that count as one value in an example from a schema. */
const charactersPerValue = 32;
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

/**
 * Returns a value that matches a schema: its own example, or else a value composed of the examples of its parts. Values beyond
 * the limits of depth and number are null, or are left out of lists.
 * @param without the kind of properties to leave out: requests have none that are `readOnly`, responses none that are `writeOnly`
 */
export function exampleOf(viewer: SchemaViewer, given: unknown, without?: 'readOnly' | 'writeOnly'): unknown {
  return makeExample({ viewer, without, left: maxValues }, given, []);
}

/** The state of creating an example: how many more values it may have. */
interface ExampleContext {
  readonly viewer: SchemaViewer;
  readonly without: 'readOnly' | 'writeOnly' | undefined;
  left: number;
}

function makeExample(context: ExampleContext, given: unknown, above: readonly unknown[]): unknown {
  const { viewer } = context;
  const schema = viewer.resolve(given);
  const stated = statedExample(schema);
  context.left--;
  if (stated !== undefined) {
    const isLarge = isObject(stated.value);
    if (isLarge && context.left <= 0) return null;
    if (isLarge) context.left -= (JSON.stringify(stated.value)?.length ?? 0) / charactersPerValue;
    return stated.value;
  }
  const { allOf, oneOf, anyOf, items, properties } = schema;
  if (above.length >= maxDepth || above.includes(schema) || above.includes(recordOf(given)['$ref'] ?? schema))
    return null;
  const hasMembers = [allOf, oneOf, anyOf, items, properties].some((part) => part !== undefined);
  if (hasMembers && context.left <= 0) return null;
  const inside = [...above, recordOf(given)['$ref'] ?? schema];
  const inner = (value: unknown): unknown => makeExample(context, value, inside);
  const variant = [oneOf, anyOf]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .find((each) => recordOf(each)['type'] !== 'null');
  const parts = [...(Array.isArray(allOf) ? allOf : []), ...(variant === undefined ? [] : [variant])].map(
    inner,
  );
  if (isRecord(properties)) {
    const shown = Object.entries(properties).filter(([, value]) => {
      const field = viewer.resolve(value);
      return (
        field['deprecated'] !== true && (context.without === undefined || field[context.without] !== true)
      );
    });
    parts.push(Object.fromEntries(shown.map(([name, value]) => [name, inner(value)])));
  }
  if (parts.length > 0) {
    // A part that only restricts the others, such as `required: [name]`, has no example.
    const made = parts.filter((part) => part !== null);
    return made.length > 1 && made.every(isRecord)
      ? Object.assign({}, ...made)
      : (made[0] ?? plainExample(schema));
  }
  if (items !== undefined) {
    const item = inner(items);
    return item === null ? [] : [item];
  }
  return plainExample(schema);
}

/** Returns a value that a schema itself contains: its example, its default, its constant or its first value. */
function statedExample(schema: Record<string, unknown>): { value: unknown } | undefined {
  if ('example' in schema) return { value: schema['example'] };
  const { examples, default: standard, enum: values, const: only } = schema;
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] };
  if (standard !== undefined) return { value: standard };
  if (only !== undefined) return { value: only };
  return Array.isArray(values) && values.length > 0 ? { value: values[0] } : undefined;
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
