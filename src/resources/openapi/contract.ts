import { created, file, listOf, noContent, ok, operation, type NounHelp } from '../../contract/operation.ts';
import { closed, DateTime, Id, nullable, oneOf, optional, Type, Url } from '../../contract/schema.ts';

export const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$',
  description: 'name of the specification in letters, digits and hyphens, such as billing',
});
const Visibility = oneOf(['private', 'public'], {
  description:
    'who can download the specification. private: members except guests; public: anyone, without a token',
});
/** Maximum length of a text in a request, in characters. The response of an address may be longer. */
export const maxTextLength = 5_000_000;
/** The source of a specification: its address or its text. */
const Source = closed(optional({ url: Url, text: Type.String({ minLength: 1, maxLength: maxTextLength }) }), {
  minProperties: 1,
  maxProperties: 1,
  description: 'source of the specification: either an address to fetch it from or its text',
});

/** An OpenAPI specification. */
export const OpenAPISpec = closed({
  object: Type.Literal('openapi-spec'),
  id: Id,
  createdAt: DateTime,
  updatedAt: DateTime,
  slug: Slug,
  sourceURL: Type.Optional(Url),
  processingState: oneOf(['pending', 'progress', 'complete'], {
    description: 'complete even if it could not be processed; lastProcessErrorCode is set then',
  }),
  ...optional({
    visibility: Visibility,
    lastVersion: Id,
    lastProcessedAt: DateTime,
    lastProcessErrorCode: oneOf(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR']),
    lastProcessedErrors: Type.Array(closed({ message: Type.String(), code: Type.Optional(Type.String()) })),
  }),
  permissions: closed({ view: Type.Boolean(), edit: Type.Boolean() }),
  urls: closed({ location: Url, app: Url, published: Type.Optional(Url) }),
});

const columns = ['slug', 'processingState', 'visibility', 'sourceURL', 'lastProcessedAt'];
export const nounHelp: NounHelp = {
  description: `
A specification describes an API in OpenAPI 3 or Swagger 2. docsctl keeps its versions, checks each of them, and writes pages from the latest one. A server fetches specifications from an address again every six hours.

Usually \`docsctl openapi publish\` is all you need: it checks a file and all files that this file refers to, and adds or updates the specification.`,
  examples: [
    'docsctl openapi publish billing.yaml',
    'docsctl openapi list',
    'docsctl openapi pages billing -d reference',
  ],
};

const flags = [
  {
    name: 'url',
    value: 'URL',
    summary: 'address to fetch the specification from',
    template: { source: { url: '$' } },
  },
  {
    name: 'text',
    value: 'TEXT',
    summary: 'text of the specification, instead of --url; @FILE reads a file',
    template: { source: { text: '$' } },
  },
];

export const listSpecs = operation({
  id: 'openapi.list',
  route: 'GET /orgs/:organizationId/openapi',
  summary: 'List the OpenAPI specifications of an organization',
  access: 'org.read',
  returns: listOf(OpenAPISpec),
  cli: { columns, examples: ['docsctl openapi list'] },
});

export const createSpec = operation({
  id: 'openapi.create',
  route: 'POST /orgs/:organizationId/openapi',
  summary: 'Add an OpenAPI specification',
  description:
    'Fails if the slug is taken. The text is sent unchanged and processed in the background. `docsctl openapi publish` also checks a file, adds the files that it refers to, and waits for the result.',
  access: 'org.create',
  body: closed({ slug: Slug, source: Source }),
  returns: created(OpenAPISpec),
  cli: {
    columns,
    flags,
    positional: ['slug'],
    examples: [
      'docsctl openapi create payments --url https://api.example.com/openapi.json',
      'docsctl openapi create payments --text @billing.yaml',
    ],
  },
});

export const getSpec = operation({
  id: 'openapi.get',
  route: 'GET /orgs/:organizationId/openapi/:specSlug',
  summary: 'Show an OpenAPI specification',
  access: 'org.read',
  returns: ok(OpenAPISpec),
  cli: {
    examples: ['docsctl openapi get billing'],
    columns: [...columns, 'lastProcessErrorCode', 'lastProcessedErrors'],
  },
});

export const replaceSpec = operation({
  id: 'openapi.replace',
  route: 'PUT /orgs/:organizationId/openapi/:specSlug',
  summary: 'Replace the source of an OpenAPI specification, or add the specification',
  description:
    'Adds the specification if the slug is new. The source is processed in the background. If the source has errors, the latest version does not change.',
  access: 'org.create',
  body: closed({ source: Source }),
  returns: ok(OpenAPISpec),
  cli: { columns, flags, examples: ['docsctl openapi replace billing --text @billing.yaml'] },
});

export const updateSpec = operation({
  id: 'openapi.update',
  route: 'PATCH /orgs/:organizationId/openapi/:specSlug',
  summary: 'Change who can download an OpenAPI specification',
  description: 'A private specification can be read with the read role in the organization.',
  access: 'org.create',
  body: closed({ visibility: Visibility }),
  returns: ok(OpenAPISpec),
  cli: { columns, examples: ['docsctl openapi update billing --visibility public'] },
});

export const deleteSpec = operation({
  id: 'openapi.delete',
  route: 'DELETE /orgs/:organizationId/openapi/:specSlug',
  summary: 'Delete an OpenAPI specification with all its versions',
  description:
    'Pages that `docsctl openapi pages` wrote are kept. Pages that docsctl generates from the specification (with the content source `builtin:openapi`) disappear. A deleted specification cannot be restored.',
  access: 'org.admin',
  returns: noContent(),
  cli: { examples: ['docsctl openapi delete billing --yes'] },
});

export const refreshSpec = operation({
  id: 'openapi.refresh',
  route: 'POST /orgs/:organizationId/openapi/:specSlug/refresh',
  summary: 'Fetch and process an OpenAPI specification again',
  description:
    'A server also fetches specifications from an address every six hours. This operation is not in the official API of GitBook.',
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
  format: Type.String({ description: 'version of OpenAPI or Swagger, such as 3.1.0' }),
  title: Type.String(),
  version: Type.String({ description: 'version that the specification states' }),
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
  cli: { examples: ['docsctl openapi versions billing'], positional: ['specSlug'], columns: versionColumns },
});

export const getSpecVersion = operation({
  id: 'openapi.version',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId',
  summary: 'Show a version of an OpenAPI specification',
  access: 'org.read',
  returns: ok(OpenAPISpecVersion),
  cli: {
    examples: ['docsctl openapi version billing latest'],
    positional: ['specSlug', 'versionId'],
    columns: versionColumns,
  },
});

export const downloadSpec = operation({
  id: 'openapi.download',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId/content/download',
  summary: 'Download the text of an OpenAPI specification',
  access: 'org.read',
  returns: file(),
  cli: {
    positional: ['specSlug', 'versionId'],
    examples: ['docsctl openapi download billing -O current.json'],
  },
});

/** The content of a version: its files as data, by name. */
export const OpenAPISpecContent = closed({
  filesystem: Type.Unsafe<Record<string, unknown>>(Type.Object({})),
  urls: closed({ source: Url, public: nullable(Url) }),
});
const contentDescription =
  '`filesystem` holds the parsed content of the specification, under the name of its file. `urls.source` is the address of the text: the URL that docsctl fetched the text from, or an address on the docsctl server. `urls.public` is the address at which everyone can read the text. It is null for private specifications and for older versions.';

export const getSpecContent = operation({
  id: 'openapi.content',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/:versionId/content',
  summary: 'Show the parsed content of a version of an OpenAPI specification',
  description: contentDescription,
  access: 'org.read',
  returns: ok(OpenAPISpecContent),
  cli: {
    positional: ['specSlug', 'versionId'],
    columns: ['urls.source', 'urls.public'],
    examples: ['docsctl openapi content billing latest -o json'],
  },
});

export const getLatestSpecVersion = operation({
  id: 'openapi.latest',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/latest',
  summary: 'Show the latest version of an OpenAPI specification',
  access: 'org.read',
  returns: ok(OpenAPISpecVersion),
  cli: { columns: versionColumns, examples: ['docsctl openapi latest billing'] },
});

export const getLatestSpecContent = operation({
  id: 'openapi.latest-content',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/latest/content',
  summary: 'Show the parsed content of the latest version of an OpenAPI specification',
  description: contentDescription,
  access: 'org.read',
  returns: ok(OpenAPISpecContent),
  cli: {
    columns: ['urls.source', 'urls.public'],
    examples: ['docsctl openapi latest-content billing -o json'],
  },
});

export const getLatestSpecText = operation({
  id: 'openapi.latest-raw',
  route: 'GET /orgs/:organizationId/openapi/:specSlug/versions/latest/content/raw',
  summary: 'Show the text of the latest version of an OpenAPI specification',
  description:
    'Returns the text as it was sent or fetched, with its format. `docsctl openapi download` saves it as a file.',
  access: 'org.read',
  returns: ok(closed({ text: Type.String(), format: oneOf(['json', 'yaml']) })),
  cli: { columns: ['format', 'text'], examples: ['docsctl openapi latest-raw billing --query text'] },
});

export const getPublishedSpec = operation({
  id: 'openapi.published',
  route: 'GET /openapi/:specId',
  summary: 'Download the text of a public OpenAPI specification',
  description: 'Works without a token if you give the ID of the specification instead of its slug.',
  access: 'none.any',
  returns: file(),
  cli: {
    examples: [
      'docsctl openapi update billing --visibility public && docsctl openapi published billing -O public.yaml',
    ],
  },
});
