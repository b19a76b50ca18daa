import { didYouMean } from '../../contract/nearest.ts';
import { joinOr, listSome, ownValue } from '../../contract/values.ts';
import { namePattern } from '../address.ts';
import { checkScalar } from './check-scalar.ts';
import { Faults } from './faults.ts';
import type { MapEntry, ListNode, MapNode, ManifestNode } from './node.ts';
import {
  acceptsNull,
  branchesOf,
  choicesOf,
  recordOf,
  typeOf,
  withoutNull,
  type Scalar,
  type Schema,
  type SchemaType,
} from './schema.ts';
import { isValueFile, readValueFile } from './read-yaml.ts';

/**
 * Checks a node against a schema, and adds faults with their locations to `faults`. Returns the node. JSON and YAML files are
 * read if the schema expects a map or a list. Messages do not contain values.
 */
export function checkNode(node: ManifestNode, schema: Schema, faults: Faults): ManifestNode {
  return new NodeChecker(faults).check(node, schema);
}

/** Derived data of a schema. It is cached, because the same schema is used for many nodes. */
interface SchemaFacts {
  /** The schema without null. */
  readonly schema: Schema;
  readonly type: SchemaType;
  readonly isNullable: boolean;
  /** The required fields of a map that have only one possible value. */
  readonly constants: readonly (readonly [name: string, value: Scalar])[];
}

class NodeChecker {
  readonly #faults: Faults;
  readonly #known: Map<Schema | string, SchemaFacts>;

  constructor(faults: Faults, known = new Map<Schema | string, SchemaFacts>()) {
    this.#faults = faults;
    this.#known = known;
  }

  check(node: ManifestNode, given: Schema): ManifestNode {
    const { schema, type, isNullable } = this.#factsOf(given);
    const isNull = node.kind === 'scalar' && node.value === null;
    if (isNull && type !== 'any') return isNullable ? node : this.#fail(node, nullMessage(type));
    switch (type) {
      case 'any':
        return node.kind === 'file' && isValueFile(node) ? readValueFile(node, this.#faults) : node;
      case 'scalar':
        return checkScalar(node, schema, this.#faults);
      case 'union':
        return this.#checkUnion(node, branchesOf(schema));
      default:
        return this.#checkCollection(node, schema, type);
    }
  }

  #factsOf(given: Schema): SchemaFacts {
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    const inner = withoutNull(given);
    const schema = this.#known.get(inner.$ref ?? '')?.schema ?? inner;
    const facts: SchemaFacts = {
      schema,
      type: typeOf(schema),
      isNullable: acceptsNull(given),
      constants: constantsOf(schema),
    };
    this.#known.set(given, facts);
    for (const { $id } of [given, schema]) if ($id !== undefined) this.#known.set($id, facts);
    return facts;
  }

  #checkCollection(given: ManifestNode, schema: Schema, type: 'list' | 'map' | 'record'): ManifestNode {
    const before = this.#faults.count;
    const node = given.kind === 'file' ? readValueFile(given, this.#faults) : given;
    if (this.#faults.count > before) return node;
    if (type === 'list')
      return node.kind === 'list'
        ? this.#checkList(node, schema)
        : this.#fail(node, `${describeNode(node)} is not allowed here; expected a list`);
    if (node.kind !== 'map')
      return this.#fail(
        node,
        `${describeNode(node)} is not allowed here; expected ${type === 'map' ? fieldsFor(node, schema) : words.record}${type === 'record' && node.kind === 'list' ? ': write "NAME:" instead of "- "' : ''}`,
      );
    return type === 'map' ? this.#checkMap(node, schema) : this.#checkRecord(node, schema);
  }

  #checkMap(node: MapNode, { properties = {}, required = [], additionalProperties }: Schema): MapNode {
    const entries = new Map<string, MapEntry>();
    const known = Object.keys(properties).filter((name) => properties[name]?.deprecated !== true);
    for (const [name, { key, value }] of node.entries) {
      const field = ownValue(properties, name);
      if (field === undefined && additionalProperties === false) {
        if (value.kind === 'scalar') this.#faults.add(key, unknownField(name, known));
        else this.#faults.addHiding(key, unknownField(name, known));
      }
      entries.set(name, { key, value: field === undefined ? value : this.check(value, field) });
    }
    for (const name of required)
      if (!node.entries.has(name)) this.#faults.addHiding(node.at, `the field "${name}" is required`);
    return { ...node, entries };
  }

