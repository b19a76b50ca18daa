import { isRecord, truncate } from '../contract/values.ts';
import { readSamples } from './stated-samples.ts';
import {
  asRecord,
  oneLine,
  type OperationEntry,
  resolveReference,
  schemaName,
  securitySchemesOf,
  toText,
} from './specification-tree.ts';

type Fields = Record<string, unknown>;

/** Maximum number of fields of one schema, and of characters of one example, in a description. */
const limits = { fields: 100, example: 4000 } as const;

/**
 * Describes an operation or webhook of a specification in Markdown: its security, parameters by kind, bodies and responses, with
 * examples, and the specification's own code samples.
 */
export function describeOperation(
  root: Fields,
  entry: OperationEntry,
  field: 'paths' | 'webhooks',
): string[] {
  const item = asRecord(resolve(root, asRecord(root[field])[entry.path]));
  const { operation } = entry;
  const parameters = mergeParameters(root, item['parameters'], operation['parameters']);
  return [
    ...describeSecurity(root, operation['security'] ?? root['security']),
    ...describeParameters(root, parameters),
    ...describeBody(root, operation, parameters),
    ...describeResponses(root, operation['responses']),
    ...describeSamples(root, operation),
  ];
}

/** Returns the specification's own code samples. */
function describeSamples(root: Fields, operation: Fields): string[] {
  const samples = readSamples(root, operation) ?? [];
  if (samples.length === 0) return [];
  return [
    '**Code samples**',
    '',
    ...samples.flatMap(({ label, syntax, code: text }) => [code(label), '', ...fenced(text, syntax)]),
  ];
}

/** Follows references to a value that is not a reference. */
function resolve(root: Fields, value: unknown): unknown {
  let found = value;
  for (let hops = 0; hops < 20; hops++) {
    const { $ref: target } = asRecord(found);
    if (typeof target !== 'string') return found;
    found = target.startsWith('#') ? resolveReference(root, target) : undefined;
  }
  return found;
}

/** Returns the parameters of a path and an operation. Those of the operation have priority. */
function mergeParameters(root: Fields, ...lists: readonly unknown[]): Fields[] {
  const byName = new Map<string, Fields>();
  for (const list of lists) {
    if (!Array.isArray(list)) continue;
    for (const given of list) {
      const parameter = asRecord(resolve(root, given));
      byName.set(`${toText(parameter['in'])} ${toText(parameter['name'])}`, parameter);
    }
  }
  return [...byName.values()];
}

function describeSecurity(root: Fields, security: unknown): string[] {
  if (!Array.isArray(security) || security.length === 0) return [];
  const schemes = securitySchemesOf(root);
  const lines = security.filter(isRecord).map((requirement) => {
    const names = Object.entries(requirement).map(([name, scopes]) =>
      describeScheme(name, asRecord(resolve(root, schemes[name])), scopes),
    );
    return `* ${names.join(' and ') || 'None'}`;
  });
  return ['**Security**', '', ...lines, ''];
}

