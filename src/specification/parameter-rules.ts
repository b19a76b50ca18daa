import type { Finding } from './references.ts';
import { isRecord } from '../contract/values.ts';

/** A finding, and the words that lead to the object in which it stands: what else is said of that object says the same, worse. */
export interface RuleFinding extends Finding {
  readonly object: readonly string[];
}

const types = ['string', 'number', 'integer', 'boolean', 'array', 'file'];

/** What is wrong with a parameter. The schema of each version has one form for each kind of parameter, and an error of it names the wrong form. */
export function checkParameter(
  parameter: unknown,
  pointer: readonly string[],
  isSwagger: boolean,
): RuleFinding[] {
  if (!isRecord(parameter) || '$ref' in parameter) return [];
  const { name, in: place } = parameter;
  const at = (message: string, field?: string): RuleFinding[] => {
    const isThere = field !== undefined && Object.hasOwn(parameter, field);
    return [
      { code: 'SCHEMA_INVALID', message, pointer: isThere ? [...pointer, field] : pointer, object: pointer },
    ];
  };
  const places = isSwagger
    ? ['query', 'header', 'path', 'formData', 'body']
    : ['query', 'header', 'path', 'cookie'];
  if (place === undefined) return at('this parameter lacks "in"', 'in');
  if (!isSwagger && (place === 'body' || place === 'formData'))
    return at(`"in: ${place}" is of Swagger 2.0; OpenAPI 3 has a "requestBody" beside "parameters"`, 'in');
  if (typeof place !== 'string' || !places.includes(place))
    return at(`"in" is one of ${places.join(', ')}, not ${shown(place)}`, 'in');
  if (name === undefined) return at('this parameter lacks "name"', 'name');
  if (place === 'path' && parameter['required'] !== true)
    return at('a parameter of the path is never optional: it needs "required: true"', 'required');
  return isSwagger ? checkSwagger(parameter, at) : checkOpenapi(parameter, at);
}

type At = (message: string, field?: string) => RuleFinding[];

function checkSwagger(parameter: Record<string, unknown>, at: At): RuleFinding[] {
  const { in: place, type } = parameter;
  if (place === 'body')
    return parameter['schema'] === undefined ? at('a parameter "in: body" needs a "schema"') : [];
  if (type === undefined && parameter['schema'] !== undefined)
    return at('only a parameter "in: body" has a "schema"; this one needs a "type"', 'schema');
  if (type === undefined) return at('this parameter lacks "type"');
  if (typeof type !== 'string' || !types.includes(type))
    return at(`the "type" of a parameter is one of ${types.join(', ')}, not ${shown(type)}`, 'type');
  return type === 'file' && place !== 'formData'
    ? at('only a parameter "in: formData" is a file', 'type')
    : [];
}

function checkOpenapi(parameter: Record<string, unknown>, at: At): RuleFinding[] {
  const { schema, content } = parameter;
  if (parameter['example'] !== undefined && parameter['examples'] !== undefined)
    return at('"example" and "examples" exclude each other', 'example');
  if (schema !== undefined && content !== undefined)
    return at('"schema" and "content" exclude each other', 'content');
  if (schema !== undefined || content !== undefined) return [];
  return parameter['type'] === undefined
    ? at('this parameter needs a "schema" or "content"')
    : at('in OpenAPI 3 the "type" of a parameter stands in its "schema"', 'type');
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}
