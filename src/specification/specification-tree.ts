import { pointerToken } from '../contract/paths.ts';
import { decodePercent, isObject, isRecord, recordOf } from '../contract/values.ts';

interface Reference {
  readonly target: string;
  readonly pointer: readonly string[];
  /** The object that has the `$ref`. */
  readonly holder: Record<string, unknown>;
}

/** The field with the other files of a specification that was bundled into one text. */
export const bundledFiles = 'x-docsctl-files';

/** The fields of a path item that are operations. */
export const httpMethods = setOf('get put post delete options head patch trace');

/** Fields whose values are data, in which "$ref" has no meaning. */
const dataFields = setOf('example default enum const');
/** Fields that contain a map with names chosen by the author. */
const mapFields = setOf(
  'properties patternProperties schemas definitions $defs responses parameters examples requestBodies headers ' +
    'securitySchemes links callbacks pathItems paths webhooks dependentSchemas',
);
const schemaFields = setOf(
  'schema items additionalProperties not contains unevaluatedProperties unevaluatedItems propertyNames if then else',
);
const schemaMaps = setOf('properties patternProperties $defs dependentSchemas');
/** Fields whose maps give schemas their names. */
const schemaNames = setOf('schemas definitions $defs');
const schemaLists = setOf('allOf anyOf oneOf prefixItems');

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Returns the schemas of a specification by their names. */
export function schemasOf({ components, definitions }: Record<string, unknown>): Record<string, unknown> {
  return recordOf(recordOf(components)['schemas'] ?? definitions);
}

/** Returns the security schemes of a specification by their names. */
export function securitySchemesOf(root: Record<string, unknown>): Record<string, unknown> {
  return recordOf(recordOf(root['components'])['securitySchemes'] ?? root['securityDefinitions']);
}

/** Converts a text or number to text; anything else becomes "". */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Joins lines, so that a text can neither end its block nor open a tag. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('{%', '{ %').trim();
}

/** Returns the text of a heading, in which `<T>` is not HTML. */
export function headingText(text: string): string {
  return oneLine(text).replaceAll('<', String.raw`\<`);
}

/** Whether a document is Swagger 2.0, which has no field `openapi`. */
export function isSwagger({ openapi }: Record<string, unknown>): boolean {
  return openapi === undefined;
}

/** Whether a document is OpenAPI 3.1. */
export function isVersion31({ openapi }: Record<string, unknown>): boolean {
  return String(openapi).startsWith('3.1');
}

/** Visits the objects of a specification in document order. Skips data, and visits the values of maps but not the maps. */
export function walkSpecification(
  root: unknown,
  visit: (node: Record<string, unknown>, pointer: readonly string[]) => void,
): void {
  const hasExampleData = isObject(root) && 'swagger' in root;
  const walk = (node: unknown, pointer: readonly string[], isMap: boolean): void => {
    if (!isObject(node)) return;
    if (Array.isArray(node))
      return node.forEach((item, index) => walk(item, [...pointer, String(index)], false));
    if (!isMap) {
      visit(node, pointer);
      // A named example is data, but may be a reference. `examples` may also be the name of a property.
      if (pointer.at(-2) === 'examples' && pointer.at(-3) !== 'properties') return;
    }
    for (const [key, value] of Object.entries(node)) {
      const isBundle = key === bundledFiles;
      if (!isMap) {
        if (dataFields.has(key) || (key.startsWith('x-') && !isBundle)) continue;
        if (key === 'examples' && (hasExampleData || Array.isArray(value))) continue;
      }
      walk(value, [...pointer, key], !isMap && (mapFields.has(key) || isBundle));
    }
  };
  walk(root, [], false);
}

/** Whether a pointer leads to a schema. Does not recognize data, which `walkSpecification` skips. */
export function isSchemaAt(pointer: readonly string[]): boolean {
  const [parent, last] = pointer.slice(-2);
  if (parent === undefined || last === undefined) return false;
  if (parent === 'securitySchemes') return false;
  const isComponent = pointer.length === 3 && pointer[0] === 'components' && parent === 'schemas';
  const isDefinition = pointer.length === 2 && parent === 'definitions';
  if (schemaMaps.has(parent) || isComponent || isDefinition) return true;
  return (schemaLists.has(parent) && /^\d+$/.test(last)) || schemaFields.has(last);
}

