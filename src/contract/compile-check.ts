import { FormatRegistry, Kind, TypeRegistry } from '@sinclair/typebox';
import { Check } from '@sinclair/typebox/value';
import type { TSchema } from './schema.ts';
import { hasAtMost } from './values.ts';

type Checker = (value: unknown) => boolean;

type Members = Readonly<Record<string, unknown>>;

/** Keywords, and the names of recursive schemas, that TypeBox checks. */
const uncompiled = [
  '$id',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'multipleOf',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
];

const known = new WeakMap<TSchema, Checker>();

/**
 * Returns the check of JSON values against a schema. It gives the same results as `Check` of TypeBox, except that it counts code
 * points of texts. It processes the schema only once, while TypeBox processes it for each value, including its lists of names and
 * its regular expressions.
 */
export function checkerOf(schema: TSchema): Checker {
  let check = known.get(schema);
  if (check === undefined) known.set(schema, (check = compile(schema)));
  return check;
}

/** Returns the check of a part of a schema. It is compiled at its first use, because most requests use few parts. */
function partChecker(schema: TSchema): Checker {
  let check: Checker | undefined;
  return (value) => (check ??= checkerOf(schema))(value);
}

function compile(schema: TSchema): Checker {
  const kind = kindOf(schema);
  if (uncompiled.some((keyword) => schema[keyword] !== undefined)) return interpreted(schema);
  switch (kind) {
    case 'Array':
      return compileArray(schema);
    case 'Boolean':
      return (value) => typeof value === 'boolean';
    case 'Integer':
      return compileNumber(schema, Number.isInteger);
    case 'Literal': {
      const { const: only } = schema as Members;
      return (value) => value === only;
    }
    case 'Null':
      return (value) => value === null;
    case 'Number':
      return compileNumber(schema, Number.isFinite);
    case 'Object':
      return compileObject(schema);
    case 'String':
      return compileString(schema);
    case 'Union':
      return compileUnion(schema);
    default: {
      const check = TypeRegistry.Get(kind);
      return check === undefined ? interpreted(schema) : (value) => check(schema, value);
    }
  }
}

function kindOf(schema: TSchema): string {
  return String((schema as { readonly [Kind]?: string })[Kind]);
}

function interpreted(schema: TSchema): Checker {
  return (value) => Check(schema, value);
}

function compileString(schema: TSchema): Checker {
  const { minLength = 0, maxLength = Infinity, pattern, format } = schema as StringSchema;
  const expression = pattern === undefined ? undefined : new RegExp(pattern);
  const hasFormat = format === undefined ? undefined : FormatRegistry.Get(format);
  if (format !== undefined && hasFormat === undefined) return interpreted(schema);
  return (value) =>
    typeof value === 'string' &&
    !hasAtMost(minLength - 1, value) &&
    hasAtMost(maxLength, value) &&
    (expression === undefined || expression.test(value)) &&
    (hasFormat === undefined || hasFormat(value));
}

interface StringSchema {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

function compileNumber(schema: TSchema, isNumber: (value: unknown) => boolean): Checker {
  const { minimum = -Infinity, maximum = Infinity } = schema as { minimum?: number; maximum?: number };
  return (value) => isNumber(value) && (value as number) >= minimum && (value as number) <= maximum;
}

function compileArray(schema: TSchema): Checker {
  const { items, minItems = 0, maxItems = Infinity } = schema as unknown as ArraySchema;
  const check = partChecker(items);
  return (value) => {
    if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) return false;
    for (const item of value) if (!check(item)) return false;
    return true;
  };
}

interface ArraySchema {
  readonly items: TSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

function compileUnion({ anyOf }: TSchema): Checker {
  const checks = (anyOf as readonly TSchema[]).map(partChecker);
  return (value) => {
    for (const check of checks) if (check(value)) return true;
    return false;
  };
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | TSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

function compileObject(schema: TSchema): Checker {
  const { properties, required = [], additionalProperties = true } = schema as unknown as ObjectSchema;
  const { minProperties = 0, maxProperties = Infinity } = schema as unknown as ObjectSchema;
  const members = Object.entries(properties).map(([name, member]) => ({
    name,
    isRequired: required.includes(name),
    check: partChecker(member),
  }));
  // TypeBox has special rules for required properties that may be undefined.
  if (members.some(({ name, isRequired }) => isRequired && mayBeUndefined(properties[name] as TSchema)))
    return interpreted(schema);
  const names = new Set(Object.keys(properties));
  const checkOther = typeof additionalProperties === 'object' ? partChecker(additionalProperties) : undefined;
  const isOpen = additionalProperties === true && minProperties === 0 && maxProperties === Infinity;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    for (const { name, isRequired, check } of members) {
      const member = (value as Members)[name];
      if ((isRequired || member !== undefined) && !check(member)) return false;
    }
    if (isOpen) return true;
    let count = 0;
    for (const name in value) {
      count++;
      if (names.has(name)) continue;
      if (additionalProperties === false) return false;
      if (checkOther !== undefined && !checkOther((value as Members)[name])) return false;
    }
    return count >= minProperties && count <= maxProperties;
  };
}

const definedKinds = ['Array', 'Boolean', 'Integer', 'Literal', 'Null', 'Number', 'Object', 'String'];

function mayBeUndefined(schema: TSchema): boolean {
  const kind = kindOf(schema);
  if (kind === 'Union') return (schema['anyOf'] as readonly TSchema[]).some(mayBeUndefined);
  return !definedKinds.includes(kind) && !TypeRegistry.Has(kind);
}
