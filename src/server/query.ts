import { ownValue } from '../contract/values.ts';
import type { TObject, TSchema } from '../contract/schema.ts';

type Raw = Readonly<Record<string, string | readonly string[]>>;

/**
 * Converts the values of a query string to the types of the schema. A value that is wrong, repeated or unknown stays unchanged;
 * `checkInput` refuses it later with a suitable message.
 */
export function readQuery(schema: TObject, raw: Raw): Record<string, unknown> {
  // Without a prototype, because a parameter such as "constructor" must not be found there.
  const query: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(raw)) {
    const property = ownValue(schema.properties, name);
    query[name] = property === undefined ? value : readValue(property, value);
  }
  return query;
}

function readValue(schema: TSchema, raw: string | readonly string[]): unknown {
  if (schema['type'] === 'array') {
    const items = typeof raw === 'string' ? [raw] : raw;
    return items.map((item) => readScalar(schema['items'] as TSchema, item));
  }
  if (typeof raw === 'string') return readScalar(schema, raw);
  const list = listChoices(schema).find((choice) => choice['type'] === 'array');
  return list === undefined ? raw : readValue(list, raw);
}

function readScalar(schema: TSchema, text: string): unknown {
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
  }
  for (const choice of listChoices(schema)) {
    const value = readScalar(choice, text);
    if (value !== text && (choice['const'] === undefined || choice['const'] === value)) return value;
  }
  return text;
}

function listChoices(schema: TSchema): readonly TSchema[] {
  return (schema['anyOf'] as readonly TSchema[] | undefined) ?? [];
}
