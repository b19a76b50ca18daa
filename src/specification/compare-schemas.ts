import { isRecord, listSome, ownValue, recordOf } from '../contract/values.ts';
import type { SchemaViewer } from './view-schema.ts';
import { parseReference } from './specification-tree.ts';

type Schema = Record<string, unknown>;

/** The sender of the values of a schema: the client in requests, or the API in responses. A schema can be used in both. */
export interface Direction {
  readonly inRequests: boolean;
  readonly inResponses: boolean;
}

/** The schema viewers of the two versions. */
interface Viewers {
  readonly before: SchemaViewer;
  readonly after: SchemaViewer;
}

interface SchemaChange {
  /** Whether a property was added or removed. Anything else is a change of the schema. */
  readonly change: 'added' | 'removed' | 'changed';
  /** The place in the schema, such as `owner.name` or `tags[]`; empty for the schema itself. */
  readonly path: string;
  readonly isBreaking: boolean;
  readonly message: string;
}

/** Maximum number of listed differences of two schemas, and maximum compared depth. */
const limits = { changes: 200, depth: 40 } as const;

const lowerLimits = ['minLength', 'minimum', 'exclusiveMinimum', 'minItems', 'minProperties'];
const upperLimits = ['maxLength', 'maximum', 'exclusiveMaximum', 'maxItems', 'maxProperties'];
/** Restrictions that are neither stricter nor weaker with another value: each value of such a field allows other values. */
const restrictions = ['format', 'pattern', 'multipleOf', 'uniqueItems'];

/** The schema of an undescribed value. */
const anything: Schema = {};

/** Returns the name of the shared schema of a reference; undefined for anything else. */
export function sharedName(schema: unknown): string | undefined {
  const target = recordOf(schema)['$ref'];
  if (typeof target !== 'string' || !target.startsWith('#')) return undefined;
  const tokens = parseReference(target);
  const isShared =
    (tokens.length === 3 && tokens[0] === 'components' && tokens[1] === 'schemas') ||
    (tokens.length === 2 && tokens[0] === 'definitions');
  return isShared ? tokens.at(-1) : undefined;
}

/**
 * Compares two schemas of two versions of a specification. A change is breaking if requests accept less than before, or if
 * responses contain less or something else than before. References to shared schemas with the same name count as equal, because
 * shared schemas are compared separately.
 */
export function compareSchemas(
  before: unknown,
  after: unknown,
  viewers: Viewers,
  direction: Direction,
): SchemaChange[] {
  const comparison = new SchemaComparison(viewers, direction);
  comparison.compare(before, after, '', 0);
  return comparison.changes;
}

class SchemaComparison {
  readonly changes: SchemaChange[] = [];
  readonly #viewers: Viewers;
  readonly #inRequests: boolean;
  readonly #inResponses: boolean;
  /** Each pair is compared only once, because schemas can be recursive or used in many places. */
  readonly #compared = new Map<unknown, Set<unknown>>();

  constructor(viewers: Viewers, { inRequests, inResponses }: Direction) {
    this.#viewers = viewers;
    this.#inRequests = inRequests;
    this.#inResponses = inResponses;
  }

