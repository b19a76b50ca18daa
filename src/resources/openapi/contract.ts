import { created, file, listOf, noContent, ok, operation } from '../../contract/operation.ts';
import { closed, DateTime, Id, oneOf, Type, Url } from '../../contract/schema.ts';

export const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$',
});
const Visibility = oneOf(['private', 'public']);
/** The source of a specification: an address to fetch, or its text. */
const Source = closed(
  { url: Type.Optional(Url), text: Type.Optional(Type.String({ minLength: 1, maxLength: 5_000_000 })) },
  { minProperties: 1, maxProperties: 1 },
);

/** An OpenAPI specification. */
export const OpenAPISpec = closed({
  object: Type.Literal('openapi-spec'),
  id: Id,
  createdAt: DateTime,
  updatedAt: DateTime,
  slug: Slug,
  sourceURL: Type.Optional(Url),
  processingState: oneOf(['pending', 'progress', 'complete']),
  visibility: Type.Optional(Visibility),
  lastVersion: Type.Optional(Id),
  lastProcessedAt: Type.Optional(DateTime),
  lastProcessErrorCode: Type.Optional(oneOf(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'])),
  lastProcessedErrors: Type.Optional(
    Type.Array(closed({ message: Type.String(), code: Type.Optional(Type.String()) })),
  ),
  permissions: closed({ view: Type.Boolean(), edit: Type.Boolean() }),
  urls: closed({ location: Url, app: Url, published: Type.Optional(Url) }),
});

const columns = ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'];
const flags = [
  {
    name: 'url',
    value: 'URL',
    summary: 'Fetch the specification from here',
    template: { source: { url: '$' } },
  },
  {
    name: 'text',
    value: 'TEXT',
    summary: 'The specification itself; @FILE reads a file',
    template: { source: { text: '$' } },
  },
];

export const listSpecs = operation({
  id: 'openapi.list',
  route: 'GET /orgs/:organizationId/openapi',
  summary: 'List the OpenAPI specifications of an organization',
  access: 'org.read',
  returns: listOf(OpenAPISpec),
  cli: { columns },
});

export const createSpec = operation({
  id: 'openapi.create',
  route: 'POST /orgs/:organizationId/openapi',
  summary: 'Add an OpenAPI specification',
  access: 'org.create',
  body: closed({ slug: Slug, source: Source }),
  returns: created(OpenAPISpec),
  cli: {
    columns,
    flags,
    positional: ['slug'],
    examples: [
      'docsctl openapi create billing --url https://api.example.com/openapi.json',
      'docsctl openapi create billing --text @openapi.yaml',
    ],
  },
});

export const getSpec = operation({
  id: 'openapi.get',
  route: 'GET /orgs/:organizationId/openapi/:specSlug',
  summary: 'Show an OpenAPI specification',
  access: 'org.read',
  returns: ok(OpenAPISpec),
  cli: { columns: [...columns, 'lastProcessErrorCode', 'lastProcessedErrors'] },
});

export const replaceSpec = operation({
  id: 'openapi.replace',
  route: 'PUT /orgs/:organizationId/openapi/:specSlug',
  summary: 'Give an OpenAPI specification a new source; adds it where there is none',
  access: 'org.create',
  body: closed({ source: Source }),
  returns: ok(OpenAPISpec),
  cli: { columns, flags, examples: ['docsctl openapi replace billing --text @openapi.yaml'] },
});

export const updateSpec = operation({
  id: 'openapi.update',
  route: 'PATCH /orgs/:organizationId/openapi/:specSlug',
  summary: 'Change who can see an OpenAPI specification',
  access: 'org.create',
  body: closed({ visibility: Visibility }),
  returns: ok(OpenAPISpec),
  cli: { columns, examples: ['docsctl openapi update billing --visibility public'] },
});

export const deleteSpec = operation({
  id: 'openapi.delete',
  route: 'DELETE /orgs/:organizationId/openapi/:specSlug',
  summary: 'Delete an OpenAPI specification',
  access: 'org.admin',
  returns: noContent(),
});

export const refreshSpec = operation({
  id: 'openapi.refresh',
  route: 'POST /orgs/:organizationId/openapi/:specSlug/refresh',
  summary: 'Fetch and process an OpenAPI specification again',
  description: 'One from an address is fetched again every six hours as well. Not in the API document.',
  access: 'org.create',
  returns: ok(OpenAPISpec),
  cli: { columns },
});

const Count = Type.Integer({ minimum: 0 });

/** A version of a specification. Not in the published API. */
export const OpenAPISpecVersion = closed({
  object: Type.Literal('openapi-spec-version'),
  id: Id,
  createdAt: DateTime,
  format: Type.String({ description: 'Version of OpenAPI or Swagger, as in 3.1.0' }),
  title: Type.String(),
  version: Type.String({ description: 'As the specification states it' }),
  operations: Count,
  webhooks: Count,
  schemas: Count,
  bytes: Count,
  urls: closed({ location: Url }),
});

const versionColumns = ['version', 'createdAt', 'format', 'operations', 'webhooks', 'schemas', 'bytes', 'id'];

export const listSpecVersions = operation({
  id: 'openapi.versions',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions',
  summary: 'List the versions of an OpenAPI specification, newest first',
  access: 'org.read',
  returns: listOf(OpenAPISpecVersion),
  cli: { positional: ['specSlug'], columns: versionColumns },
});

export const getSpecVersion = operation({
  id: 'openapi.version',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId',
  summary: 'Show a version of an OpenAPI specification; "latest" is the newest',
  access: 'org.read',
  returns: ok(OpenAPISpecVersion),
  cli: { positional: ['specSlug', 'versionId'], columns: versionColumns },
});

export const downloadSpec = operation({
  id: 'openapi.download',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId/content/raw',
  summary: 'Save the text of an OpenAPI specification; "latest" is the newest version',
  access: 'org.read',
  returns: file(),
  cli: {
    positional: ['specSlug', 'versionId'],
    examples: ['docsctl openapi download billing latest -O billing.yaml'],
  },
});

export const getPublishedSpec = operation({
  id: 'openapi.published',
  route: 'GET /openapi/:specId',
  summary: 'Save the text of an OpenAPI specification that is public; asks for no token',
  access: 'none.any',
  returns: file(),
});
