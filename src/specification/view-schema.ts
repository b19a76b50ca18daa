import { defined, isRecord } from '../contract/values.ts';
import { asRecord, resolveReference, schemaName, toText } from './specification-tree.ts';

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

/** Maximum depth of shown schemas, and number of them for one operation after which deeper levels are left out. */
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

const exclusiveNames: Readonly<Record<string, string>> = {
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum',
};
const inclusiveNames: Readonly<Record<string, string>> = {
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
};

/** A schema whose parts are not shown yet. */
interface Outline {
  readonly schema: Record<string, unknown>;
  readonly view: Writable<SchemaView>;
  readonly inside: readonly unknown[];
  /** Whether it belongs to the operation itself, and not to a field. */
  readonly isTop: boolean;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export class SchemaViewer {
  readonly #root: Record<string, unknown>;
  /** The schemas that `complete` fills, level by level, so that a deep schema takes nothing from the others. */
  #outlines: Outline[] = [];
  #left: number;
  #partsLeft = maxParts;

  /** @param most the number of schemas that it shows inside of others (default: 300) */
  constructor(root: Record<string, unknown>, most = maxSchemas) {
    this.#root = root;
    this.#left = most;
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

  /** Returns the view of a schema. */
  view(given: unknown): SchemaView {
    const view = this.outline(given);
    this.complete();
    return view;
  }

  /** Returns the view of a schema whose fields and variants `complete` fills in. */
  outline(given: unknown): Writable<SchemaView> {
    return this.#outline(given, [], true);
  }

  /** Fills in the outlines. Those of deeper levels stay without parts if there are too many. */
  complete(): void {
    for (let level = this.#outlines; level.length > 0; level = this.#outlines) {
      this.#outlines = [];
      for (const outline of level) if (outline.isTop || this.#left > 0) this.#fill(outline);
    }
  }

  /** @param above the schemas that contain it */
  #outline(given: unknown, above: readonly unknown[], isTop = false): Writable<SchemaView> {
    if (given === true) return plain('any');
    const resolved = this.resolve(given);
    const schema = this.#merge(resolved);
    const [name, key] = [schemaName(given), asRecord(given)['$ref'] ?? given];
    const variants = variantsOf(schema);
    const [only] = variants.shown;
    // A single variant next to null is shown as an optional value.
    if (variants.shown.length === 1 && variants.isOptional && only !== undefined) {
      const view = this.#outline(only, above, isTop);
      view.type = `${view.type} or null`;
      view.description = toText(schema['description']) || view.description;
      return view;
    }
    const view: Writable<SchemaView> = {
      ...plain(typeOf(schema, name, asRecord(schema['items'])) + (variants.isOptional ? ' or null' : '')),
      title: toText(resolved['title']) || name || toText(schema['title']),
      description: toText(schema['description']),
      limits: limitsOf(schema),
      values: valuesOf(schema),
      ...defined({
        default: textOf(schema['default']),
        example: textOf(
          schema['example'] ?? (Array.isArray(schema['examples']) ? schema['examples'][0] : undefined),
        ),
      }),
    };
    if (above.includes(key) || above.length >= maxDepth) return view;
    const inside = [...above, key];
    const items = schema['items'] ?? mapValues(schema);
    if (isRecord(items)) view.items = this.#outline(items, inside, isTop);
    this.#outlines.push({ schema, view, inside, isTop });
    return view;
  }

  #fill({ schema, view, inside }: Outline): void {
    const variants = variantsOf(schema).shown;
    view.fields = this.#fields(schema, inside);
    if (variants.length > 1) view.variants = variants.map((each) => this.#outline(each, inside));
    this.#left -= view.fields.length + view.variants.length;
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
        schema: this.#outline(value, above),
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

/** Returns the alternative schemas, and whether null is one of them. */
function variantsOf({ oneOf, anyOf }: Record<string, unknown>): {
  readonly shown: readonly unknown[];
  readonly isOptional: boolean;
} {
  const stated: readonly unknown[] = [oneOf, anyOf].find(Array.isArray) ?? [];
  const shown = stated.filter((each) => asRecord(each)['type'] !== 'null');
  return { shown, isOptional: shown.length < stated.length };
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
    const of = schemaName(items) || toText(items?.['type']);
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
  if (Array.isArray(schema['enum'])) return 'enum';
  const required = Array.isArray(schema['required']) ? schema['required'].map(toText).join(', ') : '';
  return name || (required === '' ? 'any' : `object with ${required}`);
}

function limitsOf(schema: Record<string, unknown>): string[] {
  const limits = Object.entries(limitNames).flatMap(([key, words]) => {
    // In OpenAPI 3.0, `exclusiveMinimum: true` says that `minimum` itself is not allowed.
    if (schema[exclusiveNames[key] ?? ''] === true) return [];
    const value = schema[key] === true ? schema[inclusiveNames[key] ?? ''] : schema[key];
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