  #add(path: string, isBreaking: boolean, message: string, change: SchemaChange['change'] = 'changed'): void {
    if (this.changes.length < limits.changes) this.changes.push({ change, path, isBreaking, message });
  }

  compare(given: unknown, other: unknown, path: string, depth: number): void {
    const name = sharedName(given);
    if (name !== undefined && name === sharedName(other)) return;
    const [key, otherKey] = [given, other].map((schema) => recordOf(schema)['$ref'] ?? schema);
    const known = this.#compared.get(key) ?? new Set();
    if (known.has(otherKey) || depth > limits.depth) return;
    this.#compared.set(key, known.add(otherKey));
    const sides = [this.#viewers.before.resolve(given), this.#viewers.after.resolve(other)];
    const hasVariants = sides.some((side) => listsOf(side).some((list) => optionOf(list) === undefined));
    const [old, now] = putTogether(
      flatten(this.#viewers.before, given, !hasVariants),
      flatten(this.#viewers.after, other, !hasVariants),
    );
    this.#compareTypes(old, now, path);
    this.#compareValues(old, now, path);
    this.#compareLimits(old, now, path);
    this.#compareProperties(old, now, path, depth);
    this.#compareOthers(old, now, path, depth);
    for (const kind of ['oneOf', 'anyOf'] as const) this.#compareVariants(old[kind], now[kind], path, depth);
  }

  #compareTypes(old: Schema, now: Schema, path: string): void {
    const [from, to] = [typesOf(old), typesOf(now)];
    const [shownFrom, shownTo] = [from, to].map((types) => types?.join(' or ') ?? 'any type');
    if (shownFrom !== shownTo) {
      const narrows = this.#inRequests && to !== undefined && !covers(to, from);
      const widens = this.#inResponses && from !== undefined && !covers(from, to);
      this.#add(path, narrows || widens, `type: ${shownFrom} → ${shownTo}`);
    }
    if (old['deprecated'] !== now['deprecated'] && (old['deprecated'] === true || now['deprecated'] === true))
      this.#add(path, false, now['deprecated'] === true ? 'is deprecated now' : 'is no longer deprecated');
    if (textOf(old['default']) !== textOf(now['default']))
      this.#add(path, false, `default: ${shown(old['default'])} → ${shown(now['default'])}`);
    for (const [field, breaks] of [
      ['readOnly', this.#inRequests],
      ['writeOnly', this.#inResponses],
    ] as const)
      if ((old[field] === true) !== (now[field] === true))
        this.#add(
          path,
          now[field] === true && breaks,
          `${field}: ${old[field] === true} → ${now[field] === true}`,
        );
  }

  #compareValues(old: Schema, now: Schema, path: string): void {
    const [from, to] = [old, now].map((schema) => ('const' in schema ? [schema['const']] : schema['enum']));
    if (!Array.isArray(from) && !Array.isArray(to)) return;
    if (!Array.isArray(from))
      return this.#add(path, this.#inRequests, `only these values now: ${listed(to as unknown[])}`);
    if (!Array.isArray(to)) return this.#add(path, this.#inResponses, 'any value now');
    const removed = without(from, to);
    const added = without(to, from);
    if (removed.length > 0) this.#add(path, this.#inRequests, `removed values: ${listed(removed)}`);
    if (added.length > 0) this.#add(path, this.#inResponses, `added values: ${listed(added)}`);
  }

  #compareLimits(old: Schema, now: Schema, path: string): void {
    for (const field of [...lowerLimits, ...upperLimits, ...restrictions]) {
      // `uniqueItems: false` is the same as a missing field.
      const [from, to] = [old, now].map((schema) => (schema[field] === false ? undefined : schema[field]));
      if (textOf(from) === textOf(to)) continue;
      this.#add(path, this.#breaksLimit(field, from, to), `${field}: ${shown(from)} → ${shown(to)}`);
    }
  }

  #breaksLimit(field: string, from: unknown, to: unknown): boolean {
    if (typeof from !== 'number' || typeof to !== 'number' || restrictions.includes(field))
      return (this.#inRequests && to !== undefined) || (this.#inResponses && from !== undefined);
    const isStricter = lowerLimits.includes(field) ? to > from : to < from;
    return isStricter ? this.#inRequests : this.#inResponses;
  }

  #compareProperties(old: Schema, now: Schema, path: string, depth: number): void {
    const [from, to] = [recordOf(old['properties']), recordOf(now['properties'])];
    const [needed, needs] = [requiredOf(old), requiredOf(now)];
    for (const name of new Set([...Object.keys(from), ...Object.keys(to), ...needed, ...needs])) {
      const inside = path === '' ? name : `${path}.${name}`;
      const [was, is] = [ownValue(from, name), ownValue(to, name)];
      const view = this.#viewers.after.resolve(is ?? {});
      const isRequired = needs.has(name) && this.#inRequests && view['readOnly'] !== true;
      if (was === undefined && is !== undefined) {
        this.#add(inside, isRequired, needs.has(name) ? 'added, required' : 'added', 'added');
        continue;
      }
      if (was !== undefined && is === undefined) {
        this.#add(inside, this.#inRequests || this.#inResponses, 'removed', 'removed');
        continue;
      }
      if (needs.has(name) && !needed.has(name)) this.#add(inside, isRequired, 'is required now');
      if (!needs.has(name) && needed.has(name))
        this.#add(inside, this.#inResponses && view['writeOnly'] !== true, 'is no longer required');
      if (was !== undefined) this.compare(was, is, inside, depth + 1);
    }
  }

  /** Compares the items of arrays, and the values of additional properties. */
  #compareOthers(old: Schema, now: Schema, path: string, depth: number): void {
    const canBe = (type: string) => [old, now].every((schema) => typesOf(schema)?.includes(type) ?? true);
    const compareInner = (from: unknown, to: unknown, inside: string): void => {
      const [one, other] = [from, to].map((schema) => (isRecord(schema) ? schema : anything));
      if (one !== other) this.compare(one, other, inside, depth + 1);
    };
    if (canBe('array')) compareInner(old['items'], now['items'], `${path}[]`);
    const [from, to] = [old['additionalProperties'], now['additionalProperties']];
    if (from !== false && to === false) this.#add(path, this.#inRequests, 'other properties are refused now');
    else if (from === false && to !== false) this.#add(path, false, 'other properties are allowed now');
    else if (canBe('object')) compareInner(from, to, `${path === '' ? '' : `${path}.`}*`);
  }

  #compareVariants(old: unknown, now: unknown, path: string, depth: number): void {
    const [from, to] = [variantsOf(old), variantsOf(now)];
    const removed = from.filter(({ key }) => to.every((each) => each.key !== key));
    const added = to.filter(({ key }) => from.every((each) => each.key !== key));
    // If both versions have the same number of unnamed variants, these are compared pairwise as changed variants.
    const [oldInline, newInline] = [removed, added].map((list) =>
      list.filter(({ name }) => name === undefined),
    );
    const arePairs = oldInline!.length === newInline!.length;
    if (arePairs)
      for (const [index, { schema }] of oldInline!.entries())
        this.compare(schema, newInline![index]!.schema, path, depth + 1);
    const isLeft = ({ name }: Variant) => !arePairs || name !== undefined;
    for (const { name } of removed.filter(isLeft))
      this.#add(
        path,
        to.length > 0 ? this.#inRequests : this.#inResponses,
        `removed variant ${name ?? 'without a name'}`,
      );
    for (const { name } of added.filter(isLeft))
      this.#add(
        path,
        from.length > 0 ? this.#inResponses : this.#inRequests,
        `added variant ${name ?? 'without a name'}`,
      );
  }
}