function describeScheme(name: string, scheme: Fields, scopes: unknown): string {
  const { type, scheme: kind, in: place, name: key } = scheme;
  const details = [
    [toText(type), toText(kind)].filter((word) => word !== '').join(' '),
    toText(key) === '' ? '' : `${toText(place)} ${code(toText(key))}`,
    Array.isArray(scopes) && scopes.length > 0
      ? `scopes ${scopes.map((scope) => code(toText(scope))).join(', ')}`
      : '',
  ].filter((part) => part !== '');
  return `${code(name)}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
}

const parameterTitles = {
  path: 'Path parameters',
  query: 'Query parameters',
  header: 'Header parameters',
  cookie: 'Cookie parameters',
  formData: 'Form fields',
} as const;

function describeParameters(root: Fields, parameters: readonly Fields[]): string[] {
  return Object.entries(parameterTitles).flatMap(([place, title]) => {
    const own = parameters.filter((parameter) => parameter['in'] === place);
    if (own.length === 0) return [];
    const rows = own.map((parameter) => {
      const [content] = Object.values(asRecord(parameter['content']));
      const schema = parameter['schema'] ?? asRecord(content)['schema'] ?? parameter;
      return {
        name: toText(parameter['name']),
        type: typeOf(root, schema),
        isRequired: parameter['required'] === true,
        description: descriptionOf(parameter, asRecord(resolve(root, schema))),
      };
    });
    return [`**${title}**`, '', ...tableOf(rows), ''];
  });
}

function describeBody(root: Fields, operation: Fields, parameters: readonly Fields[]): string[] {
  const body = asRecord(resolve(root, operation['requestBody']));
  const old = parameters.find((parameter) => parameter['in'] === 'body');
  const contents: [string, unknown][] =
    old === undefined ? Object.entries(asRecord(body['content'])) : [['', { schema: old['schema'] }]];
  if (contents.length === 0) return [];
  const isRequired = (old ?? body)['required'] === true;
  return [
    `**Body**${isRequired ? ' (required)' : ''}`,
    '',
    ...paragraph((old ?? body)['description']),
    ...contents.flatMap(([type, media]) => describeContent(root, type, asRecord(media))),
  ];
}

function describeResponses(root: Fields, responses: unknown): string[] {
  const entries = Object.entries(asRecord(responses));
  if (entries.length === 0) return [];
  return [
    '**Responses**',
    '',
    ...entries.flatMap(([status, given]) => {
      const response = asRecord(resolve(root, given));
      const { schema, examples } = response;
      const contents: [string, unknown][] =
        schema === undefined
          ? Object.entries(asRecord(response['content']))
          : [['', { schema, example: Object.values(asRecord(examples))[0] }]];
      const description = oneLine(toText(response['description']));
      return [
        `${code(status)}${description === '' ? '' : ` ${description}`}`,
        '',
        ...contents.flatMap(([type, media]) => describeContent(root, type, asRecord(media))),
      ];
    }),
  ];
}

function describeContent(root: Fields, mediaType: string, media: Fields): string[] {
  const { schema, example, examples } = media;
  const resolved = asRecord(resolve(root, schema));
  const type = schema === undefined ? '' : typeOf(root, schema);
  const shown =
    example ??
    asRecord(resolve(root, Object.values(asRecord(examples))[0]))['value'] ??
    resolved['example'] ??
    (Array.isArray(resolved['examples']) ? resolved['examples'][0] : undefined);
  const head = [mediaType === '' ? '' : code(mediaType), type].filter((part) => part !== '').join(': ');
  return [
    ...(head === '' ? [] : [head, '']),
    ...describeFields(
      root,
      resolved['type'] === 'array' ? asRecord(resolve(root, resolved['items'])) : resolved,
    ),
    ...exampleOf(shown),
  ];
}

function describeFields(root: Fields, schema: Fields): string[] {
  const fields = new Map<string, { readonly schema: unknown; readonly isRequired: boolean }>();
  collectFields(root, schema, fields, new Set());
  if (fields.size === 0) return [];
  const rows = [...fields].slice(0, limits.fields).map(([name, { schema: own, isRequired }]) => ({
    name,
    type: typeOf(root, own),
    isRequired,
    description: descriptionOf(asRecord(own), asRecord(resolve(root, own))),
  }));
  return [...tableOf(rows), ''];
}

/** Collects the properties of a schema and of its parts. Each part is visited (`seen`) once. */
function collectFields(
  root: Fields,
  schema: Fields,
  fields: Map<string, { readonly schema: unknown; readonly isRequired: boolean }>,
  seen: Set<unknown>,
  depth = 0,
): void {
  if (depth > 8 || seen.has(schema)) return;
  seen.add(schema);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  for (const [name, own] of Object.entries(asRecord(schema['properties'])))
    fields.set(name, { schema: own, isRequired: required.has(name) });
  if (Array.isArray(schema['allOf']))
    for (const part of schema['allOf'])
      collectFields(root, asRecord(resolve(root, part)), fields, seen, depth + 1);
}

/** Returns the type of a schema: the name of its component, or its kind. */
function typeOf(root: Fields, schema: unknown, depth = 0): string {
  const name = schemaName(schema);
  if (name !== '') return code(name);
  const own = asRecord(resolve(root, schema));
  const { type, format, items, enum: values, nullable, properties } = own;
  const orNull = nullable === true ? ' or null' : '';
  if (type === 'array' || items !== undefined)
    return depth > 4 ? 'array' : `array of ${typeOf(root, items, depth + 1)}${orNull}`;
  for (const [field, word] of [
    ['oneOf', ' or '],
    ['anyOf', ' or '],
    ['allOf', ' and '],
  ] as const) {
    const parts = own[field];
    if (Array.isArray(parts) && parts.length > 0 && depth < 4)
      return (
        [...new Set(parts.slice(0, 10).map((part) => typeOf(root, part, depth + 1)))].join(word) + orNull
      );
  }
  const stated = Array.isArray(type) ? type.map(toText).join(' or ') : toText(type);
  const word = stated || (properties === undefined ? 'any' : 'object');
  const choice = Array.isArray(values)
    ? `: ${values
        .slice(0, 20)
        .map((value) => code(toText(value) || JSON.stringify(value)))
        .join(', ')}`
    : '';
  return `${oneLine(word)}${toText(format) === '' ? '' : ` (${oneLine(toText(format))})`}${orNull}${choice}`;
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

function tableOf(rows: readonly Row[]): string[] {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  return [
    '| Name | Type | Required | Description |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ({ name, type, isRequired, description }) =>
        `| ${cell(code(name))} | ${cell(type)} | ${isRequired ? 'yes' : 'no'} | ${cell(description)} |`,
    ),
  ];
}

function descriptionOf(...holders: readonly Fields[]): string {
  for (const { description, deprecated } of holders) {
    const text = oneLine(toText(description));
    if (text !== '' || deprecated === true) return deprecated === true ? `Deprecated. ${text}`.trim() : text;
  }
  return '';
}

function paragraph(description: unknown): string[] {
  const text = oneLine(toText(description));
  return text === '' ? [] : [text, ''];
}

function exampleOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const isText = typeof value === 'string';
  return fenced(isText ? value : JSON.stringify(value, null, 2), isText ? '' : 'json');
}

/** Returns a block of code. Long code is cut. */
function fenced(whole: string, language: string): string[] {
  const text = truncate(whole, limits.example);
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [`${fence}${language}`, ...text.split(/\r?\n/), fence, ''];
}

function code(text: string): string {
  const line = oneLine(text).replaceAll('`', '');
  return line === '' ? '' : `\`${line}\``;
}