/** Lists the references of a specification in document order. */
export function findReferences(root: unknown): Reference[] {
  const found: Reference[] = [];
  walkSpecification(root, (holder, pointer) => {
    const { $ref: target } = holder;
    if (typeof target === 'string') found.push({ target, pointer: [...pointer, '$ref'], holder });
  });
  return found;
}

/** Returns the value that a reference such as `#/components/schemas/Pet` leads to; undefined if there is none. */
export function resolveReference(root: unknown, target: string): unknown {
  if (!/^#(?:\/|$)/.test(target)) return undefined;
  let node = root;
  for (const token of parseReference(target)) {
    if (!isObject(node) || !Object.hasOwn(node, token)) return undefined;
    node = node[token];
  }
  return node;
}

/** Splits a reference within the text, such as `#/paths/~1pets`, into its tokens (RFC 6901, section 6). */
export function parseReference(target: string): string[] {
  return target
    .slice(1)
    .split('/')
    .slice(1)
    .map((token) => unescapeToken(decodePercent(token) ?? token));
}

/**
 * Returns the name of the schema that a reference leads to; '' for other values, and for references to a part of something that
 * is named otherwise, such as the schema of a response.
 */
export function schemaName(value: unknown): string {
  const { $ref: target } = recordOf(value);
  const tokens = typeof target === 'string' ? parseReference(target) : [];
  const isNamed = tokens.length < 2 || tokens[0] === bundledFiles || schemaNames.has(tokens.at(-2) ?? '');
  return isNamed ? (tokens.at(-1) ?? '') : '';
}

/** Splits a JSON pointer into its tokens (RFC 6901, section 4). */
export function parsePointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeToken);
}

/** Returns the JSON pointer (RFC 6901) for its tokens. */
export function formatPointer(tokens: readonly string[]): string {
  return tokens.map((token) => `/${pointerToken(token)}`).join('');
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Counts the values of a specification as if each reference were replaced by its target. A cycle counts once. */
export function countExpandedValues(root: unknown): number {
  const counts = new Map<unknown, number>();
  const count = (node: unknown, depth: number): number => {
    if (!isObject(node) || depth > 1000) return 1;
    const known = counts.get(node);
    if (known !== undefined) return known;
    counts.set(node, 1);
    const { $ref: target } = node;
    let sum = 1;
    if (typeof target === 'string' && target.startsWith('#'))
      sum += count(resolveReference(root, target), depth + 1);
    for (const value of Object.values(node)) sum += count(value, depth + 1);
    counts.set(node, sum);
    return sum;
  };
  return count(root, 0);
}

export interface OperationEntry {
  /** The path of the operation, or the name of a webhook. */
  readonly path: string;
  readonly method: string;
  readonly operation: Record<string, unknown>;
}

/** Lists the operations of all paths, all webhooks or a callback, in document order. */
export function listOperations(
  value: Record<string, unknown>,
  field: 'paths' | 'webhooks' | 'callback' = 'paths',
): OperationEntry[] {
  return Object.entries(recordOf(value[field])).flatMap(([path, item]) =>
    Object.entries(expandPathItem(value, recordOf(item))).flatMap(([method, operation]) =>
      httpMethods.has(method) && isRecord(operation) ? [{ path, method, operation }] : [],
    ),
  );
}

/** Merges a path item with those that it refers to. Its own fields have priority. */
function expandPathItem(
  value: Record<string, unknown>,
  item: Record<string, unknown>,
): Record<string, unknown> {
  let whole = item;
  for (let hops = 0; hops < 20; hops++) {
    const { $ref: target, ...own } = whole;
    if (typeof target !== 'string') break;
    whole = { ...recordOf(resolveReference(value, target)), ...own };
  }
  return whole;
}
