import { nearest } from '../contract/nearest.ts';
import { isRecord } from '../contract/values.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const fields = {
  specification:
    'openapi info servers paths webhooks components security tags externalDocs jsonSchemaDialect swagger host basePath schemes consumes produces definitions parameters responses securityDefinitions',
  info: 'title description version termsOfService contact license summary',
  operation:
    'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers consumes produces schemes',
  parameter:
    'name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content type format items collectionFormat default enum',
  response: 'description headers content links schema examples',
  'media type': 'schema example examples encoding',
  schema:
    'type format title description properties required items enum default example examples allOf anyOf oneOf not additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems uniqueItems minProperties maxProperties multipleOf readOnly writeOnly nullable deprecated discriminator xml externalDocs',
} as const;
type ObjectName = keyof typeof fields | 'path' | 'list of responses' | 'object';

/** The text after the word "add" for a missing field. */
const additions: Readonly<Record<string, string>> = {
  info: 'it with a title and a version',
  title: 'a name such as "Pet store"',
  version: 'the version of the API, such as "1.0.0"',
  responses: 'it with at least one response, such as "200"',
  description: 'a text such as "OK"',
  in: 'query, header, path or cookie',
  schema: 'one such as { type: string }',
};

/** The messages of the library's rules, with explanations of what to do. */
const rules: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [
    /is missing path parameter\(s\) for (.+)$/,
    (names = '') =>
      `the path has ${names.replaceAll('`', '')}, which no parameter describes: add a parameter with "in: path" and "required: true" for each`,
  ],
  [
    /has a path parameter named `([^`]*)`, but there is no corresponding/,
    (name = '') =>
      `the path does not have {${name}}: add it to the path, or remove the path parameter "${name}"`,
  ],
  [
    /operationId `([^`]*)` is duplicated/,
    (id = '') => `another operation has the operationId "${id}" too: give each its own`,
  ],
  [/has `body` and `formData` parameters/, () => 'use either "body" or "formData" parameters, not both'],
  [
    /is an array, so it must include an `items` schema/,
    () => 'an array needs "items", the schema of its items: add "items: { type: string }" or what they are',
  ],
  [
    /has an invalid `[^`]*`: `([^`]*)`\. Must be one of: (.+)$/,
    (value = '', allowed = '') => describeChoice(value, allowed.replaceAll('`', '').split(', ')),
  ],
];

/** Rewrites a message of the library to say what is wrong and what to do; undefined for an unknown message. */
export function describeMistake(
  message: string,
  node: unknown,
  pointer: readonly string[],
): string | undefined {
  for (const [pattern, describe] of rules) {
    const found = pattern.exec(message);
    if (found !== null) return describe(...found.slice(1));
  }
  const field = pointer.at(-1) ?? '';
  const [, missing] = /^must have required property '([^']*)'/.exec(message) ?? [];
  if (missing !== undefined) {
    return `${nameWithArticle(nameObject(pointer))} needs "${missing}": add ${additions[missing] ?? 'it'}`;
  }
  const [, allowed] = /^must be equal to one of the allowed values \(([^)]*)\)/.exec(message) ?? [];
  if (allowed !== undefined) return describeChoice(node, allowed.split(', '));
  if (/^must NOT have (?:additional|unevaluated) properties\b/.test(message))
    return describeUnknown(field, pointer.slice(0, -1));
  const [, type] = /^must be (array|object|string|boolean|integer|number)$/.exec(message) ?? [];
  return type === undefined ? undefined : describeType(type, node, field);
}

/** Returns the kind of a node of a specification, derived from its place. */
function nameObject(pointer: readonly string[]): ObjectName {
  const [last = '', parent = '', grandparent = ''] = pointer.toReversed();
  if (pointer.length === 0) return 'specification';
  if (pointer.length === 1 && last === 'info') return 'info';
  if (
    last === 'schema' ||
    parent === 'schemas' ||
    parent === 'definitions' ||
    parent === 'properties' ||
    last === 'items'
  )
    return 'schema';
  if (last === 'responses') return 'list of responses';
  if (parent === 'responses') return 'response';
  if (parent === 'parameters') return 'parameter';
  if (parent === 'content') return 'media type';
  if (grandparent === 'paths' || grandparent === 'webhooks')
    return methods.includes(last) ? 'operation' : 'object';
  return parent === 'paths' || parent === 'webhooks' ? 'path' : 'object';
}

function nameWithArticle(name: ObjectName): string {
  if (name === 'specification') return 'the specification';
  if (name === 'info') return '"info"';
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

function describeUnknown(field: string, parent: readonly string[]): string {
  const name = nameObject(parent);
  if (name === 'list of responses')
    return `${quote(field)} is not a status code: use 100 to 599, 1XX to 5XX, or "default"`;
  if (name === 'path') return `${quote(field)} is not an HTTP method: use one of ${methods.join(', ')}`;
  const known: readonly string[] = name === 'object' ? [] : fields[name].split(' ');
  if (known.includes(field))
    return `${quote(field)} does not fit here: check whether the reference to this object leads to the right one`;
  const likely = guess(field, known);
  const what = `${quote(field)} is not a field of ${name === 'object' ? 'this object' : nameWithArticle(name)}`;
  return likely === undefined
    ? `${what}: correct its name, remove it, or begin its name with "x-"`
    : `${what}: did you mean "${likely}"?`;
}

function describeChoice(value: unknown, allowed: readonly string[]): string {
  const likely = typeof value === 'string' ? guess(value, allowed) : undefined;
  const others = allowed.filter((one) => one !== likely).join(', ');
  return likely === undefined
    ? `${quote(value)} is not allowed here: use one of ${others}`
    : `${quote(value)} is not allowed here: write ${likely}, or one of ${others}`;
}

/** Returns the known word that is most similar to another one. */
function guess(word: string, candidates: readonly string[]): string | undefined {
  return nearest(word, candidates)[0];
}

function describeType(type: string, node: unknown, field: string): string {
  const name = quote(field);
  if (type === 'array') {
    if (field === 'required' && typeof node === 'boolean')
      return '"required" of a schema is a list: write the names of the required properties beside "properties", such as [id]';
    const how = typeof node === 'string' || isRecord(node) ? ': write "- " in front of each item' : '';
    return `${name} must be a list, and is ${describeValue(node)}${how}`;
  }
  if (type === 'object') return `this must be an object with fields, and is ${describeValue(node)}`;
  if (type === 'string' && field === 'type' && Array.isArray(node))
    return 'a list of types needs OpenAPI 3.1: write one type and "nullable: true", or set "openapi" to "3.1.0"';
  const kind = { string: 'a text', boolean: 'true or false', integer: 'a whole number', number: 'a number' }[
    type
  ];
  return `${name} must be ${kind}, and is ${describeValue(node)}`;
}

function describeValue(node: unknown): string {
  if (node === null || node === undefined) return 'empty';
  if (Array.isArray(node)) return 'a list';
  return typeof node === 'object'
    ? 'an object'
    : typeof node === 'string'
      ? `the text ${quote(node)}`
      : String(node);
}

function quote(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100);
}
