import { defined, isRecord } from '../contract/values.ts';
import { exampleOf } from './example-value.ts';
import { asRecord, isSwagger, listOperations, securitySchemesOf, toText } from './specification-tree.ts';
import { readSamples, type CodeSample } from './stated-samples.ts';
import { SchemaViewer, type FieldView, type SchemaView } from './view-schema.ts';

/** A parameter of a request. */
interface ParameterView extends FieldView {
  /** Example values: several if a list is sent as several parameters. */
  readonly samples: readonly string[];
}

/** The content of a request or response in one format. */
export interface ContentView {
  readonly mediaType: string;
  readonly schema: SchemaView;
  readonly examples: readonly { readonly name: string; readonly text: string }[];
}

interface SecurityView {
  readonly name: string;
  /** The place of the credential: `header Authorization: Bearer`, `query api_key`, `OAuth 2`. */
  readonly place: string;
  readonly description: string;
  readonly scopes: readonly string[];
}

export interface ResponseView {
  /** Such as `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly FieldView[];
  readonly contents: readonly ContentView[];
}

/** An operation or a webhook in the form for readers. */
export interface OperationView {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly isWebhook: boolean;
  readonly isDeprecated: boolean;
  /** Markdown. */
  readonly description: string;
  readonly servers: readonly string[];
  /**
   * Alternative lists of credentials. Each list must be complete; one list is enough. An empty list means that no credentials are
   * needed.
   */
  readonly security: readonly (readonly SecurityView[])[];
  readonly parameters: readonly {
    readonly place: ParameterPlace;
    readonly fields: readonly ParameterView[];
  }[];
  readonly body?: {
    readonly description: string;
    readonly isRequired: boolean;
    readonly contents: readonly ContentView[];
  };
  readonly responses: readonly ResponseView[];
  /** The specification's own example requests; an empty list if none should be shown. */
  readonly samples?: readonly CodeSample[];
}

const places = ['path', 'query', 'header', 'cookie'] as const;
type ParameterPlace = (typeof places)[number];

/** Finds an operation of a specification by its path and method, or a webhook by its name. Returns undefined if there is none. */
export function viewOperation(
  root: Record<string, unknown>,
  path: string,
  method: string,
  isWebhook = false,
): OperationView | undefined {
  const found = listOperations(root, isWebhook ? 'webhooks' : 'paths').find(
    (each) => each.path === path && each.method === method.toLowerCase(),
  );
  if (found === undefined) return undefined;
  const { operation } = found;
  const viewer = new SchemaViewer(root);
  const item = viewer.resolve(asRecord(root[isWebhook ? 'webhooks' : 'paths'])[path]);
  const given = parametersOf(viewer, item, operation);
  const body = isSwagger(root)
    ? swaggerBody(root, operation, given)
    : viewer.resolve(operation['requestBody']);
  const view: OperationView = {
    title:
      toText(operation['summary']) ||
      toText(operation['operationId']) ||
      `${found.method.toUpperCase()} ${path}`,
    method: found.method,
    path,
    isWebhook,
    isDeprecated: operation['deprecated'] === true,
    description: toText(operation['description']),
    servers: listServers(root, item, operation).map(({ address }) => address),
    security: securityOf(root, viewer, operation),
    parameters: places.flatMap((place) => {
      const fields = given
        .filter((each) => each['in'] === place)
        .map((each) => ({
          ...fieldOf(viewer, each),
          samples: samplesOf(root, viewer, each),
        }));
      return fields.length === 0 ? [] : [{ place, fields }];
    }),
    ...defined({
      samples: readSamples(root, operation),
      body:
        Object.keys(body).length === 0
          ? undefined
          : {
              description: toText(body['description']),
              isRequired: body['required'] === true,
              contents: contentsOf(viewer, body['content'], isWebhook ? undefined : 'readOnly'),
            },
    }),
    responses: Object.entries(asRecord(operation['responses'])).map(([status, response]) =>
      responseOf(root, viewer, operation, status, viewer.resolve(response)),
    ),
  };
  viewer.complete();
  return view;
}

/** Returns the parameters of an operation, and those of its path that it does not override. */
export function parametersOf(
  viewer: SchemaViewer,
  ...owners: readonly Record<string, unknown>[]
): Record<string, unknown>[] {
  const found = new Map<string, Record<string, unknown>>();
  for (const { parameters } of owners)
    for (const each of Array.isArray(parameters) ? parameters : []) {
      const parameter = viewer.resolve(each);
      found.set(`${toText(parameter['in'])} ${toText(parameter['name'])}`, parameter);
    }
  return [...found.values()];
}

function fieldOf(viewer: SchemaViewer, parameter: Record<string, unknown>): FieldView {
  const { name, required, deprecated, description, in: _place } = parameter;
  const schema = viewer.outline(schemaOf(parameter));
  const example = statedExample(viewer, parameter);
  if (example !== undefined) schema.example = textOf(example);
  return {
    name: toText(name),
    isRequired: required === true,
    isDeprecated: deprecated === true,
    description: toText(description),
    schema,
  };
}

/** Returns the schema of a parameter. In Swagger 2, its fields are next to the name. */
function schemaOf({
  name: _n,
  required: _r,
  description: _d,
  in: _i,
  ...parameter
}: Record<string, unknown>): unknown {
  const { schema, content } = parameter;
  return schema ?? asRecord(Object.values(asRecord(content))[0])['schema'] ?? parameter;
}

function statedExample(viewer: SchemaViewer, { example, examples }: Record<string, unknown>): unknown {
  return example ?? viewer.resolve(Object.values(asRecord(examples))[0])['value'];
}

const separators: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  ssv: ' ',
  tsv: '\t',
  pipeDelimited: '|',
  pipes: '|',
};

