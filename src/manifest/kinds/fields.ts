import type { CallOptions } from '../../contract/api.ts';
import type { InputOf, ItemOf, Operation, OutputOf } from '../../contract/operation.ts';
import { nullable, oneOf, Type } from '../../contract/schema.ts';
import { roles } from '../../contract/shapes.ts';
import { defined } from '../../contract/values.ts';
import {
  siteOf,
  type Backend,
  type Body,
  type Call,
  type Field,
  type Fields,
  type Located,
} from '../kind.ts';

/** `!ref`, `!lookup` or an id. */
export function reference(description: string) {
  return Type.String({ ref: true, description });
}

/** Declares a field that takes a reference or null. */
export function referenceOrNone(description: string) {
  return nullable(reference(description));
}

/** Declares a field whose only value is true. It is left out otherwise. */
export function onlyTrue(description: string) {
  return Type.Literal(true, { description });
}

/** Declares a default role for people without another role. `guest` stands for null, as in commands. */
export function defaultRoleField(description: string): Pick<Field, 'schema' | 'normalize' | 'default'> {
  return {
    schema: nullable(oneOf([...roles, 'guest']), { description }),
    normalize: (value) => (value === 'guest' ? null : value),
    default: null,
  };
}

/** A member of the organization: an email or an ID. */
export const person = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'email address or ID of a member',
});

/**
 * Calls an operation for a resource. The path parameters come from its location: the organization, the site that contains it, and
 * its own ID.
 */
export function callFor<O extends Operation>(
  backend: Backend,
  operation: O,
  at?: Located,
  body?: Fields,
  options?: CallOptions,
): Promise<OutputOf<O>> {
  const input = defined({ params: paramsFor(backend, operation, at), body }) as InputOf<O>;
  return backend.call(operation, input, options);
}

/** Returns a function that reads all items of a list operation within a parent. */
export function listAll<O extends Operation>(operation: O) {
  return (backend: Backend, parent?: Located): Promise<ItemOf<O>[]> =>
    backend.all(operation, { params: paramsFor(backend, operation, parent) } as InputOf<O>);
}

/** Returns a function that creates a resource with an operation. */
export function create<O extends Operation>(operation: O) {
  return (backend: Backend, parent: Located | undefined, fields: Fields): Promise<OutputOf<O>> =>
    callFor(backend, operation, parent, fields);
}

/** Returns a call that sends the fields unchanged. The API answers with the resource. `reader` reads it at the same path. */
export function update<O extends Operation, R extends Operation>(operation: O, reader?: R): Call {
  return {
    ...(reader === undefined ? {} : { read: (backend, at) => callFor(backend, reader, at) as Promise<Body> }),
    send: (backend, at, fields, options) => callFor(backend, operation, at, fields, options) as Promise<Body>,
  };
}

/** Returns a function that deletes a resource with an operation. */
export function remove(operation: Operation) {
  return async (backend: Backend, at: Located): Promise<void> => callFor(backend, operation, at);
}

function paramsFor(backend: Backend, { paramNames }: Operation, at: Located | undefined) {
  const idFor = (name: string): string | undefined => {
    if (name === 'organizationId') return backend.organization;
    return name === 'siteId' ? siteOf(at) : at?.id;
  };
  return Object.fromEntries(paramNames.map((name) => [name, idFor(name)]));
}
