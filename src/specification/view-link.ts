import { listOperations, parseReference, toText } from './specification-tree.ts';
import { defined, getOrInsert, recordOf } from '../contract/values.ts';

/** An operation that can follow a response, with what it takes from the response. */
export interface LinkView {
  readonly name: string;
  /** The operation, such as `GET /pets/{id}`; its id or address if it is not in the specification. */
  readonly operation: string;
  /** Markdown. */
  readonly description: string;
  /** The values of its parameters and its body, such as `id: $response.body#/id`. */
  readonly values: readonly string[];
}

/** The operations of each specification by their ids. */
const operationsById = new WeakMap<Record<string, unknown>, ReadonlyMap<string, string>>();

/** Returns the view of a link of a response. */
export function viewLink(
  root: Record<string, unknown>,
  name: string,
  { operationId, operationRef, description, parameters, requestBody }: Record<string, unknown>,
): LinkView {
  const values = { ...recordOf(parameters), ...defined({ body: requestBody }) };
  return {
    name,
    operation: nameById(root, toText(operationId)) ?? nameByReference(toText(operationRef)),
    description: toText(description),
    values: Object.entries(values).map(
      ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
  };
}

function nameById(root: Record<string, unknown>, id: string): string | undefined {
  if (id === '') return undefined;
  const known = getOrInsert(
    operationsById,
    root,
    () =>
      new Map(
        listOperations(root).map(({ operation, method, path }) => [
          toText(operation['operationId']),
          `${method.toUpperCase()} ${path}`,
        ]),
      ),
  );
  return known.get(id) ?? id;
}

/** Returns the operation that a reference such as `#/paths/~1pets/get` leads to. */
function nameByReference(target: string): string {
  const [field, path, method, ...rest] = target.startsWith('#') ? parseReference(target) : [];
  return field === 'paths' && method !== undefined && rest.length === 0
    ? `${method.toUpperCase()} ${path}`
    : target;
}
