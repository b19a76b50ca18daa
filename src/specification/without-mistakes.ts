import {
  findReferences,
  httpMethods,
  isSchemaAt,
  isSwagger,
  parseReference,
  resolveReference,
} from './specification-tree.ts';
import { isObject, recordOf } from '../contract/values.ts';

type Pointer = readonly string[];

/**
 * Copies a specification without the parts that have mistakes, so that the rest can be checked. A schema with a mistake becomes
 * one that allows everything, and a reference to a missing parameter becomes any parameter. Other parts with mistakes are
 * removed, with the operations and components that refer to them.
 */
export function copyWithoutMistakes(
  value: Record<string, unknown>,
  mistakes: readonly Pointer[],
): Record<string, unknown> {
  const copy = structuredClone(value);
  const removed: Pointer[] = [];
  for (const pointer of mistakes) {
    if (pointer.length === 0 || replaceParameter(copy, pointer)) continue;
    const schema = pointer.findIndex((_, index) => isSchema(pointer.slice(0, index + 1)));
    if (schema < 0) removed.push(partOf(pointer));
    else replaceAt(copy, pointer.slice(0, schema + 1), {});
  }
  const references = findReferences(copy).map(({ pointer, target }) => ({
    part: partOf(pointer),
    target: parseReference(target),
  }));
  // This loop also visits parts that are added during the loop.
  for (const part of removed)
    for (const reference of references)
      if (
        part.every((token, index) => reference.target[index] === token) &&
        !removed.includes(reference.part)
      )
        removed.push(reference.part);
  for (const part of removed) if (part[0] !== 'openapi' && part[0] !== 'swagger') replaceAt(copy, part);
  return { info: { title: '', version: '' }, paths: {}, ...copy };
}

/** Whether a pointer leads to a schema. Up to the third token, names of components may look like fields with schemas. */
function isSchema(pointer: Pointer): boolean {
  const [root, map] = pointer;
  const isNamed =
    pointer.length === 2
      ? root === 'definitions'
      : pointer.length === 3 && map === 'schemas' && root === 'components';
  return (isNamed || pointer.length > 3) && isSchemaAt(pointer);
}

/** Returns the pointer of the operation, path, component or root field that contains a pointer. */
function partOf(pointer: Pointer): Pointer {
  const [root = '', , method = ''] = pointer;
  const isItem = root === 'paths' || root === 'webhooks';
  if (root === 'components' || (isItem && httpMethods.has(method))) return pointer.slice(0, 3);
  const isMap = /^(definitions|parameters|responses|securityDefinitions|x-docsctl-files)$/.test(root);
  return pointer.slice(0, isItem || isMap ? 2 : 1);
}

/**
 * Replaces a reference to a missing parameter, so that the rest of its operation is checked. The replacement is accepted as any
 * parameter that the path needs. Returns whether the pointer leads to such a reference.
 */
function replaceParameter(root: Record<string, unknown>, pointer: Pointer): boolean {
  const [top, path = ''] = pointer;
  const [field, index = '', last] = pointer.slice(-3);
  if (top !== 'paths' || pointer.length > 6 || field !== 'parameters' || last !== '$ref') return false;
  const listsIn = (depth: number): unknown[] => {
    const list = recordOf(valueAt(root, pointer.slice(0, depth)))['parameters'];
    return Array.isArray(list) ? list : [];
  };
  const list = listsIn(pointer.length - 3);
  const { $ref: target } = recordOf(list[Number(index)]);
  if (typeof target !== 'string') return true;
  if (resolveReference(root, target) !== undefined) return false;
  const described = new Set(
    [...listsIn(2), ...list].map((item) => {
      const { $ref: to } = recordOf(item);
      return recordOf(typeof to === 'string' ? resolveReference(root, to) : item)['name'];
    }),
  );
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].flatMap(([, name]) =>
    described.has(name) ? [] : [name],
  );
  const type = isSwagger(root) ? { type: 'string' } : { schema: {} };
  const [first, ...others] = [...new Set(names)].map((name) => ({
    name,
    in: 'path',
    required: true,
    ...type,
  }));
  list[Number(index)] = first ?? { name: `any ${index}`, in: 'query', ...type };
  list.push(...others);
  return true;
}

/** Replaces the value at a pointer, if it exists; without `other`, deletes it. */
function replaceAt(root: unknown, pointer: Pointer, other?: object): void {
  const last = pointer.at(-1) ?? '';
  const node = valueAt(root, pointer.slice(0, -1));
  if (!isObject(node) || !Object.hasOwn(node, last)) return;
  if (other === undefined) delete node[last];
  else node[last] = other;
}

function valueAt(root: unknown, pointer: Pointer): unknown {
  return pointer.reduce((at, token) => (isObject(at) ? at[token] : undefined), root);
}
