import { Id } from '../../contract/schema.ts';

export type Scalar = string | number | boolean;

/** The keywords of JSON Schema that manifests use, in the form of TypeBox, and an own annotation. */
export interface Schema {
  readonly $id?: string;
  /** The `$id` of an enclosing schema. */
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  /** A former field. Errors do not suggest it. */
  readonly deprecated?: boolean;
  readonly const?: Scalar;
  readonly enum?: readonly Scalar[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[] | undefined;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema | undefined;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** The value is the ID of another resource. `!ref` and `!lookup` are accepted too. */
  readonly ref?: boolean;
}

/** The type of a schema, apart from null. A map has fixed fields; in a record the author chooses the names. */
export type SchemaType = 'any' | 'scalar' | 'map' | 'record' | 'list' | 'union';

/** Returns the type of node that a schema accepts in a manifest, apart from null. */
export function typeOf(given: Schema): SchemaType {
  const schema = withoutNull(given);
  const { type = '', format, anyOf, properties = {}, patternProperties, additionalProperties } = schema;
  // In manifests, a rich document is Markdown, or a document of the API.
  if (format === 'rich-document') return 'any';
  if (choicesOf(schema) !== undefined || ['string', 'number', 'integer', 'boolean'].includes(type))
    return 'scalar';
  if (anyOf !== undefined) return 'union';
  if (type === 'array') return 'list';
  if (type !== 'object') return 'any';
  const isOpen = Object.keys(properties).length === 0 && additionalProperties !== false;
  return patternProperties !== undefined || isOpen ? 'record' : 'map';
}

/** Whether a schema accepts null. */
export function acceptsNull({ type, anyOf }: Schema): boolean {
  return type === 'null' || anyOf?.some(acceptsNull) === true;
}

/** Returns the branches of a union without null; for any other schema, the schema itself. */
export function branchesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf?.filter(({ type }) => type !== 'null') ?? [schema];
}

/** Returns `X` for a union `X | null`, and any other schema unchanged. */
export function withoutNull(schema: Schema): Schema {
  const [only, ...more] = branchesOf(schema);
  return only === undefined || only === schema || more.length > 0 ? schema : withoutNull(only);
}

/** Returns the values that a schema lists: an enum, a constant, or a union of these. */
export function choicesOf(schema: Schema): readonly Scalar[] | undefined {
  if (schema.const !== undefined) return [schema.const];
  if (schema.anyOf === undefined) return schema.enum;
  const choices = branchesOf(schema).map(choicesOf);
  return choices.length > 0 && choices.every((list) => list !== undefined) ? choices.flat() : undefined;
}

/** Whether `true` is the only value. */
export function isOnlyTrue(schema: Schema): boolean {
  return withoutNull(schema).const === true;
}

/** Whether a schema describes the ID of another resource, by its annotation or because the API calls it an ID. */
export function isIdSchema(given: Schema): boolean {
  const { ref, pattern, maxLength } = withoutNull(given);
  return ref === true || (pattern === Id['pattern'] && maxLength === Id['maxLength']);
}

/** Returns the names that a record accepts, as a pattern, and the schema of its values. */
export function recordOf({ patternProperties = {}, additionalProperties }: Schema) {
  const [entry] = Object.entries(patternProperties);
  if (entry === undefined)
    return { value: typeof additionalProperties === 'object' ? additionalProperties : {} };
  const [pattern, value] = entry;
  return pattern === '^(.*)$' ? { value } : { value, pattern };
}

/** Returns the schema of the value at a name in a map or a record, or at an index in a list. */
export function schemaIn(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema === undefined) return undefined;
  const inner = withoutNull(schema);
  switch (typeOf(inner)) {
    case 'list':
      return inner.items;
    case 'record':
      return recordOf(inner).value;
    case 'map':
      return Object.hasOwn(inner.properties ?? {}, name) ? inner.properties?.[name] : undefined;
    default:
      return undefined;
  }
}
