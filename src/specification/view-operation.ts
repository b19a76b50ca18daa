import type { RichNode } from '../contract/shapes.ts';
import { defined, getOrInsert, recordOf } from '../contract/values.ts';
import { textOfValue } from '../richtext/nodes.ts';
import { exampleOf } from './example-value.ts';
import { listServers } from './list-servers.ts';
import { isSwagger, listOperations, toText, type OperationEntry } from './specification-tree.ts';
import { readSamples, type CodeSample } from './stated-samples.ts';
import { swaggerBody, swaggerContent } from './swagger-bodies.ts';
import { viewLink, type LinkView } from './view-link.ts';
import { SchemaViewer, type FieldView, type SchemaView } from './view-schema.ts';
import { viewSecurity, type SecurityView } from './view-security.ts';

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

export interface ResponseView {
  /** Such as `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description: string;
  readonly headers: readonly FieldView[];
  readonly contents: readonly ContentView[];
  /** The operations that can follow. */
  readonly links: readonly LinkView[];
}

/** A request that the API sends because of an operation. */
interface CallbackView {
  readonly name: string;
  readonly operation: OperationView;
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
  readonly callbacks: readonly CallbackView[];
  /** The specification's own example requests; an empty list if none should be shown. */
  readonly samples?: readonly CodeSample[];
}

const places = ['path', 'query', 'header', 'cookie'] as const;
type ParameterPlace = (typeof places)[number];

/** What a block shows: an operation by its path and method, or a webhook by its name. The method may be missing. */
export interface BlockTarget {
  readonly path: string;
  readonly method: string;
  readonly isWebhook: boolean;
}

/** Returns the operation or webhook that a block shows. */
export function targetOfBlock({ type, data = {} }: RichNode): BlockTarget {
  const isWebhook = type === 'openapi-webhook';
  const path = textOfValue(data[isWebhook ? 'name' : 'path']) || textOfValue(data['path']);
  return { path, method: textOfValue(data['method']).toLowerCase(), isWebhook };
}

/** Finds an operation or webhook in a specification. Returns undefined if there is none. */
export function findOperation(
  root: Record<string, unknown>,
  { path, method, isWebhook }: BlockTarget,
): OperationEntry | undefined {
  return listOperations(root, isWebhook ? 'webhooks' : 'paths').find(
    (each) => each.path === path && each.method === (method || 'post'),
  );
}

/** Returns the title of an operation: its summary, or else its `operationId`, or else its method and path. */
export function operationTitle({ operation, method, path }: OperationEntry): string {
  const { summary, operationId } = operation;
  return toText(summary).trim() || toText(operationId).trim() || `${method.toUpperCase()} ${path}`;
}

/** Returns the view of an operation. If it `isBrief`, shared schemas are only named, except for those of bodies and responses. */
export function viewEntry(
  root: Record<string, unknown>,
  entry: OperationEntry,
  field: 'paths' | 'webhooks',
  isBrief = false,
): OperationView {
  const viewer = new SchemaViewer(root, undefined, isBrief);
  const view = viewWith(viewer, root, recordOf(root[field])[entry.path], entry, field === 'webhooks');
  viewer.complete();
  return view;
}

/** @param isSent whether the API itself sends the request */
function viewWith(
  viewer: SchemaViewer,
  root: Record<string, unknown>,
  pathItem: unknown,
  entry: OperationEntry,
  isSent: boolean,
  isCallback = false,
): OperationView {
  const { path, method, operation } = entry;
  const item = viewer.resolve(pathItem);
  const given = parametersOf(viewer, item, operation);
  const body = isSwagger(root)
    ? swaggerBody(root, operation, given)
    : viewer.resolve(operation['requestBody']);
  return {
    title: operationTitle(entry),
    method,
    path,
    isWebhook: isSent,
    isDeprecated: operation['deprecated'] === true,
    description: toText(operation['description']),
    servers: listServers(root, item, operation).map(({ address }) => address),
    security: isCallback ? [] : viewSecurity(root, viewer, operation),
    parameters: places.flatMap((place) => {
      const fields = given
        .filter((each) => each['in'] === place)
        .map((each) => ({
          ...fieldOf(viewer, each),
          samples: viewer.isBrief ? [] : samplesOf(root, viewer, each),
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
              contents: contentsOf(viewer, body['content'], isSent ? undefined : 'readOnly'),
            },
    }),
    responses: Object.entries(recordOf(operation['responses'])).map(([status, response]) =>
      responseOf(root, viewer, operation, status, viewer.resolve(response)),
    ),
    // The callbacks of callbacks are left out.
    callbacks: isCallback ? [] : callbacksOf(root, viewer, operation),
  };
}

function callbacksOf(
  root: Record<string, unknown>,
  viewer: SchemaViewer,
  { callbacks }: Record<string, unknown>,
): CallbackView[] {
  return Object.entries(recordOf(callbacks)).flatMap(([name, given]) => {
    const callback = viewer.resolve(given);
    return listOperations({ ...root, callback }, 'callback').map((entry) => ({
      name,
      operation: viewWith(viewer, root, callback[entry.path], entry, true, true),
    }));
  });
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
  return schema ?? recordOf(Object.values(recordOf(content))[0])['schema'] ?? parameter;
}

function statedExample(viewer: SchemaViewer, { example, examples }: Record<string, unknown>): unknown {
  // The examples of a schema are a list of values, and those of other objects have names.
  if (Array.isArray(examples)) return example ?? examples[0];
  return example ?? viewer.resolve(Object.values(recordOf(examples))[0])['value'];
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
  return Object.entries(recordOf(content)).map(([mediaType, value]) => {
    const { schema = true, example, examples } = recordOf(value);
    const named = Object.entries(recordOf(examples)).flatMap(([name, each]) => {
      const { summary, value: one } = viewer.resolve(each);
      return one === undefined ? [] : [{ name: toText(summary) || name, text: textOf(one) }];
    });
    const own = example === undefined ? [] : [{ name: '', text: textOf(example) }];
    const isStated = schema === true || named.length + own.length > 0;
    const made =
      isStated || !/json|xml|form|\*/.test(mediaType)
        ? undefined
        : viewer.isBrief
          ? statedExample(viewer, viewer.resolve(schema))
          : exampleOf(viewer, schema, without);
    const isShown = made !== undefined && (typeof made === 'string' || !/\bxml\b/.test(mediaType));
    const key = recordOf(schema)['$ref'] ?? schema;
    const view = getOrInsert(outlines, key, () => viewer.outline(schema));
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
  const { description, headers, content, schema, examples, links } = response;
  const given =
    isSwagger(root) && schema !== undefined
      ? swaggerContent(root, operation, schema, recordOf(examples))
      : content;
  return {
    status,
    description: toText(description),
    headers: Object.entries(recordOf(headers)).map(([name, header]) =>
      fieldOf(viewer, { ...viewer.resolve(header), name }),
    ),
    contents: contentsOf(viewer, given, 'writeOnly'),
    links: Object.entries(recordOf(links)).map(([name, link]) => viewLink(root, name, viewer.resolve(link))),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
}
