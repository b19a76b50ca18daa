import { isRecord } from '../contract/values.ts';
import {
  asRecord,
  bundledFiles,
  findReferences,
  isContainer,
  isSwagger,
  isVersion31,
  resolveReference,
  walkSpecification,
} from './specification-tree.ts';

/** Removes from a specification what the library refuses though it is valid, and what our own rules explain better. */
export function prepareForValidator(value: Record<string, unknown>): void {
  const is31 = isVersion31(value);
  dropReferenceSiblings(value, is31);
  disableDataReferences(value);
  inlineReferences(value);
  const { paths, components, securityDefinitions } = value;
  // The library wants a slash before extensions too, and says nothing else about a path that lacks one.
  if (isRecord(paths)) for (const path of Object.keys(paths)) if (!path.startsWith('/')) delete paths[path];
  dropNonObjects(securityDefinitions, () => true);
  dropNonObjects(asRecord(components)['securitySchemes'], () => true);
  // The library takes extensions for components and responses.
  dropNonObjects(components, isExtension);
  walkSpecification(value, (node) => {
    dropNonObjects(node['responses'], isExtension);
    // A schema of 3.1 may be true or false, but the rules of the library read its members.
    if (is31 && typeof node['schema'] === 'boolean') node['schema'] = {};
  });
  const schemas = asRecord(asRecord(components)['schemas']);
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
 * Drops fields beside a `$ref`, because the library merges them into the target. Before 3.1 they have no effect; in 3.1
 * `summary` and `description` replace those of the target, and schemas may have any field. Path items may have any field.
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

/** Whether a reference stands in a path item. Those that only 3.1 has are left out, because they would lose only texts. */
function isPathItem(pointer: readonly string[]): boolean {
  return (pointer.length === 3 && pointer[0] === 'paths') || pointer.at(-4) === 'callbacks';
}

/** Turns references in data and extensions that lead nowhere into words, because the library refuses them. */
function disableDataReferences(value: Record<string, unknown>): void {
  const disable = (node: unknown, depth: number): void => {
    if (!isContainer(node) || depth > 100) return;
    const { $ref: target } = node;
    if (typeof target === 'string' && target.startsWith('#') && resolveReference(value, target) === undefined)
      node['$ref'] = target.replace('#', 'here');
    for (const member of Object.values(node)) disable(member, depth + 1);
  };
  walkSpecification(value, (node) => {
    for (const [key, member] of Object.entries(node)) {
      const isExamples = key === 'examples' && (Array.isArray(member) || isSwagger(value));
      const isData = key === 'example' || key === 'default' || key === 'value' || isExamples;
      if (isData || (isExtension(key) && key !== bundledFiles)) disable(member, 0);
    }
  });
}

/**
 * Replaces references to parameters, responses, request bodies and path items by copies of their targets. The library
 * does not expand a reference with a cycle below it, and its rules on paths then miss the target; none of these can hold itself.
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