  #checkRecord(node: MapNode, schema: Schema): MapNode {
    const entries = new Map<string, MapEntry>();
    const { value: valueSchema, pattern } = recordOf(schema);
    const names = pattern === undefined ? undefined : new RegExp(pattern);
    for (const [name, { key, value }] of node.entries) {
      if (names !== undefined && (name.length > 1024 || !names.test(name)))
        this.#faults.add(key, `"${name.slice(0, 100)}" is not a valid ${nameRule(pattern)}`);
      entries.set(name, { key, value: this.check(value, valueSchema) });
    }
    const { maxProperties = Infinity } = schema;
    if (entries.size > maxProperties)
      this.#faults.add(node.at, `this map has ${entries.size} entries; at most ${maxProperties} are allowed`);
    return { ...node, entries };
  }

  #checkList(node: ListNode, { items = {}, minItems = 0, maxItems = Infinity }: Schema): ListNode {
    const { length } = node.items;
    if (length > maxItems)
      this.#faults.add(node.at, `this list has ${length} items; at most ${maxItems} are allowed`);
    if (length < minItems)
      this.#faults.add(node.at, `this list has ${length} items; at least ${minItems} are required`);
    return { ...node, items: node.items.map((item) => this.check(item, items)) };
  }

  /** Checks a node against the branch that it names, or else against the branch of its type with the fewest faults. */
  #checkUnion(given: ManifestNode, branches: readonly Schema[]): ManifestNode {
    const all = branches.map((branch) => ({ branch, ...this.#factsOf(branch) }));
    const isText = all.some(({ type }) => type === 'scalar' || type === 'any');
    const before = this.#faults.count;
    const node =
      given.kind === 'file' && (!isText || isValueFile(given)) ? readValueFile(given, this.#faults) : given;
    if (this.#faults.count > before) return node;
    const named = all.filter(({ constants }) => isNamed(node, constants));
    const candidates = named.length > 0 ? named : all.filter(({ type }) => isAlike(node, type));
    const [best] = candidates
      .map(({ branch }) => {
        const faults = new Faults();
        return { faults, value: new NodeChecker(faults, this.#known).check(node, branch) };
      })
      .sort((a, b) => a.faults.count - b.faults.count);
    if (best === undefined) {
      const wanted = joinOr([...new Set(all.map(({ type }) => words[type]))]);
      return this.#fail(node, `${describeNode(node)} is not allowed here; expected ${wanted}`);
    }
    if (best.faults.count === 0) return best.value;
    const constants = all.flatMap((facts) => facts.constants.map(([name, value]) => `${name}: ${value}`));
    if (named.length === 0 && node.kind === 'map' && constants.length > 0)
      return this.#fail(node, `must contain one of ${constants.join(', ')}`);
    this.#faults.addAll(best.faults);
    return best.value;
  }

  #fail(node: ManifestNode, message: string): ManifestNode {
    this.#faults.addHiding(node.at, message);
    return node;
  }
}

const words: Readonly<Record<SchemaType, string>> = {
  map: 'a map of fields',
  record: 'a map of names',
  list: 'a list',
  scalar: 'a plain value',
  union: 'another value',
  any: 'another value',
};

/** Whether constants of a map, such as `type: rules`, select this branch. */
function isNamed(node: ManifestNode, constants: SchemaFacts['constants']): boolean {
  return (
    node.kind === 'map' &&
    constants.length > 0 &&
    constants.every(([name, value]) => {
      const stated = node.entries.get(name)?.value;
      return stated?.kind === 'scalar' && stated.value === value;
    })
  );
}

function constantsOf(schema: Schema): SchemaFacts['constants'] {
  if (typeOf(schema) !== 'map') return [];
  const { properties = {}, required = [] } = schema;
  return required.flatMap((name) => {
    const [value, ...more] = choicesOf(properties[name] ?? {}) ?? [];
    return value === undefined || more.length > 0 ? [] : [[name, value] as const];
  });
}

function isAlike({ kind }: ManifestNode, type: SchemaType): boolean {
  if (type === 'any' || type === 'union') return true;
  if (kind === 'map') return type === 'map' || type === 'record';
  return kind === 'list' ? type === 'list' : type === 'scalar';
}

/**
 * Describes the map that is expected instead of a node. For `guide: Guide` it suggests `{ title: Guide }` and lists the fields.
 */
function fieldsFor(node: ManifestNode, { properties = {} }: Schema): string {
  const known = Object.keys(properties).filter((name) => properties[name]?.deprecated !== true);
  const fields = known.length === 0 ? '' : ` with fields such as ${known.slice(0, 12).join(', ')}`;
  const text = node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  if (!/^[\w .-]{1,60}$/.test(text)) return `a map${fields}`;
  const [name] = ['title', 'id'].filter((one) => Object.hasOwn(properties, one));
  return `a map${name === undefined ? '' : `, such as { ${name}: ${name === 'id' ? '…' : text} },`}${fields}`;
}

function unknownField(name: string, known: readonly string[]): string {
  // A field may be a short form of the written name: "org" for "organization".
  const short = known.find((one) => one.length > 2 && name.startsWith(one));
  const close = short === undefined ? didYouMean(name, known) : `; did you mean "${short}"?`;
  const list =
    close !== '' || known.length === 0
      ? ''
      : `; expected ${known.length === 1 ? '' : 'one of '}${listSome(known, 12)}`;
  return `"${name.slice(0, 100)}" is not a known field${close}${list}`;
}

/** Returns what a key of a map should be, and the rule for it. */
function nameRule(pattern = ''): string {
  if (pattern.includes('@')) return 'email address';
  return pattern === namePattern
    ? 'name; begin with a letter or digit, and write only letters, digits, - and _, at most 100'
    : `name; it must match ${pattern}`;
}

function nullMessage(type: SchemaType): string {
  const instead =
    type === 'map' || type === 'record'
      ? 'indent its fields on the lines below, or write {} for none'
      : type === 'list'
        ? 'write [] for none'
        : 'omit the field to keep its value';
  return `null is not allowed here; ${instead}`;
}

function describeNode(node: ManifestNode): string {
  if (node.kind === 'map' || node.kind === 'list') return `a ${node.kind}`;
  if (node.kind !== 'scalar') return `!${node.kind}`;
  if (typeof node.value === 'string') return 'a text';
  return typeof node.value === 'number' ? 'a number' : String(node.value);
}