/** A schema merged with the parts of its `allOf`, except for parts that are shared schemas. */
interface Flat {
  readonly own: Schema;
  readonly shared: ReadonlyMap<string, Schema>;
}

/** Maximum number of merged parts of `allOf` of one schema. Nested parts could be millions. */
const maxParts = 1000;

/** With `foldsOptions`, a variant next to null becomes a nullable part, as in OpenAPI 3.0. */
function flatten(viewer: SchemaViewer, given: unknown, foldsOptions: boolean): Flat {
  let left = maxParts;
  const shared = new Map<string, Schema>();
  const take = (schema: unknown, isPart: boolean, keepsShared: boolean): Schema => {
    if (left-- <= 0) return {};
    const { allOf, ...own } = unify(viewer.resolve(schema), foldsOptions);
    const name = isPart && keepsShared ? sharedName(schema) : undefined;
    if (name !== undefined) {
      shared.set(name, take(schema, true, false));
      return {};
    }
    const parts = Array.isArray(allOf) ? allOf : [];
    return parts.reduce<Schema>((whole, part) => merge(whole, take(part, true, keepsShared)), own);
  };
  return { own: take(given, false, true), shared };
}

/** Unifies the spellings of OpenAPI 3.0 and 3.1: exclusive limits, and nullable schemas. */
function unify(schema: Schema, foldsOptions: boolean): Schema {
  const whole = { ...schema };
  for (const [exclusive, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const)
    if (whole[exclusive] === true) Object.assign(whole, { [exclusive]: whole[limit], [limit]: undefined });
  const options = foldsOptions ? listsOf(whole) : [];
  if (options.length === 0) return whole;
  const { oneOf: _, anyOf: __, allOf, ...own } = whole;
  const parts = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  return { ...own, nullable: true, allOf: [...parts, ...options.map((list) => optionOf(list) ?? {})] };
}

function listsOf(schema: Schema): unknown[][] {
  return [schema['oneOf'], schema['anyOf']].filter((list): list is unknown[] => Array.isArray(list));
}

/** Returns the only variant next to null; undefined if there are more or none. */
function optionOf(list: readonly unknown[]): Schema | undefined {
  const [option, ...more] = list.filter((each) => recordOf(each)['type'] !== 'null');
  return list.length === 2 && more.length === 0 && isRecord(option) ? option : undefined;
}

/**
 * Returns the fields of two schemas without the shared parts that both have, because these are compared separately. If only one
 * of the schemas is nullable, it has to be compared as a whole.
 */
function putTogether(before: Flat, after: Flat): readonly [Schema, Schema] {
  const isKept = (before.own['nullable'] === true) === (after.own['nullable'] === true);
  const fieldsOf = (flat: Flat, other: Flat): Schema =>
    [...flat.shared].reduce(
      (whole, [name, part]) => (isKept && other.shared.has(name) ? whole : merge(whole, part)),
      flat.own,
    );
  return [fieldsOf(before, after), fieldsOf(after, before)];
}

function merge(one: Schema, other: Schema): Schema {
  const whole = { ...one, ...other };
  if (isRecord(one['properties']) && isRecord(other['properties']))
    whole['properties'] = { ...one['properties'], ...other['properties'] };
  if (Array.isArray(one['required']) && Array.isArray(other['required']))
    whole['required'] = [...(one['required'] as unknown[]), ...(other['required'] as unknown[])];
  return whole;
}

interface Variant {
  readonly schema: unknown;
  readonly name: string | undefined;
  readonly key: string;
}

/** Returns the variants of a schema. Null is not a variant, but part of the type. */
function variantsOf(list: unknown): Variant[] {
  return (Array.isArray(list) ? list : [])
    .filter((schema) => recordOf(schema)['type'] !== 'null')
    .map((schema: unknown) => {
      const name = sharedName(schema);
      return { schema, name, key: name ?? textOf(schema) };
    });
}

/** Returns the types of a schema in a fixed order; undefined if it allows any. */
function typesOf(schema: Schema): string[] | undefined {
  const { type, nullable } = schema;
  const stated = Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : [];
  const variants = [schema['oneOf'], schema['anyOf']].flatMap((list): unknown[] =>
    Array.isArray(list) ? list : [],
  );
  const isNullable = nullable === true || variants.some((each) => recordOf(each)['type'] === 'null');
  if (stated.length === 0) {
    if (isRecord(schema['properties'])) stated.push('object');
    else if (schema['items'] !== undefined) stated.push('array');
    else if (variants.length > 0) stated.push('any type');
    else return undefined;
  }
  return [...new Set([...stated, ...(isNullable ? ['null'] : [])])].sort((a, b) =>
    a === 'null' ? 1 : b === 'null' ? -1 : a.localeCompare(b),
  );
}

/** Whether all values of the types `inner` have one of the types `outer`. */
function covers(outer: readonly string[], inner: readonly string[] | undefined): boolean {
  if (inner === undefined) return outer.includes('any type') && outer.includes('null');
  return inner.every(
    (type) =>
      outer.includes(type) ||
      (type !== 'null' && outer.includes('any type')) ||
      (type === 'integer' && outer.includes('number')),
  );
}

function requiredOf({ required }: Schema): Set<string> {
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map(textOf));
  return list.filter((each) => !known.has(textOf(each)));
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : typeof value === 'string' ? value : textOf(value);
}

function listed(values: readonly unknown[]): string {
  return listSome(values.map(shown), 10);
}
