import { didYouMean } from '../../contract/nearest.ts';
import { asValue, isValueFile } from './as-value.ts';
import { checkScalar } from './check-scalar.ts';
import { Faults } from './faults.ts';
import type { MEntry, MList, MMap, MNode } from './node.ts';
import type { ListShape, MapOfShape, MapShape, OneOfShape, Shape } from './shape.ts';

/**
 * Checks a value against a shape; what is wrong goes to `faults`, each at its place. The answer is the value as the shape
 * wants it: the same, with files of JSON or YAML read where a map or a list is wanted. No message shows a value.
 */
export function checkShape(node: MNode, shape: Shape, faults: Faults): MNode {
  if (shape.secret === true) return checkSecret(node, faults, shape.nullable === true);
  if (node.kind === 'secret')
    return fail(node, 'a secret is not taken here: this field is shown to readers', faults);
  if (node.kind === 'scalar' && node.value === null && shape.kind !== 'any')
    return shape.nullable === true ? node : fail(node, nullMessage(shape), faults);
  switch (shape.kind) {
    case 'any':
      return node.kind === 'file' && isValueFile(node) ? asValue(node, faults) : node;
    case 'scalar':
      return checkScalar(node, shape, faults);
    case 'oneOf':
      return checkOneOf(node, shape, faults);
    default:
      return checkCollection(node, shape, faults);
  }
}

function checkSecret(node: MNode, faults: Faults, nullable: boolean): MNode {
  if (
    node.kind === 'secret' ||
    node.kind === 'file' ||
    (nullable && node.kind === 'scalar' && node.value === null)
  )
    return node;
  return fail(
    node,
    'a secret is not written in a manifest; write !secret { env: NAME } or !secret { file: path }',
    faults,
  );
}

function checkCollection(given: MNode, shape: MapShape | MapOfShape | ListShape, faults: Faults): MNode {
  const before = faults.count;
  const node = asValue(given, faults);
  if (faults.count > before) return node;
  if (shape.kind === 'list')
    return node.kind === 'list'
      ? checkList(node, shape, faults)
      : fail(node, `${wordOf(node)} stands where a list is wanted`, faults);
  if (node.kind !== 'map')
    return fail(
      node,
      `${wordOf(node)} stands where a map of fields is wanted${exampleOf(node, shape)}`,
      faults,
    );
  return shape.kind === 'map' ? checkMap(node, shape, faults) : checkMapOf(node, shape, faults);
}

function checkMap(node: MMap, shape: MapShape, faults: Faults): MMap {
  const entries = new Map<string, MEntry>();
  const known = Object.keys(shape.fields);
  for (const [name, { key, value }] of node.entries) {
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined && shape.open !== true) faults.add(key, unknownField(name, known));
    entries.set(name, { key, value: field === undefined ? value : checkShape(value, field, faults) });
  }
  for (const name of shape.required ?? [])
    if (!node.entries.has(name)) faults.add(node.at, `the field "${name}" is missing`);
  return { ...node, entries };
}

/** `org: Acme` says which one it is, and so does `org: { id: Acme }`. */
function exampleOf(node: MNode, shape: MapShape | MapOfShape): string {
  const isName =
    node.kind === 'scalar' && typeof node.value === 'string' && /^[\w .-]{1,60}$/.test(node.value);
  return isName &&
    shape.kind === 'map' &&
    Object.hasOwn(shape.fields, 'id') &&
    !Object.hasOwn(shape.fields, 'protect')
    ? '; to say which one it is, write { id: … }'
    : '';
}

function unknownField(name: string, known: readonly string[]): string {
  // What is written out is meant by what is short for it: organization for org.
  const short = known.find((one) => one.length > 2 && name.startsWith(one));
  const close = short === undefined ? didYouMean(name, known) : `; did you mean "${short}"?`;
  const list =
    close !== '' || known.length === 0 || known.length > 12 ? '' : `; there are ${known.join(', ')}`;
  return `"${name.slice(0, 100)}" is not a known field${close}${list}`;
}

