import { checkDepth } from '../../contract/limits.ts';
import { nearest } from '../../contract/nearest.ts';
import type { TSchema } from '../../contract/schema.ts';
import { joinOr, recordOf } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { propertiesIn, takesNull, withoutNull, type Schema } from './field-schema.ts';
import { fieldFlag } from './flags.ts';

type ReadValue = (name: string, schema: Schema, text: string) => Promise<unknown>;

/**
 * Sets fields of a body by paths: `source.language=en`, `redirects.0.to=/`. Values have the types of the schema.
 * @throws Problem(invalid-input) for a path that the body does not have
 */
export async function setFields(
  body: Record<string, unknown>,
  schema: TSchema,
  assignments: readonly string[],
  readValue: ReadValue,
): Promise<Record<string, unknown>> {
  let changed = body;
  for (const assignment of assignments) {
    const [, path, text = ''] = /^([^=]+)=(.*)$/s.exec(assignment) ?? [];
    if (path === undefined)
      throw new Problem('invalid-input', `--set takes PATH=VALUE, not "${assignment}".`, {
        hint: 'For a nested field: --set source.language=en.',
      });
    const { keys, field } = findField(schema, path);
    const value = await readSetting(keys.at(-1) ?? '', field, text, readValue);
    changed = withValue(changed, keys, value) as Record<string, unknown>;
  }
  return changed;
}

/** Finds the field of a path. Its words may be written like flags: `default-site-space`. */
function findField(body: TSchema, path: string): { keys: readonly string[]; field: Schema } {
  let field: Schema = body;
  const keys: string[] = [];
  for (const word of path.split('.')) {
    const own = withoutNull(field);
    const [key, next] =
      own.type === 'array'
        ? itemOf(own, word, path)
        : propertyOf(own, word, { path, parent: keys.join('.') });
    keys.push(key);
    field = next;
  }
  return { keys, field };
}

function itemOf({ items }: Schema, word: string, path: string): [string, Schema] {
  if (/^\d{1,4}$/.test(word)) return [word, items ?? ({} as Schema)];
  throw new Problem(
    'invalid-input',
    `--set ${path}: "${word}" must be a number, because it stands for an item of a list.`,
    { hint: 'The first item of a list has the number 0.' },
  );
}

function fieldsIn(schema: Schema): [string, Schema][] {
  const { anyOf = [], properties } = schema;
  return properties === undefined ? [...new Map(anyOf.flatMap(propertiesIn))] : propertiesIn(schema);
}

function propertyOf(
  schema: Schema,
  word: string,
  { path, parent }: { path: string; parent: string },
): [string, Schema] {
  const known = fieldsIn(schema);
  const found = known.find(([name]) => name === word || fieldFlag(name) === word);
  if (found !== undefined) return found;
  const [free] = Object.values(schema.patternProperties ?? {});
  const isOpen = known.length === 0 && (schema.type === undefined || schema.type === 'object');
  if (word !== '__proto__' && (free !== undefined || isOpen)) return [word, free ?? ({} as Schema)];
  const names = known.map(([name]) => name);
  const close = nearest(word, names);
  throw new Problem('invalid-input', `--set ${path}: there is no field "${word}".`, {
    hint:
      close.length > 0
        ? `Did you mean ${joinOr(close)}?`
        : names.length > 0
          ? `Choose one of: ${names.join(', ')}.`
          : parent === ''
            ? 'Choose another name.'
            : `${parent} is a single value, without fields.`,
  });
}

async function readSetting(
  name: string,
  schema: Schema,
  text: string,
  readValue: ReadValue,
): Promise<unknown> {
  if (text === 'null' && (takesNull(schema) || isUntyped(schema))) return null;
  const own = withoutNull(schema);
  const isJsonList = own.type === 'array' && text.startsWith('[');
  if (!isUntyped(own) && !isJsonList) return readValue(name, schema, text);
  if (/^\s*[[{]/.test(text)) checkDepth(text);
  try {
    return JSON.parse(text);
  } catch {
    return isJsonList ? readValue(name, schema, text) : text;
  }
}

function isUntyped({ type, anyOf, enum: choices, const: value }: Schema): boolean {
  return type === undefined && anyOf === undefined && choices === undefined && value === undefined;
}

function withValue(target: unknown, [key, ...more]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  // A list of more items would be too long to send.
  const isIndex = /^\d{1,4}$/.test(key);
  if (isIndex && (target === undefined || Array.isArray(target))) {
    const items: unknown[] = [...((target ?? []) as unknown[])];
    items[Number(key)] = withValue(items[Number(key)], more, value);
    return items;
  }
  const fields = recordOf(target);
  return { ...fields, [key]: withValue(fields[key], more, value) };
}
