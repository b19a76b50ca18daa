import { defined } from '../contract/values.ts';
import { toText } from './specification-tree.ts';

/** Returns the content of a Swagger 2 response with a schema, by media type. */
export function swaggerContent(
  root: Record<string, unknown>,
  operation: Record<string, unknown>,
  schema: unknown,
  examples: Record<string, unknown> = {},
): Record<string, unknown> {
  const given = operation['produces'] ?? root['produces'];
  const types = Array.isArray(given) && given.length > 0 ? given.map(toText) : ['application/json'];
  return Object.fromEntries(types.map((type) => [type, defined({ schema, example: examples[type] })]));
}

/** Returns the body of a Swagger 2 operation, which is one of its parameters, or all parameters of a form. */
export function swaggerBody(
  root: Record<string, unknown>,
  operation: Record<string, unknown>,
  parameters: readonly Record<string, unknown>[],
): Record<string, unknown> {
  const body = parameters.find((each) => each['in'] === 'body');
  const form = parameters.filter((each) => each['in'] === 'formData');
  if (body === undefined && form.length === 0) return {};
  const given = operation['consumes'] ?? root['consumes'];
  const stated = Array.isArray(given) ? given.map(toText) : [];
  const types =
    stated.length > 0 ? stated : [form.length > 0 ? 'application/x-www-form-urlencoded' : 'application/json'];
  const properties = Object.fromEntries(
    form.map(({ name, in: _place, required: _required, ...schema }) => [toText(name), schema]),
  );
  const required = form.filter((each) => each['required'] === true).map(({ name }) => name);
  const schema = body?.['schema'] ?? { type: 'object', properties, required };
  return {
    description: body?.['description'],
    required: body?.['required'] === true || required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}