/** Returns example values of a parameter, as they are sent. */
function samplesOf(
  root: Record<string, unknown>,
  viewer: SchemaViewer,
  parameter: Record<string, unknown>,
): string[] {
  const { in: place, style, explode, collectionFormat } = parameter;
  const value = statedExample(viewer, parameter) ?? exampleOf(viewer, schemaOf(parameter)) ?? 'text';
  if (!Array.isArray(value)) return [textOf(value)];
  const [first = 'text', ...others] = value.map(textOf);
  const separator = separators[toText(collectionFormat ?? style)];
  const isRepeated = isSwagger(root)
    ? collectionFormat === 'multi'
    : place === 'query' && (explode ?? separator === undefined) === true;
  return isRepeated ? [first, ...others] : [[first, ...others].join(separator ?? ',')];
}

/** @param without the kind of properties that its example leaves out */
function contentsOf(
  viewer: SchemaViewer,
  content: unknown,
  without: 'readOnly' | 'writeOnly' | undefined,
): ContentView[] {
  const outlines = new Map<unknown, SchemaView>();
  return Object.entries(asRecord(content)).map(([mediaType, value]) => {
    const { schema = true, example, examples } = asRecord(value);
    const named = Object.entries(asRecord(examples)).flatMap(([name, each]) => {
      const { summary, value: one } = viewer.resolve(each);
      return one === undefined ? [] : [{ name: toText(summary) || name, text: textOf(one) }];
    });
    const own = example === undefined ? [] : [{ name: '', text: textOf(example) }];
    const isStated = schema === true || named.length + own.length > 0;
    const made =
      isStated || !/json|xml|form|\*/.test(mediaType) ? undefined : exampleOf(viewer, schema, without);
    const isShown = made !== undefined && (typeof made === 'string' || !/\bxml\b/.test(mediaType));
    const key = asRecord(schema)['$ref'] ?? schema;
    const view = outlines.get(key) ?? viewer.outline(schema);
    outlines.set(key, view);
    return {
      mediaType,
      schema: view,
      examples: [...own, ...named, ...(isShown ? [{ name: '', text: textOf(made) }] : [])],
    };
  });
}

function responseOf(
  root: Record<string, unknown>,
  viewer: SchemaViewer,
  operation: Record<string, unknown>,
  status: string,
  response: Record<string, unknown>,
): ResponseView {
  const { description, headers, content, schema, examples } = response;
  const given =
    isSwagger(root) && schema !== undefined
      ? swaggerContent(root, operation, schema, asRecord(examples))
      : content;
  return {
    status,
    description: toText(description),
    headers: Object.entries(asRecord(headers)).map(([name, header]) =>
      fieldOf(viewer, { ...viewer.resolve(header), name }),
    ),
    contents: contentsOf(viewer, given, 'writeOnly'),
  };
}

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

/** A server of an API. */
export interface Server {
  /** The URL with the defaults of its variables. */
  readonly address: string;
  readonly url: string;
  readonly variables: Record<string, unknown>;
}

/** Lists the servers of the last owner that has some, or those of the whole specification. */
export function listServers(
  root: Record<string, unknown>,
  ...owners: readonly Record<string, unknown>[]
): Server[] {
  const [servers] = [...owners.toReversed(), root]
    .map((each) => each['servers'])
    .filter((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(servers))
    return servers.filter(isRecord).map((server) => {
      const [url, variables] = [toText(server['url']), asRecord(server['variables'])];
      const defaultOf = (whole: string, name: string): string =>
        toText(asRecord(variables[name])['default']) || whole;
      return { address: url.replace(/\{([^{}]+)\}/g, defaultOf), url, variables };
    });
  const { host, basePath, schemes } = root;
  if (toText(host) === '') {
    const path = toText(basePath);
    return /^\/./.test(path) ? [{ address: path, url: path, variables: {} }] : [];
  }
  const list = Array.isArray(schemes) && schemes.length > 0 ? schemes.map(toText) : ['https'];
  return list.map((scheme) => {
    const url = `${scheme}://${toText(host)}${toText(basePath)}`;
    return { address: url, url, variables: {} };
  });
}

function securityOf(
  root: Record<string, unknown>,
  viewer: SchemaViewer,
  operation: Record<string, unknown>,
): SecurityView[][] {
  const needed = operation['security'] ?? root['security'];
  const schemes = securitySchemesOf(root);
  return (Array.isArray(needed) ? needed : []).filter(isRecord).map((all) =>
    Object.entries(all).map(([name, scopes]) => {
      const scheme = viewer.resolve(schemes[name]);
      return {
        name,
        place: placeOf(scheme),
        description: toText(scheme['description']),
        scopes: Array.isArray(scopes) ? scopes.map(toText) : [],
      };
    }),
  );
}

function placeOf({ type, in: place, name, scheme }: Record<string, unknown>): string {
  switch (type) {
    case 'apiKey':
      return `${toText(place)} ${toText(name)}`;
    case 'http':
      return `header Authorization: ${toText(scheme).replace(/^./, (letter) => letter.toUpperCase())}`;
    case 'basic':
      return 'header Authorization: Basic';
    case 'oauth2':
      return 'OAuth 2';
    case 'openIdConnect':
      return 'OpenID Connect';
    default:
      return toText(type);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
