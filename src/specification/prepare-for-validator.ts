import { isObject, isRecord, recordOf } from '../contract/values.ts';
import { findReferences, isVersion31, resolveReference, walkSpecification } from './specification-tree.ts';

/**
 * Removes parts of a specification that the library rejects although they are valid, and parts that our own rules explain better.
 */
export function prepareForValidator(value: Record<string, unknown>): void {
  const is31 = isVersion31(value);
  dropReferenceSiblings(value, is31);
  disableDataReferences(value);
  inlineReferences(value);
  const { paths, components, securityDefinitions } = value;
  // The library requires a leading slash even for extensions, and does not otherwise check a path without one.
  if (isRecord(paths)) for (const path of Object.keys(paths)) if (!path.startsWith('/')) delete paths[path];
  dropNonObjects(securityDefinitions, () => true);
  dropNonObjects(recordOf(components)['securitySchemes'], () => true);
  // The library mistakes extensions for components and responses.
  dropNonObjects(components, isExtension);
  walkSpecification(value, (node) => {
    dropNonObjects(node['responses'], isExtension);
    // A schema of 3.1 may be true or false, but the rules of the library access its properties.
    if (is31 && typeof node['schema'] === 'boolean') node['schema'] = {};
  });
  const schemas = recordOf(recordOf(components)['schemas']);
  if (is31)
    for (const [name, schema] of Object.entries(schemas)) if (typeof schema === 'boolean') schemas[name] = {};
}

function isExtension(name: string): boolean {
  return name.startsWith('x-');
}

function dropNonObjects(map: unknown, isDropped: (name: string) => boolean): void {
  if (isRecord(map))
    for (const [name, member] of Object.entries(map))
      if (isDropped(name) && !isRecord(member)) delete map[name];
}

/**
 * Removes fields next to a `$ref`, because the library merges them into the target. Before 3.1 they have no effect; in 3.1,
 * `summary` and `description` override those of the target, and schemas may have any field. Path items may have any field.
 */
function dropReferenceSiblings(value: Record<string, unknown>, is31: boolean): void {
  for (const { holder, pointer } of findReferences(value)) {
    if (isPathItem(pointer)) continue;
    for (const [key, sibling] of Object.entries(holder)) {
      const isText = (key === 'summary' || key === 'description') && typeof sibling === 'string';
      if (key !== '$ref' && (!is31 || isText)) delete holder[key];
    }
  }
}

/** Whether a reference is in a path item. Path items that exist only in 3.1 do not count: they would lose only texts. */
function isPathItem(pointer: readonly string[]): boolean {
  return (pointer.length === 3 && pointer[0] === 'paths') || pointer.at(-4) === 'callbacks';
}

/**
 * Replaces references without a target by text, because the library rejects them. These are in data and extensions: elsewhere
 * they are mistakes, which are left out before the library is asked.
 */
function disableDataReferences(value: Record<string, unknown>): void {
  const disable = (node: unknown): void => {
    if (!isObject(node)) return;
    const { $ref: target } = node;
    if (typeof target === 'string' && target.startsWith('#') && resolveReference(value, target) === undefined)
      node['$ref'] = target.replace('#', 'here');
    for (const member of Object.values(node)) disable(member);
  };
  disable(value);
}

/**
 * Replaces references to parameters, responses, request bodies and path items by copies of their targets. The library does not
 * expand a reference that leads to a cycle, and its rules for paths then miss the target. None of these can contain itself.
 */
function inlineReferences(value: Record<string, unknown>): void {
  for (const { holder, pointer } of findReferences(value)) {
    const [parent, name = ''] = pointer.slice(-3);
    const isPart =
      (parent === 'parameters' && /^\d+$/.test(name)) || parent === 'responses' || name === 'requestBody';
    const isTop = pointer.length === 3 && parent === 'paths';
    if (!isTop && !isPart) continue;
    for (let hops = 0; hops < 20 && typeof holder['$ref'] === 'string'; hops++) {
      const target = resolveReference(value, holder['$ref']);
      if (!isRecord(target) || target === holder) break;
      delete holder['$ref'];
      for (const [key, member] of Object.entries(target))
        if (!Object.hasOwn(holder, key)) holder[key] = member;
    }
  }
}
