import { defined, getOrInsert, isRecord, recordOf, truncate } from '../contract/values.ts';
import { viewDiscriminator, type DiscriminatorView } from './view-discriminator.ts';
import { resolveReference, schemaName, toText } from './specification-tree.ts';

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
  /** The shared schemas that it refers to, or that it combines without fields of its own. */
  readonly names: readonly string[];
  /** The type in words, such as `string · date-time` or `array of Pet`. */
  readonly type: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** Limits such as `min length: 2` or `not: null`. */
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
  /** The property whose value says which variant a value is. */
  readonly discriminator?: DiscriminatorView;
}

/** Maximum depth of shown schemas, and number of them for one operation after which deeper levels are left out. */
const maxDepth = 6;
const maxSchemas = 300;
/** Maximum number of merged parts of `allOf` for one operation. Nested parts could be millions. */
const maxParts = 20_000;
/** Maximum number of characters of the words for a schema that values must not match, and of its nested parts. */
const maxNot = { length: 200, depth: 4 } as const;

const limitWords = Object.entries({
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
});
const flagWords = Object.entries({
  readOnly: 'read only',
  writeOnly: 'write only',
  uniqueItems: 'unique items',
});

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
  readonly variants: readonly unknown[];
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
  /** The merged parts of `allOf`, by their references or themselves, because schemas can have the same parts many times. */
  readonly #parts = new Map<unknown, Record<string, unknown>>();

  /** Whether fields and items that are shared schemas are only named, and examples are not made up. */
  readonly isBrief: boolean;

  /** @param most the number of schemas that it shows inside of others (default: 300) */
  constructor(root: Record<string, unknown>, most = maxSchemas, isBrief = false) {
    this.#root = root;
    this.#left = most;
    this.isBrief = isBrief;
  }

  /** Follows the references of a value to their final target. */
  resolve(value: unknown): Record<string, unknown> {
    let found = recordOf(value);
    for (let hops = 0; hops < 20; hops++) {
      const { $ref: target, ...own } = found;
      if (typeof target !== 'string') break;
      found = { ...recordOf(resolveReference(this.#root, target)), ...own };
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
    const [name, key] = [schemaName(given), recordOf(given)['$ref'] ?? given];
    const found = viewDiscriminator(this.#root, schema, name);
    const variants = variantsOf(schema, found?.variants);
    const [only] = variants.shown;
    // A single variant is the schema itself. Next to null, it is shown as an optional value.
    if (variants.shown.length === 1 && isRecord(only) && !('properties' in schema)) {
      if (above.includes(key)) return plain(name || 'any');
      const view = this.#outline(only, [...above, key], isTop);
      if (variants.isOptional) view.type = `${view.type} or null`;
      view.description = toText(schema['description']) || view.description;
      return Object.assign(view, statedIn(schema));
    }
    const view: Writable<SchemaView> = {
      ...plain(typeOf(schema, name, recordOf(schema['items'])) + (variants.isOptional ? ' or null' : '')),
      title: toText(resolved['title']) || name || toText(schema['title']),
      description: toText(schema['description']),
      names: namesOf(given),
      limits: [...limitsOf(schema), ...this.#exclusions(schema)],
      values: valuesOf(schema),
      ...defined({ discriminator: found?.view }),
      ...statedIn(schema),
    };
    if (above.includes(key) || above.length >= maxDepth) return view;
    if (this.isBrief && !isTop && view.names.length > 0) return view;
    const inside = [...above, key];
    const items = schema['items'] ?? mapValues(schema);
    if (isRecord(items)) view.items = this.#outline(items, inside, isTop);
    this.#outlines.push({ schema, view, inside, isTop, variants: variants.shown });
    return view;
  }

  #fill({ schema, view, inside, isTop, variants }: Outline): void {
    view.fields = this.#fields(schema, inside);
    view.variants = variants.map((each) => this.#outline(each, inside, this.isBrief && isTop));
    this.#left -= view.fields.length + view.variants.length;
  }

  /** Returns what the schema excludes, such as `not: object with id`. */
  #exclusions({ not }: Record<string, unknown>): string[] {
    return isRecord(not) ? [`not: ${truncate(this.#inWords(not), maxNot.length)}`] : [];
  }

  #inWords(given: unknown, depth = 0): string {
    const name = schemaName(given);
    if (name !== '' || depth > maxNot.depth) return name || '…';
    const schema = this.#merge(this.resolve(given));
    const { shown, isOptional } = variantsOf(schema);
    if (shown.length > 0)
      return [...shown.map((each) => this.#inWords(each, depth + 1)), ...(isOptional ? ['null'] : [])].join(
        ' or ',
      );
    const properties = recordOf(schema['properties']);
    const required = Array.isArray(schema['required']) ? schema['required'].map(toText) : [];
    const fields = [...new Set([...required, ...Object.keys(properties)])].map((field) => {
      const values = valuesOf(this.resolve(Object.hasOwn(properties, field) ? properties[field] : {}));
      return values.length === 0 ? field : `${field} = ${values.join(' or ')}`;
    });
    const values = valuesOf(schema);
    const type = fields.length > 0 ? `object with ${fields.join(', ')}` : typeOf(schema, '');
    return [values.length > 0 ? values.join(' or ') : type, ...limitsOf(schema)].join(', ');
  }

  #fields(schema: Record<string, unknown>, above: readonly unknown[]): FieldView[] {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
    return Object.entries(recordOf(schema['properties'])).map(([name, value]) => {
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

  #mergePart(part: unknown, depth: number): Record<string, unknown> {
    const { $ref: target, ...own } = recordOf(part);
    const key = target !== undefined && Object.keys(own).length === 0 ? target : part;
    return getOrInsert(this.#parts, key, () => this.#merge(this.resolve(part), depth));
  }

  /** Merges the parts of `allOf`. */
  #merge(schema: Record<string, unknown>, depth = 0): Record<string, unknown> {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf) || depth > 10 || this.#partsLeft <= 0) return schema;
    this.#partsLeft -= allOf.length;
    let whole: Record<string, unknown> = {};
    for (const part of [...allOf.map((each) => this.#mergePart(each, depth + 1)), own]) {
      const required = [whole['required'], part['required']].flatMap((list): unknown[] =>
        Array.isArray(list) ? list : [],
      );
      whole = {
        ...whole,
        ...part,
        ...(required.length === 0 ? {} : { required }),
        ...('properties' in whole || 'properties' in part
          ? { properties: { ...recordOf(whole['properties']), ...recordOf(part['properties']) } }
          : {}),
      };
    }
    return whole;
  }
}

/** Returns the schema of the innermost items of an array or a map; the schema itself if it is neither. */
export function innerOf(schema: SchemaView): SchemaView {
  let inner = schema;
  while (inner.items !== undefined) inner = inner.items;
  return inner;
}

function plain(type: string): SchemaView {
  return { names: [], type, title: '', description: '', limits: [], values: [], fields: [], variants: [] };
}

/** Returns the name of a shared schema, or the names of those that a schema combines without fields of its own. */
function namesOf(given: unknown): string[] {
  const { allOf, properties } = recordOf(given);
  const parts: readonly unknown[] = Array.isArray(allOf) && properties === undefined ? allOf : [];
  const isPlain = parts.every((part) => schemaName(part) !== '' || !('properties' in recordOf(part)));
  const names = isPlain ? [given, ...parts].map(schemaName) : [];
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Returns the alternative schemas, by default those of the discriminator, and whether null is one of them. */
function variantsOf(
  { oneOf, anyOf }: Record<string, unknown>,
  others: readonly unknown[] = [],
): {
  shown: readonly unknown[];
  isOptional: boolean;
} {
  const stated: readonly unknown[] = [oneOf, anyOf].find(Array.isArray) ?? others;
  const shown = stated.filter((each) => recordOf(each)['type'] !== 'null');
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
  if (types.length > 0 && words.length === 0) return 'null';
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
  const limits: string[] = [];
  for (const [key, words] of limitWords) {
    // In OpenAPI 3.0, `exclusiveMinimum: true` says that `minimum` itself is not allowed.
    if (schema[key] === undefined || schema[exclusiveNames[key] ?? ''] === true) continue;
    const value = schema[key] === true ? schema[inclusiveNames[key] ?? ''] : schema[key];
    if (typeof value === 'number' || typeof value === 'string') limits.push(`${words}: ${value}`);
  }
  for (const [key, words] of flagWords) if (schema[key] === true) limits.push(words);
  return limits;
}

/** Returns the default and the example of a schema. */
function statedIn(schema: Record<string, unknown>): Pick<SchemaView, 'default' | 'example'> {
  const { example, examples, default: standard } = schema;
  return defined({
    default: textOf(standard),
    example: textOf(example ?? (Array.isArray(examples) ? examples[0] : undefined)),
  });
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