function checkMapOf(node: MMap, shape: MapOfShape, faults: Faults): MMap {
  const entries = new Map<string, MEntry>();
  const pattern = shape.keyPattern === undefined ? undefined : new RegExp(shape.keyPattern);
  for (const [name, { key, value }] of node.entries) {
    if (pattern !== undefined && (name.length > 1024 || !pattern.test(name)))
      faults.add(
        key,
        `"${name.slice(0, 100)}" is not taken as a name here; it must match ${shape.keyPattern}`,
      );
    entries.set(name, { key, value: checkShape(value, shape.value, faults) });
  }
  if (shape.maxEntries !== undefined && entries.size > shape.maxEntries)
    faults.add(node.at, `this map has ${entries.size} entries; at most ${shape.maxEntries} are taken`);
  return { ...node, entries };
}

function checkList(node: MList, shape: ListShape, faults: Faults): MList {
  const { length } = node.items;
  if (shape.maxItems !== undefined && length > shape.maxItems)
    faults.add(node.at, `this list has ${length} items; at most ${shape.maxItems} are taken`);
  if (shape.minItems !== undefined && length < shape.minItems)
    faults.add(node.at, `this list has ${length} items; at least ${shape.minItems} are wanted`);
  return { ...node, items: node.items.map((item) => checkShape(item, shape.item, faults)) };
}

function checkOneOf(given: MNode, { shapes }: OneOfShape, faults: Faults): MNode {
  const takesText = shapes.some(({ kind }) => kind === 'scalar' || kind === 'any');
  const before = faults.count;
  const node = given.kind === 'file' && (!takesText || isValueFile(given)) ? asValue(given, faults) : given;
  if (faults.count > before) return node;
  const named = shapes.filter((shape) => isNamed(node, shape));
  const fitting = named.length > 0 ? named : shapes.filter((shape) => fits(node, shape));
  const tried = fitting.map((shape) => {
    const found = new Faults();
    return { found, value: checkShape(node, shape, found) };
  });
  const [best] = tried.sort((a, b) => a.found.count - b.found.count);
  if (best === undefined)
    return fail(node, `${wordOf(node)} stands where ${choicesOf(shapes)} is wanted`, faults);
  const constants = shapes.flatMap(constantsOf);
  if (best.found.count > 0 && named.length === 0 && node.kind === 'map' && constants.length > 0)
    return fail(
      node,
      `must have one of ${constants.map(([name, value]) => `${name}: ${String(value)}`).join(', ')}`,
      faults,
    );
  faults.addAll(best.found);
  return best.value;
}

/** Whether a map says by its constants, such as `type: rules`, that it means this shape. */
function isNamed(node: MNode, shape: Shape): boolean {
  const constants = constantsOf(shape);
  return (
    node.kind === 'map' &&
    constants.length > 0 &&
    constants.every(([name, value]) => {
      const stated = node.entries.get(name)?.value;
      return stated?.kind === 'scalar' && stated.value === value;
    })
  );
}

function constantsOf(shape: Shape): [name: string, value: string | number | boolean][] {
  if (shape.kind !== 'map') return [];
  return Object.entries(shape.fields).flatMap(([name, field]) =>
    field.kind === 'scalar' && field.enum?.length === 1 ? [[name, field.enum[0]!]] : [],
  );
}

function fits(node: MNode, shape: Shape): boolean {
  if (shape.kind === 'any' || shape.kind === 'oneOf') return true;
  if (node.kind === 'map') return shape.kind === 'map' || shape.kind === 'mapOf';
  return node.kind === 'list' ? shape.kind === 'list' : shape.kind === 'scalar';
}

function choicesOf(shapes: readonly Shape[]): string {
  const words = {
    map: 'a map of fields',
    mapOf: 'a map',
    list: 'a list',
    scalar: 'a plain value',
    oneOf: 'another value',
    any: 'another value',
  };
  return [...new Set(shapes.map(({ kind }) => words[kind]))].join(' or ');
}

function nullMessage(shape: Shape): string {
  return `null is not taken here${shape.kind === 'map' || shape.kind === 'mapOf' ? '; write {} for none' : shape.kind === 'list' ? '; write [] for none' : '; leave the field out to leave it as it is'}`;
}

/** What a node is, in words. */
function wordOf(node: MNode): string {
  if (node.kind === 'map' || node.kind === 'list') return `a ${node.kind}`;
  if (node.kind !== 'scalar') return `!${node.kind}`;
  return typeof node.value === 'string'
    ? 'a text'
    : typeof node.value === 'number'
      ? 'a number'
      : String(node.value);
}

function fail(node: MNode, message: string, faults: Faults): MNode {
  faults.add(node.at, message);
  return node;
}
