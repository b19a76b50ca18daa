import { isObject } from '../../contract/values.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Minimum length of a repeated schema that gets a definition, in characters. */
const minLength = 45;

/** Maximum length of a schema without a definition, in characters, so that nesting stays low. */
const maxInline = 500;

/** Keywords whose members are schemas by name. */
const mapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);

/**
 * Moves each schema that is long, or that occurs more than once, to `$defs`. Schemas that differ only in their descriptions share
 * a definition.
 */
export function shareSchemas(schema: JsonSchema): JsonSchema {
  const { $defs = {}, ...rest } = schema;
  const counts = countSchemas(schema);
  const names = new Map<string, string>();
  const definitions = new Map<string, unknown>();
  const isTaken = (name: string) => definitions.has(name) || Object.hasOwn($defs as object, name);

  const share = (value: unknown, name: string, isSchema: boolean, maxLength = maxInline): unknown => {
    if (Array.isArray(value)) return value.map((item) => share(item, name, isSchema));
    if (!isObject(value)) return value;
    if (!isSchema)
      return mapValues(value, (inner, key) => share(inner, /^[$\w-]+$/.test(key) ? key : name, true));
    const text = JSON.stringify(value);
    const known = names.get(text);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const isRepeated = text.length >= minLength && (counts.get(text) ?? 0) > 1;
    if (value === rest || !(isRepeated || text.length > maxLength)) return copy(value, name);
    const own = freeName(scalarName(value) ?? name, isTaken);
    names.set(text, own);
    definitions.set(own, undefined);
    definitions.set(own, copy(value, name));
    return { $ref: `#/$defs/${own}` };
  };

  const copy = (value: JsonSchema, name: string): JsonSchema => {
    const { description, ...body } = value;
    if (description === undefined)
      return mapValues(body, (inner, key) => share(inner, name, !mapKeywords.has(key)));
    const shared = share(body, name, true, Infinity) as JsonSchema;
    // In draft 7, keywords beside $ref are ignored.
    return { description, ...(shared['$ref'] === undefined ? shared : { allOf: [shared] }) };
  };

  const written = share(rest, 'manifest', true) as JsonSchema;
  const recursive = share($defs, '', false) as JsonSchema;
  return { ...written, $defs: { ...recursive, ...Object.fromEntries(definitions) } };
}

/** Counts how often each schema occurs, by its JSON. The parts of a repeated schema count once. */
function countSchemas(schema: JsonSchema): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (value: unknown, isSchema: boolean): void => {
    if (Array.isArray(value)) return value.forEach((item) => count(item, isSchema));
    if (!isObject(value)) return;
    if (!isSchema) return Object.values(value).forEach((inner) => count(inner, true));
    const text = JSON.stringify(value);
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    if (seen > 0) return;
    const { description, ...body } = value;
    if (description === undefined)
      Object.entries(body).forEach(([key, inner]) => count(inner, !mapKeywords.has(key)));
    else count(body, true);
  };
  count(schema, true);
  return counts;
}

function mapValues(map: JsonSchema, change: (value: unknown, key: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value, key)]));
}

/** Returns a name for a plain value of many fields, such as `text255`. */
function scalarName({ type, enum: choices, maxLength, anyOf, description }: JsonSchema): string | undefined {
  if (description !== undefined) return undefined;
  if (Array.isArray(anyOf)) return scalarName(anyOf[0] as JsonSchema);
  const [first] = [type].flat();
  if (Array.isArray(choices)) return 'choice';
  if (first === 'string') return `text${String(maxLength ?? '')}`;
  return first === 'object' || first === 'array' ? undefined : (first as string | undefined);
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  const base = name.replace(/[^A-Za-z0-9]+/g, '') || 'value';
  for (let number = 1; ; number++) {
    const free = number === 1 ? base : `${base}${number}`;
    if (!isTaken(free)) return free;
  }
}
