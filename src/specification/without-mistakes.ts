import {
  findReferences,
  httpMethods,
  isContainer,
  isSchemaAt,
  parseReference,
} from './specification-tree.ts';

type Pointer = readonly string[];

/**
 * Copies a specification without the parts that have mistakes, so that the rest can be checked. A schema with a mistake becomes
 * one that allows everything. Other parts with mistakes are left out, with the operations and components that refer to them.
 */
export function copyWithoutMistakes(
  value: Record<string, unknown>,
  mistakes: readonly Pointer[],
): Record<string, unknown> {
  const copy = structuredClone(value);
  const removed: Pointer[] = [];
  for (const pointer of mistakes) {
    if (pointer.length === 0) continue;
    const schema = pointer.findIndex((_, index) => isSchema(pointer.slice(0, index + 1)));
    if (schema < 0) removed.push(partOf(pointer));
    else replaceAt(copy, pointer.slice(0, schema + 1), {});
  }
  const references = findReferences(copy).map(({ pointer, target }) => ({
    part: partOf(pointer),
    target: parseReference(target),
  }));
  // This loop also visits the parts that it adds.
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

/** The operation, path, component or field of the root that a pointer leads into. */
function partOf(pointer: Pointer): Pointer {
  const [root = '', , method = ''] = pointer;
  const isItem = root === 'paths' || root === 'webhooks';
  if (root === 'components' || (isItem && httpMethods.has(method))) return pointer.slice(0, 3);
  const isMap = /^(definitions|parameters|responses|securityDefinitions|x-docsctl-files)$/.test(root);
  return pointer.slice(0, isItem || isMap ? 2 : 1);
}

/** Replaces what is at a pointer, if it is there; without `other`, deletes it. */
function replaceAt(root: unknown, pointer: Pointer, other?: object): void {
  const last = pointer.at(-1) ?? '';
  const node = pointer.slice(0, -1).reduce((at, token) => (isContainer(at) ? at[token] : undefined), root);
  if (!isContainer(node) || !Object.hasOwn(node, last)) return;
  if (other === undefined) delete node[last];
  else node[last] = other;
}
