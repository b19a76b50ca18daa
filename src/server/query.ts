import type { TObject, TSchema } from '../contract/schema.ts';

type Raw = Readonly<Record<string, string | readonly string[]>>;

/**
 * Gives the values of a query string the types that the schema asks for. What does not fit, is repeated or is not
 * known is left unchanged, and the check refuses it.
 */
export function readQuery(schema: TObject, raw: Raw): Record<string, unknown> {
  // Without a prototype, a parameter of any name is just unknown.
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(raw)) {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    query[name] = known === undefined ? raw[name] : valueOf(known, raw[name]!);
  }
  return query;
}

function valueOf(schema: TSchema, raw: string | readonly string[]): unknown {
  if (schema['type'] === 'array') {
    const items = typeof raw === 'string' ? [raw] : raw;
    return items.map((item) => scalarOf(schema['items'] as TSchema, item));
  }
  if (typeof raw === 'string') return scalarOf(schema, raw);
  const list = choicesOf(schema).find((choice) => choice['type'] === 'array');
  return list === undefined ? raw : valueOf(list, raw);
}

function scalarOf(schema: TSchema, text: string): unknown {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
  }
  for (const choice of choicesOf(schema)) {
    const value = scalarOf(choice, text);
    if (value !== text && (choice['const'] === undefined || choice['const'] === value)) return value;
  }
  return text;
}

function choicesOf(schema: TSchema): readonly TSchema[] {
  return (schema['anyOf'] as readonly TSchema[] | undefined) ?? [];
}
