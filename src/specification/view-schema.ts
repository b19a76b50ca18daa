import { defined, isRecord } from '../contract/values.ts';
import { asRecord, resolveReference, toText } from './specification-tree.ts';

/** A field of an object, or a parameter, in the form for readers. */
export interface FieldView {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  /** Markdown. */
  readonly description: string;
  readonly schema: SchemaView;
}

/** A schema in the form for readers, with resolved references. */
export interface SchemaView {
  /** The type in words, such as `string · date-time` or `array of Pet`. */
  readonly type: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** Limits such as `min length: 2`. */
  readonly limits: readonly string[];
  /** The possible values, as JSON without quotes around texts. */
  readonly values: readonly string[];
  readonly default?: string;
  readonly example?: string;
  readonly fields: readonly FieldView[];
  /** The schema of array items or of the values of a map. */
  readonly items?: SchemaView;
  /** Alternative schemas, of which one, or at least one, must match. */
  readonly variants: readonly SchemaView[];
}

/** Maximum depth of shown schemas, and maximum number of them for one operation. */
const maxDepth = 6;
const maxSchemas = 300;
/** Maximum number of merged parts of `allOf` for one operation. Nested parts could be millions. */
const maxParts = 20_000;

const limitNames: Readonly<Record<string, string>> = {
  minLength: 'min length',
  maxLength: 'max length',
  minimum: 'min',
  maximum: 'max',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
  multipleOf: 'multiple of',
  minItems: 'min items',
  maxItems: 'max items',
  minProperties: 'min fields',
  maxProperties: 'max fields',
  pattern: 'pattern',
};

export class SchemaViewer {
  readonly #root: Record<string, unknown>;
  #left = maxSchemas;
  #partsLeft = maxParts;

  constructor(root: Record<string, unknown>) {
    this.#root = root;
  }

  /** Follows the references of a value to their final target. */
  resolve(value: unknown): Record<string, unknown> {
    let found = asRecord(value);
    for (let hops = 0; hops < 20; hops++) {
      const { $ref: target, ...own } = found;
      if (typeof target !== 'string') break;
      found = { ...asRecord(resolveReference(this.#root, target)), ...own };
    }
    return found;
  }

  /** Returns the view of a schema; `above` are the schemas that contain it. */
  view(given: unknown, above: readonly unknown[] = []): SchemaView {
    if (given === true) return plain('any');
    const name = nameOf(given);
    const schema = this.#merge(this.resolve(given));
    const key = name === '' ? schema : name;
    if (above.includes(key) || above.length >= maxDepth || this.#left-- <= 0)
      return { ...plain(typeOf(schema, name)), title: toText(schema['title']) || name };
    const inside = [...above, key];
    const stated = [schema['oneOf'], schema['anyOf']].find(Array.isArray) ?? [];
    const variants = stated.filter((each) => asRecord(each)['type'] !== 'null');
    const isOptional = variants.length < stated.length;
    const [only] = variants;
    // A single variant next to null is shown as an optional value.
    if (variants.length === 1 && isOptional && only !== undefined) {
      const view = this.view(only, above);
      return {
        ...view,
        type: `${view.type} or null`,
        description: toText(schema['description']) || view.description,
      };
    }
    const items = schema['items'] ?? mapValues(schema);
    return {
      type: typeOf(schema, name, asRecord(schema['items'])) + (isOptional ? ' or null' : ''),
      title: toText(schema['title']) || name,
      description: toText(schema['description']),
      limits: limitsOf(schema),
      values: valuesOf(schema),
      ...defined({
        default: textOf(schema['default']),
        example: textOf(
          schema['example'] ?? (Array.isArray(schema['examples']) ? schema['examples'][0] : undefined),
        ),
        items: isRecord(items) ? this.view(items, inside) : undefined,
      }),
      fields: this.#fields(schema, inside),
      variants: variants.length > 1 ? variants.map((each) => this.view(each, inside)) : [],
    };
  }

  #fields(schema: Record<string, unknown>, above: readonly unknown[]): FieldView[] {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    return Object.entries(asRecord(schema['properties'])).map(([name, value]) => {
      const resolved = this.resolve(value);
      return {
        name,
        isRequired: required.has(name),
        isDeprecated: resolved['deprecated'] === true,
        description: toText(resolved['description']),
        schema: this.view(value, above),
      };
    });
  }

  /** Merges the parts of `allOf`. */
  #merge(schema: Record<string, unknown>, depth = 0): Record<string, unknown> {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf) || depth > 10 || this.#partsLeft <= 0) return schema;
    this.#partsLeft -= allOf.length;
    let whole: Record<string, unknown> = {};
    for (const part of [...allOf.map((each) => this.#merge(this.resolve(each), depth + 1)), own]) {
      const required = [whole['required'], part['required']].flatMap((list): unknown[] =>
        Array.isArray(list) ? list : [],
      );
      whole = {
        ...whole,
        ...part,
        ...(required.length === 0 ? {} : { required }),
        ...('properties' in whole || 'properties' in part
          ? { properties: { ...asRecord(whole['properties']), ...asRecord(part['properties']) } }
          : {}),
      };
    }
    return whole;
  }
}

function plain(type: string): SchemaView {
  return { type, title: '', description: '', limits: [], values: [], fields: [], variants: [] };
}

/** Returns the name of the component in a reference; '' for other values. */
function nameOf(value: unknown): string {
  const { $ref: target } = asRecord(value);
  return typeof target === 'string' ? (target.split('/').at(-1) ?? '') : '';
}

/** Returns the schema of the values of a map; undefined if additional fields are unrestricted or forbidden. */
function mapValues({ additionalProperties }: Record<string, unknown>): unknown {
  return isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? additionalProperties
    : undefined;
}

function typeOf(schema: Record<string, unknown>, name: string, items?: Record<string, unknown>): string {
  const { type, format, nullable } = schema;
  const types = (Array.isArray(type) ? type : [type]).map(toText).filter((each) => each !== '');
  const words = types.length > 0 ? types.filter((each) => each !== 'null') : [impliedType(schema, name)];
  const named = words.map((word) => {
    if (word !== 'array') return word;
    const of = nameOf(items) || toText(items?.['type']);
    return of === '' ? 'array' : `array of ${of}`;
  });
  const isNullable = nullable === true || types.includes('null');
  return `${named.join(' or ')}${toText(format) === '' ? '' : ` · ${toText(format)}`}${isNullable ? ' or null' : ''}`;
}

function impliedType(schema: Record<string, unknown>, name: string): string {
  if ('properties' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema) return 'array';
  if ('oneOf' in schema) return 'one of';
  if ('anyOf' in schema) return 'any of';
  return Array.isArray(schema['enum']) ? 'enum' : name === '' ? 'any' : name;
}

function limitsOf(schema: Record<string, unknown>): string[] {
  const limits = Object.entries(limitNames).flatMap(([key, words]) => {
    const value = schema[key];
    return typeof value === 'number' || typeof value === 'string' ? [`${words}: ${value}`] : [];
  });
  const flags = { readOnly: 'read only', writeOnly: 'write only', uniqueItems: 'unique items' };
  return [
    ...limits,
    ...Object.entries(flags).flatMap(([key, words]) => (schema[key] === true ? [words] : [])),
  ];
}

function valuesOf({ enum: values, const: only }: Record<string, unknown>): string[] {
  const all = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return all.map((value) => textOf(value) ?? 'null');
}

/** Returns a value in the form for readers: texts without quotes, others as JSON. */
function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
